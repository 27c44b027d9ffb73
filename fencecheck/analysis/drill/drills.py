"""All drills of family ledger together: controls, recoveries, failure domains.

Takes limits for every search, and for tests a changed family; gives one Drills value whose every
cell is read off a trace that was replayed. ``undetermined`` tells whether a search was cut.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from fencecheck.analysis.compare.scenario import run_scenario
from fencecheck.analysis.drill.drill import ControlRow, Recovery, run_control, run_failure
from fencecheck.analysis.drill.rows import (
    BASE,
    CONTROLS,
    DESIGNS,
    DOMAIN_SPEC,
    DOMAINS,
    FAILURES,
    FAMILY,
    OWNERS,
)
from fencecheck.checking.results import Cell
from fencecheck.explore.graph import Limits
from fencecheck.model.family import Family
from fencecheck.model.loading import load_family
from fencecheck.spec.files import builtin_spec, load_specs


@dataclass(frozen=True)
class DomainRow:
    """A failure domain: the fault, how it is detected, whose it is, what each design answers."""

    name: str
    fault: tuple[str, ...]
    detected: str
    owner: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Drills:
    """What came out of every drill."""

    model: str
    model_hash: str
    controls: tuple[ControlRow, ...]
    recoveries: tuple[Recovery, ...]
    domains: tuple[DomainRow, ...]

    @property
    def undetermined(self) -> bool:
        """Tell whether a search was cut before an answer."""
        cut = any(r.verdict == "undetermined" for r in self.recoveries)
        return cut or any(
            row.symptom == "undetermined" or (row.answered is None and not row.searched)
            for row in self.controls
        )


def run_drills(limits: Limits | None = None, family: Family | None = None) -> Drills:
    """Run every drill."""
    family = family or load_family(FAMILY)
    controls = [run_control(family, BASE, control, limits) for control in CONTROLS]
    recoveries = [
        run_failure(family, design, failure, OWNERS, limits)
        for failure in FAILURES
        for design in DESIGNS.items()
    ]
    return Drills(
        family.reference, family.hash, tuple(controls), tuple(recoveries), run_domains(family)
    )


def run_domains(family: Family) -> tuple[DomainRow, ...]:
    """Run the scripted order of each failure domain on each design of its spec."""
    (shipped,) = load_specs([builtin_spec(DOMAIN_SPEC)])
    spec = replace(shipped, family=family)
    rows = []
    for scenario in spec.scenarios:
        cells = tuple(run_scenario(spec, variant, scenario) for variant in spec.variants)
        interference = {e["event"] for e in cells[0].trace["events"] if e["interference"]}
        detected, owner = DOMAINS[scenario.name]
        rows.append(DomainRow(scenario.name, tuple(sorted(interference)), detected, owner, cells))
    return tuple(rows)
