"""The table of agreement in tests/README.md: ``python -m tests.export.agreement`` writes it anew.

A row for each model: its states and transitions, what was compared of its properties, and what each
checker that is installed says of all of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from fencecheck.analysis.crosscheck.crosscheck import Crosschecked, chosen_peers, crosscheck_design
from fencecheck.analysis.crosscheck.exported import ExportedDesign, export_variant
from fencecheck.checking.question import Options
from fencecheck.report.outside.crosscheck import peer_verdict
from fencecheck.spec.files import load_specs
from fencecheck.spec.values import Overrides
from tests.export.exporting import exported
from tests.models_for_tests import two_phase

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "tests" / "README.md"
BEGIN, END = "<!-- agreement: python -m tests.export.agreement -->\n", "<!-- end -->"
# specs, and how many of their variants
SPECS = {
    "specs/tour.toml": 5, "specs/ledger/sound_design.toml": 2, "specs/agent/sound_design.toml": 2,
}  # fmt: skip
MANAGERS = (3, 5, 7)


def designs() -> Iterator[tuple[str, ExportedDesign]]:
    """Yield what is compared, with a name for each."""
    for managers in MANAGERS:
        yield f"two-phase commit, {managers} managers", exported(two_phase.model, managers=managers)
    for path, count in SPECS.items():
        (spec,) = load_specs([ROOT / path], Overrides())
        for variant in spec.variants[:count]:
            name = f"{spec.family.name}: {variant.name}"
            yield name, export_variant(spec, variant, Options())


def table() -> Iterator[str]:
    """Yield the lines of the table; each asks every checker that is there."""
    peers, _ = chosen_peers(None)
    names = [f"{peer.name} {found.version}" for peer, found in peers]
    yield f"| model | states | transitions | properties | {' | '.join(names)} |"
    yield "| --- | --- | --- | --- |" + " --- |" * len(peers)
    for name, design in designs():
        found = [crosscheck_design(design, peer) for peer in peers]
        answers = design.answers
        counts = f"{answers.states or 0:,} | {answers.transitions or 0:,}"
        said = " | ".join(map(_said, found))
        print(f"{name}: {said}", flush=True)
        yield f"| {name} | {counts} | {_compared(found)} | {said} |"


def _compared(found: list[Crosschecked]) -> str:
    """Return how much of the properties was compared with any checker."""
    words = {"verdict": "verdict", "events": "length", "tested": "situation"}
    most = {a: max(sum(row.aspect == a for row in one.rows) for one in found) for a in words}
    told = [(most[aspect], word) for aspect, word in words.items() if most[aspect]]
    return ", ".join(f"{number} {word}{'s' * (number != 1)}" for number, word in told)


def _said(checked: Crosschecked) -> str:
    return checked.undetermined or peer_verdict(checked)


def main() -> None:
    """Write the table into the document."""
    before, _, rest = DOCUMENT.read_text("utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    DOCUMENT.write_text(before + BEGIN + "\n" + "\n".join(table()) + "\n\n" + END + after, "utf-8")


if __name__ == "__main__":
    main()
