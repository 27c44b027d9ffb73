"""Logs of a real ledger and a real sink: explained by the design of the same switches alone."""

from dataclasses import asdict
from pathlib import Path

import pytest

from fencecheck.analysis.explaining.conform import conform_spec
from fencecheck.checking.logged import RunReport
from fencecheck.model.files.loading import load_family
from fencecheck.runs.logged.reading import LogReading, read_logs
from fencecheck.runs.replay import replay
from fencecheck.spec.values import Spec, Variant
from tests.analysis.logs.ledger_system import Built, logs_of
from tests.analysis.logs.walks import supposing

BOUNDS = {"workers": 2, "steps": 1, "revocations": 1, "expiries": 1, "lost_acks": 1, "edits": 1}
SYSTEMS = {
    "as it should be": Built(),
    "no key at the sink": Built(effect_key="none"),
    "no replay": Built(replay="off"),
    "pinned": Built(on_drift="pin"),
    "looks once": Built(look="split"),
}


def design_of(built: Built) -> Spec:
    family = load_family("ledger")
    variant = Variant("ledger", family.design({**asdict(built)}, BOUNDS), {})
    return Spec(None, family, "ledger", "", (), (), [variant], [], {}, has_expectations=False)


def told(built: Built, paths: list[Path]) -> list[RunReport]:
    logs = read_logs(paths, LogReading(one_run=True))
    report = conform_spec(design_of(built), logs, supposing(1)).variants[0].logs
    assert report is not None
    return report.runs


def test_its_logs_are_explained_by_its_own_design(tmp_path: Path) -> None:
    """Every run, with who was killed and what was lost supposed; the explanations replay."""
    paths = logs_of(Built(), tmp_path, range(1, 7))
    found = told(Built(), paths)
    assert len(found) == 6
    assert [run.verdict for run in found] == ["holds"] * 6
    assert any("substrate.revoke" in text for run in found for text in run.supposed)
    for run in found:
        assert run.trace is not None
        assert replay(load_family("ledger"), run.trace).misfit is None


@pytest.mark.slow
@pytest.mark.parametrize("name", SYSTEMS)
def test_no_other_design_explains_them(name: str, tmp_path: Path) -> None:
    """Thirty free runs of each system: its own design explains them all, another one does not."""
    paths = logs_of(SYSTEMS[name], tmp_path, range(1, 31))
    for other, built in SYSTEMS.items():
        verdicts = [run.verdict for run in told(built, paths)]
        assert "undetermined" not in verdicts
        assert ("violated" not in verdicts) == (other == name), other
