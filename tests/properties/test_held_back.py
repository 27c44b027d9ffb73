"""What a bound holds back is no end: no deadlock, no rest, no trap, and no fair loop."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Options, Question
from fencecheck.explore.engine import EngineName
from fencecheck.model.family import Family
from tests.models_for_tests import HEADER, load

MODEL = (
    HEADER
    + '''
model = Model("shelf", "A shelf that is too small")
model.bound("room", 1, "parcels on the shelf")
model.budget("falls", "parcels that fall down")
KIND = Index(2)
PARCEL = Record("Parcel", kind=KIND)
worker = model.actor("worker")
idler = model.actor("idler")
wind = model.actor("wind", "interference")
model.variable("shelf", {container}, owner=worker)
model.variable("blinks", Bool(), owner=idler)


@worker.action(kind=KIND, {fair}when=lambda s, kind: {guard})
def put(s, kind):
    """A parcel is put on the shelf."""
    s.shelf.{add}(PARCEL(kind=kind))


{idle}
@wind.interference("falls", kind=KIND, when=lambda s, kind: any(p.kind == kind for p in s.shelf))
def fall(s, kind):
    """A parcel falls down."""
    s.shelf.remove(PARCEL(kind=kind))


@model.deadlock()
def works(s):
    """It does not stop halfway."""
    return len(s.shelf) == 2


@model.liveness()
def finishes(s):
    """Both get there."""
    return len(s.shelf) == 2


@model.possibility()
def can_finish(s):
    """Both can get there."""
    return len(s.shelf) == 2


@model.invariant()
def few(s):
    """There are never two."""
    return len(s.shelf) < 2
'''
)
IDLE = '''
@idler.action()
def blink(s):
    """Nothing of interest."""
    s.blinks = not s.blinks

'''


def verdicts(folder: Path, engine: EngineName, container: str, **more: str) -> dict[str, str]:
    """Return the verdicts of the model with a kind of container; ``more`` goes into its text."""
    room = '"room"' if more.pop("named", "yes") == "yes" else "2"
    add = "append" if container == "Seq" else "add"
    parts = {"container": f"{container}(PARCEL, {room})", "add": add, "idle": "", "fair": ""}
    guard = "not any(p.kind == kind for p in s.shelf)"
    text = MODEL
    for name, value in {**parts, "guard": guard, **more}.items():
        text = text.replace("{" + name + "}", value)
    family = Family(load(folder, text).model)
    design = family.design({}, {"falls": "any" if room != "2" else 0})
    found = check_design(family, design, Question(tuple(family.properties)), Options(engine=engine))
    events = {"room": ("worker.put",)} if room != "2" else {}
    assert found.held_back == events
    return {f.name: f.verdict for f in found.findings}


@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize("container", ["Bag", "Seq", "Set"])
def test_a_state_in_which_something_is_held_back_is_no_end(
    tmp_path: Path, engine: EngineName, container: str
) -> None:
    """With room for one nothing is said of two; with room for two they get there."""
    every = dict.fromkeys(("works", "finishes", "can_finish", "few"), "holds")
    assert verdicts(tmp_path, engine, container) == every
    roomy = verdicts(tmp_path, engine, container, named="no")
    assert roomy == {**every, "few": "violated"}


@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize("fair", ["", 'fair="strong", '])
def test_a_loop_beside_what_is_held_back_is_not_fair(
    tmp_path: Path, engine: EngineName, fair: str
) -> None:
    """Somebody blinks for ever while the second parcel waits for room: that says nothing."""
    found = verdicts(tmp_path, engine, "Bag", idle=IDLE, fair=fair)
    assert found == dict.fromkeys(("works", "finishes", "can_finish", "few"), "holds")


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_a_loop_that_is_fair_to_what_is_held_back_counts(
    tmp_path: Path, engine: EngineName
) -> None:
    """Where the second parcel is possible now and then only, weak fairness owes it nothing."""
    guard = "not any(p.kind == kind for p in s.shelf) and (len(s.shelf) == 0 or s.blinks)"
    found = verdicts(tmp_path, engine, "Bag", idle=IDLE, guard=guard)
    assert found["finishes"] == "violated"
    strong = verdicts(tmp_path, engine, "Bag", idle=IDLE, guard=guard, fair='fair="strong", ')
    assert strong["finishes"] == "holds"
