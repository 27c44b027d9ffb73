"""What verdicts speak of: any number of some interference, none of other, what was held back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from fencecheck.checking.results import VariantResult
from fencecheck.model.declaring.any_number import AnyNumber, HowMany


def listed(words: Iterable[str], last: str = "and") -> str:
    """Return ``a``, ``a and b``, ``a, b and c``."""
    found = list(words)
    if len(found) < 2:
        return "".join(found)
    return f"{', '.join(found[:-1])} {last} {found[-1]}"


def of_any(bounds: Mapping[str, HowMany]) -> list[str]:
    """Return the budgets that are any, in words."""
    return [_plain(name) for name, number in bounds.items() if isinstance(number, AnyNumber)]


def any_number_words(bounds: Mapping[str, HowMany]) -> str:
    """Return ``for any number of edits and lost replies``; empty where no budget is any."""
    return f"for any number of {listed(names)}" if (names := of_any(bounds)) else ""


def tried_words(bounds: Mapping[str, HowMany], at_most: Mapping[str, HowMany]) -> str:
    """Return with what something was tried: ``any number of edits, revocations 1``."""
    words = [f"any number of {listed(names)}"] if (names := of_any(bounds)) else []
    words += [
        f"{_plain(name)} {number}"
        for name, number in bounds.items()
        if not isinstance(number, AnyNumber)
    ]
    most = [f"{number} {_plain(name)}" for name, number in at_most.items()]
    return ", ".join(words) + (f" (at most {listed(most)})" if most else "")


def holds_words(variant: VariantResult) -> str:
    """Return what a verdict ``holds`` of a design with budgets of any says; else nothing.

    Of an implementation: in which event orders it was driven. The capacities at which something
    was held back stand behind it: what lies beyond them was not searched.
    """
    conduct = variant.exploration.conduct
    if conduct is not None:
        many = f"{conduct.runs:,} {conduct.by if conduct.runs != 1 else conduct.by[:-1]}"
        one = "in that order" if conduct.by == "trace" else f"in {many}"
        return "in every event order" if conduct.by == "lockstep" else one
    words = any_number_words(variant.design.bounds)
    most = [f"{variant.design.bounds[b]} {_plain(b)}" for b in variant.held_back]
    return f"{words} (at most {listed(most)})" if words and most else words


def not_tried_words(variant: VariantResult) -> str:
    """Return which interference had no budget, so that no verdict speaks of it; "" for none."""
    if not variant.not_tried:
        return ""
    return f"not tried: {', '.join(map(_plain, variant.not_tried))}"


def constraint_words(variant: VariantResult) -> str:
    """Return what the search stayed within, and how many states that cut; "" for nothing."""
    if not variant.constraints:
        return ""
    cut = variant.exploration.cut
    told = f"{cut:,} state{'' if cut == 1 else 's'} not expanded" if cut else "no state was cut"
    return f"within {', '.join(variant.constraints)}: {told}"


def limits_words(variant: VariantResult) -> str:
    """Return what no verdict speaks of: states beyond constraints, interference not tried."""
    return "; ".join(filter(None, (constraint_words(variant), not_tried_words(variant))))


def held_back_words(variant: VariantResult) -> str:
    """Return which events were held back, and by which bound; "" for none."""
    told = [
        f"{listed(events)} at {_plain(bound)} {variant.design.bounds[bound]}"
        for bound, events in variant.held_back.items()
    ]
    return f"held back: {', '.join(told)}" if told else ""


def scope_texts(variant: VariantResult) -> list[str]:
    """Return what verdicts speak of, each as ``what: of it``."""
    names = of_any(variant.design.bounds)
    texts = [f"any number: {', '.join(names)}" if names else ""]
    texts += [constraint_words(variant), held_back_words(variant), not_tried_words(variant)]
    return list(filter(None, texts))


def within_words(variants: Sequence[VariantResult]) -> str:
    """Return within what the verdicts of designs hold."""
    if any(variant.exploration.conduct is not None for variant in variants):
        return "in the event orders that were tried, within these bounds"
    said = {any_number_words(variant.design.bounds) for variant in variants}
    words = said.pop() if len(said) == 1 else ""
    return f"{words} within these bounds".lstrip()


def _plain(name: str) -> str:
    return name.replace("_", " ")
