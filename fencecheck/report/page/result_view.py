"""A result as a page tells it: the verdict table, what it speaks of, its numbers, its runs.

In: an outcome, and the names of places that are taken. Out: plain values and texts;
parts.html lays them out. A cell whose verdict has an event order leads to its run. What is
undetermined has marks and words of its own, as what is violated has.
"""

from __future__ import annotations

from collections.abc import Callable

from fencecheck.checking.results import Finding, Result, VariantResult
from fencecheck.report.page.anchors import Anchors
from fencecheck.report.page.run_view import view_run
from fencecheck.report.page.views import CellView, ClaimView, DesignView, ResultView, TableView
from fencecheck.report.results.table import (
    ABSENT,
    UNEXPECTED,
    bounds_of_all,
    cost_number,
    finding_mark,
    legend,
    property_names,
    search_state,
    told_of_all,
)
from fencecheck.report.words.claims import claims_summary, unexpected_words
from fencecheck.report.words.coverage import HEADS, PART, alike_texts, coverage_rows, gap_texts
from fencecheck.report.words.outcomes import (
    Failure,
    Outcome,
    code_of,
    conclusion,
    count,
    expectation,
    expected_words,
    fairness_words,
    finding_words,
    model_in_words,
    search_words,
    settings_words,
    where,
)
from fencecheck.report.words.reachability import answer_words
from fencecheck.report.words.scope import held_back_words, holds_words, limits_words
from fencecheck.report.words.visible import one_line
from fencecheck.runs.trace import Trace

TONES = {0: "holds", 1: "violated", 3: "undetermined"}


class _Viewer:
    """Views one outcome, and gathers the runs that its cells lead to."""

    def __init__(self, outcome: Outcome, anchors: Anchors, prefix: tuple[str, ...]) -> None:
        self.anchors, self.prefix = anchors, prefix
        self.view = ResultView(
            one_line(outcome.title), where(outcome), model_in_words(outcome.model)
        )

    def run(self, trace: Trace | None, *parts: str) -> str:
        """Add a run to the page, and return its place; "" where there is none."""
        if trace is None:
            return ""
        found = view_run(trace, self.anchors.take(*self.prefix, *parts))
        self.view.runs.append(found)
        return found.anchor


def view_outcome(outcome: Outcome, anchors: Anchors, prefix: tuple[str, ...] = ()) -> ResultView:
    """Return an outcome as a page tells it; ``prefix`` begins the names of its runs."""
    viewer = _Viewer(outcome, anchors, prefix)
    if isinstance(outcome, Failure):
        viewer.view.tone, viewer.view.conclusion = "violated", "error"
        viewer.view.error = outcome.message
        viewer.view.error_run = viewer.run(outcome.trace, "model-error")
        return viewer.view
    view = viewer.view
    view.note, view.conclusion = outcome.note, conclusion(outcome)
    view.tone = TONES.get(outcome.exit_code, "violated")
    if not any((v.findings or v.answers or v.error) for v in outcome.variants):
        view.tone = "" if outcome.cells or outcome.claims else "undetermined"
    view.scope = _scope(outcome)
    places: dict[int, str] = {}
    for variant in outcome.variants:
        view.designs.append(_design(variant, outcome, viewer, places))
    if property_names(outcome):
        view.table, view.legend = _verdicts(outcome, places), tuple(map(_marked, legend(outcome)))
    told = [f"{v.name}: {text}" for v in outcome.variants for text in gap_texts(v)]
    view.gaps = (*told, *alike_texts(outcome))
    view.numbers = _numbers(outcome)
    _scripted(outcome, viewer)
    return view


def _scope(result: Result) -> tuple[str, ...]:
    """Return within what the verdicts stand, and what was not tried."""
    if not result.variants:
        return ()
    words: tuple[Callable[[VariantResult], str], ...] = (held_back_words, limits_words)
    told = (bounds_of_all(result), *(told_of_all(result, of) for of in words))
    return tuple(one_line(text) for text in told if text)


def _marked(line: str) -> tuple[str, str]:
    """Return a line of the legend as its mark ("" where it has none) and what that means."""
    mark, gap, words = line.partition("  ")
    return (mark, words.strip()) if gap else ("", line)


def _cell(variant: VariantResult, name: str, result: Result, places: dict[int, str]) -> CellView:
    for finding in variant.findings:
        if finding.name == name:
            wrong = result.has_expectations and code_of(finding, result) == 1
            mark = finding_mark(finding) + (f" {UNEXPECTED}" if wrong else "")
            words = f"{variant.name}, {name}: {_words(finding, variant)}"
            wanted = expectation(finding)
            if wrong and wanted is not None:
                words += f"; not as expected: {expected_words(wanted)}"
            tone = "vacuous" if finding.vacuous else finding.verdict
            return CellView(mark, one_line(words), tone, places.get(id(finding), ""))
    return CellView(ABSENT, "not asked of this design")


def _words(finding: Finding, variant: VariantResult) -> str:
    told = finding_words(finding)
    if finding.verdict == "holds" and not finding.vacuous:
        return f"{told} {holds_words(variant)}".rstrip()
    return told


def _verdicts(result: Result, places: dict[int, str]) -> TableView:
    names = property_names(result)
    meanings = {f.name: f.meaning for v in result.variants for f in v.findings}
    rows = tuple(
        (v.name, tuple(_cell(v, n, result, places) for n in names)) for v in result.variants
    )
    heads = tuple(name.replace("_", " ") for name in names)
    return TableView(heads, rows, "design", tuple(one_line(meanings[name]) for name in names))


def _numbers(result: Result) -> TableView:
    """Return what each design takes to search, and what an undisturbed run costs."""
    costs = list(dict.fromkeys(name for v in result.variants for name in v.costs))
    heads = ("search", "distinct states", "transitions", "depth", "engine")
    rows = []
    for variant in result.variants:
        found = variant.exploration
        tone = "" if found.complete else "undetermined"
        cells = [CellView(search_state(found), search_words(found), tone)]
        numbers = [f"{found.states:,}", f"{found.transitions:,}", str(found.depth), found.engine]
        numbers += [cost_number(variant.costs[c]) if c in variant.costs else ABSENT for c in costs]
        rows.append((variant.name, (*cells, *(CellView(number, "") for number in numbers))))
    names = tuple(name.replace("_", " ") for name in costs)
    return TableView((*heads, *names), tuple(rows), "design")


def _design(
    variant: VariantResult, result: Result, viewer: _Viewer, places: dict[int, str]
) -> DesignView:
    rows: list[tuple[str, tuple[CellView, ...]]] = []
    for finding in variant.findings:
        run = viewer.run(finding.trace, variant.name, finding.name)
        places[id(finding)] = run
        rows.append((finding.name, _judged(finding, variant, result, run)))
        for other in finding.others:
            run = viewer.run(other.trace, variant.name, finding.name)
            words = f"{other.differs}, {count(other.events, 'event')}"
            rows.append(("", (CellView(words, "", "violated", run), CellView("", ""))))
    for number, answer in enumerate(variant.answers, 1):
        run = viewer.run(answer.trace, variant.name, f"reach-{number}")
        tone = "undetermined" if answer.reached is None else ""
        cell = CellView(answer_words(answer), "", tone, run)
        rows.append((f"reach {answer.text}", (cell, CellView("", ""))))
    error = variant.error
    coverage = variant.coverage
    return DesignView(
        variant.name,
        tuple(_settings(variant)),
        TableView(("verdict", "what it says"), tuple(rows), "property"),
        error.message if error else "",
        viewer.run(error.trace, variant.name, "model-error") if error else "",
        _coverage(variant) if coverage else None,
        PART if coverage and not coverage.complete else "",
    )


def _judged(
    finding: Finding, variant: VariantResult, result: Result, run: str
) -> tuple[CellView, CellView]:
    """Return a verdict in words, and what the property says."""
    words = _words(finding, variant)
    wanted = expectation(finding)
    if wanted is None:
        words += "; reported, not required"
    elif result.has_expectations and code_of(finding, result) == 1:
        words += f"; not as expected: {expected_words(wanted)}"
    tone = "vacuous" if finding.vacuous else finding.verdict
    return CellView(one_line(words), "", tone, run), CellView(one_line(finding.meaning), "")


def _settings(variant: VariantResult) -> list[tuple[str, str]]:
    told = [
        ("design", settings_words(variant.design.mechanisms)),
        ("bounds", settings_words(variant.design.bounds)),
        ("", held_back_words(variant)),
        ("", limits_words(variant)),
        ("search", search_words(variant.exploration)),
        ("weak fairness", fairness_words(variant.fairness, variant.strengths)),
        *(("warning", text) for text in variant.exploration.warnings),
    ]
    return [(name, one_line(text)) for name, text in told if text]


def _coverage(variant: VariantResult) -> TableView:
    rows = tuple(
        (event, tuple(CellView(text, "") for text in texts))
        for event, *texts in coverage_rows(variant)
    )
    return TableView(HEADS, rows, "event")


def _scripted(result: Result, viewer: _Viewer) -> None:
    """Add the table of scripted event orders, and the claims."""
    view = viewer.view
    if result.cells:
        view.scenarios = _scenarios(result, viewer)
    view.claims_summary = claims_summary(result)
    tones = {"holds": "holds", "refuted": "violated", "undetermined": "undetermined"}
    for claim in result.claims:
        shown = claim.trace if claim.verdict == "refuted" else None
        run = viewer.run(shown, "claims", claim.name)
        said = one_line(f"“{claim.text}” ({claim.source})")
        tone = tones.get(claim.verdict, "")
        why, wrong = tuple(map(one_line, claim.why)), unexpected_words(claim)
        view.claims.append(ClaimView(claim.name, said, claim.verdict, tone, why, wrong, run))


def _scenarios(result: Result, viewer: _Viewer) -> TableView:
    names = list(dict.fromkeys(cell.scenario for cell in result.cells))
    found = {(cell.variant, cell.scenario): cell for cell in result.cells}
    rows = []
    for variant in dict.fromkeys(cell.variant for cell in result.cells):
        told: list[CellView] = []
        for name in names:
            cell = found.get((variant, name))
            if cell is None:
                told.append(CellView(ABSENT, "not run on this design"))
                continue
            run = viewer.run(cell.trace, variant, name)
            tone = "violated" if cell.agrees is False else ""
            words = {None: "", True: "agrees with the claim", False: f"claimed: {cell.claim}"}
            told.append(CellView(one_line(cell.outcome), words[cell.agrees], tone, run))
        rows.append((variant, tuple(told)))
    return TableView(tuple(names), tuple(rows), "design")
