"""A budget of any, and what a capacity held back, on every surface."""

import csv
import io
import json
from xml.etree import ElementTree as ET

import pytest

import fencecheck as fc

MODEL = '''"""Parcels that the network may deliver twice."""

from fencecheck.model import Bag, Each, Index, Model, Record, Set

model = Model("parcels", "Parcels")
model.bound("in_flight", 2, "parcels under way at once")
model.bound("kinds", 3, "kinds of parcels")
model.budget("copies", "parcels delivered twice")
KIND = Index("kinds")
PARCEL = Record("Parcel", kind=KIND)
sender = model.actor("sender")
network = model.actor("network", "interference")
model.variable("road", Bag(PARCEL, "in_flight"), owner=network)
model.variable("sent", Set(KIND), owner=sender)
model.variable("twice", Set(KIND), owner=sender)


@sender.action(kind=KIND, when=lambda s, kind: kind not in s.sent)
def send(s, kind):
    """A parcel of a kind is sent once."""
    s.sent.add(kind)
    s.road.add(PARCEL(kind=kind))


@sender.action(parcel=Each("road"))
def take(s, parcel):
    """It is taken off the road."""
    s.road.remove(parcel)


@network.interference("copies", parcel=Each("road"))
def copy(s, parcel):
    """There are two of it."""
    s.road.add(parcel)
    s.twice.add(parcel.kind)


@model.invariant()
def few(s):
    """No three kinds are under way."""
    return len(s.road) < 3


@model.invariant()
def single(s):
    """Not every kind comes twice."""
    return len(s.twice) < 2


@model.deadlock()
def gets_done(s):
    """It stops only when all was sent."""
    return len(s.sent) == 3


@model.liveness()
def all_sent(s):
    """Everything is sent."""
    return len(s.sent) == 3
'''
HOLDS = "for any number of copies (at most 2 in flight)"
HELD = "held back: sender.send and network.copy at in flight 2"


@pytest.fixture
def parcels(run, tmp_path):
    """Write the model and a spec with a budget of any; return how commands are run."""
    (tmp_path / "parcels.py").write_text(
        MODEL.replace("len([p for p in s.road if p.kind == 0])", "len(s.road)")
    )
    (tmp_path / "s.toml").write_text('model = "parcels.py"\n[bounds]\ncopies = "any"\n')
    return run


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_text_says_for_any_number(parcels, engine):
    result = parcels("check", "s.toml", "--engine", engine)
    assert result.exit_code == 1
    lines = [line.strip() for line in result.stdout.splitlines()]
    assert "bounds: in flight 2, kinds 3, copies any" in lines
    assert HELD in lines
    assert f"holds         few        {HOLDS}" in lines
    assert f"holds         all_sent   {HOLDS}" in lines
    assert f"holds         gets_done  {HOLDS}" in lines
    assert "violated      single     6 events" in lines


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["check", "s.toml", "--format", "markdown"], [HELD, "holds for any number of copies"]),
        (["compare", "s.toml"], [HELD, "holds for any number of copies within these bounds"]),
        (["fuzz", "s.toml", "--seeds", "5"], [HELD, "holds for any number of copies within"]),
        (
            ["explain", "s.toml"],
            [HELD, "breaks with two copies (6 events)", "whatever the number of copies"],
        ),
    ],
)  # fmt: skip
def test_other_commands_say_it(parcels, args, said):
    shown = " ".join(parcels(*args).stdout.replace("\\_", "_").split())
    for words in said:
        assert words in shown


def test_programs_read_it(parcels):
    (told,) = json.loads(parcels("check", "s.toml", "--format", "json").stdout)["variants"]
    assert told["bounds"]["copies"] == "any"
    assert told["held_back"] == {"in_flight": ["sender.send", "network.copy"]}
    rows = csv.DictReader(io.StringIO(parcels("check", "s.toml", "--format", "csv").stdout))
    row = next(row for row in rows if row["property"] == "few")
    assert (row["any_number"], row["held_back"]) == ("copies", "in_flight:sender.send,network.copy")
    suites = ET.fromstring(parcels("check", "s.toml", "--format", "junit").stdout)
    said = {p.get("name"): p.get("value") for p in suites.iterfind(".//property")}
    assert said["any number"] == "copies"
    assert said["held back"] == HELD.partition(": ")[2]
    assert fc.check("parcels.py", bounds={"copies": "any"})["few"].holds
    assert fc.check("parcels.py", bounds={"copies": 0})["single"].holds


def test_the_command_line_and_a_saved_trace_say_any(parcels, tmp_path):
    (tmp_path / "t.toml").write_text('model = "parcels.py"\n')
    args = ["--bound", "copies=any", "--out", "there"]
    assert parcels("compare", "t.toml", *args).exit_code == 1
    (path,) = (tmp_path / "there").rglob("*.json")
    (picture,) = (tmp_path / "there").rglob("*.dot")
    assert "copies any" in picture.read_text()
    assert json.loads(path.read_text())["bounds"]["copies"] == "any"
    assert parcels("replay", path).exit_code == 0
    path.write_text(path.read_text().replace('"any"', '"many"'))
    again = parcels("replay", path)
    assert again.exit_code == 2
    assert "copies is not a whole number" in again.stderr


def test_a_checkpoint_keeps_what_was_held_back(parcels, tmp_path):
    args = ["check", "s.toml", "--engine", "compiled", "--checkpoint", "kept", "--format", "json"]
    cut = json.loads(parcels(*args, "--max-states", "5").stdout)["variants"][0]
    whole = json.loads(parcels(*args).stdout)["variants"][0]
    assert not cut["exploration"]["complete"]
    assert whole["exploration"]["complete"]
    assert whole["held_back"] == {"in_flight": ["sender.send", "network.copy"]}


def test_a_design_with_a_number_beside_one_with_any(parcels, tmp_path):
    text = (tmp_path / "s.toml").read_text()
    text += '[[variant]]\nname = "two"\nbounds = { copies = 2 }\n[[variant]]\nname = "any"\n'
    (tmp_path / "s.toml").write_text(text)
    shown = " ".join(parcels("explain", "s.toml", "--part", "adversaries").stdout.split())
    assert shown.count("breaks with two copies (6 events)") == 2
    for bound, message in (("kinds=any", "kinds is a size"), ("copies=some", "nor any")):
        wrong = parcels("check", "s.toml", "--bound", bound)
        assert wrong.exit_code == 2
        assert message in wrong.stderr
