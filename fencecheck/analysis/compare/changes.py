"""What changed since an earlier run: cells that flipped, other lengths, what came or went.

In: the earlier run as read from its JSON, and outcomes of now. Out: changes, and the exit code
that they and what has no answer amount to. What is as it was fails no run: the earlier run is what
is expected.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from fencecheck.checking.results import Finding, Result, VariantResult, finding_code
from fencecheck.model.declaring.any_number import HowMany
from fencecheck.runs.checked_json import CheckedObject
from fencecheck.runs.trace import Trace
from fencecheck.spec.values import Verdict

VERDICTS = ("holds", "violated", "undetermined")


@dataclass(frozen=True)
class EarlierCell:
    """What an earlier run said of a property of a design."""

    verdict: str
    events: int | None
    vacuous: bool
    required: bool


@dataclass(frozen=True)
class EarlierDesign:
    """What an earlier run said of a design; ``settings`` are its mechanisms and bounds in words."""

    settings: dict[str, str]
    cells: dict[str, EarlierCell]


Baseline = dict[str, dict[str, EarlierDesign]]  # designs by name, by spec


@dataclass(frozen=True)
class DesignChange:
    """One thing that is not as it was.

    ``kind`` is ``flipped``, ``shorter``, ``longer``, ``vacuous``, ``tested``, ``came``, ``went`` or
    ``design``; of a property, ``before`` and ``after`` are verdicts in words, and so is
    ``expected``, what its spec says must come out where something else did.
    """

    kind: str
    spec: str
    variant: str
    name: str
    before: str
    after: str
    regression: bool = False
    trace: Trace | None = field(default=None, compare=False)
    expected: str = ""


def baseline_of(documents: Sequence[CheckedObject]) -> Baseline:
    """Return what objects of results say; raise TraceError for what is no result."""
    return {
        spec_key(document.text_or_none("spec") or document.text("model")): {
            variant.text("name"): _design(variant) for variant in document.objects("variants", [])
        }
        for document in documents
    }


def _design(variant: CheckedObject) -> EarlierDesign:
    mechanisms, bounds = variant.inner("mechanisms"), variant.inner("bounds")
    settings = {name: mechanisms.text(name) for name in mechanisms.names()}
    settings |= {name: str(bounds.how_many(name)) for name in bounds.names()}
    return EarlierDesign(
        settings, {cell.text("name"): _cell(cell) for cell in variant.objects("properties")}
    )


def _cell(cell: CheckedObject) -> EarlierCell:
    verdict = cell.choice("verdict", VERDICTS)
    events = cell.fields.get("events")
    number = None if events is None else cell.number("events", events)
    return EarlierCell(verdict, number, cell.truth("vacuous", False), cell.truth("required", True))


def spec_key(spec: str) -> str:
    """Return by what a spec is known in both runs: its path, or the name of a model alone."""
    return posixpath.normpath(spec.replace("\\", "/"))


def _matched(baseline: Baseline, results: Sequence[Result]) -> tuple[list[str], Baseline]:
    """Return the keys of results; one spec in both is the same one wherever it lies."""
    keys = [spec_key(result.spec or result.model) for result in results]
    if len(keys) == len(baseline) == 1:
        baseline = {keys[0]: next(iter(baseline.values()))}
    return keys, baseline


def is_comparable(baseline: Baseline, results: Sequence[Result]) -> bool:
    """Tell whether anything that was judged now was judged then: if nothing was, no code counts."""
    keys, baseline = _matched(baseline, results)
    judged = [
        finding.name in earlier.cells
        for key, result in zip(keys, results, strict=True)
        for variant in result.variants
        for earlier in [baseline.get(key, {}).get(variant.name, EarlierDesign({}, {}))]
        for finding in variant.findings
    ]
    return any(judged) or not judged


def changes_since(baseline: Baseline, results: Sequence[Result]) -> list[DesignChange]:
    """Return every change, spec by spec."""
    keys, baseline = _matched(baseline, results)
    changes = list[DesignChange]()
    for key, result in zip(keys, results, strict=True):
        if key in baseline:
            changes += _of_result(key, baseline[key], result)
        else:
            told = _designs(len(result.variants))
            changes.append(DesignChange("came", key, "", "", "not checked", told))
            for variant in result.variants:
                changes += _came(key, variant, result)
    for key, designs in baseline.items():
        if key not in keys:
            told = _designs(len(designs))
            changes.append(DesignChange("went", key, "", "", told, "not checked"))
    return changes


def _designs(number: int) -> str:
    return "1 design" if number == 1 else f"{number} designs"


def _of_result(
    key: str, earlier: Mapping[str, EarlierDesign], result: Result
) -> Iterator[DesignChange]:
    for variant in result.variants:
        if variant.name not in earlier:
            yield from _came(key, variant, result)
            continue
        yield from _settings(key, earlier[variant.name], variant)
        yield from _cells(key, earlier[variant.name], variant, result)
    names = {variant.name for variant in result.variants}
    for name, design in earlier.items():
        if name not in names:
            for prop, cell in design.cells.items():
                yield DesignChange("went", key, name, prop, cell_words(cell), "not checked")


def _came(key: str, variant: VariantResult, result: Result) -> Iterator[DesignChange]:
    for finding in variant.findings:
        yield _new(key, variant, finding, result)


def _new(key: str, variant: VariantResult, finding: Finding, result: Result) -> DesignChange:
    """Return a cell that was not there before: it is judged as without a baseline."""
    bad = finding_code(finding, result.has_expectations) == 1
    words = ("not checked", cell_words(now_of(finding)))
    return _change("came", (key, variant.name), finding, words, bad)


def _change(
    kind: str, place: tuple[str, str], finding: Finding, words: tuple[str, str], bad: bool
) -> DesignChange:
    missed = finding.expected if finding.as_expected is False else None
    expected = EarlierCell(missed.verdict, missed.events, False, True) if missed else None
    told = cell_words(expected) if expected else ""
    return DesignChange(kind, *place, finding.name, *words, bad, finding.trace, told)


def _settings(key: str, earlier: EarlierDesign, variant: VariantResult) -> Iterator[DesignChange]:
    now: dict[str, HowMany | str] = {**variant.design.mechanisms, **variant.design.bounds}
    for name in dict.fromkeys([*earlier.settings, *now]):
        before, after = earlier.settings.get(name, "none"), str(now.get(name, "none"))
        if before != after:
            yield DesignChange("design", key, variant.name, name, before, after)


def _cells(
    key: str, earlier: EarlierDesign, variant: VariantResult, result: Result
) -> Iterator[DesignChange]:
    for finding in variant.findings:
        if finding.name not in earlier.cells:
            yield _new(key, variant, finding, result)
            continue
        before, now = earlier.cells[finding.name], now_of(finding)
        kind = _kind(before, now)
        if kind:
            bad = is_regression(before, finding, result)
            words = (cell_words(before), cell_words(now))
            yield _change(kind, (key, variant.name), finding, words, bad)
    names = {finding.name for finding in variant.findings}
    for name, cell in earlier.cells.items():
        if name not in names:
            yield DesignChange("went", key, variant.name, name, cell_words(cell), "not checked")


def _kind(before: EarlierCell, now: EarlierCell) -> str:
    if before.verdict != now.verdict:
        return "flipped"
    if before.vacuous != now.vacuous:
        return "vacuous" if now.vacuous else "tested"
    if before.events is None or now.events is None or before.events == now.events:
        return ""
    return "shorter" if now.events < before.events else "longer"


def is_regression(before: EarlierCell, finding: Finding, result: Result) -> bool:
    """Tell whether a cell that changed is worse: it held and is violated, or is not as expected.

    What was only reported, and is so now, never fails a run.
    """
    if before.verdict == "holds" and finding.verdict == "violated":
        return before.required or finding.required
    if before.verdict == finding.verdict == "violated" and finding.expected is None:
        return False  # another length of an order that breaks as before
    return finding_code(finding, result.has_expectations) == 1


def now_of(finding: Finding) -> EarlierCell:
    """Return a finding as an earlier run's JSON would hold it."""
    return EarlierCell(finding.verdict, finding.events, finding.vacuous, finding.required)


def cell_words(cell: EarlierCell) -> str:
    """Return a verdict in words: ``holds``, ``vacuous``, ``violated in 3 events``."""
    if cell.verdict == "violated" and cell.events is not None:
        return f"violated in {cell.events} event{'' if cell.events == 1 else 's'}"
    return "vacuous" if cell.vacuous else cell.verdict


def count_verdicts(results: Sequence[Result], verdict: Verdict) -> int:
    """Return how many findings of results have a verdict."""
    return sum(f.verdict == verdict for r in results for v in r.variants for f in v.findings)


def code_since(changes: Sequence[DesignChange], results: Sequence[Result]) -> int:
    """Return 1 where something got worse, 2 where a model is wrong, 3 where an answer is open."""
    codes = {1} if any(change.regression for change in changes) else set[int]()
    for result in results:
        rest = _beside(result)
        codes |= set() if rest.is_empty else {rest.exit_code}
        findings = [f for v in result.variants for f in v.findings]
        if not findings or result.is_open:
            codes.add(3)
        codes |= {3 for f in findings if finding_code(f, result.has_expectations) == 3}
    return next((code for code in (2, 1, 3) if code in codes), 0)


def _beside(result: Result) -> Result:
    """Return a result without the verdicts that the earlier run stands for."""
    kept = [
        replace(variant, findings=[f for f in variant.findings if f.vacuous])
        for variant in result.variants
    ]
    return replace(result, variants=kept, has_expectations=False)
