"""The end that is asked for beside what is required: work that can always still get done.

A design in which nothing is ever done keeps every safety property, and is no repair. Takes a
family; gives a copy that has its end (``model.end``, else its goal) as one more possibility. The
family itself stays as it is, and so do its name and hash.
"""

from __future__ import annotations

from collections.abc import Iterable

from fencecheck.model.declaring.actors import meaning_of
from fencecheck.model.family import Design, Family
from fencecheck.model.property import Possibility
from fencecheck.model.system import System

END = "end_in_reach"
_MEANING = "The work can always still get done, by the system's own events alone."


def with_end(family: Family) -> Family:
    """Return the family with its end as a property; itself where the model declares none."""
    if family.end is None or END in family.properties:
        return family
    return family.with_properties([Possibility(END, family.end, doc=_meaning(family))])


def _meaning(family: Family) -> str:
    """Return what the end means, with what the model says of when all is done."""
    said = meaning_of(family.end) if family.end is not None else ""
    return f"{_MEANING} Done is: {said}" if said else _MEANING


def asked_beside(family: Family, design: Design, required: Iterable[str]) -> list[str]:
    """Return the end's name, unless a required property says the same, or there is no end."""
    if END not in family.properties:
        return []
    forms = dict(zip(family.properties, System(family, design).lowered.forms, strict=True))
    same = [
        name
        for name in required
        if isinstance(family.properties[name], Possibility)
        and forms[name].holds is forms[END].holds
    ]
    return [] if same else [END]
