"""Assertions in effects: where one fails the event changes nothing, and a property breaks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fencecheck.errors import StateError
from fencecheck.model.family import Family
from fencecheck.model.system import System
from fencecheck.runs.replay import replay
from tests.judge import disagreements
from tests.model.agreement import disagreement
from tests.models_for_tests import HEADER
from tests.properties.test_truth import checked, family_of

SHOP = (
    HEADER
    + """
model = Model("shop", "Crates on a shelf")
model.bound("crates", 2, "crates")
model.budget("thefts", "crates that are stolen")
CRATE = Index("crates", "c")
Job = Record("Job", crate=CRATE)
keeper, thief = model.actor("keeper"), model.actor("thief", "interference")
model.variable("there", Int(0, 2), 2)
model.variable("sold", Array(CRATE, Bool()))
model.variable("line", Seq(Job, 2))
model.ghost("truth", Int(0, 2), 2)


@keeper.action(crate=CRATE, when=lambda s, crate: not s.sold[crate])
def sell(s, crate):
    s.sold[crate] = True
    s.there -= 1
    assert s.truth > 0, "{crate} is gone, {s.there} there"
    s.line.append(Job(crate=crate))
    s.truth -= 1


@thief.interference("thefts", when=lambda s: s.there > 0)
def steal(s):
    s.there -= 1
    s.truth -= 1
    for job in s.line:
        if job.crate == 1:
            continue
        assert (
            s.there == 2
        )


@model.liveness()
def all_sold(s):
    \"\"\"Everything is sold.\"\"\"
    return all(s.sold)
"""
)
ENGINES = ["reference", "compiled"]


@pytest.mark.parametrize("engine", ENGINES)
def test_an_assertion_that_fails_is_the_shortest_order(tmp_path: Path, engine: str) -> None:
    """It is told in its words; the event has changed nothing, and what would be wrong is not."""
    family = family_of(tmp_path, SHOP)
    result = checked(family, engine, thefts=2)
    finding = next(f for f in result.findings if f.name == "assertions")
    assert (finding.verdict, finding.events) == ("violated", 2)
    assert [event.label for event in finding.trace.events] == [
        "sell c1",
        "steal: this is false: s.there == 2",
    ]
    assert finding.trace.events[-1].changes == {}
    assert finding.trace.violation.says == "this is false: s.there == 2"
    assert replay(family, finding.trace).misfit is None
    assert disagreements(family, None, {"thefts": 2}, engine) == []


@pytest.mark.parametrize("engine", ENGINES)
def test_its_words_are_a_format_string(tmp_path: Path, engine: str) -> None:
    """Parameters, and the state before the event."""
    text = SHOP.replace("s.there == 2\n", "s.there < 3\n")
    finding = checked(family_of(tmp_path, text), engine, thefts=2).findings[-1]
    assert finding.trace.violation.says == "c2 is gone, 0 there"
    labels = [event.label for event in finding.trace.events]
    assert labels == ["steal", "sell c1", "sell c2: c2 is gone, 0 there"]


def test_without_a_failure_it_holds_and_is_vacuous_where_nothing_asserts(tmp_path: Path) -> None:
    """It is put to the test by the events that have an assertion."""
    finding = checked(family_of(tmp_path, SHOP)).findings[-1]
    assert (finding.name, finding.verdict, finding.vacuous) == ("assertions", "holds", False)
    text = SHOP.replace("not s.sold[crate])", "s.there > 2)")
    finding = checked(family_of(tmp_path, text)).findings[-1]
    assert (finding.verdict, finding.vacuous) == ("holds", True)


def test_a_model_without_assertions_has_no_such_property(tmp_path: Path) -> None:
    """It is declared where an effect asserts something, and only there."""
    text = SHOP.replace("assert ", "later = ").replace(', "{crate} is gone, {s.there} there"', "")
    assert list(family_of(tmp_path, text).properties) == ["all_sold"]


@pytest.mark.parametrize(
    "body",
    [
        "job = s.line.pop(0)\n    assert job.crate == 1\n    s.there -= 1",
        "assert s.there > 1\n    s.line.pop(0)",
        "s.there -= 1\n    assert s.there > 0, 'none'\n    s.there -= 2",
        "assert 2 // s.there > 1\n    assert s.there == 1",
        "for job in s.line:\n        assert job.crate == 0\n    s.there += len(s.line)",
        "if s.there < 2:\n        return 'few'\n    assert False\n    s.there = 9",
    ],
)
def test_what_goes_wrong_before_it_is_an_error_and_what_comes_after_is_not(
    tmp_path: Path, body: str
) -> None:
    """The engines agree on which of several things that are wrong comes first."""
    head, rest = SHOP.split("    s.there -= 1\n    s.truth -= 1\n    for", 1)
    text = f"{head}    {body}\n\n\n@model" + rest.split("@model", 1)[1]
    family = Family(family_of(tmp_path, text).model)
    system = System(family, family.design(None, {"thefts": 2}))
    assert disagreement(system, 300) is None
    for engine in ENGINES:
        assert disagreements(family, None, {"thefts": 2}, engine) == []


def test_an_error_before_an_assertion_is_told(tmp_path: Path) -> None:
    """The model goes wrong, and no assertion is said to fail."""
    text = SHOP.replace("    assert s.truth > 0", "    s.line.pop(0)\n    assert s.truth < 0")
    with pytest.raises(StateError, match="pop from empty list"):
        checked(family_of(tmp_path, text))


def test_python_that_drops_assertions_does_not_drop_those_of_models(tmp_path: Path) -> None:
    """``python -O`` checks them too."""
    (tmp_path / "shop.py").write_text(SHOP, encoding="utf-8")
    (tmp_path / "shop.toml").write_text(
        'model = "shop.py"\ntitle = "t"\n[bounds]\nthefts = 2\n', encoding="utf-8"
    )
    command = [sys.executable, "-O", "-m", "fencecheck", "check", "shop.toml", "--engine=reference"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, env=dict(os.environ), check=False
    )
    assert done.returncode == 1
    assert "violated      assertions  2 events" in done.stdout


ROOM = (
    HEADER
    + """
model = Model("room", "A shelf with room for one")
model.bound("room", 1, "room on the shelf")
Job = Record("Job", crate=Int(0, 1))
keeper = model.actor("keeper")
model.variable("full", Bag(Job, "room"), (Job(crate=0),))
model.variable("light", Bool())


@keeper.action()
def look_first(s):
    assert s.light, "it is dark"
    s.full.add(Job(crate=1))


@keeper.action()
def put_first(s):
    s.full.add(Job(crate=1))
    assert s.light, "it is dark"


@keeper.action(when=lambda s: not s.light)
def switch_on(s):
    s.light = True
"""
)


@pytest.mark.parametrize("engine", ENGINES)
def test_what_comes_first_in_an_effect_decides(tmp_path: Path, engine: str) -> None:
    """An event that is held back fails no assertion behind it, and the other way round."""
    family = family_of(tmp_path, ROOM)
    assert disagreement(System(family, family.design()), 10) is None
    result = checked(family, engine)
    finding = next(f for f in result.findings if f.name == "assertions")
    assert [event.label for event in finding.trace.events] == ["look first: it is dark"]
    assert result.held_back == {"room": ("keeper.look_first", "keeper.put_first")}
