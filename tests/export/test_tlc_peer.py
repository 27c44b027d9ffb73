"""TLC as a peer of crosscheck: it is asked where somebody says where it is, and never else."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencecheck.analysis.crosscheck.crosscheck import crosscheck_design
from fencecheck.analysis.crosscheck.exported import ExportedDesign
from fencecheck.analysis.crosscheck.peer import NO_LIMITS
from fencecheck.analysis.crosscheck.tlc import Tlc
from fencecheck.export.languages import Files
from tests.export.exporting import exported
from tests.export.tlc import JAR, needs_tlc
from tests.models_for_tests import load, two_phase

BROKEN = '''
from fencecheck.model import Int, Model

model = Model("steps", "A counter")
walker = model.actor("walker")
model.variable("at", Int(0, 3))


@walker.action(when=lambda s: s.at < 3)
def go(s):
    """On."""
    s.at += 1


@model.invariant()
def early(s):
    """It stays before the last place."""
    return s.at < 2


@model.transition("walker.go")
def up(before, after):
    """It goes up."""
    return after.at > before.at


@model.liveness()
def arrives(s):
    """It gets to the end."""
    return s.at == 3


@model.liveness()
def stays(s):
    """It never moves."""
    return s.at == 5
'''


def tlc() -> Tlc:
    peer = Tlc()
    peer.jar = str(JAR)
    return peer


def test_it_is_not_there_unless_somebody_says_where(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is looked for, and nothing downloaded."""
    monkeypatch.delenv("FENCECHECK_TLC", raising=False)
    assert Tlc().installed() is None
    assert "FENCECHECK_TLC" in Tlc().missing()


@needs_tlc
def test_it_agrees_on_counts_verdicts_and_lengths(tmp_path: Path) -> None:
    """What breaks is asked alone, whole runs under fairness."""
    peer = tlc()
    found = peer.installed()
    assert found is not None
    checked = crosscheck_design(exported(load(tmp_path, BROKEN).model), (peer, found))
    assert not checked.undetermined
    assert checked.agrees
    said = {(row.thing, row.aspect): row.theirs for row in checked.rows}
    assert said["states", "states"] == 4
    assert said["early", "verdict"] == "violated"
    assert said["early", "events"] == 2
    assert said["arrives", "verdict"] == "holds"
    assert said["stays", "verdict"] == "violated"


@needs_tlc
def test_a_fault_of_ours_is_a_difference(tmp_path: Path) -> None:
    """A property that we say holds, and that the text breaks, is told with its name."""

    class Faulty(ExportedDesign):
        def files(self, form: str) -> Files:
            files = super().files(form)
            text = files["Model.tla"].replace('tm = "init"\n  /\\ Cardinality', "Cardinality")
            return {**files, "Model.tla": text}

    design = exported(two_phase.model)
    faulty = Faulty(design.system, design.names, design.head, design.untested)
    peer = tlc()
    found = peer.installed()
    assert found is not None
    answer = crosscheck_design(faulty, (peer, found))
    assert answer.differs or "consistent" in answer.undetermined


def test_a_jar_that_is_none_is_its_own_words(tmp_path: Path) -> None:
    """What does not run is no agreement."""
    jar = tmp_path / "tla2tools.jar"
    jar.write_text("nothing")
    peer = Tlc()
    peer.jar = str(jar)
    design = exported(two_phase.model)
    folder = tmp_path / "work"
    folder.mkdir()
    for name, text in design.files("tla").items():
        (folder / name).write_text(text)
    assert peer.ask(design, folder, NO_LIMITS).failed
