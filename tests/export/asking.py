"""What the tests of the crosscheck share: peers that must be there, and what a difference is."""

from __future__ import annotations

import os
from collections.abc import Sequence

import pytest

from fencecheck.analysis.crosscheck.crosscheck import (
    PARTS,
    ComparedRow,
    Crosschecked,
    chosen_peers,
    crosscheck_design,
)
from fencecheck.analysis.crosscheck.exported import ExportedDesign
from fencecheck.analysis.crosscheck.peer import Installed, Peer


def the_peer(name: str) -> tuple[Peer, Installed]:
    """Return a peer; a machine without it skips the test by that name, but in CI, which has it."""
    found, _ = chosen_peers([name])
    if not found and not os.environ.get("FENCECHECK_PEERS"):
        pytest.skip(f"{name}, or a C compiler, is not installed; see .ci/run")
    assert found, f"{name} is not installed"
    return found[0]


def asked(name: str, design: ExportedDesign, parts: Sequence[str] = PARTS) -> Crosschecked:
    """Return what a peer says of a design beside us."""
    return crosscheck_design(design, the_peer(name), parts)


def disagreements(checked: Crosschecked) -> list[ComparedRow]:
    """Return what differs, or else that nothing was compared."""
    assert not checked.undetermined, checked.undetermined
    assert checked.rows
    return [row for row in checked.rows if not row.agrees]
