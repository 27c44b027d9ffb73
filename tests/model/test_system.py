"""A system: states, designs, capacities, the text a function was made from."""

from __future__ import annotations

import gc
import importlib.util
import random
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from fencecheck.errors import ModelError
from fencecheck.model import Array, Bag, Bool, Enum, Ghost, Index, Int, Record, Seq, Set
from fencecheck.model.family import Family
from fencecheck.model.lower.layout import Layout
from fencecheck.model.system import System
from fencecheck.runs.told.failure import why_wrong
from tests.model.agreement import disagreement
from tests.model.snippets import effect, guard, written
from tests.models_for_tests import HEADER, load, pipelined, system_of

SHAPED = (
    HEADER
    + """
model = Model("shaped", "Shapes that depend on a mechanism")
model.bound("n", 2, "n")
model.mechanism("mode", ("wide", "narrow"), "wide", "a switch")
I = Index("n")
LEVEL = Int(0, lambda k: 5 if k.mode == "wide" else 1)
R = Record("R", x=LEVEL, low=Int(lambda k: -1 if k.mode == "wide" else 0, 1))
model.variable("a", Array(I, R))
A = model.actor("A")


@A.action(n=LEVEL, when=lambda s, n: s.a[0].x != n)
def act(s, n):
    "Act."
    s.a[0] = replace(s.a[0], x=n)
    s.a[1] = replace(s.a[0], low=1)
"""
)


def test_designs_of_one_family_do_not_share_a_lowering_of_another_shape(tmp_path: Path) -> None:
    """A mechanism can change what a record in an array holds, and what parameters there are."""
    family = Family(load(tmp_path, SHAPED).model)
    for mode, ways in (("wide", 6), ("narrow", 2), ("wide", 6)):
        system = System(family, family.design({"mode": mode}))
        assert len(system.lowered.cases) == ways
        assert disagreement(system, 40) is None


def test_families_do_not_inherit_the_lowering_of_the_dead(tmp_path: Path) -> None:
    """A family that takes the place of a collected one in memory is lowered by itself."""
    for number in range(3, 7):
        text = HEADER + (
            'model = Model("m", "m")\nmodel.variable("x", Int(0, 99))\n'
            f'@model.actor("A").action()\ndef act(s):\n    "Act."\n    s.x = {number}\n'
        )
        system = system_of(load(tmp_path, text).model)
        (written_value,) = system.lowered.cases[0].writes.values()
        assert written_value.constant == number
        del system
        gc.collect()


def test_an_edited_file_is_read_again(tmp_path: Path) -> None:
    """A model that was edited and loaded again is lowered from its new text."""
    path = tmp_path / "edited.py"

    def loaded(number: int) -> int | None:
        path.write_text(
            HEADER + 'model = Model("m", "m")\nmodel.variable("x", Int(0, 999))\n'
            f'@model.actor("A").action()\ndef act(s):\n    "Act."\n    s.x = {number}\n'
        )
        spec = importlib.util.spec_from_file_location("edited", path)
        assert spec is not None
        module = importlib.util.module_from_spec(spec)
        exec(compile(path.read_text(), str(path), "exec"), module.__dict__)
        (value,) = system_of(module.model).lowered.cases[0].writes.values()
        return value.constant

    assert [loaded(1), loaded(22), loaded(333)] == [1, 22, 333]


def test_a_larger_capacity_changes_no_meaning() -> None:
    """Budgets of a run may be smaller than those for which its states are shaped."""
    family = Family(pipelined.model)
    large = family.design({}, {"edits": 2, "retries": 2, "lost_acks": 1, "duplicates": 1})
    small = family.design({}, {"edits": 1, "retries": 0, "lost_acks": 1})
    system = System(family, small, large)
    assert disagreement(system, 200) is None
    assert system.initial == System(family, small).initial
    assert system.lowered is System(family, large).lowered


def test_states_fit_into_few_bits() -> None:
    """The representation of the pipelined fence is tight: 49 bits for the largest of the table."""
    system = system_of(pipelined.model, steps=4, edits=2, retries=2, lost_acks=1, duplicates=1)
    assert sum(field.bits for field in system.lowered.layout.fields) == 49


KINDS = [
    Bool(),
    Int(-3, 4),
    Int(7, 7),
    Enum("zed", "alpha", "mid"),
    Index("n"),
    Record("R", e=Enum("b", "a", "c"), x=Int(-2, 2), g=Ghost(Bool())),
    Array(Index("n"), Int(-1, 1)),
    Array(Index("n"), Array(Index("n"), Enum("on", "off"))),
    Array(Index("n"), Record("S", x=Int(0, 2), b=Bool())),
    Array(Index("n"), Set(Int(-2, 2))),
    Set(Int(-40, 40)),
    Set(Record("T", x=Int(-5, 5), e=Enum("q", "p"), y=Int(0, 4))),
    Bag(Record("U", x=Int(-1, 1), e=Enum("d", "c", "b")), 3),
    Seq(Record("V", e=Enum("d", "c", "b"), x=Int(-1, 1)), 3),
]


def _any(domain: Any, chance: random.Random) -> Any:
    """Return a value at rest of a domain, by chance."""
    if isinstance(domain, Array):
        return tuple(_any(domain.element, chance) for _ in range(domain.length))
    if isinstance(domain, Bag):
        count = chance.randint(0, domain.capacity)
        items = [_any(domain.element, chance) for _ in range(count)]
        return tuple(items if isinstance(domain, Seq) else sorted(items))
    if isinstance(domain, Set):
        ranks = range(domain.element.count)
        chosen = chance.sample(ranks, chance.randint(0, len(ranks)))
        return tuple(sorted(domain.element.value(r) for r in chosen))
    return domain.value(chance.randrange(domain.count))


def test_flat_numbers_and_states_are_inverse() -> None:
    """Every kind of value survives being written as numbers, each number within its field."""
    domains = [kind.resolve(SimpleNamespace(n=3)) for kind in KINDS]
    layout = Layout((f"v{i}", d, False) for i, d in enumerate(domains))
    chance = random.Random(1)
    for _ in range(300):
        state = tuple(_any(domain, chance) for domain in domains)
        assert all(d.contains(v) for d, v in zip(domains, state, strict=True))
        numbers = layout.numbers(state)
        assert layout.state(numbers) == state
        for number, field in zip(numbers, layout.fields, strict=True):
            assert field.low <= number <= field.high


def test_ranks_ascend_with_values() -> None:
    """Scalars and records are ranked in the order in which Python compares them."""
    for kind in KINDS:
        domain: Any = kind.resolve(SimpleNamespace(n=3))
        if hasattr(domain, "rank"):
            values = [domain.value(rank) for rank in range(domain.count)]
            assert values == sorted(values)
            assert [domain.rank(v) for v in values] == list(range(domain.count))


def test_an_outcome_is_what_the_effect_returns(tmp_path: Path) -> None:
    """A step gives the state after and the outcome, and leaves the state before alone."""
    system = written(tmp_path, effect("s.st.add(1)\ns.a[1] = 3\nreturn 'done'"))
    before = system.initial
    after, outcome = system.steps[-1](before)
    assert outcome == "done"
    assert before == system.initial
    assert (system.view(after).st, system.view(after).a) == ((1,), (0, 3, 2))


def test_outside_says_what_holds_what(tmp_path: Path) -> None:
    """A value outside its domain is named with its variable and its domain."""
    system = written(tmp_path, effect("s.x = 3 * s.y + 1"))
    after, _ = system.steps[-1](system.initial)
    assert system.outside(after) == "x is 4, which is not -2 to 3"
    assert system.outside(system.initial) is None


def test_a_source_that_changed_after_loading_is_refused(tmp_path: Path) -> None:
    """A file whose lines have moved since it was loaded is not lowered as something else."""
    module = load(tmp_path, HEADER + 'model = Model("m", "m")\nmodel.variable("x", Int(0, 9))\n'
                  '@model.actor("A").action()\ndef act(s):\n    "Act."\n    s.x = 1\n')  # fmt: skip
    path = Path(str(module.__file__))
    path.write_text("# another first line\n" + path.read_text())
    with pytest.raises(ModelError, match="act: its source does not match the file"):
        system_of(module.model)


def test_a_negative_index_is_an_error_in_python_too(tmp_path: Path) -> None:
    """Arrays and sequences of a model that could compute a negative index refuse it."""
    system = written(tmp_path, guard("return s.a[s.x] > 0 and s.q[s.x].i > 0"))
    view = system.view(system.initial)
    with pytest.raises(IndexError, match="-1 is negative"):
        _ = view.a[-1]
    with pytest.raises(IndexError, match="-1 is negative"):
        _ = view.q[-1]


ESCAPES = {
    "s.ar[i] = R(i=i, v=3)": "ar[1].v is 3, which is not 0 to 2",
    "s.at[i] = i + 2": "at[1] is 3, which is not 1 to 2",
    "s.r = R(i=i + 2, v=0)": "r.i is 3, which is not 1 to 2",
    "s.net = bag(R(i=0, v=v) for v in (0, 1, 2))": "net: a bag of R is full: its capacity is 2",
    "s.net = bag(R(i=0, v=v) for v in (3,))": "net: element.v is 3, which is not 0 to 2",
}


@pytest.mark.parametrize("effect", ESCAPES)
def test_what_leaves_its_domain_is_named_as_people_write_it(tmp_path: Path, effect: str) -> None:
    """The element of an array, the field of a record; steps, files and workers count from 1."""
    text = (
        HEADER
        + f"""
model = Model("escapes", "Escapes")
model.bound("n", 2, "how many")
I = Index("n")
R = Record("R", i=I, v=Int(0, 2))
model.variable("ar", Array(I, R))
model.variable("at", Array(I, I))
model.variable("r", R)
model.messages("net", Bag(R, 2))


@model.actor("A").action(i=I)
def act(s, i):
    {effect}
"""
    )
    family = Family(load(tmp_path, text).model)
    system = System(family, family.design())
    why = why_wrong(system, system.initial, (0, (0,)))
    assert why.startswith(ESCAPES[effect])
    assert "written_model" in why
    assert re.search(r"\.py:1[46]\)$", why)
