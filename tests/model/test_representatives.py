"""Representatives: one state for all that differ only in names, and what may be told from it."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Question
from fencecheck.explore.compiled.engine import explore_compiled
from fencecheck.explore.engine import Explorer
from fencecheck.explore.graph import Limits, MemoryGraph
from fencecheck.explore.random_runs import seed_outcomes
from fencecheck.explore.reference import explore
from fencecheck.explore.watch import Watch
from fencecheck.model import (
    Array,
    Bag,
    Each,
    Enum,
    Fresh,
    Index,
    Maybe,
    Model,
    OneOf,
    Record,
    Seq,
    Version,
)
from fencecheck.model.family import Family
from fencecheck.model.files.identity import model_hash
from fencecheck.model.files.loading import load_family
from fencecheck.model.system import State, System
from fencecheck.runs.event import possible
from fencecheck.runs.random_run import random_walk
from fencecheck.runs.replay import replay
from fencecheck.runs.trace import Origin
from tests.models_for_tests import tokens, two_phase
from tests.models_for_tests.orbits import Orbits

SAFETY = ["newest_stays", "contents_are_new"]


def searched(system: System) -> MemoryGraph:
    graph = explore(
        system, Watch(system, SAFETY if "newest" in system.place else []), Limits(20_000)
    )
    assert graph.search.complete
    return graph


def mailboxes() -> Model:
    """A model with each of the types in every kind of container."""
    model = Model("mailboxes", "Clients ask, servers answer")
    client_index = Index(2, "c", symmetric=True)
    server_index = Index(2, "s", symmetric=True)
    epoch, ids = Version("epoch", ahead=1), Fresh("ids")
    ask = Record("Ask", client=client_index, id=ids)
    taken = Record("Taken", server=server_index, client=client_index, id=ids)
    answer = OneOf("Answer", none=None, of=ask, epoch=epoch)
    client, server = model.actor("client"), model.actor("server")
    model.variable("epoch", epoch, owner=server)
    model.variable("ids", ids, owner=client)
    model.variable("asked", Seq(ask, 2), owner=client)
    model.variable("box", Bag(taken, 2), owner=server)
    model.variable("seen", Array(server_index, Array(client_index, Maybe(epoch, "never"))))
    model.variable("next", epoch)
    model.variable("heard", Array(client_index, answer), owner=client)
    model.variable("friend", Array(client_index, Maybe(client_index, "nobody")), owner=client)

    @client.action(c=client_index, when=lambda s, c: len(s.asked) < 2)
    def put(s, c):  # type: ignore[no-untyped-def]
        """A client asks."""
        s.ids += 1
        s.asked.append(ask(client=c, id=s.ids))

    @client.action(c=client_index, d=client_index, when=lambda s, c, d: s.friend[c] != d)
    def befriend(s, c, d):  # type: ignore[no-untyped-def]
        """A client takes another for a friend."""
        s.friend[c] = d

    @server.action(z=server_index, when=lambda s, z: len(s.asked) > 0 and len(s.box) < 2)
    def take(s, z):  # type: ignore[no-untyped-def]
        """A server takes what was asked first."""
        m = s.asked.pop(0)
        s.box.add(taken(server=z, client=m.client, id=m.id))

    @server.action(m=Each("box", "server"))
    def reply(s, m):  # type: ignore[no-untyped-def]
        """A server answers, and remembers when."""
        s.box.remove(m)
        s.heard[m.client] = answer.of(ask(client=m.client, id=m.id))
        s.seen[m.server][m.client] = s.epoch
        s.next = s.epoch + 1

    @server.action(c=client_index, when=lambda s, c: s.next > s.epoch)
    def advance(s, c):  # type: ignore[no-untyped-def]
        """The epoch ends."""
        s.epoch += 1
        s.heard[c] = answer.epoch(s.epoch)

    return model


def systems() -> Iterator[System]:
    family = Family(tokens.model)
    for fencing in ("off", "on"):
        yield System(family, family.design({"fencing": fencing}), asked=SAFETY)
    yield System(family, family.design())
    other = Family(mailboxes())
    yield System(other, other.design())


def named(system: System) -> str:
    kept = " kept still" if system.still else ""
    return f"{system.family.name} {' '.join(system.design.mechanisms.values())}{kept}".strip()


EVERY = list(systems())


def reachable(system: System, seeds: int, most: int = 60) -> list[State]:
    """Return states of random runs, with the real numbers that they have there."""
    found = list[State]()
    for seed in range(seeds):
        walk = random_walk(system, [], seed, 25)
        found += [walk.start, *(event.after for event in walk.events)]
    return random.Random(seeds).sample(found, min(most, len(found)))


@pytest.mark.parametrize("system", EVERY, ids=named)
def test_a_representative_differs_from_its_state_only_in_names(system: System) -> None:
    orbits = Orbits(system)
    for state in reachable(system, 6):
        representative = system.representative(state)
        assert orbits.smallest(representative) == orbits.smallest(state)
        assert system.representative(representative) == representative


@pytest.mark.parametrize("system", EVERY, ids=named)
def test_what_differs_only_in_names_can_do_the_same(system: System) -> None:
    """For every event of a state, a renamed one has one that leads to the same orbit."""
    orbits, choose = Orbits(system), random.Random(7)
    for state in reachable(system, 4, most=8):
        other = orbits.otherwise_named(state, choose)
        assert orbits.smallest(other) == orbits.smallest(state)
        assert ways(system, orbits, other) == ways(system, orbits, state)


def ways(system: System, orbits: Orbits, state: State) -> Counter[object]:
    return Counter(
        (event.action, event.outcome, orbits.smallest(event.after))
        for event in possible(system, state)
    )


@pytest.mark.parametrize("system", EVERY[:3], ids=named)
def test_every_orbit_is_found_at_its_depth(system: System) -> None:
    """A search that executes real numbers, and tells states apart by trying all names, agrees."""
    orbits, graph = Orbits(system), searched(system)
    depths, level = {orbits.smallest(state): 0 for state in system.initials}, list(system.initials)
    depth = 0
    while level:
        depth, found = depth + 1, list[State]()
        for state in level:
            for event in possible(system, state):
                name = orbits.smallest(event.after)
                if name not in depths:
                    depths[name] = depth
                    found.append(event.after)
        level = found
    first: dict[State, int] = {}
    for depth, (start, end) in enumerate(itertools.pairwise(graph.search.levels)):
        for number in range(start, end):
            first.setdefault(orbits.smallest(graph.state(number)), depth)
    assert first == depths


def test_versions_keep_what_can_be_compared() -> None:
    system = EVERY[0]
    place = system.place
    state = list(system.initial)
    state[place["newest"]], state[place["last"]] = 9, 4
    state[place["token"]] = (7, 4)
    first = system.representative(tuple(state))
    assert [first[place[name]] for name in ("newest", "last")] == [0, -2]
    assert sorted(first[place["token"]]) == [-2, -1]


@pytest.mark.parametrize(
    ("managers", "counts"),
    [(7, (920, 22)), (8, (1_461, 25)), pytest.param(9, (2_232, 28), marks=pytest.mark.slow)],
)
def test_two_phase_commit_counts_what_is_known_of_managers(
    managers: int, counts: tuple[int, int], tmp_path: Path
) -> None:
    """The full searches of 7 and 8 managers have 296,448 and 1,745,408 states, as deep."""
    text = Path(two_phase.__file__).read_text("utf-8")
    file = tmp_path / "symmetric.py"
    file.write_text(text.replace('"rm")\n\n', '"rm", symmetric=True)\n\n'), "utf-8")
    family = load_family(str(file))
    system = System(family, family.design({}, {"managers": managers}))
    search = explore(system, Watch(system), Limits()).search
    assert not search.broken
    assert (search.count, search.depth) == counts


def test_the_event_order_shown_does_not_depend_on_which_indices_are_permuted() -> None:
    """It is the canonical one of all concrete runs, with real numbers and names."""
    family = Family(tokens.model)
    told = []
    for names in (SAFETY, [*SAFETY, "given_twice"]):
        found = check_design(family, family.design(), Question(tuple(names), (), {}, Origin()))
        finding = next(f for f in found.findings if f.name == "newest_stays")
        assert finding.trace is not None
        told.append([(e.name, e.args, e.changes) for e in finding.trace.events])
    assert told[0] == told[1]
    assert [name.partition(".")[2] for name, _, _ in told[0]] == [
        *("lease", "write", "lease", "write", "arrive", "arrive")
    ]


def turns(fair_by: Iterable[str] | None = ()) -> Model:
    """Two workers that take turns for ever; nothing but that tells them apart."""
    model = Model("turns", "Workers take turns")
    worker_index, number = Index(2, "w", symmetric=True), Version("number")
    worker = model.actor("worker")
    model.variable("number", number, owner=worker)
    model.variable("last", Maybe(worker_index, "nobody"), owner=worker)
    model.variable("mine", Array(worker_index, number), owner=worker)
    model.variable("at", Enum("goes on", "done"))

    @worker.action(w=worker_index, when=lambda s, w: s.last != w, fair_by=fair_by)
    def take(s, w):  # type: ignore[no-untyped-def]
        """A worker takes the next number."""
        s.number += 1
        s.mine[w] = s.number
        s.last = w

    @model.liveness()
    def ends(s):  # type: ignore[no-untyped-def]
        """It ends."""
        return s.at == "done"

    @model.possibility()
    def can_go_on(s):  # type: ignore[no-untyped-def]
        """It can go on."""
        return s.at == "goes on"

    return model


def test_an_index_is_kept_still_where_fairness_tells_its_values_apart() -> None:
    family = Family(turns(None))
    kept = {name: System(family, family.design(), asked=[name]).still for name in family.properties}
    assert not kept["can_go_on"]
    assert len(kept["ends"]) == 1
    assert System(family, family.design()).still == kept["ends"]
    found = check_design(family, family.design(), Question(("ends",), (), {}, Origin()))
    assert found.exploration.states == 3


def test_a_way_on_from_a_trap_comes_back_with_other_numbers() -> None:
    model = turns()

    @model.possibility()
    def can_end(s):  # type: ignore[no-untyped-def]
        """It can end."""
        return s.at == "done"

    family = Family(model)
    found = check_design(family, family.design(), Question(("can_end",), (), {}, Origin()))
    trace = found.findings[0].trace
    assert trace is not None
    assert [event.args["w"] for event in trace.onward] == [1, 2, 1]
    assert trace.onward_loop == 1
    assert replay(family, trace).misfit is None


def test_a_loop_goes_on_until_the_same_worker_has_its_turn() -> None:
    family = Family(turns())
    assert not System(family, family.design()).still
    found = check_design(family, family.design(), Question(("ends",), (), {}, Origin()))
    trace = found.findings[0].trace
    assert trace is not None
    assert trace.loop_start is not None
    assert found.exploration.states == 2
    assert [e.args["w"] for e in trace.events[trace.loop_start :]] in ([1, 2], [2, 1])
    assert replay(family, trace).misfit is None


@pytest.mark.parametrize(
    "system", [EVERY[0], pytest.param(EVERY[3], marks=pytest.mark.slow)], ids=named
)
def test_both_engines_find_the_same_representatives_and_make_the_same_random_runs(
    system: System,
) -> None:
    names = [name for name in SAFETY if name in system.family.properties]
    watch, limits = Watch(system, names), Limits(states=500)
    first = explore(system, watch, limits)
    second = explore_compiled(system, watch, limits)
    count = first.search.count
    assert [second.state(n) for n in range(count)] == first.states
    assert second.search.levels == first.search.levels
    watched = system.properties(names)
    by_reference, by_kernel = (
        list(seed_outcomes(system, watched, range(300), 40, Explorer(engine)))
        for engine in ("reference", "compiled")
    )
    assert by_reference == by_kernel


def test_a_model_has_one_hash_however_often_it_is_loaded() -> None:
    assert model_hash(Family(turns())) == model_hash(Family(turns()))
    assert model_hash(Family(mailboxes())) == model_hash(Family(mailboxes()))
