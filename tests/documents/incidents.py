"""The table of the incidents that ship: what happened, in how many events, what closes it.

Takes the folder of their specs, gives the table in Markdown, made from titles and expectations;
what closes one is searched anew with any number of faults. ``incidents_in`` reads the specs;
test_incidents.py holds them to what the table needs.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from fencecheck.spec.files import load_specs
from fencecheck.spec.values import Spec, Variant
from tests.documents.any_number import at_any_number

ENDS = ("deadlock", "possibility", "liveness")
HEAD = (
    "| incident | what happened | what breaks, after how many events | what closes it "
    "| any number |\n"
    "| --- | --- | --- | --- | --- |\n"
)


@dataclass(frozen=True)
class Incident:
    """One incident: its spec, the design as it was, and the designs that close it or do not."""

    spec: Spec
    was: Variant
    closes: tuple[Variant, ...]
    half_measures: tuple[Variant, ...]

    @property
    def number(self) -> str:
        """Return the number under which it is known (``N05``)."""
        return self.spec.title.partition(": ")[0]

    @property
    def ends(self) -> list[str]:
        """Return the required properties that say that the work gets done."""
        required = [self.spec.family.properties[name] for name in self.spec.required]
        return [prop.name for prop in required if prop.kind in ENDS]


def incidents_in(folder: Path) -> list[Incident]:
    """Return the incidents whose specs lie in a folder, in the order of their files."""
    found = []
    for spec in load_specs([folder]):
        was, *others = spec.variants
        closes = tuple(variant for variant in others if not broken_in(variant))
        half = tuple(variant for variant in others if broken_in(variant))
        found.append(Incident(spec, was, closes, half))
    return found


def broken_in(variant: Variant) -> list[str]:
    """Return what a variant is expected to break: each property with its number of events."""
    return [
        f"`{name}` {expected.events}"
        for name, expected in variant.expect.items()
        if expected.verdict == "violated"
    ]


def table_of_incidents(folder: Path) -> str:
    """Return the table, a row for each spec."""
    return HEAD + "".join(_row(incident) for incident in incidents_in(folder))


def _row(incident: Incident) -> str:
    path = Path(incident.spec.path or "")
    half = [f"{v.name} ({', '.join(broken_in(v))})" for v in incident.half_measures]
    closes = ", or ".join(variant.name for variant in incident.closes)
    cells = [
        f"[{incident.number}]({path.parent.name}/{path.name})",
        incident.spec.title.partition(": ")[2],
        ", ".join(broken_in(incident.was)),
        closes + "".join(f"; not {measure}" for measure in half),
        at_any_number(incident.spec, incident.closes),
    ]
    return f"| {' | '.join(cells)} |\n"
