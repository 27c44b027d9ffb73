"""Whether a run that is saved, perhaps edited, still refutes what it says it refutes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fencecheck.errors import StateError
from fencecheck.model.family import Family
from fencecheck.model.system import System
from fencecheck.runs.event import possible
from fencecheck.runs.replay import replay
from fencecheck.runs.stepping import Stepping
from fencecheck.runs.telling import tell
from fencecheck.runs.trace import Origin, Trace
from tests.models_for_tests import HEADER, load

TEXT = (
    HEADER
    + '''
model = Model("counter", "It counts down, and nothing is ever wrong")
model.variable("x", Int(0, 2), 2)
w = model.actor("w")


@w.action(when=lambda s: s.x > 0)
def down(s):
    """One less."""
    s.x -= 1


@w.action(when=lambda s: s.x > 2)
def never(s):
    """Never."""


@model.transition("w.never")
def of_never(before, after):
    """Never true of what never happens."""
    return False


@model.invariant()
def small(s):
    """It is small."""
    return s.x < 3


@model.deadlock()
def at_zero(s):
    """It ends at zero."""
    return s.x == 0


@model.possibility()
def reaches_zero(s):
    """It can reach zero."""
    return s.x == 0


@model.liveness()
def comes_to_zero(s):
    """It comes to zero."""
    return s.x == 0


@model.leads_to(lambda s: s.x == 1)
def one_leads_to_zero(s):
    """From one it comes to zero."""
    return s.x == 0


@model.recurrence("w.down")
def ends(s):
    """It does not count for ever."""
    return False
'''
)
NAMES = (
    "of_never", "small", "at_zero", "reaches_zero", "comes_to_zero", "one_leads_to_zero", "ends",
)  # fmt: skip


def harmless(folder: Path, length: int) -> tuple[Family, Trace]:
    """Return the trace of a run of the counter, told as a witness."""
    family = Family(load(folder, TEXT).model)
    system = System(family, family.design())
    events, state = [], system.initial
    for _ in range(length):
        events.append(next(possible(system, state)))
        state = events[-1].after
    return family, tell(system, events, None, Origin())


@pytest.mark.parametrize("length", [0, 1, 2])
@pytest.mark.parametrize("name", NAMES)
def test_a_harmless_run_that_claims_a_violation_is_refused(
    tmp_path: Path, name: str, length: int
) -> None:
    """Whatever the property's kind: what it speaks of did not happen, or it holds."""
    family, trace = harmless(tmp_path, length)
    assert replay(family, trace).misfit is None
    claimed = replace(trace, shows=replace(trace.shows, name=name), verdict="violated")
    for loop_start in (None, *range(length + 1)):
        assert replay(family, replace(claimed, loop_start=loop_start)).misfit is not None


RAISING = '''

@model.invariant()
def divides(s):
    """It cannot be evaluated at zero."""
    return 6 // s.x > 0


@model.transition("w.down")
def divides_after(before, after):
    """Nor can this."""
    return 6 // after.x > 0
'''


@pytest.mark.parametrize("name", ["divides", "divides_after"])
def test_a_property_that_goes_wrong_is_told_without_a_traceback(tmp_path: Path, name: str) -> None:
    """Stepping raises the model's error with the run; a replay says that it goes wrong."""
    family = Family(load(tmp_path, TEXT + RAISING).model)
    system = System(family, family.design())
    stepping = Stepping(system, system.properties([name]), Origin())
    for _ in range(2):
        stepping.take(stepping.choices()[0])
    with pytest.raises(StateError, match=r"ZeroDivisionError.*\.py:\d+"):
        stepping.first_broken(family.properties[name])
    trace = tell(system, stepping.events, None, Origin())
    claimed = replace(trace, shows=replace(trace.shows, name=name), verdict="violated")
    assert "ZeroDivisionError" in (replay(family, claimed).misfit or "")
