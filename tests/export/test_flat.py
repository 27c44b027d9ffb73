"""Flat models as text: golden ones of two-phase commit, and what a name or a formula may be."""

import random
from pathlib import Path

import pytest

from fencecheck.errors import UsageError
from fencecheck.export.formulas import counted_bits, divided_from_zero
from fencecheck.export.names import Names, comment_text
from fencecheck.model.lower.dag import Dag
from tests.export.exporting import check_golden_text, exported
from tests.model.evaluate import evaluate, in_order
from tests.models_for_tests import HEADER, load, two_phase

COUNTED = """
m = Model("counted", "Counted")
work = m.actor("work")
m.variable("n", Int({low}, 5), initial=3)
m.variable("d", Int({low}, 2), initial=2)

@work.action(when=lambda s: s.n > 0)
def halve(s):
    s.n = s.n {operation}
"""


@pytest.mark.parametrize("language", ["murphi", "promela"])
def test_two_phase_commit_is_the_golden_text(language: str) -> None:
    """A small model, whole, as it is written for each checker."""
    for name, text in exported(two_phase.model).files(language).items():
        check_golden_text(f"two_phase.{language}.{name}", text)


@pytest.mark.parametrize("operation", ["// s.d", "% s.d"])
def test_a_division_of_negative_numbers_is_refused_with_its_place(
    tmp_path: Path, operation: str
) -> None:
    """Languages round differently; the message names the event, its line and what to write."""
    made = load(tmp_path, HEADER + COUNTED.format(low=-5, operation=operation))
    with pytest.raises(UsageError) as refused:
        exported(made.m).files("murphi")
    assert ":9: work.halve #1: a " in str(refused.value)
    assert "divide by a constant, or add what makes both sides 0 or more" in str(refused.value)


@pytest.mark.parametrize("divisor", [-3, -1, 1, 2, 7])
@pytest.mark.parametrize("op", ["floordiv", "mod"])
def test_a_division_by_a_constant_is_one_of_numbers_from_0_on(op: str, divisor: int) -> None:
    """It gives what Python gives, and no number in it can be negative."""
    dag = Dag()
    number = dag.read(0, 0, (-9, 9))
    made = divided_from_zero(dag, op, number, divisor)
    nodes = in_order([made])
    divisions = [node for node in nodes if node.op in ("floordiv", "mod")]
    assert all(arg.low >= 0 for node in divisions for arg in node.args)
    for value in range(-9, 10):
        wanted = value // divisor if op == "floordiv" else value % divisor
        assert evaluate(nodes, {}, [value])[made] == wanted


@pytest.mark.parametrize("width", [1, 5, 6, 7, 30, 62])
def test_bits_are_counted_in_sums(width: int) -> None:
    """However wide a mask is."""
    dag = Dag()
    made = counted_bits(dag, dag.read(0, 0, (0, (1 << width) - 1)))
    nodes, chance = in_order([made]), random.Random(width)
    for mask in (0, (1 << width) - 1, *(chance.randrange(1 << width) for _ in range(20))):
        assert evaluate(nodes, {}, [mask])[made] == mask.bit_count()


def test_names_are_identifiers_and_no_words_of_the_languages() -> None:
    """Each is given once, also by a checker that does not tell capitals from small letters."""
    names = Names()
    given = [names.field(text) for text in ("rule", "Rule", "n1", "view[0]", "view_0", "é", "9")]
    assert given == ["rule_", "Rule__", "n1_", "view_0", "view_0_", "unnamed", "9_"]


@pytest.mark.parametrize("text", ['a "b" */ c', "a\nb -- c", "// \\", "{é}"])
def test_a_text_ends_no_comment_and_no_string(text: str) -> None:
    """What an author wrote is one line of ASCII without what either language reads."""
    line = comment_text(text)
    assert line.isascii()
    assert not {'"', "\\", "\n", "{", "}"} & set(line)
    assert not any(mark in line for mark in ("*/", "//", "--"))
