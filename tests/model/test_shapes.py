"""Shapes: designs share one exactly where what it was made from is the same."""

from __future__ import annotations

from pathlib import Path

from fencecheck.checking.judge import Judge
from fencecheck.model.checks.shapes import Shapes
from fencecheck.model.family import Family
from tests.models_for_tests import HEADER, load

MODEL = (
    HEADER
    + """
model = Model("rooms", "A counter whose room a switch decides, and another switch that shows it")
model.bound("size", 2, "room")
model.budget("faults", "faults")
model.mechanism("room", ("small", "large"), "small", "how high it counts")
model.mechanism("words", ("digits", "marks"), "digits", "how it is shown")
model.mechanism("on", ("no", "yes"), "no", "whether it counts at all")
a = model.actor("a")
COUNT = Int(
    0,
    lambda k: k.size * (2 if k.room == "large" else 1),
    show=lambda value, k: "|" * value if k.words == "marks" else value,
)
model.variable("count", COUNT, owner=a)


@a.action(when=lambda s: s.on == "yes" and s.count < s.size * (2 if s.room == "large" else 1))
def step(s):
    '''It counts.'''
    s.count += 1


@model.invariant()
def low(s):
    '''It stays low.'''
    return s.count < 3
"""
)


def test_designs_that_differ_in_what_no_domain_reads_share_a_shape(tmp_path: Path) -> None:
    """What was asked of the sizes decides, and nothing else."""
    family = Family(load(tmp_path, MODEL).model)
    shapes = Shapes()

    def shape(bounds: dict[str, int] | None = None, **switches: str) -> int:
        return id(shapes.of(family.declared, family.design(switches, bounds or {}).sizes))

    assert shape() == shape(on="yes") == shape(words="marks")
    assert shape(room="large") == shape(room="large", on="yes") != shape()
    assert shape({"size": 3}) != shape()
    assert shape({"faults": 1}) != shape()


def test_designs_judged_one_after_another_are_judged_and_told_each_by_its_own_switches(
    tmp_path: Path,
) -> None:
    """A shape that is shared decides no verdict, and shows nothing of another design."""
    family = Family(load(tmp_path, MODEL).model)
    judge = Judge(family, ["low"], family.default_design().bounds)
    for words in ("digits", "marks"):
        for room, broken in (("small", {}), ("large", {"low": 3})):
            design = family.design({"on": "yes", "room": room, "words": words}, {})
            assert judge.judge(design).broken == broken
            system = judge.system(design)
            domain = system.domains[system.place["count"]]
            assert domain.show(2) == ("||" if words == "marks" else 2)
