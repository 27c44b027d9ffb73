"""What a report is made of: the outcome of each spec, and the words that all formats share.

An Outcome is a Result, or a Failure where the model itself went wrong. The functions here say in
words what a finding, a search or a whole result amounts to; they know no format. A verdict of a
search that was cut is never put in a word that could be read as a pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from fencecheck.checking.results import (
    Exploration,
    Finding,
    Result,
    VariantResult,
    finding_code,
    gaps_of,
)
from fencecheck.model.declaring.any_number import HowMany
from fencecheck.model.files.texts import near
from fencecheck.report.words.scope import within_words
from fencecheck.report.words.visible import one_line
from fencecheck.runs.trace import Trace
from fencecheck.spec.values import Expectation

NOTHING_CHECKED = "undetermined: no property was checked"
VACUOUS = "vacuous: what it speaks of never happens"
LIMITS = {
    "states": "--max-states",
    "time": "--timeout",
    "memory": "--max-memory",
    "divergences": "--counterexamples",
}


@dataclass(frozen=True)
class Failure:
    """A spec without a result: its model went wrong in a run, or an order cannot be followed.

    ``trace`` leads to the event that failed, where there is one.
    """

    spec: str | None
    model: str
    title: str
    message: str
    trace: Trace | None = None

    exit_code = 2


Outcome = Result | Failure


def expectation(finding: Finding) -> Expectation | None:
    """Return what must come out: what the spec says, or that a required property holds.

    None for a property that is only reported and for which nothing is expected.
    """
    if finding.expected is not None:
        return finding.expected
    return Expectation("holds") if finding.required else None


def code_of(finding: Finding, result: Result) -> int:
    """Return what one finding alone would make the exit code: 0, 1 or 3."""
    return finding_code(finding, result.has_expectations)


def findings_of(result: Result) -> Iterator[tuple[VariantResult, Finding]]:
    """Yield every finding of a result with its variant."""
    for variant in result.variants:
        for finding in variant.findings:
            yield variant, finding


def count(number: int, noun: str) -> str:
    """Return ``1 event``, ``3 events``, ``2 properties``."""
    plural = f"{noun}s"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        plural = f"{noun[:-1]}ies"
    elif noun.endswith(("s", "x", "ch", "sh")):
        plural = f"{noun}es"
    return f"{number:,} {noun if number == 1 else plural}"


def expected_words(expected: Expectation) -> str:
    """Return an expectation in words: ``violated in 3 events``."""
    if expected.events is None:
        return expected.verdict
    return f"{expected.verdict} in {count(expected.events, 'event')}"


def finding_words(finding: Finding) -> str:
    """Return a finding in words: ``violated in 3 events``, ``holds (vacuous: ...)``."""
    if finding.verdict == "violated" and finding.events is not None:
        return f"violated in {count(finding.events, 'event')}"
    if finding.reason is not None:
        return f"{finding.verdict} ({reason_words(finding.reason)})"
    return f"holds ({untested_words(finding)})" if finding.vacuous else finding.verdict


def untested_words(finding: Finding) -> str:
    """Return that a finding is vacuous, and what never happens where the model says that."""
    return f"{VACUOUS}: {finding.situation}" if finding.situation else VACUOUS


def reason_words(reason: str) -> str:
    """Return why a property was not judged although the search was complete."""
    return {
        "time": "time was up before it was judged",
        "interrupt": "interrupted before it was judged",
    }.get(reason, f"the graph does not fit the {reason} allowed")


def search_words(search: Exploration) -> str:
    """Return the numbers of a search, and whether it is complete or what cut it."""
    numbers = _numbers(search) if search.conduct is None else conduct_numbers(search)
    if search.stopped_by == "error":
        state = "ended where the model goes wrong"
    elif search.complete:
        state = "complete"
    elif search.stopped_by == "interrupt":
        state = "cut by an interrupt"
    elif search.stopped_by == "worker":
        return "cut: the processes of the cluster that searched it died, time and again"
    elif not search.states and search.conduct is None:  # a search has one state at least
        return "cut by the limit on time (--timeout) while the model was still being compiled"
    elif search.stopped_by in LIMITS:
        state = f"cut by the limit on {search.stopped_by} ({LIMITS[search.stopped_by]})"
    else:
        state = f"cut ({search.stopped_by or 'no reason given'})"
    return f"{state}: {numbers}"


def _numbers(search: Exploration) -> str:
    several = f" ({search.initials:,} of them initial)" if search.initials > 1 else ""
    needed = " needed (--exact counts all)" if search.dominance else ""
    return (
        f"{count(search.states, 'distinct state')}{several}{needed}, "
        f"{count(search.transitions, 'transition')}, depth {search.depth}"
    )


def conduct_numbers(search: Exploration) -> str:
    """Return how far an implementation was driven: by what, in how many runs and calls."""
    conduct = search.conduct
    assert conduct is not None
    calls, states = count(conduct.calls, "call"), count(search.states, "state")
    if conduct.by == "lockstep":
        return (
            f"driven in lockstep, {count(conduct.pairs, 'pair')} of states, {calls}; the model has "
            f"{states}, {count(search.transitions, 'transition')}, depth {search.depth}"
        )
    if conduct.by == "walks":
        seed = f"from seed {conduct.first_seed}"
        return f"driven by {count(conduct.runs, 'walk')} {seed}, {calls}"
    if conduct.by == "runs":
        return (
            f"driven by {count(conduct.runs, 'run')}, {calls}, which cover {conduct.covered:,} of "
            f"{count(conduct.targets, 'transition')} (--cover {conduct.cover}); the model has "
            f"{states}"
        )
    return f"driven along one saved run, {calls}"


def fairness_words(
    fairness: Mapping[str, Sequence[str]], strengths: Mapping[str, str] | None = None
) -> str:
    """Return the classes of weak fairness: ``each system event by step; planner.replan as one``.

    The classes that most events have come first; what is otherwise is named. ``strengths`` are
    the events of which more or less than that is asked.
    """
    groups: dict[tuple[str, ...], list[str]] = {}
    for event, names in fairness.items():
        groups.setdefault(tuple(names), []).append(event)
    told = list[str]()
    for names, events in sorted(groups.items(), key=lambda group: -len(group[1])):
        who = ", ".join(events) if told else "each system event"
        told.append(f"{who} by {' and '.join(names)}" if names else f"{who} as one class")
    for kind in ("strong", "none"):
        events = [event for event, asked in (strengths or {}).items() if asked == kind]
        if events:
            what = "strong fairness" if kind == "strong" else "no fairness"
            told.append(f"{what}: {', '.join(events)}")
    return "; ".join(told)


def settings_words(values: Mapping[str, HowMany | str]) -> str:
    """Return mechanisms or bounds as ``name value, ...``; numbers that are zero are left out."""
    shown = (f"{n.replace('_', ' ')} {v}" for n, v in values.items() if v != 0)
    return ", ".join(shown) or "none"


def conclusion(result: Result) -> str:
    """Return in one line what a result amounts to; it agrees with ``result.exit_code``."""
    wrong = sum(variant.error is not None for variant in result.variants)
    parts = (
        f"the model of {count(wrong, 'variant')} is wrong" if wrong else "",
        _logs_explained(result) or _verdicts(result),
        _answered(result),
        _claimed(result),
        strict_words(result),
    )
    return "; ".join(part for part in parts if part)


def _logs_explained(result: Result) -> str:
    """Return how many runs of logs are explained; empty where there are none."""
    reports = [v.logs for v in result.variants if v.logs is not None]
    verdicts = [run.verdict for report in reports for run in report.runs]
    if not verdicts:
        return ""
    runs = count(len(verdicts), "run")
    broken = [f for _, f in findings_of(result) if f.required and f.verdict == "violated"]
    if "violated" in verdicts:
        return f"{verdicts.count('violated')} of {runs} not explained"
    if broken:
        return f"{runs}, each explained; {count(len(broken), 'required property')} broken"
    if "undetermined" in verdicts:
        return f"undetermined: {verdicts.count('undetermined')} of {runs}; a search was cut"
    return f"{runs}, each explained"


def _answered(result: Result) -> str:
    """Return what the questions amount to; empty where none was asked."""
    answers = [answer for variant in result.variants for answer in variant.answers]
    open_ = sum(answer.reached is None for answer in answers)
    found = sum(bool(answer.reached) for answer in answers)
    asked = count(len(answers), "question")
    if open_:
        return f"undetermined: {open_} of {asked}; a search was cut before an answer"
    return f"{found} of {asked} reached" if answers else ""


def _claimed(result: Result) -> str:
    """Return what of the claims is open or not as expected; empty where nothing is."""
    open_ = sum(claim.verdict == "undetermined" for claim in result.claims)
    decided = [claim for claim in result.claims if claim.verdict != "undetermined"]
    wrong = sum(claim.as_expected is False for claim in decided)
    told = [f"{count(wrong, 'claim')} not as expected"] if wrong else []
    told += [f"undetermined: {count(open_, 'claim')}"] if open_ else []
    return "; ".join(told)


def strict_words(result: Result) -> str:
    """Return what ``--strict`` objects to, or an empty text."""
    if not result.strict:
        return ""
    gaps = gaps_of(result)
    if gaps:
        kinds = list(dict.fromkeys(gap.kind for gap in gaps))
        told = (f"{sum(g.kind == kind for g in gaps)} {kind}" for kind in kinds)
        return f"strict: {', '.join(told)}"
    if not all(variant.exploration.complete for variant in result.variants):
        return "strict: undetermined, since a search was cut"
    return ""


def _verdicts(result: Result) -> str:
    told = list(findings_of(result))
    if not told:
        return NOTHING_CHECKED if result.is_empty else ""
    wrong = [(v, f) for v, f in told if code_of(f, result) == 1]
    open_ = [f for _, f in told if f.verdict == "undetermined"]
    checks = count(len(told), "verdict")
    if wrong and result.has_expectations:
        return f"{len(wrong)} of {checks} not as expected"
    if wrong:
        return f"{count(len(wrong), 'required property')} violated"
    if result.is_open or any(code_of(f, result) == 3 for f in open_):
        return f"undetermined: {len(open_)} of {checks}; a search was cut before an answer"
    return _all_right(result, [f for _, f in told if f.verdict != "undetermined"], len(open_))


def _all_right(result: Result, answered: list[Finding], reported_open: int) -> str:
    """Return what answers that are as they should be amount to, and what is open beside them."""
    checks = count(len(answered), "verdict")
    empty = sum(f.vacuous for f in answered)
    if result.has_expectations:
        told = f"{checks}, each as expected"
    elif any(f.required for f in answered):
        told = f"every required property holds {within_words(result.variants)}"
        told += f"; {count(empty, 'verdict')} vacuous" if empty else ""
    else:
        told = f"{checks}, none of a required property"
    return told + (f"; undetermined: {reported_open} only reported" if reported_open else "")


def where(outcome: Outcome) -> str:
    """Return where an outcome comes from: the spec's path, else the model's name."""
    return one_line(outcome.spec) if outcome.spec else model_in_words(outcome.model)


def model_in_words(model: str) -> str:
    """Return a model's name, or its file's path from the current folder where that is short."""
    return one_line(near(model))


def heading(outcome: Outcome) -> str:
    """Return where an outcome comes from and its title, on one line whatever the title holds."""
    return f"{where(outcome)}: {one_line(outcome.title)}"
