"""A run shrinks to one of which nothing can be left out, and still breaks its property."""

from __future__ import annotations

import itertools

import pytest

from fencecheck.model.files.loading import load_family
from fencecheck.model.system import System
from fencecheck.runs.event import Event
from fencecheck.runs.random_run import random_walk
from fencecheck.runs.replay import replay
from fencecheck.runs.shrinking import follow, is_minimal, shrink
from fencecheck.runs.telling import tell
from fencecheck.runs.trace import Origin

FENCE = load_family("fence")
FAULTS = {"edits": 1, "lost_replies": 1, "duplicates": 1, "preemptions": 1}


def broken_run(system: System, name: str, seed: int) -> list[Event]:
    """The events of the first seed from ``seed`` on that breaks a property after ten or more."""
    prop = FENCE.properties[name]
    for number in itertools.count(seed):
        walk = random_walk(system, [prop], number, 60)
        if walk.first.get(name, 0) >= 10:
            return walk.events[: walk.first[name]]
    raise AssertionError


@pytest.mark.parametrize("seed", [1, 100, 200])
@pytest.mark.parametrize("name", ["no_lost_update", "at_most_once"])
def test_the_result_is_minimal_and_replays(name: str, seed: int) -> None:
    """No stretch and no two events can be left out: every candidate is tried by hand."""
    system = System(FENCE, FENCE.design({"fence": "none", "precondition": "off"}, FAULTS))
    prop, events = FENCE.properties[name], broken_run(system, name, seed)
    shrunk = shrink(system, events, prop)
    assert 3 <= len(shrunk) < len(events)
    count = len(shrunk)
    without = [set(range(a, b)) for a in range(count) for b in range(a + 1, count + 1)]
    without += [set(pair) for pair in itertools.combinations(range(count), 2)]
    for gone in without:
        kept = [event for i, event in enumerate(shrunk) if i not in gone]
        assert follow(system, kept, prop) is None
    assert is_minimal(system, shrunk, prop)
    assert not is_minimal(system, events, prop)
    assert replay(FENCE, tell(system, shrunk, prop, Origin())).misfit is None


def test_events_that_only_go_together_are_left_out() -> None:
    """A first delivery, its lost reply and the retry: none can go alone, all of them can."""
    system = System(FENCE, FENCE.design({"fence": "none", "precondition": "off"}, FAULTS))
    prop = FENCE.properties["no_lost_update"]
    orders = ["client.dispatch", "executor.apply", "executor.reply", "network.lose_reply"]
    orders += ["client.retry", "human.edit", "executor.apply"]
    state, events = system.initial, []
    for name in orders:
        number, args = next(
            (n, a)
            for n, a in system.enabled(system.view(state), state)
            if system.actions[n].name == name
        )
        after, outcome = system.steps[number](state, *args)
        events.append(Event(number, args, state, after, outcome))
        state = after
    shrunk = shrink(system, events, prop)
    assert [system.actions[e.action].name for e in shrunk] == [
        "client.dispatch", "human.edit", "executor.apply",
    ]  # fmt: skip


def test_a_deadlock_is_shrunk_to_where_the_system_is_stuck() -> None:
    """The property of a state without system events breaks at the end, not on the way."""
    system = System(FENCE, FENCE.design({"retry": "off"}, FAULTS))
    prop, events = FENCE.properties["no_stuck"], []
    for seed in itertools.count():
        walk = random_walk(system, [prop], seed, 60)
        if prop.name in walk.first and len(walk.events) > 8:
            events = walk.events[: walk.first[prop.name]]
            break
    shrunk = shrink(system, events, prop)
    end = shrunk[-1].after
    enabled = [number for number, _ in system.enabled(system.view(end), end)]
    assert all(system.actions[number].interference for number in enabled)
    assert is_minimal(system, shrunk, prop)
