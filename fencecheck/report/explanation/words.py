"""The words of an explanation: interference, designs, bounds and verdicts as short phrases.

In: values of fencecheck.analysis. Out: plain strings that text and Markdown share. What is
undetermined is said so, and never in a word that could be read as a pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fencecheck.analysis.explain.adversaries import Breaking
from fencecheck.analysis.explain.designs import Additions, Effect
from fencecheck.analysis.explain.explanation import Designs, Order, VariantExplanation
from fencecheck.analysis.explain.repairs import Guard, Repairs
from fencecheck.model.declaring.any_number import AnyNumber, HowMany
from fencecheck.model.wording.templates import value_text
from fencecheck.report.words.outcomes import LIMITS, count
from fencecheck.report.words.scope import any_number_words, listed

MOST = 8  # repairs that are told; there may be dozens
NUMBERS = ("no", "one", "two", "three", "four", "five", "six")


def budget_words(budgets: Mapping[str, HowMany]) -> str:
    """Return interference in words: ``one edit and two lost replies``; ``none`` for none."""
    return listed([_some(n, name) for name, n in budgets.items() if n]) or "none"


def _some(number: HowMany, name: str) -> str:
    words = name.replace("_", " ")
    if isinstance(number, AnyNumber):
        return f"any number of {words}"
    if number == 1:
        words = singular(words)
    return f"{NUMBERS[number] if number < len(NUMBERS) else number} {words}"


def singular(words: str) -> str:
    """Return ``edit`` for ``edits``, ``lost reply`` for ``lost replies``, ``loss`` for itself."""
    if words.endswith("ies"):
        return f"{words[:-3]}y"
    if words.endswith(("sses", "shes", "ches", "xes")):
        return words[:-2]
    return words if words.endswith("ss") else words.removesuffix("s")


def additions_words(added: Additions) -> str:
    """Return a set of mechanisms: ``fence step, journal atomic``."""
    return ", ".join(f"{n.replace('_', ' ')} {v}" for n, v in sorted(added)) or "no mechanism"


def changes_words(changes: Mapping[str, str], before: Mapping[str, str]) -> str:
    """Return changes of switches: ``journal none → atomic``."""
    return ", ".join(f"{n.replace('_', ' ')} {before[n]} → {v}" for n, v in sorted(changes.items()))


def broken_words(broken: Mapping[str, int]) -> str:
    """Return what breaks, sooner first: ``no_stuck in 3 events, finishes in 3 events``."""
    order = sorted(broken.items(), key=lambda item: (item[1], item[0]))
    return ", ".join(f"{name} in {count(events, 'event')}" for name, events in order)


def stop_words(stops: Iterable[str]) -> str:
    """Return which limits stopped a search."""
    names = [f"the limit on {s} ({LIMITS[s]})" if s in LIMITS else s for s in sorted(stops)]
    return listed(names) or "the time"


# -- a variant ----------------------------------------------------------------------------------
def standing_words(variant: VariantExplanation) -> str:
    """Return in a sentence what became of a variant's required properties."""
    required = [f for f in variant.result.findings if f.required]
    if not required and not variant.result.went_wrong:
        return "No property is required of it."
    broken = [f.name for f in required if f.verdict == "violated"]
    open_ = [f.name for f in required if f.verdict == "undetermined"]
    parts = [f"{listed(broken)} {'breaks' if len(broken) == 1 else 'break'}"] if broken else []
    why = "the model goes wrong" if variant.result.went_wrong else "a search was cut"
    parts += [f"{listed(open_)} undetermined: {why}"] if open_ else []
    words = any_number_words(variant.result.design.bounds)
    holds = f"Every required property holds {words}".rstrip()
    return f"{'; '.join(parts)}." if parts else f"{holds} at these bounds."


def vacuous_words(names: Iterable[str]) -> str:
    """Return in a sentence which properties hold only since nothing puts them to the test."""
    told = list(names)
    return (
        f"Vacuous, nothing puts {'it' if len(told) == 1 else 'them'} to the test: {listed(told)}."
    )


def breaking_words(breaking: Breaking) -> str:
    """Return the least interference that breaks a property, and what is not known of it."""
    parts = []
    if breaking.adversaries:
        every = breaking.adversaries
        if any(not a.budgets for a in every):
            parts.append(f"breaks with no interference at all, in {_events(every[0].events)}")
        else:
            means = [
                f"{budget_words(a.budgets)} ({_events(a.events)}"
                + (")" if a.certain else "; less may be enough)")
                for a in every
            ]
            parts.append(f"holds with none, breaks with {listed(means, 'or')}")
    if breaking.open:
        limits = breaking.stops - {"error"}
        why = [f"cut by {stop_words(limits)}"] if limits else []
        why += ["the model goes wrong"] if breaking.wrong else []
        parts.append(
            f"undetermined for {count(len(breaking.open), 'choice')} of interference "
            f"({listed(why)})"
        )
    return "; ".join(parts) or "holds whatever the interference within the bounds"


def _events(number: int) -> str:
    return count(number, "event")


def response_words(order: Order) -> str:
    """Return what a sound design does about an event order, in a sentence or two."""
    answer = order.answer
    if order.late:
        return "No verdict: time was up."
    if answer is None:
        return "No verdict: no sound design was found that follows this order."
    if not answer.event:
        return f"Verdict: {answer.verdict}. The sound design refuses the plan before any event."
    place = f'Event {answer.event} of the sound design is "{answer.does}"'
    if answer.instead_of:
        place += f' where this one has "{answer.instead_of}"'
    return f"Verdict: {answer.verdict}. {place}."


def violation_words(order: Order) -> str:
    """Return what a further property says about the end of an event order."""
    violation = order.adversary.trace.violation
    return f"{order.breaking.name}: {value_text(violation.says if violation else '')}"


def repairs_words(repairs: Repairs, before: Mapping[str, str]) -> list[str]:
    """Return the least repairs of a broken design, one text each, and how sure they are."""
    if not repairs.changes:
        if repairs.certain:
            return ["No choice of the switches repairs it at these bounds."]
        return ["Undetermined: no repair was found among the designs that were reached."]
    texts = [changes_words(changes, before) for changes in repairs.changes[:MOST]]
    if len(repairs.changes) > MOST:
        more = len(repairs.changes) - MOST
        texts.append(f"and {count(more, 'other choice')} of which no part is enough (all in JSON)")
    if not repairs.certain:
        texts.append("Undetermined: designs without a verdict may be as near or nearer.")
    return texts


def hollow_words(repairs: Repairs, before: Mapping[str, str]) -> list[str]:
    """Return the changes after which nothing breaks by construction, with the reason."""
    texts = []
    for hollow in repairs.hollow[:MOST]:
        why = (
            ["nothing is ever done, and all work counts as done from the start"]
            if hollow.at_once
            else []
        )
        why += [f"nothing puts {listed(hollow.vacuous)} to the test"] if hollow.vacuous else []
        texts.append(f"{changes_words(hollow.changes, before)}: {', and '.join(why)}")
    return texts


def cost_words(costs: Mapping[str, float] | None, name: str) -> str:
    """Return what an undisturbed run costs, or why that is not known."""
    if costs is None:
        return "not counted in the time"
    return f"{costs[name]:g}" if name in costs else "none reached"


def guard_words(guard: Guard) -> str:
    """Return what comes of switching one mechanism off."""
    if guard.refused is not None:
        return f"cannot be left out alone: {guard.refused}"
    if guard.broken:
        return f"breaks {broken_words(guard.broken)}"
    if guard.wrong:
        return f"the model goes wrong: {guard.wrong}"
    if guard.undetermined:
        return f"undetermined: cut by {stop_words([guard.undetermined])}"
    return "nothing required breaks at these bounds"


# -- designs ------------------------------------------------------------------------------------
def survey_words(designs: Designs) -> str:
    """Return how many designs there are, and what became of them."""
    land, lattice = designs.land, designs.land.lattice
    sound, broken, open_ = (f"{land.count(verdict):,}" for verdict in (True, False, None))
    text = (
        f"{count(lattice.count, 'design')} that the rules accept, of "
        f"{count(lattice.classes, 'kind')} by what they do at these bounds: {sound} sound, "
        f"{broken} not"
    )
    if land.count_hollow():
        text += f", {land.count_hollow():,} with nothing to do"
    text += f", {open_} undetermined: time was up or a search was cut" if open_ != "0" else ""
    wrong = land.gone_wrong()
    if wrong:
        text += f", {sum(wrong.values()):,} whose model goes wrong"
    missing = lattice.missing
    more = f" Up to {count(missing, 'combination')} were not gone through." if missing else ""
    return f"{text}.{more}"


def gone_wrong_words(designs: Designs) -> list[str]:
    """Return how many designs go wrong in which way, a text for each way."""
    return [
        f"{count(number, 'design')} {'goes' if number == 1 else 'go'} wrong: {why}"
        for why, number in designs.land.gone_wrong().items()
    ]


def harm_words(effect: Effect, designs: Designs) -> str:
    """Return a sound design that a mechanism breaks, and what breaks then."""
    assert effect.harm is not None
    added = additions_words(designs.land.lattice.added(effect.harm.design.mechanisms))
    return f"added to {added}: {broken_words(effect.harm.broken)}"


def value_words(effects: Iterable[Effect]) -> str:
    """Return switches with their values: ``journal memory, journal separate``."""
    return ", ".join(f"{e.switch.replace('_', ' ')} {e.value}" for e in effects)
