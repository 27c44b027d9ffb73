"""An interrupt that is listened for ends a search as a limit of time does, in both engines."""

import os
import signal
import threading

import pytest

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Options, Question
from fencecheck.checking.results import VariantResult
from fencecheck.explore import interrupt
from fencecheck.explore.engine import EngineName
from fencecheck.explore.graph import Limits
from fencecheck.explore.resources import Tick
from fencecheck.model.files.loading import load_family

BOUNDS = {"steps": 5, "files": 2, "edits": 4, "lost_replies": 4, "preemptions": 4, "duplicates": 3}


def stopped(
    engine: EngineName, names: list[str]
) -> tuple[VariantResult, VariantResult, list[Tick]]:
    """Check a design that is larger than anybody waits for, with an interrupt on the way."""
    family = load_family("fence")
    seen: list[Tick] = []

    def listen(tick: Tick) -> None:
        seen.append(tick)
        if "no_lost_update" in tick.broken and not interrupt.heard():
            os.kill(os.getpid(), signal.SIGINT)

    options = Options(Limits(memory=2**30), engine, 2, progress=listen, exact=True)
    design = family.design({"fence": "none", "precondition": "off"}, BOUNDS)
    with interrupt.listening():
        found = check_design(family, design, Question(tuple(names)), options)
        later = check_design(family, design, Question(tuple(names)), options)
    return found, later, seen


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_a_search_that_is_interrupted_keeps_what_it_found(engine: EngineName) -> None:
    found, later, seen = stopped(engine, ["no_lost_update", "journal_append_only", "finishes"])
    assert found.exploration.stopped_by == "interrupt"
    assert not found.exploration.complete
    assert found["no_lost_update"].verdict == "violated"
    assert found["no_lost_update"].events == 3
    assert found["journal_append_only"].verdict == "undetermined"
    assert found["finishes"].verdict == "undetermined"
    assert "no_lost_update" in seen[-1].broken
    assert later.exploration.states == 0
    assert {f.verdict for f in later.findings} == {"undetermined"}


def test_an_interrupt_outside_a_search_is_raised_at_once() -> None:
    with interrupt.listening():
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
        assert interrupt.heard()
    assert not interrupt.heard()


def test_a_second_interrupt_is_raised_inside_a_search_too() -> None:
    with interrupt.listening(), interrupt.looked_for():
        os.kill(os.getpid(), signal.SIGINT)
        assert interrupt.heard()
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)


def test_where_nobody_listens_an_interrupt_is_what_it_is_in_python() -> None:
    with interrupt.looked_for(), pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
    assert not interrupt.heard()


def test_listening_beside_the_main_thread_changes_nothing() -> None:
    heard = []

    def listen() -> None:
        with interrupt.listening():
            heard.append(interrupt.heard())

    thread = threading.Thread(target=listen)
    thread.start()
    thread.join()
    assert heard == [False]
