"""One search over owners gives what one process gives, whatever happens to the owners."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fencecheck.explore.cluster.search as cluster
from fencecheck.checking.check import check_design
from fencecheck.checking.question import Options, Question
from fencecheck.errors import ClusterError, StateError, UsageError
from fencecheck.explore.cluster.dealing import Dealing, dealt
from fencecheck.explore.cluster.owner import Owner, _deal_fresh
from fencecheck.explore.cluster.search import ClusterExplorer
from fencecheck.explore.compiled.engine import explore_compiled
from fencecheck.explore.compiled.storage.packing import Words
from fencecheck.explore.engine import Explorer
from fencecheck.explore.graph import Limits, StateGraph
from fencecheck.explore.resources import OwnerTick, Resources
from fencecheck.explore.watch import Watch
from fencecheck.model.files.loading import load_family
from fencecheck.model.system import System
from tests.explore.cluster.in_process import InProcess
from tests.explore.compiled.engines import told_in_any_order

MODELS = Path(__file__).parents[2] / "models_for_tests"
FIVE = {"steps": 2, "edits": 1, "lost_replies": 1, "duplicates": 1, "preemptions": 0}
SYSTEMS: dict[str, tuple[str, dict[str, str], dict[str, Any]]] = {
    "pipelined": (
        "pipelined.py",
        {},
        {"steps": 2, "edits": 2, "retries": 1, "lost_acks": 1, "duplicates": 1},
    ),
    "pipelined, unfenced": (
        "pipelined.py",
        {"fenced": "off"},
        {"steps": 2, "edits": 1, "retries": 1},
    ),
    "two-phase commit": ("two_phase.py", {}, {"managers": 5}),
    "tokens": ("tokens.py", {}, {}),
    "tokens, fenced": ("tokens.py", {"fencing": "on"}, {}),
    "fence": ("fence", {}, FIVE),
    "no fence": ("fence", {"fence": "none"}, FIVE),
    "ledger": ("ledger", {}, {"revocations": 1, "edits": 1, "duplicates": 1}),
    "agent": ("agent", {}, {"revocations": 1, "edits": 1}),
}


def system_named(name: str) -> System:
    reference, mechanisms, bounds = SYSTEMS[name]
    family = load_family(str(MODELS / reference) if reference.endswith(".py") else reference)
    return System(family, family.design(mechanisms, bounds))


def one_process(system: System, **limits: Any) -> StateGraph:
    return explore_compiled(system, Watch(system), Limits(**limits))


def over_owners(
    system: System, ray: InProcess, monkeypatch: pytest.MonkeyPatch, folder: Path | None = None,
    **limits: Any,
) -> StateGraph:  # fmt: skip
    """Search with owners in this process, from 50 states on; levels are saved one by one."""
    monkeypatch.setattr(cluster, "connected", lambda address: ray)
    resources = Resources(checkpoint=folder, every=0.0)
    explorer = ClusterExplorer("auto", resources, alone=50)
    return explorer.explore(system, Watch(system), Limits(**limits))


@pytest.mark.parametrize("owners", [2, 4])
@pytest.mark.parametrize("name", SYSTEMS)
def test_owners_find_what_one_process_finds(
    name: str, owners: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = one_process(system_named(name))
    system = system_named(name)
    graph = over_owners(system, InProcess(owners), monkeypatch)
    assert graph.search.count > 50
    assert told_in_any_order(system, graph) == told_in_any_order(system_named(name), alone)
    for field in ("transitions", "levels", "happened", "held_back", "cut", "triggered"):
        assert getattr(graph.search, field) == getattr(alone.search, field), field


def test_what_is_left_of_budgets_is_the_same_in_each_level(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the reference engine searches."""
    system, reference = system_named("fence"), system_named("fence")
    plain = Explorer("reference", Resources()).explore(reference, Watch(reference), Limits())
    budgets = ["edits", "lost_replies", "duplicates"]
    graphs = plain, one_process(system), over_owners(system, InProcess(2), monkeypatch)
    for level in range(plain.search.depth + 1):
        told, *others = (sorted(graph.left_in(level, budgets).tolist()) for graph in graphs)
        assert all(other == told for other in others)
        assert (told == [[1, 1, 1]]) == (level == 0)


@pytest.mark.parametrize(
    ("cores", "placed"),
    [((1, 1), [1, 1]), ((2, 0, 6), [2, 0, 6]), ((0, 1), [0, 2]), ((0, 0), [1, 1])],
)
def test_each_machine_has_as_many_owners_as_cores(
    cores: tuple[int, ...], placed: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    over_owners(system_named("tokens"), ray := InProcess(*cores), monkeypatch)
    assert [ray.placed.count(f"machine {at}") for at in range(len(cores))] == placed


@pytest.mark.parametrize("at", range(1, 6))
def test_an_owner_lost_is_made_up_for(at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first call of the at-th level after the states were dealt kills the owner it is for."""
    ends = 0

    def dies(name: str, call: int) -> bool:
        nonlocal ends
        ends += name == "end_level"
        return name == "end_level" and ends == 3 * at

    name = "pipelined"
    system = system_named(name)
    graph = over_owners(system, InProcess(3, dies=dies), monkeypatch)
    alone = one_process(system_named(name))
    assert ends >= 3 * at
    assert told_in_any_order(system, graph) == told_in_any_order(system, alone)


def test_owners_that_die_as_they_are_made_are_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where a machine is lost, and new ones are placed on it before that is known."""
    calls = list[str]()

    def dies(name: str, call: int) -> bool:
        calls.append(name)
        return (name == "end_level" and calls.count(name) == 4) or (
            name == "digest" and calls.count(name) == 4
        )

    name = "pipelined"
    graph = over_owners(system := system_named(name), InProcess(3, dies=dies), monkeypatch)
    alone = one_process(system_named(name))
    assert calls.count("digest") == 9
    assert told_in_any_order(system, graph) == told_in_any_order(system, alone)


def test_owners_that_die_time_and_again_end_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = InProcess(2, dies=lambda name, call: name == "end_level")
    with pytest.raises(ClusterError, match="died 6 times in a row") as raised:
        over_owners(system_named("pipelined"), ray, monkeypatch)
    assert raised.value.exit_code == 3


@pytest.mark.parametrize("later", [2, 3, 5])
def test_another_number_of_owners_goes_on(
    later: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    name = "pipelined, unfenced"
    system = system_named(name)
    cut = over_owners(system, InProcess(3), monkeypatch, tmp_path, states=300)
    assert cut.search.stopped_by == "states"
    graph = over_owners(system, InProcess(later), monkeypatch, tmp_path)
    alone = one_process(system_named(name))
    assert told_in_any_order(system, graph) == told_in_any_order(system, alone)
    assert graph.search.transitions == alone.search.transitions


def test_what_is_saved_of_another_search_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ray = InProcess(2)
    over_owners(system_named("pipelined"), ray, monkeypatch, tmp_path, states=400)
    with pytest.raises(UsageError, match=r"mechanisms\.fenced on, the search has off"):
        over_owners(system_named("pipelined, unfenced"), ray, monkeypatch, tmp_path)


def test_saved_states_that_changed_are_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ray = InProcess(2)
    over_owners(system_named("pipelined"), ray, monkeypatch, tmp_path, states=400)
    (file,) = tmp_path.glob("generation-*/owner-1.bin")
    content = bytearray(file.read_bytes())
    content[40] ^= 1
    file.write_bytes(content)
    with pytest.raises(UsageError, match="not those that were written"):
        over_owners(system_named("pipelined"), ray, monkeypatch, tmp_path)


@pytest.mark.parametrize(
    ("limits", "why"),
    [
        ({"states": 300}, "states"),
        ({"broken": frozenset(["ok"])}, "broken"),
        ({"seconds": 0.0}, None),
    ],
)
def test_limits_cut_as_they_cut_one_process(
    limits: dict[str, Any], why: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = system_named("pipelined, unfenced")
    names = [p.name for p in system.properties()]
    if "broken" in limits:
        limits = {"broken": frozenset(names)}
    graph = over_owners(system, InProcess(2), monkeypatch, **limits)
    if why is None:
        assert graph.search.stopped_by == "time"
        return
    alone = one_process(system_named("pipelined, unfenced"), **limits)
    assert graph.search.stopped_by == alone.search.stopped_by == why
    assert graph.search.levels == alone.search.levels
    assert graph.search.broken.keys() == alone.search.broken.keys()


def test_owners_without_memory_cut_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    take = Owner.take

    def full(self: Owner, *batches: Words) -> OwnerTick:
        self.full = self.store.count > 1_000
        return take(self, *batches)

    monkeypatch.setattr(Owner, "take", full)
    system = system_named("two-phase commit")
    graph = over_owners(system, InProcess(2), monkeypatch)
    assert graph.search.stopped_by == "memory"
    assert not graph.search.complete


@pytest.mark.parametrize("name", ["fence", "no fence", "agent"])
def test_verdicts_are_those_of_one_process(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Liveness, possibility and the orders shown among them."""
    system = system_named(name)
    question = Question(tuple(p.name for p in system.properties()))
    monkeypatch.setattr(cluster, "connected", lambda address: InProcess(3))
    monkeypatch.setattr(cluster, "ALONE", 50)
    found = {}
    for place in (None, Elsewhere()):
        options = Options(elsewhere=place, engine="compiled")  # type: ignore[arg-type]
        result = check_design(system.family, system.design, question, options)
        found[place is None] = [(f.name, f.verdict, f.events, f.trace) for f in result.findings]
    assert found[True] == found[False]


class Elsewhere:
    """Explores over owners of this process."""

    def explorer(self, options: Options) -> Explorer:
        return ClusterExplorer("compiled", alone=50)


FAILS = """
from fencecheck.model import Array, Index, Int, Model
model = Model("fails", "Counters, one of which has no room")
SIDE = Index("sides", "side")
model.bound("sides", 2, "counters")
model.variable("at", Array(SIDE, Int(0, 19)), owner=model.store("store"))
worker = model.actor("worker")
@worker.action(side=SIDE, when=lambda s, side: s.at[side] < 20)
def count(s, side):
    s.at[side] += 1
"""


def test_a_model_that_goes_wrong_is_told_as_by_one_process(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "fails.py").write_text(FAILS)
    family = load_family(str(tmp_path / "fails.py"))
    monkeypatch.setattr(cluster, "connected", lambda address: InProcess(2))
    said = []
    for place in (None, Elsewhere()):
        options = Options(elsewhere=place, engine="compiled")  # type: ignore[arg-type]
        with pytest.raises(StateError) as raised:
            check_design(family, family.design(), Question(()), options)
        said.append((str(raised.value), raised.value.trace))
    assert said[0] == said[1]


def test_a_small_space_never_sees_the_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(address: str) -> Any:
        raise AssertionError

    monkeypatch.setattr(cluster, "connected", refuse)
    system = system_named("tokens")
    graph = ClusterExplorer("auto").explore(system, Watch(system), Limits())
    assert graph.search.complete


@pytest.mark.parametrize("width", [1, 2, 4])
def test_fresh_states_are_dealt_as_all_are(width: int) -> None:
    """By the loop over successors, as by the arrays that deal a whole level."""
    chance = np.random.default_rng(width)
    states = chance.integers(0, 40, (5_000, width)).astype(np.uint64)
    masks = tuple(31 if word % 3 == 0 else 0 for word in range(width))
    dealing = Dealing(masks, chance.integers(0, 3, 192), 3)
    recent = np.full((1 << 18, width), 99, np.uint64)
    found, owners = states.reshape(-1).copy(), np.empty(len(states), np.int64)
    masked = np.array(masks, np.uint64)
    kept = _deal_fresh(
        found, len(states), width, recent, 64 - 18, masked, dealing.owner_of, 192, owners
    )
    fresh = found[: kept * width].reshape(kept, width)
    assert {tuple(state) for state in fresh} == {tuple(state) for state in states}
    assert kept < len(states)
    assert owners[:kept].tolist() == dealing.of(fresh).tolist()


def test_most_successors_stay_with_their_owner() -> None:
    """By a hash of everything a quarter would stay of four owners; parts are of equal size."""
    system = system_named("fence")
    graph = one_process(system)
    rows = functools.partial(np.array, dtype=np.uint64)
    words = graph.store.words  # type: ignore[attr-defined]
    states = graph.in_order().reshape(-1, words)  # type: ignore[attr-defined]
    edges = graph.edge_arrays([])
    sources = np.repeat(np.arange(len(states)), np.diff(edges.offsets))
    sample = rows(states[sources]), rows(states[edges.targets])
    dealing = dealt(graph.kernel.packing, sample, states, 4)  # type: ignore[attr-defined]
    owners = dealing.of(states)
    stay = float(np.mean(owners[sources] == owners[edges.targets]))
    sizes = np.bincount(owners, minlength=4)
    assert stay > 0.5
    assert sizes.max() < 1.3 * sizes.mean()
