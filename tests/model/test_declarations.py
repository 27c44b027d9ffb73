"""Declarations that contradict themselves are refused, and designs that make no sense."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from fencecheck.errors import DesignError, ModelError
from fencecheck.model import (
    Array,
    Bag,
    Bool,
    Each,
    Enum,
    Ghost,
    Index,
    Int,
    Model,
    Part,
    Record,
    Seq,
    Set,
)
from fencecheck.model.family import Family
from fencecheck.model.system import System
from tests.models_for_tests import pipelined, queue

I = Index("n")  # noqa: E741
P = Record("P", i=I)


def changes_nothing(s: Any) -> None:
    """An effect without an effect."""


def changes_nothing_of(s: Any, x: Any) -> None:
    """The same with a parameter."""


def sample() -> Model:
    """Return a small model that is right."""
    model = Model("m", "A model")
    model.bound("n", 2, "n")
    model.budget("faults", "faults")
    model.mechanism("mode", ("on", "off"), "on", "a switch")
    model.variable("x", Int(0, 3))
    model.variable("st", Set(I))
    model.variable("pb", Bag(P, 2))
    model.variable("q", Seq(P, 2))
    model.actor("a").action()(changes_nothing)
    return model


def resolved(domain: Any) -> Any:
    """Return a domain with n = 2."""
    return domain.resolve(SimpleNamespace(n=2))


DOMAINS: list[tuple[Callable[[], Any], str]] = [
    (lambda: resolved(Int(0, "3")), "a size must be a whole number, not '3'"),  # type: ignore[arg-type]
    (lambda: resolved(Int(3, lambda k: k.n)), "Int(3, 2) has no values: write low <= high"),
    (lambda: Enum(), "write at least one name, and each only once"),
    (lambda: Enum("a", "b", "a"), "Enum('a', 'b', 'a'): write at least one name, and each only"),
    (lambda: Record("R"), "Record R: write at least one field"),
    (lambda: Record("R", x=Set(I)), "Record R: field x must be a scalar, a record or an array"),
    (lambda: Record("R", x=Ghost(Set(I))), "Record R: field x must be a scalar, a record or"),
    (lambda: Record("R", x=Array(I, Bag(P, 1))), "Record R: field x must be a scalar, a record"),
    (lambda: Record("R", x=Record("G", y=Ghost(I))), "Record R: field x: G has ghosts"),
    (lambda: Array(Int(0, 3), Bool()), "Array: the first argument is the Index or Enum it runs"),  # type: ignore[arg-type]
    (lambda: Set(Array(I, Bool())), "Set: its elements are scalars or records"),  # type: ignore[arg-type]
    (lambda: Bag(Set(I), 2), "Bag: its elements are scalars or records; write a Record"),  # type: ignore[arg-type]
    (lambda: Seq(Array(I, I), 2), "Seq: its elements are scalars or records; write a Record"),  # type: ignore[arg-type]
    (lambda: resolved(Seq(I, 0)), "Seq of 0 to 1: capacity below 1"),
    (lambda: resolved(Bag(P, 0)), "Bag of P: capacity below 1"),
    (lambda: resolved(Seq(P, lambda k: k.n - 2)), "Seq of P: capacity below 1"),
]


@pytest.mark.parametrize(("make", "message"), DOMAINS, ids=[m for _, m in DOMAINS])
def test_domains_that_make_no_sense(make: Callable[[], Any], message: str) -> None:
    """A domain says what is wrong with it and what it needs."""
    with pytest.raises(ModelError) as caught:
        make()
    assert message in str(caught.value)


def _each(model: Model, *each: str) -> None:
    model.actor("b").action(x=Each(*each))(changes_nothing_of)


DECLARATIONS: dict[str, tuple[Callable[[Model], Any], str]] = {
    "no domain": (
        lambda m: m.variable("y", int),  # type: ignore[arg-type]
        "m: variable y: <class 'int'> is not a domain; write Bool(), Int(low, high)",
    ),
    "default of a mechanism": (
        lambda m: m.mechanism("fence", ("on", "off"), "none", "a fence"),
        "m: mechanism fence: default 'none' is not a value",
    ),
    "property without words": (
        lambda m: m.invariant()(lambda s: True),
        "m: property <lambda>: say in its docstring what it means",
    ),
    "variable twice": (
        lambda m: m.variable("x", Bool()),
        "model m: two declarations of the variable, mechanism or bound x",
    ),
    "variable and bound": (
        lambda m: m.variable("n", Bool()),
        "model m: two declarations of the variable, mechanism or bound n",
    ),
    "budget and mechanism": (
        lambda m: m.budget("mode", "a budget"),
        "model m: two declarations of the variable, mechanism or bound mode",
    ),
    "event twice": (
        lambda m: m.actor("a").action()(changes_nothing),
        "model m: two declarations of the event a.changes_nothing",
    ),
    "unknown budget": (
        lambda m: m.actor("b").interference("fault")(changes_nothing),
        "model m: b.changes_nothing: no budget is named 'fault' (did you mean \"faults\"?)",
    ),
    "unknown event": (
        lambda m: m.transition("a.change_nothing")(documented),
        "property documented: there is no event 'a.change_nothing' (did you mean",
    ),
    "parameter without domain": (
        lambda m: m.actor("b").action(x=3)(changes_nothing_of),  # type: ignore[arg-type]
        "model m: b.changes_nothing_of: parameter x: 3 is no domain; write an Index, Int, Enum",
    ),
    "parameter over nothing": (
        lambda m: _each(m, "pbb"),
        "parameter x: Each('pbb') needs a bag or set variable (did you mean \"pb\"?)",
    ),
    "parameter over a number": (lambda m: _each(m, "x"), "Each('x') needs a bag or set variable"),
    "parameter over a sequence": (lambda m: _each(m, "q"), "Each('q') needs a bag or set variable"),
    "parameter over unknown fields": (
        lambda m: _each(m, "pb", "j"),
        "parameter x: the elements of pb have no field 'j'",
    ),
    "parameter over fields of numbers": (
        lambda m: _each(m, "st", "i"),
        "parameter x: the elements of st have no field 'i'",
    ),
    "name with a blank": (lambda m: m.variable("a b", Bool()), "'a b' cannot be read"),
    "name of Python": (lambda m: m.bound("class", 1, "a class"), "'class' cannot be read"),
    "private name": (lambda m: m.variable("_x", Bool()), "'_x' cannot be read as an attribute"),
    "name of the sizes": (lambda m: m.variable("k", Bool()), "the name k is taken; choose another"),
    "start outside": (
        lambda m: m.variable("y", Int(0, 3), 4),
        "model m: variable y starts as 4, which is not 0 to 3",
    ),
    "start of another kind": (
        lambda m: m.variable("y", Int(0, 3), True),
        "model m: variable y starts as True, which is not 0 to 3",
    ),
    "start computed outside": (
        lambda m: m.variable("y", Array(I, Bool()), lambda k: (True,) * (k.n + 1)),
        "variable y starts as (True, True, True), which is not 2 x true or false",
    ),
    "number too large": (
        lambda m: m.variable("y", Int(0, 2**63)),
        "y: 0 to 9223372036854775808 needs more than 62 bits; narrow it",
    ),
    "message too large": (
        lambda m: m.variable("y", Bag(Record("R", a=Int(0, 2**31), b=Int(0, 2**31)), 2)),
        "a record R in a bag needs 64 bits",
    ),
    "set too large": (
        lambda m: m.variable("y", Set(Int(0, 2**40))),
        "a set of 0 to 1099511627776 has 1099511627777 possible members",
    ),
}


def documented(before: Any, after: Any) -> bool:
    """Say nothing at all."""
    return True


@pytest.mark.parametrize(("change", "message"), DECLARATIONS.values(), ids=DECLARATIONS.keys())
def test_declarations_that_contradict(change: Callable[[Model], Any], message: str) -> None:
    """A model says which declaration is wrong, and how."""

    def declare() -> System:
        model = sample()
        change(model)
        family = Family(model)
        return System(family, family.design())

    with pytest.raises(ModelError) as caught:
        declare()
    assert message in str(caught.value)


def test_the_sample_is_right() -> None:
    """What the other tests change is accepted unchanged."""
    family = Family(sample())
    assert System(family, family.design()).initial == (0, 0, (), (), ())


def test_a_model_has_actions() -> None:
    """A model in which nothing can happen is refused."""
    with pytest.raises(ModelError, match="model empty: it has no actions; declare at least one"):
        Family(Model("empty", "Nothing"))


DESIGNS: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({"mod": "on"}, {}, 'no such mechanism; it has mode (did you mean "mode"?)'),
    ({"mode": "of"}, {}, 'mechanisms.mode: "of" is not one of on, off (did you mean "off"?)'),
    ({"mode": 1}, {}, "mechanisms.mode: 1 is not one of on, off"),
    ({}, {"m": 1}, "bounds.m: model m has no such bound; it has n, faults"),
    ({}, {"n": 0}, "bounds.n: 0 is too small; write 1 or more"),
    ({}, {"faults": -1}, "bounds.faults: -1 is too small; write 0 or more"),
    ({}, {"n": True}, "bounds.n: True is not a whole number"),
    ({}, {"n": 1.0}, "bounds.n: 1.0 is not a whole number"),
]


@pytest.mark.parametrize(("mechanisms", "bounds", "message"), DESIGNS, ids=[m for *_, m in DESIGNS])
def test_designs_that_make_no_sense(
    mechanisms: dict[str, Any], bounds: dict[str, Any], message: str
) -> None:
    """A design names what is unknown, what is allowed, and the nearest match."""
    with pytest.raises(DesignError) as caught:
        Family(sample()).design(mechanisms, bounds)
    assert len(caught.value.problems) == 1
    assert message in caught.value.problems[0]


def test_all_mistakes_of_a_design_come_at_once() -> None:
    """Nothing is checked only after something else has been mended."""
    with pytest.raises(DesignError) as caught:
        Family(sample()).design({"mod": "on", "mode": "of"}, {"n": 0, "m": 3})
    assert len(caught.value.problems) == 4


def test_rules_refuse_a_design() -> None:
    """A rule sees the complete design, defaults included."""
    model = sample()

    @model.rule
    def small(k: Any) -> str | None:
        return "n: at most 2 with mode on" if k.n > 2 and k.mode == "on" else None

    with pytest.raises(DesignError, match="n: at most 2 with mode on"):
        Family(model).design({}, {"n": 3})
    assert Family(model).design({"mode": False}, {"n": 3}).mechanisms == {"mode": "off"}


def test_a_part_is_included_once() -> None:
    """Two models share a part, and including it twice declares nothing twice."""
    one, other = Family(queue.model), Family(queue.lossy)
    assert [v.name for v in one.declared.variables] == ["losses", "queue", "sent", "taken"]
    assert [v.name for v in other.declared.variables] == ["losses", "queue", "sent", "taken"]
    assert set(one.properties) == {"in_order", "all_taken"}
    assert set(other.properties) == {"in_order", "all_sent"}


def test_parts_of_parts_come_first() -> None:
    """Declarations stand in the order in which parts are included, the innermost first."""
    inner, outer, model = Part("inner"), Part("outer"), sample()
    inner.variable("first", Bool())
    outer.variable("second", Bool())
    outer.include(inner)
    model.include(outer, inner)
    names = [v.name for v in Family(model).declared.variables]
    assert names[:2] == ["first", "second"]


def test_events_are_shown_from_one() -> None:
    """Index parameters count from 1 for people; other values stay."""
    family = Family(pipelined.model)
    system = System(family, family.design())
    number = [a.name for a in system.actions].index("client.receive")
    assert system.shown_args(number, (1, True)) == {"step": 2, "accepted": True}


def test_a_table_of_mechanisms_says_what_single_ones_say() -> None:
    """Values, the default, what it means, whose it is, and the value without it."""
    one, table = Model("m", "One by one"), Model("m", "In a table")
    one.mechanism("fence", ("none", "step+base"), "step+base", "what is compared: nothing, both")
    one.mechanism("ids", ("old", "new"), "old", "whose ids", environment=True, plain="new")
    table.mechanisms(
        fence="none | step+base*: what is compared: nothing, both",
        ids="old* | new, environment, plain new: whose ids",
    )
    assert table.declared.mechanisms == one.declared.mechanisms


def test_words_above_a_property_are_its_own() -> None:
    """They may be a function, or stand above several; parts stand on those they include."""
    kept = Part("kept")
    part = Part("part", includes=[kept])
    in_words = part.says("{s.x} is wrong")
    props = [part.invariant()(documented) for _ in range(2)]
    told = [in_words(prop).explain for prop in props]
    assert part.says(documented)(props[0]) is props[0]
    assert told[0] == told[1]
    assert props[0].explain is documented
    assert part.and_included() == [kept, part]
