"""Budgets of any: what may be asked of them, what is refused, and that nothing is spent."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Options, Question
from fencecheck.errors import DesignError, ModelError
from fencecheck.explore.engine import EngineName
from fencecheck.model.declaring.any_number import ANY, NoNumber
from fencecheck.model.family import Family
from fencecheck.model.system import System
from fencecheck.runs.event import Event, possible
from fencecheck.runs.run import Run
from tests.models_for_tests import HEADER, load

LOSSY = (
    HEADER
    + '''
model = Model("lossy", "One message over a network that may lose it")
model.bound("tries", 1, "a size")
model.budget("losses", "lost messages")
model.budget("edits", "edits")
model.mechanism("repeat", ("off", "on"), "off", "whether it is sent again")
a = model.actor("a")
network = model.actor("network", "interference")
model.variable("sent", Bool(), owner=a)
model.variable("there", Bool(), owner=a)
model.variable("done", Bool(), owner=a)
model.variable("dirty", Bool(), owner=a)


@a.action(when=lambda s: not s.there and not s.done and (s.repeat == "on" or not s.sent))
def send(s):
    """It sends."""
    s.there = True
    s.sent = True


@a.action(when=lambda s: s.there)
def arrive(s):
    """It arrives."""
    s.there = False
    s.done = True


@network.interference("losses", when=lambda s: s.there)
def lose(s):
    """It is lost."""
    s.there = False


@network.interference("edits", when=lambda s: s.edits_left > 0 and not s.done)
def edit(s):
    """Somebody edits."""
    s.dirty = {effect}


@model.liveness()
def finishes(s):
    """It arrives."""
    return s.done


@model.possibility()
def can_finish(s):
    """It can arrive."""
    return s.done


@model.invariant()
def clean(s):
    """It is clean when it arrives."""
    return not (s.dirty and s.done){more}
'''
)


def lossy(folder: Path, effect: str = "not s.dirty", more: str = "", head: str = "") -> Family:
    """Return the model, with another effect of an edit or more in its invariant."""
    text = LOSSY.replace("{effect}", effect).replace("{more}", more)
    return Family(load(folder, text.replace("\n\n@a.action", f"\n{head}\n\n@a.action", 1)).model)


def verdicts(family: Family, engine: EngineName, repeat: str, **bounds: Any) -> dict[str, Any]:
    design = family.design({"repeat": repeat}, bounds)
    found = check_design(family, design, Question(tuple(family.properties)), Options(engine=engine))
    return {f.name: (f.verdict, f.events) for f in found.findings}


def test_any_is_a_text_that_is_above_every_number_and_has_none() -> None:
    """It is written as a spec writes it, stays one object, and is refused in arithmetic."""
    named: Any = ANY.of("lost_replies")
    assert json.dumps({"edits": named}) == '{"edits": "any"}'
    assert pickle.loads(pickle.dumps(ANY)) is ANY
    assert copy.deepcopy(ANY) is ANY
    assert (named > 0, named > 0, named >= 7, named == 0, named <= 3, named > 3) == (
        True, True, True, False, False, True,
    )  # fmt: skip
    assert (max(2, named), min(2, named)) == (named, 2)
    numbers: list[Any] = [1, named]
    sums = (lambda: named + 1, lambda: 2 * named, lambda: sum(numbers))
    for wrong in (*sums, lambda: int(named), lambda: range(named)):
        with pytest.raises(NoNumber, match="asks how many lost replies there are"):
            wrong()


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_interference_of_any_number_is_never_used_up(tmp_path: Path, engine: EngineName) -> None:
    """It happens again and again, takes no bit of a state, and no loop for ever is made of it."""
    family = lossy(tmp_path)
    for repeat, can in (("on", ("holds", None)), ("off", ("violated", 2))):
        found = verdicts(family, engine, repeat, losses="any", edits="any")
        assert found["clean"] == ("violated", 3)
        assert found["can_finish"] == can
        assert found["finishes"][0] == ("holds" if repeat == "on" else "violated")
    system = System(family, family.design({}, {"losses": "any", "edits": "any"}))
    assert [f.bits for f in system.lowered.layout.fields if f.path in ("losses", "edits")] == [0, 0]
    assert system.lowered.layout.state(system.lowered.layout.numbers(system.initial)) == (
        system.initial
    )


def test_a_loop_of_interference_refutes_nothing(tmp_path: Path) -> None:
    """Two edits lead back to where they began; nobody edits for ever."""
    family = lossy(tmp_path)
    system = System(family, family.design({}, {"edits": "any"}))
    events = list[Event]()
    for _ in range(2):
        state = events[-1].after if events else system.initial
        events += [e for e in possible(system, state) if system.actions[e.action].interference]
    assert events[-1].after == system.initial
    wanted = "its loop has network.edit in it, and no interference goes on for ever"
    assert Run(system, events, 0).why_not_for_ever() == wanted


def test_beside_a_larger_design_a_budget_is_none_or_any(tmp_path: Path) -> None:
    """One lowering serves the designs with and without an interference."""
    family = lossy(tmp_path)
    most = family.design({}, {"losses": "any", "edits": "any"})
    less = System(family, family.design({}, {"losses": "any"}), most)
    assert less.lowered is System(family, most, most).lowered
    layout = less.lowered.layout
    assert layout.state(layout.numbers(less.initial)) == less.initial
    there = less.enabled(less.view(less.initial), less.initial)
    assert [less.actions[number].name for number, _ in there] == ["a.send"]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (" or s.edits_left == 2", "`s.edits_left == 2` asks how much of edits is left"),
        (" or s.edits > 1", "`s.edits > 1` asks how much of edits is left"),
        (" or s.edits + 1 > 1", "asks how much of edits is left"),
        (" or s.edits_used > 0", "`s.edits_used` asks how much of edits was used"),
        (" or s.edits in (1, 2)", "asks how much of edits is left"),
        (" or min(s.edits, 2) == 2", "asks how much of edits is left"),
        (" or sum(s.edits for _ in range(2)) == 2", "the budget edits, which is any; add whole"),
        (" or s.edits == s.losses", "asks how much of"),
    ],
)
def test_what_asks_for_the_number_is_refused_with_its_line(
    tmp_path: Path, more: str, message: str
) -> None:
    """With a number the same model runs."""
    family = lossy(tmp_path, more=more)
    System(family, family.design({}, {"edits": 2}))
    with pytest.raises(ModelError) as error:
        System(family, family.design({}, {"edits": "any", "losses": "any"}))
    assert message in str(error.value)
    assert ".py:" in str(error.value)


@pytest.mark.parametrize(
    "head",
    [
        'model.variable("rev", Int(0, lambda k: k.edits + 1))',
        'model.variable("rev", Int(0, lambda k: k.edits))',
        'model.variable("rev", Int(0, lambda k: sum([1, k.edits])))',
    ],
)
def test_a_size_needs_a_number(tmp_path: Path, head: str) -> None:
    """The message names the budget and the line of the size."""
    family = lossy(tmp_path, head=head)
    with pytest.raises(ModelError) as error:
        System(family, family.design({}, {"edits": "any"}))
    wanted = "a size goes wrong: it asks how many edits there are, and there is no number"
    assert wanted in str(error.value)
    assert ".py:" in str(error.value)


def test_only_a_budget_may_be_any(tmp_path: Path) -> None:
    """Of a size that is refused; other words are no number of either."""
    family = lossy(tmp_path)
    for bounds, message in (
        ({"tries": "any"}, '"any" is for budgets, and tries is a size; write a whole number'),
        ({"edits": "many"}, "'many' is not a whole number or \"any\""),
        ({"tries": "many"}, "'many' is not a whole number"),
    ):
        with pytest.raises(DesignError) as error:
            family.design({}, bounds)
        assert error.value.problems == [f"bounds.{next(iter(bounds))}: {message}"]
