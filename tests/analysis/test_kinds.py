"""Several counterexamples of a property differ in kind, and are minimal each."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any

import pytest

from fencecheck.analysis.counterexamples import add_counterexamples
from fencecheck.analysis.kinds import Kinds
from fencecheck.checking.check import check_spec
from fencecheck.checking.question import Options, Predicates
from fencecheck.checking.results import Result
from fencecheck.model.family import Family
from fencecheck.model.files.loading import load_family
from fencecheck.model.system import System
from fencecheck.runs.commuting import Commuting
from fencecheck.runs.event import Event, possible
from fencecheck.runs.replay import replay
from fencecheck.runs.shrinking import is_minimal
from fencecheck.runs.trace import Trace
from fencecheck.spec.files import load_specs
from tests.models_for_tests import HEADER, load

FENCE = load_family("fence")
NO_FENCE = {"fence": "none", "precondition": "off"}
SPEC = """
model = "fence"
[mechanisms]
fence = "none"
precondition = "off"
[bounds]
edits = 1
lost_replies = 1
duplicates = 1
preemptions = 1
[properties]
require = ["no_lost_update", "at_most_once", "no_stuck"]
"""


def found(folder: Path, most: int, text: str = SPEC, **options: Any) -> Result:
    path = folder / "x.toml"
    path.write_text(text, encoding="utf-8")
    (spec,) = load_specs([path])
    asked = Options(**options)
    result = check_spec(spec, asked)
    add_counterexamples(spec, result, asked, most)
    return result


def told(result: Result) -> list[tuple[object, ...]]:
    return [
        (f.name, o.differs, o.events, [(e.name, e.args) for e in o.trace.events])
        for f in result.variants[0].findings
        for o in f.others
    ]


def test_further_ones_need_other_interference_or_another_order(tmp_path: Path) -> None:
    """First every other minimal adversary, then orders; none beyond the number asked for."""
    result = found(tmp_path, 4)
    differs: dict[object, list[tuple[object, object]]] = {}
    for name, words, events, _ in told(result):
        differs.setdefault(name, []).append((words, events))
    assert differs == {
        "no_lost_update": [
            ("another minimal adversary: network.duplicate", 9),
            ("another event order, with human.edit, substrate.preempt", 6),
            ("another event order, with human.edit", 7),
        ],
        "at_most_once": [
            ("another minimal adversary: substrate.preempt", 5),
            ("another minimal adversary: network.lose_reply", 6),
            ("another event order, with network.duplicate, substrate.preempt", 5),
        ],
    }
    assert told(found(tmp_path, 1)) == []


def test_each_is_minimal_replays_and_is_of_a_kind_of_its_own(tmp_path: Path) -> None:
    """Nothing can be left out of any; no two are the same but for commuting events."""
    result = found(tmp_path, 6)
    for finding in result.variants[0].findings:
        kinds = set()
        for trace in [finding.trace, *(o.trace for o in finding.others)]:
            if trace is None:
                continue
            again = replay(FENCE, trace)
            assert again.misfit is None
            system = System(FENCE, FENCE.design(trace.mechanisms, trace.bounds))
            assert is_minimal(system, again.events, FENCE.properties[finding.name])
            kind = Commuting(system).normal_form(again.events)
            assert kind not in kinds
            kinds.add(kind)


def test_engines_and_threads_give_the_same(tmp_path: Path) -> None:
    """Which ones come is decided by events, not by the numbering of states."""
    first = told(found(tmp_path, 6, engine="reference"))
    assert first == told(found(tmp_path, 6, engine="compiled"))
    assert first == told(found(tmp_path, 6, engine="compiled", threads=2))


def test_a_question_has_several_counterexamples_too(tmp_path: Path) -> None:
    """What is asked as an invariant is searched like a property of the model."""
    asked = Predicates(
        invariants=("not (effect_in[1] and len(requests) == 1 and view[1] == 'sent')",)
    )
    result = found(tmp_path, 3, predicates=asked)
    (finding,) = result.variants[0].findings
    assert len(finding.others) == 2
    assert all(replay(FENCE, o.trace).misfit is None for o in finding.others)


def state_after(system: System, names: list[str]) -> Event:
    """The last event of a run given by names."""
    state, event = system.initial, None
    for name in names:
        event = next(e for e in possible(system, state) if system.actions[e.action].name == name)
        state = event.after
    assert event is not None
    return event


def test_what_is_called_independent_commutes() -> None:
    """In every reachable state two independent events lead to one state in either order."""
    system = System(FENCE, FENCE.design(NO_FENCE, {"edits": 1, "duplicates": 1}))
    commuting, pairs, waiting, seen = Commuting(system), 0, [system.initial], {system.initial}
    while waiting:
        events = list(possible(system, waiting.pop()))
        for event in events:
            if event.after not in seen:
                seen.add(event.after)
                waiting.append(event.after)
        for one, other in itertools.combinations(events, 2):
            if commuting.independent(one, other):
                pairs += 1
                ends = {
                    next(
                        e.after
                        for e in possible(system, first.after)
                        if (e.action, e.args) == (second.action, second.args)
                    )
                    for first, second in ((one, other), (other, one))
                }
                assert len(ends) == 1
    assert pairs > 20


def test_an_edit_commutes_with_a_dispatch_that_stamps_nothing() -> None:
    """Without a fence the client reads nothing of the workspace; with late stamps it does."""
    for mechanisms, expected in ((NO_FENCE, True), ({"fence": "step", "stamp": "dispatch"}, False)):
        system = System(FENCE, FENCE.design(mechanisms, {"edits": 1}))
        edit = state_after(system, ["human.edit"])
        dispatch = state_after(system, ["client.dispatch"])
        assert Commuting(system).independent(edit, dispatch) is expected


@pytest.mark.parametrize("name", ["no_lost_update", "truthful_ack", "no_stuck"])
def test_both_engines_see_violations_at_every_level(name: str) -> None:
    """Not only at the first level at which a property breaks: the same states, level by level."""
    from fencecheck.explore.compiled.engine import explore_compiled as explore_compiled
    from fencecheck.explore.graph import Limits
    from fencecheck.explore.reference import explore
    from fencecheck.explore.watch import Watch

    mechanisms = {**NO_FENCE, "retry": "off", "compensation": "checkpoint"}
    design = FENCE.design(mechanisms, {"edits": 1, "lost_replies": 1, "test_failures": 1})
    system = System(FENCE, design)
    watch, prop = Watch(system), system.property(name)
    graph, packed = explore(system, watch, Limits()), explore_compiled(system, watch, Limits())
    found_at = []
    for level in range(graph.search.depth + 1):
        states = graph.breaking(prop, level)
        assert states == packed.breaking(prop, level)
        found_at += [level] if states else []
    assert len(found_at) > 1
    first = graph.search.broken[name]
    assert found_at[0] == first.events - first.in_event


TWO_WORKERS = """
model = "ledger"
[mechanisms]
intent = "off"
intent_hash = "off"
effect_key = "none"
[bounds]
workers = 2
steps = 1
revocations = 1
lost_acks = 1
[properties]
require = ["one_effect"]
"""


def test_no_two_differ_in_the_names_of_workers_only(tmp_path: Path) -> None:
    """Which of two workers does what makes no other counterexample."""
    (finding,) = found(tmp_path, 8, TWO_WORKERS).variants[0].findings
    assert finding.trace is not None
    traces = [finding.trace, *(other.trace for other in finding.others)]
    assert len(traces) > 1
    seen: list[list[tuple[str, dict[str, object]]]] = []
    for trace in traces:
        swapped = [
            (e.name, {**e.args, **({"worker": 3 - e.args["worker"]} if "worker" in e.args else {})})
            for e in trace.events
        ]
        assert swapped not in seen
        seen.append([(e.name, dict(e.args)) for e in trace.events])


JAM = (
    HEADER
    + """
model = Model("jam", "Workers that wait for each other")
model.bound("workers", 3, "workers")
model.bound("locks", 2, "locks")
W = Index("workers", "w")
L = Index("locks", "l")
Order = Record("Order", worker=W, lock=L)
model.variable("asked", Bag(Order, 2))
model.variable("held", Array(W, Set(L)))
model.variable("used", Int(0, 2))
worker = model.actor("worker")
desk = model.actor("desk")


@worker.action(
    w=W, lock=L, when=lambda s, w, lock: s.used < 2 and all(m.worker != w for m in s.asked)
)
def ask(s, w, lock):
    "Ask for a lock, once for each worker."
    s.asked.add(Order(worker=w, lock=lock))
    s.used += 1


@desk.action(m=Each("asked"), when=lambda s, m: all(m.lock not in x for x in s.held))
def grant(s, m):
    "Give a lock to whoever asked."
    s.asked.remove(m)
    s.held[m.worker].add(m.lock)


@model.deadlock()
def done(s):
    "Nobody is left waiting, and nobody holds anything."
    return len(s.asked) == 0 and all(len(x) == 0 for x in s.held)
"""
)


def renamed(trace: Trace) -> frozenset[str]:
    """Every form of a trace under a renaming of workers and of locks."""
    forms = set[str]()
    for workers in itertools.permutations((1, 2, 3)):
        for locks in itertools.permutations((1, 2)):
            told = []
            for event in trace.events:
                who, lock = map(int, re.findall(r"\d+", str(list(event.args.values()))))
                told.append((event.name, workers[who - 1], locks[lock - 1]))
            forms.add(str(told))
    return frozenset(forms)


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_no_two_differ_in_numbers_only_in_a_model_of_ones_own(tmp_path: Path, engine: str) -> None:
    """Whatever an Index counts, in parameters and in records: a renaming makes no other order."""
    load(tmp_path, JAM)
    (model,) = tmp_path.glob("*.py")
    text = f'model = "./{model.name}"\n[properties]\nrequire = ["done"]\n'
    (finding,) = found(tmp_path, 20, text, engine=engine).variants[0].findings
    assert finding.trace is not None
    seen = [renamed(t) for t in [finding.trace, *(other.trace for other in finding.others)]]
    assert len(seen) == len(set(seen)) > 1


def test_more_numbers_than_can_be_renamed_in_every_way(tmp_path: Path) -> None:
    """They are named as they come: the same order with other numbers is of the same kind."""
    family = Family(
        load(
            tmp_path,
            JAM.replace('"workers", 3', '"workers", 7')
            .replace("used < 2", "used < 6")
            .replace("Int(0, 2)", "Int(0, 6)")
            .replace("Order, 2", "Order, 6"),
        ).model
    )
    system = System(family, family.design({}))

    def asking(*workers: int) -> tuple[Event, ...]:
        run: list[Event] = []
        for worker in workers:
            after = run[-1].after if run else system.initial
            run.append(next(e for e in possible(system, after) if e.args == (worker, 0)))
        return tuple(run)

    kinds = Kinds(system)
    assert kinds.whoever(asking(0, 1, 2, 3, 4, 5)) == kinds.whoever(asking(6, 3, 4, 1, 0, 2))
    assert kinds.exact(asking(0, 1)) != kinds.exact(asking(1, 2))
    assert kinds.whoever(asking(0, 1)) != kinds.whoever(asking(0, 1, 2))
