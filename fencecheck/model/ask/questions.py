"""Questions about one design, asked in predicates: can this be reached, does this always hold.

Takes a family, a design and the texts; gives a copy of the family that has a property for each
question, so that either engine answers them with everything else. The family itself stays as it
is, and so do its name and hash: a question changes nothing that a model does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fencecheck.errors import ModelError, UsageError
from fencecheck.model.ask.predicates import Predicate
from fencecheck.model.declare import LEFT
from fencecheck.model.family import Design, Family
from fencecheck.model.property import Invariant, Property
from fencecheck.model.system import System


@dataclass
class Asked(Invariant):
    """The property of a question: an invariant, or that a state to be reached is never reached."""

    text: str = ""
    reach: bool = False


def with_questions(
    family: Family, design: Design, reach: Sequence[str], invariants: Sequence[str]
) -> Family:
    """Return ``family`` with a property for each question; the names are the questions' texts.

    Raises UsageError for a predicate that cannot be read, with its place.
    """
    if not reach and not invariants:
        return family
    system = System(family, design)
    predicates = [Predicate(system, text, "--reach") for text in reach]
    predicates += [Predicate(system, text, "--invariant") for text in invariants]
    asked = [_property(system, predicate) for predicate in predicates]
    names = [prop.name for prop in asked]
    for name in names:
        if names.count(name) > 1 or name in family.properties:
            raise UsageError(f"{name}: is asked twice, or is the name of a property")
    other = family.with_properties(asked)
    try:
        System(other, design)
    except ModelError as error:
        raise _pointed(error, predicates) from None
    return other


def question(family: Family, design: Design, text: str) -> Property:
    """Return the property of an invariant that was asked about, as a saved trace names it."""
    return _property(System(family, design), Predicate(System(family, design), text, "--invariant"))


def _pointed(error: ModelError, predicates: Sequence[Predicate]) -> Exception:
    for predicate in predicates:
        told = predicate.explained(error)
        if told is not error:
            return UsageError(str(told))
    return error


def _property(system: System, predicate: Predicate) -> Asked:
    reach = predicate.option == "--reach"
    doc = "Such a state is reached." if reach else "This is true in every reachable state."
    return Asked(
        f"reach {predicate.text}" if reach else predicate.text,
        predicate.function(negated=reach),
        explain=None if reach else _explained(system, predicate),
        relevant=tuple(predicate.uses),
        doc=doc,
        text=predicate.text,
        reach=reach,
    )


def _explained(system: System, predicate: Predicate) -> Any:
    """Return the function that says what the variables of a predicate are where it is false."""
    domains = {name: system.domains[system.place[name]] for name in predicate.uses}

    budgets = {b.name for b in system.family.declared.bounds if b.budget}
    words = {name: f"{name}{LEFT}" if name in budgets else name for name in domains}

    def explain(before: Any, after: Any) -> tuple[str, list[list[Any]]]:
        values = [
            [words[name], domain.show(getattr(after, name))] for name, domain in domains.items()
        ]
        return f"this is false: {predicate.text}", values

    return explain
