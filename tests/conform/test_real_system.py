"""A process over a folder with SQLite beside its files, held at its points and killed there."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencecheck.conform import Adapter
from fencecheck.interface.counterexample import Counterexample
from tests.conform.driving import OURS, divergences, driven, spec_of
from tests.conform.systems.disk import DiskSteps, NoJournal, Renaming, SplitSteps

TABLE = [
    pytest.param("all at once", DiskSteps, None),
    pytest.param("check, write, record", SplitSteps, None, marks=pytest.mark.slow),
    pytest.param("check, write", NoJournal, None, marks=pytest.mark.slow),
    pytest.param("check, write, record", Renaming, (3, "executor.write")),
    pytest.param("check, write, record", NoJournal, (7, "executor.replay"), marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("variant", "kind", "expected"), TABLE)
def test_what_a_killed_process_leaves_is_what_its_design_says(
    variant: str, kind: type[Adapter], expected: tuple[int, str] | None, tmp_path: Path
) -> None:
    """One transaction is one event; a rename before the commit is two, and the revision lags.

    The divergence is drawn, with the two values that differ.
    """
    found = driven(spec_of(OURS / "disk.toml", variant), kind, cover="events", most=1)
    conduct = found.exploration.conduct
    assert conduct is not None
    assert conduct.by == "runs"
    assert [(events, name) for events, name, _ in divergences(found)] == (
        [] if expected is None else [expected]
    )
    trace = found["conforms"].trace
    if kind is Renaming and trace is not None:
        drawn = Counterexample(trace).draw(tmp_path / "lags.md").read_text("utf-8")
        assert "workspace.rev: 1 in the model, 0 in the implementation" in drawn
