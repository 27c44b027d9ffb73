"""The words for larger bounds and any number: up to where properties hold, where new ones break.

In: a Growth, or what came out at any number. Out: sentences that text and Markdown share. What is
undetermined is said so.
"""

from __future__ import annotations

from collections.abc import Mapping

from fencecheck.analysis.explain.adversaries import Breaking
from fencecheck.analysis.explain.any_number.any_lattice import AlikeAtAny
from fencecheck.analysis.explain.any_number.unlimited import AtAnyNumber
from fencecheck.analysis.explain.explanation import Designs
from fencecheck.analysis.explain.growth import Growth, Pass, Raise
from fencecheck.model.declaring.any_number import AnyNumber, HowMany
from fencecheck.report.explanation.words import (
    additions_words,
    broken_words,
    budget_words,
    stop_words,
)
from fencecheck.report.words.outcomes import count
from fencecheck.report.words.scope import any_number_words, listed

LEAST = 3  # sets of a group that are told


def bounds_words(bounds: Mapping[str, HowMany]) -> str:
    """Return bounds, those that are zero left out."""
    return ", ".join(f"{n.replace('_', ' ')} {v}" for n, v in bounds.items() if v) or "none"


def growth_words(growth: Growth) -> list[str]:
    """Return up to where properties hold, what raising broke them, and why it stopped there."""
    holding = growth.holding
    if not holding.raises and holding.wrong is not None:
        return _stopped(holding)
    if not holding.raises:
        return ["Undetermined: no larger bounds were reached in the time given."]
    hold = "everything" if not holding.news else "what did not break by then"
    texts = [f"Up to {bounds_words(holding.bounds)}: {hold} holds."]
    texts += [f"{_raise_words(step)} (taken back)." for step in holding.news]
    texts += _stopped(holding)
    if growth.all is not None:
        texts += _last_news(growth.all)
    if growth.kept:
        texts.append(f"Left at zero: {listed(n.replace('_', ' ') for n in growth.kept)}.")
    return texts


def _raise_words(step: Raise) -> str:
    if step.raised is None:
        return f"At {bounds_words(step.bounds)} there already breaks {broken_words(step.broken)}"
    name = step.raised.replace("_", " ")
    return f"{name} {step.bounds[step.raised]} breaks {broken_words(step.broken)}"


def _stopped(found: Pass) -> list[str]:
    if found.cut is not None and found.wrong is not None:
        return [f"At {bounds_words(found.cut)} the model goes wrong: {found.wrong}."]
    if found.cut is not None:
        return [
            f"Undetermined at {bounds_words(found.cut)}: cut by {stop_words([found.stopped_by])}."
        ]
    if found.stopped_by == "time":
        return ["Time was up there; larger bounds are undetermined."]
    return []


def _last_news(found: Pass) -> list[str]:
    if not found.news:
        return []
    last = found.news[-1]
    more = (
        f", of {bounds_words(found.bounds)} that were searched"
        if found.bounds != last.bounds
        else ""
    )
    return [
        f"With every raise kept, the last new property broke at {bounds_words(last.bounds)}"
        f"{more}: {broken_words(last.broken)}."
    ]


def unlimited_words(found: AtAnyNumber) -> list[str]:
    """Return what holds for any number of an interference, what does not, and what has an end."""
    ends = {n: b for n, b in found.bounds.items() if b and not isinstance(b, AnyNumber)}
    within = f" ({bounds_words(ends)})" if ends else ""
    scope = any_number_words(found.bounds).capitalize() + within
    texts = [f"{scope}: {_new_words(one)}." for one in found.broken]
    if found.wrong is not None:
        texts.append(f"{scope}: nothing is known, as the model goes wrong: {found.wrong}.")
    elif found.cut is not None:
        what = "the rest is undetermined" if found.broken else "undetermined"
        texts.append(f"{scope}: {what}, cut by {stop_words([found.cut])}.")
    elif found.holding:
        rest = "what else held with these numbers" if found.broken else "what held with numbers"
        texts.append(f"{scope}: {rest} holds.")
    return texts


def _new_words(breaking: Breaking) -> str:
    """Return ``at_most_once breaks with two lost replies (12 events: ...)``."""
    return f"{breaking.name} breaks with {_least_words(breaking)}"


def _least_words(breaking: Breaking, where: str = "") -> str:
    least = [
        f"{budget_words(one.budgets)} ({count(one.events, 'event')}{where}: "
        f"{', '.join(event.name for event in one.trace.events)})"
        for one in breaking.adversaries
    ]
    open_ = "; smaller numbers are undetermined" if breaking.open else ""
    return f"{listed(least, 'or') or 'more'}{open_}"


# -- all sound designs at any number --------------------------------------------------------------
def at_any_words(designs: Designs) -> str:
    """Return how many of the designs that are sound with numbers stay sound, and how many break."""
    told = designs.at_any
    assert told is not None
    if told.lattice is None:
        return "No budget is a number here: what is sound above is so at these bounds already."
    asked = sum(group.count for group in told.groups)
    kept, lost = told.count(True), told.count(False)
    parts = [f"{_stay(kept)} sound {any_number_words(told.bounds)}"] if kept or lost else []
    parts += [f"{lost:,} {'breaks' if lost == 1 else 'break'}"] if lost else []
    if told.impossible:
        parts.append(f"{sum(g.count for g in told.impossible):,} cannot be asked")
    if told.of(None):
        stops = {g.found.cut or "time" if g.found else "time" for g in told.of(None)}
        parts.append(f"{told.count(None):,} undetermined (cut by {stop_words(sorted(stops))})")
    are = "is" if asked == 1 else "are"
    return f"Of {count(asked, 'design')} that {are} sound with the spec's numbers {listed(parts)}."


def _stay(number: int) -> str:
    if not number:
        return "none stays"
    return f"{number:,} {'stays' if number == 1 else 'stay'}"


def breaking_alike_words(group: AlikeAtAny) -> str:
    """Return how many designs break alike, what breaks with which least numbers, and the least.

    The event orders are those of the first of the least, in which they are told to be.
    """
    assert group.found is not None
    where = "" if group.count == 1 else " in the first"
    names: dict[str, list[str]] = {}
    for one in group.found.broken:
        names.setdefault(_least_words(one, where), []).append(one.name)
    breaks = "; ".join(
        f"{listed(alike)} {'breaks' if len(alike) == 1 else 'break'} with {least}"
        for least, alike in names.items()
    )
    if group.found.cut is not None:
        breaks += f"; the rest is undetermined, cut by {stop_words([group.found.cut])}"
    return _alike_words(group, breaks)


def impossible_words(group: AlikeAtAny) -> str:
    """Return why the model of some designs cannot take any number."""
    why = f"cannot be asked, as the model does not take any number: {group.impossible}"
    return _alike_words(group, why)


def _alike_words(group: AlikeAtAny, what: str) -> str:
    """Return ``2 designs: ... The least: guard on; seal on.``"""
    sets = [additions_words(added) for added in group.least[:LEAST]]
    more = len(group.least) - LEAST
    sets += [f"and {count(more, 'other set')} (all in JSON)"] if more > 0 else []
    least = "It is" if group.count == 1 else "The least:"
    return f"{count(group.count, 'design')}: {what}. {least} {'; '.join(sets)}."
