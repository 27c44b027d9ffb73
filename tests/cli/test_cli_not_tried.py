"""What "holds" does not speak of stands beside it: the budgets that were zero, in every format."""

import csv
import io
import json
from xml.etree import ElementTree as ET

import pytest

SPEC = """
model = "fence"
[bounds]
steps = 1
edits = 1
[properties]
require = ["no_lost_update"]
"""


@pytest.fixture
def spec(tmp_path):
    """Write a spec with one budget that is not zero; return the names of those that are."""
    (tmp_path / "s.toml").write_text(SPEC)
    from fencecheck.model.files.loading import load_family

    budgets = [b.name for b in load_family("fence").declared.bounds if b.budget]
    return [name for name in budgets if name != "edits"]


def in_words(names: list[str]) -> str:
    return ", ".join(name.replace("_", " ") for name in names)


def test_text_says_it_below_the_bounds(run, spec):
    lines = run("check", "s.toml").stdout.splitlines()
    (at,) = [i for i, line in enumerate(lines) if line.startswith("  bounds: ")]
    told = " ".join(line.strip() for line in lines[at + 1 : at + 4])
    assert told.startswith(f"not tried: {in_words(spec)} holds")


@pytest.mark.parametrize(
    "args", [["compare", "s.toml", "--out", "there"], ["explain", "s.toml"],
             ["fuzz", "s.toml", "--seeds", "5"], ["check", "s.toml", "--format", "markdown"]],
    ids=" ".join,
)  # fmt: skip
def test_other_commands_and_formats_say_it_in_words(run, spec, args):
    shown = " ".join(run(*args).stdout.replace("\\_", "_").split())
    assert f"ot tried: {in_words(spec)}" in shown


def test_programs_read_it(run, spec):
    told = json.loads(run("check", "s.toml", "--format", "json").stdout)
    assert told["variants"][0]["not_tried"] == spec
    rows = csv.DictReader(io.StringIO(run("check", "s.toml", "--format", "csv").stdout))
    (row,) = [row for row in rows if row["property"] == "no_lost_update"]
    assert row["not_tried"].split() == spec
    suites = ET.fromstring(run("check", "s.toml", "--format", "junit").stdout)
    (said,) = suites.iterfind(".//property[@name='not tried']")
    assert said.get("value") == in_words(spec)
    fuzzed = json.loads(run("fuzz", "s.toml", "--seeds", "5", "--format", "json").stdout)
    assert fuzzed["variants"][0]["not_tried"] == spec


def test_where_every_budget_is_spent_nothing_is_said(run, spec, tmp_path):
    more = [f"--bound={name}=1" for name in spec]
    assert "not tried" not in run("check", "s.toml", "--max-states", "50", *more).stdout


def test_a_table_of_variants_that_differ_says_it_of_each(run, spec, tmp_path):
    (tmp_path / "s.toml").write_text(
        SPEC + '[[variant]]\nname = "one"\n'
        '[[variant]]\nname = "two"\nbounds = { edits = 0, lost_replies = 1 }\n'
    )
    shown = " ".join(run("compare", "s.toml", "--out", "there").stdout.split())
    without = [name for name in ("edits", *spec) if name != "lost_replies"]
    assert f"not tried: one: {in_words(spec)}; two: {in_words(without)}" in shown
