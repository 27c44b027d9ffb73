"""Symmetric indices whose values keep their places, since something asked tells them apart.

A temporal property speaks of whole runs: whether an event of one worker stays possible and never
happens, whether what was promised for one value comes for that one. Where it is asked, an Index is
not permuted that names the classes of fairness, or the values for which such a property promises
something (Emerson and Sistla 1996 on symmetry and fairness).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from fencecheck.model.domains import Domain
from fencecheck.model.fair import fair_arguments, ranged_over
from fencecheck.model.family import Family
from fencecheck.model.representatives.renaming import Key, kinds_in


def kept_still(family: Family, asked: Collection[str] | None) -> frozenset[Key]:
    """Return the keys of the symmetric indices that are not permuted.

    ``asked`` are the properties that matter, by their names (None: all).
    """
    properties = [p for p in family.declared.properties if asked is None or p.name in asked]
    lasting = [p for p in properties if p.temporal]
    found: list[Any] = [domain for prop in lasting for domain in prop.params.values()]
    known = {v.name: v.domain for v in family.declared.variables}
    for action in family.declared.actions if any(p.fair for p in lasting) else ():
        arguments = fair_arguments(action, lambda _, param: ranged_over(param, known))
        found += [argument.domain for argument in arguments]
    return frozenset(
        key for domain in found if isinstance(domain, Domain) for key in kinds_in(domain)
    )


def places_of_kinds(family: Family, keys: Collection[Key]) -> list[int]:
    """Return the places of some keys among those of a family, which other processes have too."""
    domains = [variable.domain for variable in family.declared.variables]
    known = {key: None for domain in domains for key in kinds_in(domain)} if keys else {}
    return [place for place, key in enumerate(known) if key in keys]
