"""Logs of a real ledger and a real sink: explained by the design of the same switches alone."""

import json
import random
from dataclasses import asdict
from pathlib import Path

import pytest

from fencecheck.analysis.explaining.conform import Explaining, conform_spec
from fencecheck.analysis.explaining.setting import MissingEvents, Supposing
from fencecheck.checking.logged import RunReport
from fencecheck.model.files.loading import load_family
from fencecheck.runs.logged.reading import LogReading, read_logs
from fencecheck.runs.replay import replay
from fencecheck.spec.values import Spec, Variant
from tests.analysis.logs.ledger_system import Built, logs_of
from tests.analysis.logs.walks import Line, supposing, write_log

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


def told(built: Built, paths: list[Path], how: Explaining | None = None) -> list[RunReport]:
    logs = read_logs(paths, LogReading(one_run=True))
    report = conform_spec(design_of(built), logs, how or supposing(1)).variants[0].logs
    assert report is not None
    return report.runs


def timed(path: Path) -> list[Line]:
    """The lines of a log, told in order by a clock instead of by causes."""
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    for line in lines:
        line["time"] = int(line.pop("id").rpartition("-")[2]) / 10
        del line["causes"]
    return lines


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


def test_they_are_explained_without_a_tenth_of_their_lines(tmp_path: Path) -> None:
    """And with clocks that are off by less than the skew."""
    draw = random.Random(1)
    paths = logs_of(Built(), tmp_path, range(1, 7))
    for path in paths:
        lines, off = timed(path), draw.uniform(0, 0.4)
        gone = draw.sample(range(len(lines)), len(lines) // 10)
        late = [line | {"time": line["time"] + off} for line in lines]
        write_log(path, [line for number, line in enumerate(late) if number not in gone])
    how = Explaining(Supposing(2, MissingEvents(percent=20)), skew=0.5)
    assert [run.verdict for run in told(Built(), paths, how)] == ["holds"] * 6


def test_an_event_that_is_moved_where_it_cannot_be_is_named(tmp_path: Path) -> None:
    """A worker commits before it says what it intends."""
    paths = logs_of(Built(), tmp_path, range(2, 3))
    (own,) = (path for path in paths if path.stem == "worker-1")
    intends, commits = timed(own)
    assert [line["event"] for line in (intends, commits)] == ["worker.intend", "worker.commit"]
    for path in paths:
        write_log(path, [commits, intends] if path == own else timed(path))
    (run,) = told(Built(), paths)
    assert run.verdict == "violated"
    assert any("worker.commit" in event.words for event in run.blocked)


@pytest.mark.slow
@pytest.mark.parametrize("name", SYSTEMS)
def test_no_other_design_explains_them(name: str, tmp_path: Path) -> None:
    """Thirty free runs of each system: its own design explains them all, another one does not."""
    paths = logs_of(SYSTEMS[name], tmp_path, range(1, 31))
    for other, built in SYSTEMS.items():
        verdicts = [run.verdict for run in told(built, paths)]
        assert "undetermined" not in verdicts
        assert ("violated" not in verdicts) == (other == name), other
