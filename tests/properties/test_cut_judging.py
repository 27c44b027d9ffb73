"""A limit on time and an interrupt cut what comes after a search: walks over the whole graph."""

from __future__ import annotations

import itertools
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from fencecheck.checking.check import check_design, check_spec
from fencecheck.checking.judge import Deadline, Judge
from fencecheck.checking.question import Options, Question
from fencecheck.explore import interrupt
from fencecheck.explore.cutting import cut_short
from fencecheck.explore.graph import Limits
from fencecheck.model import time_limit as limiting
from fencecheck.model.family import Family
from fencecheck.model.time_limit import TimeUp, time_limit
from fencecheck.properties import path
from fencecheck.properties.graph_algorithms import Walks as GraphWalks
from fencecheck.properties.graph_algorithms import native_loop
from fencecheck.report.words.outcomes import finding_words
from fencecheck.spec.files import load_specs
from tests.models_for_tests import HEADER, load

RING = (
    HEADER
    + """
model = Model("ring", "A ring")
model.variable("x", Int(0, 5))
A = model.actor("A")


@A.action()
def up(s):
    "Up, and round."
    s.x = (s.x + 1) % 6


@model.invariant()
def small(s):
    "It is small."
    return s.x < 6


@model.liveness()
def comes(s):
    "It comes to five."
    return s.x == 5


@model.possibility()
def may_come(s):
    "It may come to five."
    return s.x == 5
"""
)


def endless(stop: Any, *_: Any) -> int:
    """Go on until told to stop."""
    while not stop[0]:
        time.sleep(0.001)
    return 1


def an_hour_later(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Return what lets an hour pass, for those who keep to a limit on time."""
    passed = itertools.count(1)

    def later() -> None:
        ahead = 3600 * next(passed)
        clock = SimpleNamespace(monotonic=lambda: time.monotonic() + ahead)
        monkeypatch.setattr(limiting, "time", clock)

    return later


def cut_in_walks(monkeypatch: pytest.MonkeyPatch, before: Callable[[], None]) -> None:
    """Let the walks over every graph take for ever, with something that happens first."""

    class Walks:
        def __getattr__(self, name: str) -> Any:
            def walk(*args: Any) -> Any:
                before()
                return cut_short(endless, *args)

            return walk

    monkeypatch.setattr(path, "graph_functions", lambda _: Walks())


def verdicts(folder: Path, options: Options) -> dict[str, tuple[str, str | None]]:
    family = Family(load(folder, RING).model)
    found = check_design(family, family.design(), Question(tuple(family.properties)), options)
    assert found.exploration.complete
    assert found.exploration.states == 6
    return {f.name: (f.verdict, f.reason) for f in found.findings}


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_time_that_is_up_in_the_judging_leaves_that_undetermined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: Any
) -> None:
    """What the search itself decided stands, and the words say what was not judged."""
    cut_in_walks(monkeypatch, an_hour_later(monkeypatch))
    options = Options(Limits(seconds=60), engine)
    assert verdicts(tmp_path, options) == {
        "small": ("holds", None),
        "comes": ("undetermined", "time"),
        "may_come": ("undetermined", "time"),
    }


def test_an_interrupt_in_the_judging_leaves_that_undetermined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same where somebody listens; nobody's interrupt stays Python's."""
    cut_in_walks(monkeypatch, lambda: os.kill(os.getpid(), signal.SIGINT))
    with interrupt.listening():
        assert verdicts(tmp_path, Options()) == {
            "small": ("holds", None),
            "comes": ("undetermined", "interrupt"),
            "may_come": ("undetermined", "interrupt"),
        }
    with pytest.raises(KeyboardInterrupt):
        verdicts(tmp_path, Options())


def test_a_result_with_a_judging_that_was_cut_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its exit code is that of what is undetermined."""
    cut_in_walks(monkeypatch, an_hour_later(monkeypatch))
    load(tmp_path, RING)
    (model,) = tmp_path.glob("*.py")
    spec_file = tmp_path / "ring.toml"
    spec_file.write_text(f'model = "./{model.name}"\n[properties]\nrequire = ["comes", "small"]\n')
    result = check_spec(load_specs([spec_file])[0], Options(Limits(seconds=60)))
    assert result.exit_code == 3
    (comes,) = [f for f in result.variants[0].findings if f.name == "comes"]
    assert finding_words(comes) == "undetermined (time was up before it was judged)"


def test_a_judge_of_many_designs_keeps_to_its_time_in_the_judging(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A design whose graph takes too long to walk over is undetermined, and not sound."""
    cut_in_walks(monkeypatch, an_hour_later(monkeypatch))
    family = Family(load(tmp_path, RING).model)
    design = family.design()
    judge = Judge(family, list(family.properties), design.bounds, deadline=Deadline.after(60))
    judged = judge.judge(design)
    assert (judged.sound, judged.cut) == (None, "time")


def test_a_loop_that_ends_in_time_gives_what_it_found() -> None:
    """No limit, or one that is far away, changes nothing; one that has passed starts nothing."""
    with time_limit(60):
        assert cut_short(lambda stop, x: x + 1, 1) == 2
    with time_limit(0), pytest.raises(TimeUp):
        cut_short(lambda stop: pytest.fail("it was started"))


def test_every_compiled_walk_ends_when_told_to() -> None:
    """On a ring of states, with stop set: nothing is found where all would be."""
    n = 30_000
    offsets, ring = np.arange(n + 1, dtype=np.int64), np.roll(np.arange(n, dtype=np.uint32), -1)
    labels, every = np.zeros(n, np.uint16), np.ones(n, np.uint8)
    whole, one, goal = np.zeros(n, np.int64), np.ones(1, np.uint8), np.zeros(n, np.uint8)
    goal[0] = 1

    def found(stopped: int) -> list[int]:
        """Return how much each walk finds."""
        stop, reached = np.array([stopped], np.int64), goal.copy()
        walks = GraphWalks(lambda name, *args: native_loop(name)(stop, *args))
        walks.reach(offsets, ring, reached)
        component, _ = walks.components(offsets, ring, every)
        return [
            int(walks.reversed_graph(offsets, ring, labels, one)[0][-1]),
            int(reached.sum()) - 1,
            int((component == 0).sum()),
            int(walks.inner_edges(offsets, ring, labels, whole, one, 1).sum()),
            int(walks.fair_components(offsets, ring, labels, whole, 1, one).sum()),
            int((walks.quiet_states(offsets, labels, one) == 0).sum()),
            int((walks.distances(offsets, ring, every, goal) > 0).sum()),
            int(walks.excusing_states(offsets, ring, labels, every, 0).sum()),
        ]

    assert found(0) == [n, n - 1, n, 1, 1, n, n - 1, n]
    assert not any(found(1))
