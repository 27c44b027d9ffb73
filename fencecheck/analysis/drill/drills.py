"""All drills of a model together: controls, recoveries, failure domains.

Takes a family whose model declares drills, and how to search; gives one Drills value whose every
cell is read off a trace that was replayed. ``undetermined`` tells whether a search was cut.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from fencecheck.analysis.compare.scenario import run_scenario
from fencecheck.analysis.drill.drill import ControlRow, Recovery, run_control, run_failure
from fencecheck.checking.question import Options
from fencecheck.checking.results import Cell
from fencecheck.errors import UsageError
from fencecheck.model.drills import DrillPlan
from fencecheck.model.family import Family
from fencecheck.model.files.identity import model_hash
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
            "undetermined" in (row.symptom, row.kept.verdict)
            or (row.answered is None and not row.searched)
            for row in self.controls
        )

    @property
    def unexpected(self) -> bool:
        """Tell whether something came out otherwise than the plan says."""
        controls = any(row.unexpected for row in self.controls)
        return controls or any(row.unexpected for row in self.recoveries)


def run_drills(family: Family, options: Options | None = None) -> Drills:
    """Run every drill that a family's model declares; raises UsageError if it declares none."""
    plan = plan_of(family)
    controls = [run_control(family, plan.base, control, options) for control in plan.controls]
    recoveries = [
        run_failure(family, design, failure, plan.owners, options)
        for failure in plan.failures
        for design in plan.designs.items()
    ]
    return Drills(
        family.reference,
        model_hash(family),
        tuple(controls),
        tuple(recoveries),
        run_domains(family),
    )


def plan_of(family: Family) -> DrillPlan:
    """Return what a family's model declares of drills; raises UsageError if that is nothing."""
    plan = family.model.drill
    if plan is None:
        raise UsageError(
            f"model {family.name} declares no drills; write model.drill = DrillPlan(...)"
        )
    return plan


def run_domains(family: Family) -> tuple[DomainRow, ...]:
    """Run the scripted order of each failure domain on each design of its spec."""
    plan = plan_of(family)
    (shipped,) = load_specs([builtin_spec(plan.domain_spec)])
    spec = replace(shipped, family=family)
    rows = []
    scripted = [scenario.name for scenario in spec.scenarios]
    for name in dict.fromkeys([*plan.domains, *scripted]):
        if name not in plan.domains or name not in scripted:
            raise UsageError(
                f"{family.model.place('drill')}model {family.name}: drill: domains: "
                f'"{name}" is a key or a scripted order of {plan.domain_spec}, but not both; '
                f"write each of {', '.join(scripted)}"
            )
    for scenario in spec.scenarios:
        cells = tuple(run_scenario(spec, variant, scenario) for variant in spec.variants)
        interference = {e.name for e in cells[0].trace.events if e.interference}
        detected, owner = plan.domains[scenario.name]
        rows.append(DomainRow(scenario.name, tuple(sorted(interference)), detected, owner, cells))
    return tuple(rows)
