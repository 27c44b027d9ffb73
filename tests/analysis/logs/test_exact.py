"""The search against a judge that shares nothing with it: sets of states for every cut of a log."""

import random
from pathlib import Path

import pytest

from fencecheck.analysis.explaining.conform import Explaining
from fencecheck.analysis.explaining.search import LogSearch
from fencecheck.analysis.explaining.setting import LogSetting, Supposing
from fencecheck.model.system import State, System
from fencecheck.runs.event import Event, possible
from fencecheck.runs.logged.log import OPEN, LoggedEvent, LoggedRun, Logging
from fencecheck.runs.logged.order import RunOrder
from fencecheck.spec.files import Spec
from tests.analysis.logs.walks import Line, one_report, reports, spec_of, walk_lines

SMALL = {"steps": 1, "edits": 1, "duplicates": 0, "preemptions": 1, "lost_replies": 1}


def small(name: str) -> Spec:
    spec = spec_of(f"designs/{name}")
    variant = spec.variants[0]
    variant.design.bounds.update(SMALL)
    return spec


def is_it(system: System, event: Event, told: LoggedEvent) -> bool:
    """Whether an event of a system is the logged one, without values."""
    same = system.actions[event.action].name == told.name
    shown = system.shown_args(event.action, event.args)
    args = all(shown.get(name) == value for name, value in told.args.items())
    return same and args and told.outcome in (OPEN, event.outcome)


def judged(system: System, free: frozenset[int], order: RunOrder) -> tuple[int, int]:
    """How many events some behaviour has, and in how many states it may be then."""
    reached: dict[tuple[int, ...], set[State]] = {order.start: set(system.initials)}
    for total in range(order.count + 1):
        level = {cut: states for cut, states in reached.items() if sum(cut) == total}
        if not level:
            break
        last = level
        for cut, states in level.items():
            waiting = list(states)
            while waiting:
                for event in possible(system, waiting.pop()):
                    if event.action in free and event.after not in states:
                        states.add(event.after)
                        waiting.append(event.after)
            for process, told in order.next_events(cut):
                after = tuple(n + (i == process) for i, n in enumerate(cut))
                found = {
                    event.after
                    for state in states
                    for event in possible(system, state)
                    if is_it(system, event, told)
                }
                if found:
                    reached.setdefault(after, set()).update(found)
    return sum(next(iter(last))), len(set().union(*last.values()))


def logged(lines: list[Line]) -> LoggedRun:
    return LoggedRun(
        "run",
        tuple(
            LoggedEvent(
                f"run:{number}",
                line["process"],
                line["event"],
                line["args"],
                line.get("outcome", OPEN),
            )
            for number, line in enumerate(lines, 1)
        ),
    )


def spoilt(lines: list[Line], seed: int) -> list[Line]:
    """A log in which two lines changed places, or one is gone, or has another outcome."""
    draw, lines = random.Random(seed), [dict(line) for line in lines]
    kind = seed % 4
    one, other = draw.randrange(len(lines)), draw.randrange(len(lines))
    if kind == 1:
        lines[one], lines[other] = lines[other], lines[one]
    if kind == 2:
        del lines[one]
    if kind == 3:
        lines[one]["outcome"] = draw.choice(["applied", "stale_rev", "pre_hash"])
    return lines or [{"process": "client", "event": "client.dispatch", "args": {"step": 1}}]


@pytest.mark.parametrize("name", ["no_fence", "step_fence", "step_fence_journal", "as_printed"])
def test_it_explains_as_much_as_anything_can(name: str) -> None:
    """Whole logs, and logs with a fault in them, of two processes or of all."""
    spec, whole = small(name), 0
    for seed in range(1, 13):
        run = logged(spoilt(walk_lines(spec, seed, values=False), seed))
        design = spec.variants[0].design
        setting = LogSetting(spec.family, design, [run], Logging(), Supposing(1))
        order, known = RunOrder(run), setting.known(run)
        found = LogSearch(known, order, 100_000).explain(
            next(reversed(list(setting.stages(run, known))))
        )
        level, states = judged(known.system, setting.free, order)
        assert found.level == level, seed
        assert len({known.state(node.state) for node in found.ends}) == states, seed
        whole += found.whole
    assert 3 < whole < 12


def test_as_little_as_possible_is_supposed(tmp_path: Path) -> None:
    """No more interference than the run had."""
    spec = spec_of("designs/step_fence_journal")
    found = reports(spec, tmp_path, [walk_lines(spec, seed) for seed in range(1, 5)])
    for seed, run in enumerate(found, 1):
        had = len(walk_lines(spec, seed, ())) - run.events
        assert run.verdict == "holds"
        assert len(run.supposed) <= had


def test_a_limit_is_undetermined_and_no_pass(tmp_path: Path) -> None:
    """What was explained so far is told; the same log has its verdict where there is no limit."""
    spec = spec_of("designs/step_fence_journal")
    lines = walk_lines(spec, 3)
    cut = one_report(spec, tmp_path, lines, Explaining(max_states=20))
    assert (cut.verdict, cut.stopped_by) == ("undetermined", "states")
    assert 0 < cut.explained < cut.events
    assert one_report(spec, tmp_path, lines).verdict == "holds"
