"""Drives a class of adapters for the tests, and says in short what came of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fencecheck.analysis.driving.drive import Manner, drive_spec
from fencecheck.checking.results import VariantResult
from fencecheck.conform import Adapter
from fencecheck.spec.files import load_specs
from fencecheck.spec.values import Overrides, Spec

ROOT = Path(__file__).parents[2]
DESIGNS, OURS = ROOT / "specs" / "designs", Path(__file__).parent / "specs"


def spec_of(path: Path, variant: str | None = None, over: Overrides | None = None) -> Spec:
    """A spec with one of its variants, or all of them."""
    (spec,) = load_specs([path], over or Overrides())
    spec.variants = [v for v in spec.variants if variant in (None, v.name)]
    return spec


def driven(
    spec: Spec, kind: type[Adapter], *, manner: Manner | None = None, **how: Any
) -> VariantResult:
    """What came out for the only variant of a spec."""
    result = drive_spec(spec, (kind.__name__, kind), manner or Manner(**how))
    (variant,) = result.variants
    return variant


def divergences(variant: VariantResult) -> list[tuple[int, str, str]]:
    """In how many events it diverges, in which one, and what differs there; the shortest first."""
    finding = variant["conforms"]
    traces = [finding.trace, *(other.trace for other in finding.others)]
    found = []
    for trace in traces:
        if trace is not None:
            assert trace.violation is not None
            name = trace.events[-1].name if trace.events else ""
            found.append((len(trace.events), name, trace.violation.says))
    return found
