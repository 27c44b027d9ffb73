"""What a model declares of its drills is held against the model when it is loaded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fencecheck.errors import ModelError, UsageError
from fencecheck.model.files.loading import load_family

MODEL = '''
from fencecheck.model import *

model = Model("drilled", "A counter with drills")
model.bound("rounds", 1, "how far it counts")
model.budget("slips", "slips")
model.mechanism("guard", ("off", "on"), "off", "whether slips are refused")
model.mechanism("log", ("off", "on"), "off", "whether slips are logged")
model.variable("n", Int(0, 3))
counter = model.actor("counter")
world = model.actor("world", "interference")


@counter.action(when=lambda s: s.n < 2)
def count(s):
    """The counter goes on."""
    s.n += 1


@world.interference("slips", when=lambda s: s.n == 1 and s.guard == "off")
def slip(s):
    """The counter slips."""
    s.n = 3


@model.invariant()
def small(s):
    """The counter stays small."""
    return s.n < 3


@model.rule
def fits(k):
    """A log needs the guard."""
    if k.log == "on" and k.guard == "off":
        return "log on needs guard on"


model.goal = lambda s: s.n == 2
guard = Control("guard", {}, "small", "counter.count", "refuse", {"slips": 1}, {"guard": "on"})
lost = InjectedFailure("a slip", "world.slip")
model.drill = DrillPlan(
    {"guard": "off"}, (guard,), {"plain": {}}, (lost,), {"counter.count": "counter"}, "tour", {}
)
'''
LAST = MODEL.splitlines().index("model.drill = DrillPlan(") + 1

WRONG = {
    '{"guard": "off"}, (g': ('{"gaurd": "off"}, (g', "base: mechanisms.gaurd: ", '"guard"'),
    '{"plain": {}}': (
        '{"plain": {"guard": "no"}}',
        'designs: "plain": mechanisms.guard: ',
        "off, on",
    ),
    '{"slips": 1}, {"guard": "on"}': (
        '{"slips": 1}, {"guard": "yes"}',
        'control "guard": mechanisms.guard: ',
        "off, on",
    ),
    '"guard", {}': ('"guard", {"log": "on"}', 'control "guard": log on needs guard on', ""),
    '"refuse", {"slips"': (
        '"refuse", {"slip"',
        'control "guard": bounds.slip: ',
        '(did you mean "slips"?)',
    ),
    '"small", "counter': (
        '"smal", "counter',
        "control \"guard\": symptom: there is no property 'smal'",
        '(did you mean "small"?)',
    ),
    '"counter.count", "refuse"': (
        '"counter.cuont", "refuse"',
        "control \"guard\": answer: there is no event 'counter.cuont'",
        '(did you mean "counter.count"?)',
    ),
    '"world.slip"': (
        '"counter.count"',
        "failure \"a slip\": event: there is no interference 'counter.count'",
        "there is world.slip",
    ),
    '"world.slip")': (
        '"world.slip", {"slips": -1})',
        'failure "a slip": bounds.slips: -1 is too small; write 0 or more',
        "",
    ),
    'slip", "world.slip"': (
        'slip", "world.slip", when=3',
        'failure "a slip": when is 3; write a function',
        "",
    ),
    '{"counter.count": "counter"}': (
        '{"counter.cuont: done": "counter"}',
        "owners: there is no event 'counter.cuont'",
        '(did you mean "counter.count"?)',
    ),
    '{"guard": "on"})': (
        '{"guard": "on"}, "hold")',
        "control \"guard\": expect is 'hold'; write one of holds, violated",
        "",
    ),
    ', "world.slip")': (
        ', "world.slip", expect={"plian": "none"})',
        "failure \"a slip\": expect: there is no design 'plian'",
        '(did you mean "plain"?)',
    ),
    'lost = InjectedFailure("a slip", "world.slip")': (
        'lost = InjectedFailure("a slip", "world.slip", expect="holds")',
        "failure \"a slip\": expect is 'holds'; write one of recovers, none, cannot happen",
        "",
    ),
    "(lost,)": ("lost", "failures is InjectedFailure(", "write a tuple of InjectedFailure(...)"),
    "(guard,)": ("(lost,)", "controls: InjectedFailure(", "is no Control(...)"),
    '"tour", {}': ('"tour", {"one": "x"}', "domains: one: 'x'; write two texts", ""),
}


@pytest.fixture
def load(tmp_path: Path) -> Callable[[str], Any]:
    """Return what loads a text as a model."""

    def loaded(text: str) -> Any:
        (tmp_path / "m.py").write_text(text)
        return load_family("m.py", tmp_path)

    return loaded


def test_a_plan_of_names_that_there_are_is_taken(load: Callable[[str], Any]) -> None:
    assert load(MODEL).model.drill is not None


@pytest.mark.parametrize("old", WRONG)
def test_a_wrong_name_is_refused_with_its_place(load: Callable[[str], Any], old: str) -> None:
    """The line of the plan, the name, and what there is."""
    new, words, more = WRONG[old]
    assert MODEL.count(old) == 1
    with pytest.raises(ModelError) as caught:
        load(MODEL.replace(old, new))
    said = str(caught.value)
    assert f"m.py:{LAST}: model drilled: drill: {words}" in said
    assert more in said


def test_domains_are_the_scripted_orders(load: Callable[[str], Any]) -> None:
    """What a spec scripts is not known to the model: it is compared before the drills run."""
    from fencecheck.analysis.drill.drills import run_domains
    from fencecheck.models.ledger import model

    family = load_family("ledger")
    plan = model.drill
    assert plan is not None
    changed = {"substrat" if name == "substrate" else name: p for name, p in plan.domains.items()}
    try:
        object.__setattr__(plan, "domains", changed)
        with pytest.raises(UsageError, match=r'"substrat" is a key or .*write each of .*substrate'):
            run_domains(family)
    finally:
        names = {"substrate" if name == "substrat" else name: p for name, p in changed.items()}
        object.__setattr__(plan, "domains", names)


MESSAGES = '''
from fencecheck.model import *

Note = Record("Note", n=Int(0, 1))
model = Model("posted", "A bag of messages")
model.messages("net", Bag(Note, 1), owner=OWNER)
counter = model.actor("counter")


@counter.action(when=lambda s: len(s.net) == 0)
def send(s):
    """The counter sends."""
    s.net.add(Note(n=1))
'''


@pytest.mark.parametrize("owner", ['"network"', '"counter"'])
def test_messages_belong_to_the_network_or_a_lane(load: Callable[[str], Any], owner: str) -> None:
    assert load(MESSAGES.replace("OWNER", owner))


def test_a_wrong_owner_of_messages_is_refused(load: Callable[[str], Any]) -> None:
    with pytest.raises(ModelError) as caught:
        load(MESSAGES.replace("OWNER", '"conter"'))
    assert str(caught.value).endswith(
        "m.py:6: model posted: variable net: owner: there is no lane 'conter' "
        '(did you mean "counter"?)'
    )
