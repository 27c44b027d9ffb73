"""How often each event occurred, which never did, and what of a design excludes it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Options, Question
from fencecheck.explore.compiled.engine import explore_compiled as explore_compiled
from fencecheck.explore.graph import Limits
from fencecheck.explore.reference import explore
from fencecheck.explore.resources import Resources
from fencecheck.explore.watch import Watch
from fencecheck.model.family import Family
from fencecheck.model.files.kept import keep_entry
from fencecheck.model.files.loading import load_family
from fencecheck.model.system import System
from fencecheck.properties import excluded
from fencecheck.properties.coverage import coverage_of
from tests.models_for_tests import HEADER, load

FENCE = load_family("fence")
DISTURBED = {"edits": 1, "lost_replies": 1, "preemptions": 1}


def system_with(mechanisms: dict[str, str], **bounds: int) -> System:
    return System(FENCE, FENCE.design(mechanisms, {**DISTURBED, **bounds}))


@pytest.mark.parametrize("limits", [Limits(), Limits(states=120)], ids=["complete", "cut"])
@pytest.mark.parametrize("journal", ["none", "separate"])
def test_both_engines_count_the_same(journal: str, limits: Limits) -> None:
    """Counts, first depths and reasons do not depend on the engine or its threads."""
    system = system_with({"journal": journal})
    watch = Watch(system)
    expected = coverage_of(system, explore(system, watch, limits))
    for threads in (1, 2):
        graph = explore_compiled(system, watch, limits, Resources(threads))
        assert coverage_of(system, graph) == expected
    assert expected.complete == (limits.states is None)


def test_the_counts_are_those_of_the_transitions() -> None:
    """Summed up they are the transitions; a first depth is the depth of the nearest target."""
    system = system_with({})
    graph = explore(system, Watch(system), Limits())
    coverage = coverage_of(system, graph)
    counted = Counter(
        system.actions[action].name for edges in graph.edges for action, _, _ in edges
    )
    assert {e.event: e.transitions for e in coverage.events if e.transitions} == counted
    assert sum(e.transitions or 0 for e in coverage.events) == graph.search.transitions
    first = {e.event: e.first for e in coverage.events}
    assert (first["client.dispatch"], first["executor.apply"], first["executor.reply"]) == (1, 2, 3)


def test_an_excluded_event_names_what_excludes_it() -> None:
    """A budget, a switch, several switches, or a value that only excluded events give."""
    system = system_with({"fence": "none", "precondition": "off"})
    coverage = coverage_of(system, explore(system, Watch(system), Limits()))
    off = {e.event: e.off for e in coverage.events if e.off}
    assert off == {
        "human.edit_unseen": "precondition off",
        "human.touch": "touches 0",
        "client.ask": "silence retry",
        "client.clean_up": "silence retry",
        "executor.check": "check atomic",
        "executor.write": "nothing makes phase checked",
        "executor.journal": "nothing makes phase written",
        "executor.replay": "journal none",
        "executor.reject": "fence none, precondition off",
        "network.duplicate": "duplicates 0",
        "router.swap_model": "swaps 0",
        "router.swap_model_drifted": "drifts 0",
        "maintenance.truncate_journal": "truncations 0",
        "tests.fail": "test_failures 0",
    }
    assert (coverage.never_enabled, coverage.never_fired) == (["planner.replan"], [])


def test_what_excludes_an_event_of_one_design_is_not_said_of_another() -> None:
    """Designs of one structure, asked in turns: each is told of its own switches."""
    off = []
    for retry in ("off", "same", "off", "restamp"):
        system = system_with({"retry": retry})
        graph = explore(system, Watch(system), Limits(states=50))
        off.append({e.event: e.off for e in coverage_of(system, graph).events}["client.retry"])
    assert off == ["retry off", "", "retry off", ""]


@pytest.mark.parametrize(
    "mechanisms",
    [
        {"check": "split", "journal": "separate"},
        {"journal": "memory", "ids": "fresh"},
        {"fence": "plan", "replan": "off"},
    ],
)
def test_nothing_that_occurs_is_excluded(mechanisms: dict[str, str]) -> None:
    """The reasons are sound: ask about every event, also about those that did occur."""
    from fencecheck.properties.excluded import excluded_events

    system = system_with(mechanisms, duplicates=1)
    coverage = coverage_of(system, explore(system, Watch(system), Limits()))
    found = excluded_events(system, range(len(system.actions)))
    assert not {e.event for e in coverage.events if e.transitions} & {
        system.actions[number].name for number in found
    }


def test_why_events_never_come_is_kept_and_never_trusted_blindly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another run reads it, words are told anew, and what is no answer is worked out again."""
    monkeypatch.setenv("FENCECHECK_CACHE", str(tmp_path))
    cut = {"check": "atomic", "journal": "none"}
    events = range(len(FENCE.declared.actions))
    expected = excluded.excluded_events(system_with(cut), events)
    other = excluded.excluded_events(system_with({"check": "split"}), events)
    assert "" not in expected.values()
    assert any("nothing makes" in why for why in expected.values())
    assert expected != other
    with monkeypatch.context() as patch:
        patch.setattr(excluded, "_reasons", lambda *_: {})
        assert excluded.excluded_events(system_with(cut), events) == expected
        assert excluded.excluded_events(system_with({"check": "split"}), events) == other
    for content in (b"[]x", b"7", b"[[1]]", b'[["a", "b"]]', b'[["1", []]]'):
        for path in tmp_path.glob("*.excluded"):
            keep_entry(path.name, content)
        assert excluded.excluded_events(system_with(cut), events) == expected


IDLE = (
    HEADER
    + '''
model = Model("idle", "Events that never come, and a fault that finds nothing to break")
model.variable("n", Int(0, 3))
model.variable("broken", Bool())
model.budget("storms", "storms")
worker = model.actor("worker")
weather = model.actor("weather", "interference")


@worker.action(when=lambda s: s.n < 2)
def count(s):
    s.n += 1


@worker.action(when=lambda s: s.n == 3 and s.n % 2 == 1)
def stop(s):
    s.n = 0


@weather.interference("storms", when=lambda s: s.n == 3)
def storm(s):
    s.broken = True


@model.invariant(trigger=lambda s: s.broken)
def survives(s):
    """A storm leaves the count alone."""
    return s.n < 3
'''
)


def test_an_event_never_enabled_and_a_fault_that_never_fires_are_told_apart(
    tmp_path: Path,
) -> None:
    """Neither has a reason in the design, so each is a gap; without its budget the fault is not."""
    family = Family(load(tmp_path, IDLE).model)
    question = Question(("survives",))
    found = check_design(family, family.design(bounds={"storms": 1}), question)
    assert found.coverage is not None
    assert found.coverage.never_enabled == ["worker.stop"]
    assert found.coverage.never_fired == ["weather.storm"]
    assert found["survives"].vacuous
    found = check_design(family, family.design(), question)
    assert found.coverage is not None
    assert found.coverage.never_fired == []


def test_the_compiled_engine_counts_only_when_asked() -> None:
    """A pass over all edges costs something; it is made for coverage and strictness only."""
    design, question = FENCE.design({}, {"edits": 1}), Question(("fresh_apply",))
    engine = Options(engine="compiled")
    told = check_design(FENCE, design, question, engine).coverage
    assert told is not None
    assert {event.transitions for event in told.events} == {None, 0}
    for asked in (
        Options(engine="compiled", coverage=True),
        Options(engine="compiled", strict=True),
    ):
        coverage = check_design(FENCE, design, question, asked).coverage
        assert coverage is not None
        assert sum(e.transitions or 0 for e in coverage.events) > 0


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("limits", [Limits(), Limits(states=60)], ids=["complete", "cut"])
def test_both_engines_tell_what_never_happened_without_counting(
    limits: Limits, threads: int
) -> None:
    """What a search has seen happen is known from the search itself, with any engine."""
    system = system_with({"journal": "separate"}, truncations=1)
    expected = coverage_of(system, explore(system, Watch(system), limits), counted=False)
    graph = explore_compiled(system, Watch(system), limits, Resources(threads))
    assert coverage_of(system, graph, counted=False) == expected
    assert any(event.transitions is None for event in expected.events)
    counted = coverage_of(system, graph)
    assert counted.never_enabled == expected.never_enabled
    assert counted.never_fired == expected.never_fired
