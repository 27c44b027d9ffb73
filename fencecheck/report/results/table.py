"""The verdict table: variants down, properties across, event counts where something breaks.

In: a result, a width. Out: lines that fit the width (heads wrapped, else several blocks), a
legend of the marks that occur, and a table of what each design takes and costs. The table of
scripted event orders stands here too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fencecheck.checking.results import Cell, Exploration, Finding, Result, VariantResult
from fencecheck.report.words.claims import claim_lines
from fencecheck.report.words.columns import Entry, Paint, plain, table_lines
from fencecheck.report.words.coverage import alike_texts, coverage_table, gap_texts
from fencecheck.report.words.orders import wrapped
from fencecheck.report.words.outcomes import (
    LIMITS,
    VACUOUS,
    Failure,
    Outcome,
    code_of,
    conclusion,
    heading,
    model_in_words,
    settings_words,
)
from fencecheck.report.words.scope import held_back_words, limits_words, within_words
from fencecheck.report.words.visible import one_line

HOLDS, BROKEN, OPEN, ABSENT, UNEXPECTED = "✓", "✗", "undet.", "-", "!"


def render_table(outcome: Outcome, *, width: int = 100, paint: Paint = plain) -> str:
    """Return the verdict table of an outcome, with legend, numbers and costs."""
    lines = [paint("head", heading(outcome))]
    if isinstance(outcome, Failure):
        lines += ["", paint("violated", "error"), outcome.message]
        return "\n".join(lines) + "\n"
    bounds, *further = scope_texts_of_all(outcome)
    lines += wrapped(f"model {model_in_words(outcome.model)}; {bounds}", width, "")
    lines += [line for text in further for line in wrapped(text, width, "")]
    if outcome.note:
        lines += wrapped(outcome.note, width, "")
    if property_names(outcome):
        lines += ["", *verdict_table(outcome, width, paint), ""]
        lines += [line for text in legend(outcome) for line in wrapped(text, width, "", " " * 8)]
        lines += [line for text in _gaps(outcome) for line in wrapped(text, width, "", "  ")]
        lines += ["", *cost_table(outcome, width, paint)]
        if outcome.show_coverage:
            for variant in outcome.variants:
                lines += ["", f"coverage: {one_line(variant.name)}"]
                lines += coverage_table(variant, width, paint)
    if outcome.cells:
        lines += ["", *scenario_table(outcome.cells, width, paint)]
    if outcome.claims:
        lines += ["", *claim_lines(outcome, width, paint)]
    for variant in outcome.variants:
        if variant.error is not None:
            lines += ["", f"{paint('violated', 'error')} in {variant.name}", variant.error.message]
    lines += ["", conclusion(outcome)] if conclusion(outcome) else []
    return "\n".join(lines) + "\n"


def _gaps(result: Result) -> list[str]:
    """Return what never happened, variant by variant, and the switches that made no difference."""
    told = [f"{v.name}: {text}" for v in result.variants for text in gap_texts(v)]
    return told + alike_texts(result)


def scope_texts_of_all(result: Result) -> list[str]:
    """Return the bounds of a result, what was held back at them, and what was not tried."""
    further = (told_of_all(result, held_back_words), told_of_all(result, limits_words))
    return [bounds_of_all(result), *filter(None, further)]


def bounds_of_all(result: Result) -> str:
    """Return the bounds: those of the first variant, and where others differ from them."""
    first = result.variants[0].design.bounds
    told = [f"bounds: {settings_words(first)}"]
    for variant in result.variants[1:]:
        own = {n: v for n, v in variant.design.bounds.items() if v != first.get(n)}
        if own:
            told.append(f"{variant.name}: {', '.join(f'{n} {v}' for n, v in own.items())}")
    return "; ".join(told)


def told_of_all(result: Result, words_of: Callable[[VariantResult], str]) -> str:
    """Return what is said of all variants alike, or of each where they differ."""
    told = {variant.name: words_of(variant) for variant in result.variants}
    if len(set(told.values())) == 1:
        return next(iter(told.values()))
    if any(variant.constraints for variant in result.variants):
        return "; ".join(f"{name}: {words}" for name, words in told.items())
    alike: dict[str, list[str]] = {}
    for name, words in told.items():
        alike.setdefault(words.partition(": ")[2] or "nothing", []).append(name)
    rest = (f"{', '.join(names)}: {words}" for words, names in alike.items())
    what = next(words for words in told.values() if words).partition(": ")[0]
    return f"{what}: {'; '.join(rest)}"


def property_names(result: Result) -> list[str]:
    """Return every property of a result once, in order of appearance."""
    return list(dict.fromkeys(f.name for v in result.variants for f in v.findings))


def finding_mark(finding: Finding) -> str:
    """Return the mark of a finding: how it came out, in a few characters."""
    if finding.verdict == "violated":
        return f"{BROKEN} {finding.events}" if finding.events is not None else BROKEN
    if finding.verdict == "undetermined":
        return OPEN
    return f"({HOLDS})" if finding.vacuous else HOLDS


def _entry(variant: VariantResult, name: str, result: Result) -> Entry:
    for finding in variant.findings:
        if finding.name == name:
            wrong = result.has_expectations and code_of(finding, result) == 1
            tail = f" {UNEXPECTED}" if wrong else ""
            tone = "vacuous" if finding.vacuous else finding.verdict
            return Entry((finding_mark(finding) + tail,), tone)
    return Entry((ABSENT,))


def verdict_table(result: Result, width: int = 100, paint: Paint = plain) -> list[str]:
    """Return the lines of the table itself."""
    names = property_names(result)
    heads = [name.replace("_", " ") for name in names]
    rows = [(v.name, [_entry(v, name, result) for name in names]) for v in result.variants]
    return table_lines("", heads, rows, width, paint)


def legend(result: Result) -> list[str]:
    """Return what each mark means, for the marks that occur."""
    told = [(v, f) for v in result.variants for f in v.findings]
    verdicts = {f.verdict for _, f in told if not f.vacuous}
    lines = []
    if "holds" in verdicts:
        lines.append(f"{HOLDS}       holds {within_words(result.variants)}")
    if any(f.vacuous for _, f in told):
        lines.append(f"({HOLDS})     {VACUOUS}")
    if "violated" in verdicts:
        lines.append(f"{BROKEN} n     violated; a shortest event order has n events")
    if "undetermined" in verdicts:
        lines.append(f"{OPEN}  undetermined: the search was cut before an answer")
    if result.has_expectations and any(code_of(f, result) == 1 for v, f in told):
        lines.append(f"{UNEXPECTED}       not as expected")
    if any(len(v.findings) < len(property_names(result)) for v in result.variants):
        lines.append(f"{ABSENT}       not asked of this design")
    reported = dict.fromkeys(f.name for _, f in told if not f.required)
    if reported:
        lines.append(f"reported, not required: {', '.join(reported)}")
    return lines


def cost_number(value: float) -> str:
    return f"{value:,.2f}".rstrip("0").rstrip(".")


def search_state(search: Exploration) -> str:
    if search.complete:
        return "complete, states needed" if search.dominance else "complete"
    if search.stopped_by == "error":
        return "error"
    if not search.states:
        return "cut while compiling: --timeout"
    return f"cut: {LIMITS.get(search.stopped_by or '', search.stopped_by or 'unknown')}"


def cost_rows(result: Result) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """Return heads, and for each variant what it takes to search and what it costs."""
    costs = _costs(result)
    heads = ["search", "distinct states", "transitions", "depth"]
    heads += [name.replace("_", " ") for name in costs]
    rows = []
    for variant in result.variants:
        found = variant.exploration
        numbers = [f"{found.states:,}", f"{found.transitions:,}", str(found.depth)]
        numbers += [cost_number(variant.costs[c]) if c in variant.costs else ABSENT for c in costs]
        rows.append((variant.name, [search_state(found), *numbers]))
    return heads, rows


def _costs(result: Result) -> list[str]:
    return list(dict.fromkeys(name for v in result.variants for name in v.costs))


def cost_table(result: Result, width: int = 100, paint: Paint = plain) -> list[str]:
    """Return what each design takes to search, and what it costs in an undisturbed run."""
    heads, told = cost_rows(result)
    rows = []
    for variant, (name, (state, *numbers)) in zip(result.variants, told, strict=True):
        tone = "" if variant.exploration.complete else "undetermined"
        rows.append((name, [Entry((state,), tone), *(Entry((n,), right=True) for n in numbers)]))
    lines = table_lines("", heads, rows, width, paint)
    costs = [name.replace("_", " ") for name in _costs(result)]
    said = f"costs of an undisturbed run: {', '.join(costs)}"
    return [*lines, *wrapped(said, width, "", "  ")] if costs else lines


def scenario_table(cells: Sequence[Cell], width: int = 100, paint: Paint = plain) -> list[str]:
    """Return scripted event orders: variants down, orders across, outcome and claim in a cell."""
    scenarios = list(dict.fromkeys(cell.scenario for cell in cells))
    variants = list(dict.fromkeys(cell.variant for cell in cells))
    found = {(cell.variant, cell.scenario): cell for cell in cells}
    rows = []
    for variant in variants:
        entries = [_scenario_entry(found.get((variant, name))) for name in scenarios]
        rows.append((variant, entries))
    agree = sum(cell.agrees is True for cell in cells)
    claimed = sum(cell.claim is not None for cell in cells)
    lines = table_lines("", scenarios, rows, width, paint)
    if claimed:
        lines += ["", f"{agree} of {claimed} claimed outcomes came out as claimed"]
    return lines


def _scenario_entry(cell: Cell | None) -> Entry:
    if cell is None:
        return Entry((ABSENT,))
    outcome = cell.outcome.split("; ")
    if cell.agrees is None:
        return Entry(tuple(outcome))
    if cell.agrees:
        return Entry((*outcome, "agrees"))
    claim = str(cell.claim).split("; ")
    return Entry((*outcome, "differs; claimed:", *claim), "violated")
