"""Lower a family for the sizes of a run, or read what an earlier run has lowered it to.

What is kept is named by all that it is made of (made_of.py) and the shape of the states. Only what
was lowered without a mistake is kept: so what is read needs no further look.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fencecheck.model.declaring.any_number import HowMany
from fencecheck.model.domains import Domain
from fencecheck.model.family import Family
from fencecheck.model.files.kept import digest_of_texts, keep_entry, kept_entry
from fencecheck.model.lower.keeping.made_of import made_of
from fencecheck.model.lower.keeping.written import lowered_as_text, read_lowered
from fencecheck.model.lower.layout import Layout
from fencecheck.model.lower.lowered import Lowered
from fencecheck.model.lower.lowering import lower
from fencecheck.model.mistakes.gathering import times_wrong

_OF_TOTALS = "for each choice of budgets"  # kept in place of what holds for one of them only


def lowered_once(
    family: Family,
    key: tuple[Any, ...],
    variables: list[tuple[str, Domain, bool]],
    sizes: Any,
    totals: Mapping[str, HowMany],
) -> Lowered:
    """Return what a family is lowered to; ``key`` is the shape of its states.

    Raises what ``lower`` raises: what is refused is never kept.
    """

    def make() -> Lowered:
        return lower(family, variables, sizes, totals)

    if family.made_of is None:
        family.made_of = "" if times_wrong() else made_of(family)
    if not family.made_of or times_wrong():
        return make()
    of_all = digest_of_texts([family.made_of, repr(key)])
    of_totals = digest_of_texts([of_all, repr({n: str(total) for n, total in totals.items()})])
    text = _kept(of_all)
    reads_totals = text == _OF_TOTALS
    try:
        text = _kept(of_totals) if reads_totals else text
        found = read_lowered(text, Layout(variables), lambda: make().formulas)
    except ValueError:
        found = make()
        if times_wrong():
            return found
        reads_totals = found.reads_totals
        if reads_totals:
            _keep(of_all, _OF_TOTALS)
        _keep(of_totals if reads_totals else of_all, lowered_as_text(found))
    return replace(
        found,
        properties=list(family.declared.properties),
        switches=[m.name for m in family.declared.mechanisms],
        reads_totals=reads_totals,
        name=of_totals if reads_totals else of_all,
    )


def _kept(name: str) -> str:
    """Return what is kept of a lowering, or an empty text."""
    try:
        return zlib.decompress(kept_entry(f"{name}.lowered") or b"").decode()
    except (zlib.error, UnicodeDecodeError):
        return ""


def _keep(name: str, text: str) -> None:
    keep_entry(f"{name}.lowered", zlib.compress(text.encode(), 1))
