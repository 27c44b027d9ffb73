"""Results as JUnit XML: a suite for each variant, a case for each property.

Cases pass where a property holds or came out as the spec expects. A required property that is
violated, and a verdict that is not the expected one, is a failure with the event order as text.
Undetermined is an error whatever was expected, never a pass and never skipped. What is violated
but only reported is skipped: it does not fail a run and did not pass either.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from fencecheck.checking.results import (
    Cell,
    ClaimResult,
    Finding,
    ReachAnswer,
    Result,
    VariantResult,
    gaps_of,
)
from fencecheck.report.words.coverage import PART, coverage_rows, gap_texts
from fencecheck.report.words.orders import order_lines, violation_lines
from fencecheck.report.words.outcomes import (
    Failure,
    Outcome,
    code_of,
    constraint_words,
    expectation,
    expected_words,
    finding_words,
    not_tried_words,
    search_words,
    untested_words,
    where,
)
from fencecheck.report.words.reachability import answer_words
from fencecheck.report.words.visible import visible


def render_junit(outcomes: Sequence[Outcome]) -> str:
    """Return the JUnit document of every outcome."""
    root = ET.Element("testsuites", name="fencecheck")
    for outcome in outcomes:
        if isinstance(outcome, Failure):
            suite = _suite(root, where(outcome), 0.0)
            _say(_case(suite, outcome, "model"), "error", "error", outcome.message)
            continue
        for variant in outcome.variants:
            _variant(root, outcome, variant)
        if outcome.strict:
            _strict(root, outcome)
        if outcome.cells:
            suite = _suite(root, f"{where(outcome)}: scripted event orders", 0.0)
            for cell in outcome.cells:
                _cell(suite, outcome, cell)
        if outcome.claims:
            suite = _suite(root, f"{where(outcome)}: claims", 0.0)
            for claim in outcome.claims:
                _claim(_case(suite, outcome, claim.name), claim)
        if not any(variant.findings or variant.answers for variant in outcome.variants):
            suite = _suite(root, where(outcome), 0.0)
            _say(_case(suite, outcome, "properties"), "error", "undetermined: nothing checked", "")
    for element in (*root, root):
        _count(element)
    ET.indent(root)
    declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
    return declaration + ET.tostring(root, encoding="unicode") + "\n"


def _clean(text: str) -> str:
    """Return the text visible, without the characters that XML cannot hold."""
    return visible(text).replace("\ufffe", "?").replace("\uffff", "?")


def _suite(root: ET.Element, name: str, seconds: float) -> ET.Element:
    return ET.SubElement(root, "testsuite", name=_clean(name), time=f"{seconds:.3f}")


def _case(suite: ET.Element, outcome: Outcome, name: str) -> ET.Element:
    group = f"{where(outcome)}.{suite.get('name', '').removeprefix(where(outcome) + ': ')}"
    return ET.SubElement(suite, "testcase", classname=_clean(group), name=_clean(name))


def _say(case: ET.Element, tag: str, message: str, text: str) -> None:
    attributes = {} if tag == "system-out" else {"message": _clean(message)}
    ET.SubElement(case, tag, attributes).text = _clean(text or message)


def _count(element: ET.Element) -> None:
    """Write how many cases an element has, and how many did not pass."""
    cases = list(element.iter("testcase"))
    element.set("tests", str(len(cases)))
    for tag, attribute in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        element.set(attribute, str(sum(case.find(tag) is not None for case in cases)))


def _variant(root: ET.Element, result: Result, variant: VariantResult) -> None:
    suite = _suite(root, f"{where(result)}: {variant.name}", variant.exploration.seconds)
    _properties(suite, result, variant)
    if variant.error is not None:
        _say(_case(suite, result, "model"), "error", "error", variant.error.message)
    for answer in variant.answers:
        _answer(_case(suite, result, f"reach {answer.text}"), variant, answer)
    for finding in variant.findings:
        case = _case(suite, result, finding.name)
        if finding.verdict == "undetermined":
            _say(case, "error", "undetermined", f"search {search_words(variant.exploration)}")
        elif code_of(finding, result) != 0:
            _say(case, "failure", _wrong(finding, result), _evidence(finding))
        elif expectation(finding) is None and finding.verdict == "violated":
            words = f"{finding_words(finding)}; reported, not required"
            _say(case, "skipped", words, _evidence(finding))
        elif finding.verdict == "violated":
            _say(case, "system-out", "", f"{finding_words(finding)}, as expected")
        elif finding.vacuous:
            _say(case, "system-out", "", untested_words(finding))


def _answer(case: ET.Element, variant: VariantResult, answer: ReachAnswer) -> None:
    if answer.reached is None:
        _say(case, "error", "undetermined", f"search {search_words(variant.exploration)}")
        return
    order = order_lines(answer.trace, 100, "") if answer.trace is not None else []
    _say(case, "system-out", "", "\n".join([answer_words(answer), *order]))


def _claim(case: ET.Element, claim: ClaimResult) -> None:
    """A claim fails nothing, unless something else was expected of it; open ones never pass."""
    words = f"{claim.verdict}: {claim.text}"
    why = "\n".join(claim.why)
    if claim.verdict == "undetermined":
        _say(case, "error", words, why)
    elif claim.as_expected is False:
        _say(case, "failure", f"{words}; expected: {claim.expected}", why)
    elif claim.verdict == "holds" or claim.as_expected:
        _say(case, "system-out", "", f"{words}\n{why}")
    else:
        _say(case, "skipped", words, why)


def _properties(suite: ET.Element, result: Result, variant: VariantResult) -> None:
    """Write what never happened, and the coverage where it was asked for."""
    texts = [constraint_words(variant), not_tried_words(variant), *gap_texts(variant)]
    told = [tuple(text.split(": ", 1)) for text in texts if text]
    if result.show_coverage:
        for event, times, first, remark in coverage_rows(variant):
            told.append((f"coverage of {event}", ", ".join(filter(None, (times, first, remark)))))
        if variant.coverage is not None and not variant.coverage.complete:
            told.append(("coverage", PART))
    if told:
        group = ET.SubElement(suite, "properties")
        for name, value in told:
            ET.SubElement(group, "property", name=_clean(name), value=_clean(value))


def _strict(root: ET.Element, result: Result) -> None:
    """Add a case for each gap, which fails, or one that passes where there is none."""
    suite = _suite(root, f"{where(result)}: strict", 0.0)
    gaps = gaps_of(result)
    for gap in gaps:
        name = ": ".join(filter(None, (gap.variant, gap.name)))
        _say(_case(suite, result, name), "failure", gap.kind, "")
    if not all(variant.exploration.complete for variant in result.variants):
        words = "undetermined: a search was cut, and its coverage is of the part explored"
        _say(_case(suite, result, "coverage"), "error", words, "")
    elif not gaps:
        _case(suite, result, "coverage")


def _wrong(finding: Finding, result: Result) -> str:
    wanted = expectation(finding)
    if wanted is None or not result.has_expectations:
        return finding_words(finding)
    return f"{finding_words(finding)}; expected: {expected_words(wanted)}"


def _evidence(finding: Finding) -> str:
    if finding.trace is None:
        return finding.meaning
    lines = order_lines(finding.trace, 100, "") + violation_lines(finding.trace, 100, "")
    for other in finding.others:
        lines += ["", f"{other.differs}:", *order_lines(other.trace, 100, "")]
    return "\n".join([finding.meaning, *lines])


def _cell(suite: ET.Element, result: Result, cell: Cell) -> None:
    case = _case(suite, result, f"{cell.variant}: {cell.scenario}")
    if cell.agrees is False:
        # A claim that does not come out is a finding about the claim; it fails no run.
        _say(case, "skipped", f"{cell.outcome}; claimed: {cell.claim}", "")
    else:
        _say(case, "system-out", "", cell.outcome)
