"""What designs of a spec do at any number of faults, for a cell of a table.

Each budget that a design is tried with becomes any; where its messages share a bound there are at
most two at a time. The cell is made of what the search answers, not of what a spec expects.
"""

from __future__ import annotations

from collections.abc import Sequence

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Options, Question
from fencecheck.checking.results import VariantResult
from fencecheck.explore.graph import Limits
from fencecheck.spec.values import Spec, Variant

AT_A_TIME = {"in_flight": 2, "copies": 2}
STATES = 200_000


def tried(spec: Spec, variant: Variant) -> list[str]:
    """Return the budgets that a design is tried with."""
    bounds = (bound.name for bound in spec.family.declared.bounds if bound.budget)
    return [name for name in bounds if variant.design.bounds[name]]


def with_budgets(
    spec: Spec, variant: Variant, budgets: Sequence[str], number: int | str, asked: Sequence[str]
) -> VariantResult:
    """Return what comes out with so many of each of these; ``asked`` are properties."""
    given = variant.design.bounds
    few = {name: most for name, most in AT_A_TIME.items() if name in given}
    bounds = {**given, **few, **dict.fromkeys(budgets, number)}
    design = spec.family.design(variant.design.mechanisms, bounds)
    options = Options(Limits(states=STATES), exact=True)
    return check_design(spec.family, design, Question(tuple(asked)), options)


def at_any_number(spec: Spec, variants: Sequence[Variant]) -> str:
    """Return what designs do: once where all do the same, else after the name of each."""
    told = {variant.name: _told(spec, variant) for variant in variants}
    if len(set(told.values())) == 1:
        return next(iter(told.values()))
    return "; ".join(f"{name}: {words}" for name, words in told.items())


def _told(spec: Spec, variant: Variant) -> str:
    asked = [name for name in spec.family.properties if name in {*spec.required, *variant.expect}]
    result = with_budgets(spec, variant, tried(spec, variant), "any", asked)
    assert result.exploration.complete, f"{spec.path}: {variant.name}"
    broken = [f"`{f.name}` {f.events}" for f in result.findings if f.verdict == "violated"]
    most = [f"{result.design.bounds[name]} {name}" for name in result.held_back]
    words = f"breaks {', '.join(broken)}" if broken else "holds"
    return words + (f" (at most {' and '.join(most).replace('_', ' ')})" if most else "")
