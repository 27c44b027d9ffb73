"""An explanation as blocks: headings, sentences, lists, tables and event orders, in their order.

In: an Explanation. Out: a list of blocks that the text and the Markdown report turn into lines, so
that both say the same. It knows no format.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from fencecheck.analysis.explain.designs import SoundSet
from fencecheck.analysis.explain.ending import END
from fencecheck.analysis.explain.explanation import (
    Designs,
    Explanation,
    ExplanationPart,
    Order,
    VariantExplanation,
)
from fencecheck.report.explanation import words
from fencecheck.report.explanation.block import (
    Block,
    EventOrder,
    Heading,
    Listing,
    Rows,
    Sentence,
)
from fencecheck.report.explanation.growth_words import (
    at_any_words,
    breaking_alike_words,
    growth_words,
    impossible_words,
    unlimited_words,
)
from fencecheck.report.words.outcomes import (
    conclusion,
    count,
    heading,
    model_in_words,
    settings_words,
)
from fencecheck.report.words.scope import any_number_words, held_back_words, limits_words, listed


def blocks_of(explanation: Explanation, *, orders: bool = True) -> list[Block]:
    """Return the blocks of an explanation; without ``orders`` no event order is told."""
    numbers = range(len(explanation.parts))
    return [b for number in numbers for b in part_blocks(explanation, number, orders=orders)]


def part_blocks(explanation: Explanation, number: int, *, orders: bool = True) -> list[Block]:
    """Return the blocks of one part of those that are ready; the first of them is a heading."""
    part = explanation.parts[number]
    blocks = list(_part(explanation, part, orders))
    before = explanation.parts[number - 1].about if number else None
    again = part.name != "standing" and isinstance(part.about, VariantExplanation)
    if blocks and again and part.about is not before:
        assert isinstance(part.about, VariantExplanation)
        return [Heading(2, part.about.name), *blocks]
    return blocks


def _part(explanation: Explanation, part: ExplanationPart, orders: bool) -> Iterator[Block]:
    about = part.about
    if part.name == "head":
        yield from _head(explanation)
    elif part.name == "scripted":
        yield from _verdicts(explanation)
    elif part.name == "end":
        yield from _end(explanation)
    elif isinstance(about, Designs):
        yield from _OF_DESIGNS.get(part.name, partial(_designs, explanation))(about)
    elif about is not None and (orders or part.name != "orders"):
        yield from _OF_VARIANT[part.name](about)


def _head(explanation: Explanation) -> Iterator[Block]:
    result = explanation.result
    yield Heading(1, heading(result))
    yield Sentence(f"model {model_in_words(result.model)}")
    if result.note:
        yield Sentence(result.note)


def _standing(variant: VariantExplanation) -> Iterator[Block]:
    design = variant.result.design
    yield Heading(2, variant.name)
    yield Sentence(f"design: {settings_words(design.mechanisms)}")
    yield Sentence(f"bounds: {settings_words(design.bounds)}")
    for text in filter(None, (held_back_words(variant.result), limits_words(variant.result))):
        yield Sentence(text)
    tone = {True: "holds", False: "violated", None: "undetermined"}[variant.is_sound]
    yield Sentence(words.standing_words(variant), tone)
    if variant.vacuous:
        yield Sentence(words.vacuous_words(variant.vacuous), "undetermined")
    if variant.result.error is not None:
        yield Heading(3, "The model is wrong")
        for line in variant.result.error.message.splitlines():
            yield Sentence(line, "violated")


def _repairs(variant: VariantExplanation) -> Iterator[Block]:
    before = variant.result.design.mechanisms
    if variant.repairs is None or (variant.is_sound is not False and not variant.unending):
        return
    if variant.unending:
        yield Heading(3, "The work may never get done")
        yield Sentence(f"What is required holds, but {END} breaks.", "violated")
    yield Heading(3, "The least changes that make it sound")
    yield Listing(tuple(words.repairs_words(variant.repairs, before)))
    if variant.repairs.hollow:
        yield Heading(3, "True by construction, and no repair")
        yield Listing(tuple(words.hollow_words(variant.repairs, before)))


def _guards(variant: VariantExplanation) -> Iterator[Block]:
    whose = "this design" if variant.is_sound else "the first of these repairs"
    yield Heading(3, f"What each mechanism of {whose} is needed for")
    yield Rows(
        ("mechanism", "left out"),
        tuple(
            (f"{g.switch.replace('_', ' ')} {g.value} → {g.plain}", words.guard_words(g))
            for g in variant.guards or ()
        ),
    )


def _growth(variant: VariantExplanation) -> Iterator[Block]:
    if variant.unlimited is not None:
        yield Heading(3, "Any number")
        yield Listing(tuple(unlimited_words(variant.unlimited)))
    if variant.growth is not None:
        yield Heading(3, "Larger bounds")
        yield Listing(tuple(growth_words(variant.growth)))


def _breakings(variant: VariantExplanation) -> Iterator[Block]:
    if not variant.breakings:
        return
    yield Heading(3, "The least interference that breaks it")
    told = [b for b in variant.breakings if b.adversaries or b.open]
    if told:
        yield Rows(
            ("property", "least interference"),
            tuple((b.name, words.breaking_words(b)) for b in told),
        )
    rest = [b.name for b in variant.breakings if not (b.adversaries or b.open)]
    if rest:
        number = any_number_words(variant.result.design.bounds).replace("for any", ", whatever the")
        yield Sentence(f"Nothing within the bounds breaks {listed(rest, 'or')}{number}.")


def _orders(variant: VariantExplanation) -> Iterator[Block]:
    """Yield each event order once, with everything that it breaks and one verdict."""
    groups: dict[str, list[Order]] = {}
    for order in variant.orders:
        told = [(event.name, event.args) for event in order.adversary.trace.events]
        groups.setdefault(repr((told, order.adversary.budgets)), []).append(order)
    if groups:
        yield Heading(3, "Event orders and the verdict each calls for")
    for group in groups.values():
        first = group[0]
        names = listed(dict.fromkeys(order.breaking.name for order in group))
        title = (
            f"{names}, interference: {words.budget_words(first.adversary.budgets)}, "
            f"{count(first.adversary.events, 'event')}"
        )
        also = tuple(words.violation_words(order) for order in group[1:])
        yield EventOrder(title, first.adversary.trace, also, words.response_words(first))


def _designs(explanation: Explanation, designs: Designs) -> Iterator[Block]:
    lattice = designs.land.lattice
    yield Heading(2, "Which mechanisms are enough")
    yield Sentence(f"bounds: {settings_words(lattice.bounds)}")
    if lattice.kept:
        yield Sentence(f"as they are: {settings_words(lattice.kept)}")
    yield Sentence(f"required: {', '.join(explanation.required)}")
    if END in explanation.asked:
        yield Sentence(f"and {END}: the work can always still get done")
    yield Sentence(words.survey_words(designs))
    if words.gone_wrong_words(designs):
        yield Listing(tuple(words.gone_wrong_words(designs)))
    idle = sorted({e.switch for e in designs.effects if not e.read})
    nothing = [e for e in designs.effects if e.read and e.changes_nothing]
    harmful = [e for e in designs.effects if e.harm is not None]
    if idle:
        names = listed(name.replace("_", " ") for name in idle)
        yield Sentence(f"Nothing that can happen at these bounds depends on {names}.")
    if nothing:
        yield Sentence(f"Never decide whether it is sound: {words.value_words(nothing)}.")
    yield from _minimal(designs)
    if harmful:
        yield Heading(3, "Mechanisms that break a sound design when added")
        yield Rows(
            ("mechanism", "for example"),
            tuple((words.value_words([e]), words.harm_words(e, designs)) for e in harmful),
        )


def _beyond(designs: Designs) -> Iterator[Block]:
    yield Heading(3, "The minimal sets, at any number")
    pairs = zip(designs.minimal, designs.beyond, strict=True)
    yield Rows(
        ("mechanisms", "at any number"),
        tuple(
            (words.additions_words(one.added), " ".join(unlimited_words(found)))
            if found
            else (words.additions_words(one.added), "Undetermined: time was up.")
            for one, found in pairs
        ),
    )
    number = designs.land.count(True)
    yield Sentence(f"Asked were the minimal sets; --part any asks all sound designs ({number:,}).")


def _at_any(designs: Designs) -> Iterator[Block]:
    """Yield which sound designs break with more, and which sets stay sound where some do not."""
    told = designs.at_any
    if told is None or (told.lattice is not None and not told.groups):
        return
    yield Heading(2, "Which sound designs break with more")
    yield Sentence(f"bounds: {settings_words(told.bounds)}")
    broken, open_ = told.of(False), told.of(None)
    tone = "violated" if broken else "undetermined" if open_ else ""
    yield Sentence(at_any_words(designs), tone)
    texts = [breaking_alike_words(group) for group in broken]
    texts += [impossible_words(group) for group in told.impossible]
    if texts:
        yield Listing(tuple(texts))
    if told.minimal and [m.added for m in told.minimal] != [m.added for m in designs.minimal]:
        known = "are known to " if open_ else ""
        yield Heading(3, f"Minimal sets that {known}stay sound")
        yield _sets(told.minimal, [{} for _ in told.minimal])


def _minimal(designs: Designs) -> Iterator[Block]:
    if not designs.minimal:
        sure = designs.complete
        yield Sentence(
            "No choice of the switches is sound at these bounds."
            if sure
            else "Undetermined: no sound design was found among those that were reached.",
            "violated" if sure else "undetermined",
        )
    else:
        yield Heading(3, "Minimal sets of mechanisms")
        yield _sets(designs.minimal, designs.costs)
        everywhere = set(designs.minimal[0].vacuous)
        if everywhere and all(set(found.vacuous) == everywhere for found in designs.minimal):
            yield Sentence(words.vacuous_words(designs.minimal[0].vacuous))
    if designs.hollow:
        yield Heading(3, "Sets that leave nothing to do")
        yield Sentence(
            "All work counts as done from the start, and the system never acts: that is why "
            "nothing breaks."
        )
        yield Listing(tuple(words.additions_words(found.added) for found in designs.hollow))


def _sets(minimal: list[SoundSet], all_costs: list[dict[str, float] | None]) -> Rows:
    """Return a table of sets, with what each costs and what nothing puts to the test there."""
    names = list(dict.fromkeys(name for costs in all_costs for name in costs or ()))
    untested = any(found.vacuous != minimal[0].vacuous for found in minimal)
    rows = []
    for found, costs in zip(minimal, all_costs, strict=True):
        doubt = "" if found.certain else " (a smaller set inside it is undetermined)"
        row = [words.additions_words(found.added) + doubt]
        row += [words.cost_words(costs, name) for name in names]
        row += [", ".join(found.vacuous) or "none"] if untested else []
        rows.append(tuple(row))
    heads = ("mechanisms", *names, *(["vacuous"] if untested else []))
    return Rows(heads, tuple(rows))


def _verdicts(explanation: Explanation) -> Iterator[Block]:
    if not explanation.verdicts:
        return
    yield Heading(2, "The verdicts on the scripted event orders")
    rows = ((v.scenario, v.variant, v.verdict) for v in explanation.verdicts)
    yield Rows(("event order", "design", "verdict"), tuple(rows))


def _end(explanation: Explanation) -> Iterator[Block]:
    gaps = list(explanation.gaps())
    if gaps:
        yield Heading(2, "Undetermined")
        yield Sentence("Time was up, or a search was cut, before an answer on:", "undetermined")
        yield Listing(tuple(gaps))
    if explanation.faults:
        yield Heading(2, "The model is wrong")
        yield Listing(tuple(explanation.faults))
    text = conclusion(explanation.result)
    tone = {0: "holds", 1: "violated", 2: "violated"}.get(explanation.exit_code, "undetermined")
    if gaps and explanation.exit_code == 3:
        text = f"{text}; the explanation is undetermined in part"
    if explanation.exit_code == 2 and explanation.result.exit_code != 2:
        text = f"{text}; the model goes wrong elsewhere"
    yield Heading(2, "In short")
    yield Sentence(text, tone)


_OF_DESIGNS: dict[str, Callable[[Designs], Iterator[Block]]] = {
    "beyond": _beyond,
    "at_any": _at_any,
}
_OF_VARIANT: dict[str, Callable[[VariantExplanation], Iterator[Block]]] = {
    "standing": _standing,
    "breakings": _breakings,
    "repairs": _repairs,
    "orders": _orders,
    "guards": _guards,
    "growth": _growth,
}
