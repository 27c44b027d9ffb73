"""What comes out of checks: findings, variants, cells of scripted orders, whole results.

Plain values; reports turn them into text. A verdict is ``holds``, ``violated`` or
``undetermined``; only a search that was complete gives ``holds``.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from fencecheck.model.family import Design
from fencecheck.spec_values import Expectation, Verdict
from fencecheck.trace import Document


@dataclass
class Finding:
    """The verdict on one property, with the evidence."""

    name: str
    kind: str
    meaning: str
    required: bool
    verdict: Verdict
    events: int | None = None
    vacuous: bool = False
    expected: Expectation | None = None
    trace: Document | None = None

    @property
    def as_expected(self) -> bool | None:
        """Tell whether the verdict is the expected one; None where nothing is expected."""
        if self.expected is None:
            return None
        length = self.expected.events
        return self.verdict == self.expected.verdict and length in (None, self.events)


@dataclass(frozen=True)
class Exploration:
    """The numbers of a search."""

    states: int
    transitions: int
    depth: int
    complete: bool
    stopped_by: str | None
    engine: str
    threads: int
    seconds: float


@dataclass
class VariantResult:
    """What came out for one design."""

    name: str
    design: Design
    exploration: Exploration
    findings: list[Finding]
    costs: dict[str, float] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Finding:
        """Return the finding on the property ``name``."""
        for finding in self.findings:
            if finding.name == name:
                return finding
        raise KeyError(name)


@dataclass(frozen=True)
class Cell:
    """What a scripted event order gave for one variant, beside what somebody claims it gives.

    ``outcome`` is in the words of the published tables (``applied``, ``rejected: stale_rev``);
    it is read off ``trace``, which the model replayed.
    """

    scenario: str
    variant: str
    outcome: str
    claim: str | None
    trace: Document

    @property
    def agrees(self) -> bool | None:
        """Tell whether the outcome is the claimed one; None where nothing is claimed."""
        return None if self.claim is None else self.outcome == self.claim


@dataclass
class Result:
    """What came out for one spec: its variants in order, and its scripted orders."""

    spec: str | None
    model: str
    model_hash: str
    title: str
    note: str
    variants: list[VariantResult]
    has_expectations: bool = False
    cells: list[Cell] = field(default_factory=list)

    def __getitem__(self, name: str) -> Finding:
        """Return the finding on a property, of the only variant."""
        (variant,) = self.variants
        return variant[name]

    @property
    def exit_code(self) -> int:
        """Return 0 all as it should be, 1 violated or unexpected, 3 undetermined (1 outranks 3)."""
        codes = {_code(f, self.has_expectations) for v in self.variants for f in v.findings}
        return 1 if 1 in codes else 3 if 3 in codes else 0


def _code(finding: Finding, expectations: bool) -> int:
    expected = finding.expected
    if expected is None and expectations and finding.required:
        expected = Expectation("holds")
    if expected is None and not finding.required:
        return 0
    wanted = expected or Expectation("holds")
    if finding.verdict == wanted.verdict and wanted.events in (None, finding.events):
        return 0
    return 3 if finding.verdict == "undetermined" else 1
