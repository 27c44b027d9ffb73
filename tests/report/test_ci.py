"""GitHub annotations and SARIF: places in specs, escaping, what code scanning asks for."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from fencecheck.report.ci.github import render_github
from fencecheck.report.ci.issues import issues_of
from fencecheck.report.ci.sarif import render_sarif
from fencecheck.report.words.outcomes import Outcome
from fencecheck.spec.places import Locator
from tests.report import handmade
from tests.report.pictures import NASTY, nasty_trace
from tests.test_spec_schema import Judge

SCHEMA = json.loads((Path(__file__).parent / "sarif-2.1.0.part.json").read_text("utf-8"))
OUTCOMES = ["mixed", "cut", "expected", "scripted", "failure"]
SPEC = '''\
model = "fence"
note = """
[[variant]]
no_lost_update
"""

[properties]
report = ["at_most_once"]

[[variant]]
name = "a"
mechanisms = { fence = "none" }
[variant.expect]
no_lost_update = { verdict = "violated" }

[[variant]]
name = "b"
expect = { no_lost_update = "holds" }
'''


def hostile() -> Outcome:
    """Return a result whose every text tries to be a command of its own."""
    text = f"::error::x\n##[error]y\r::set-env name=a::b {NASTY}, 100%0A"
    finding = handmade.violated(trace=nasty_trace())
    finding.name = finding.meaning = text
    outcome = handmade.result(handmade.variant(text, finding))
    outcome.spec = "::error title=a,b::c.toml"
    return outcome


@pytest.mark.parametrize(
    ("variant", "name", "line"),
    [
        ("a", "no_lost_update", 14),
        ("a", "at_most_once", 11),
        ("b", "no_lost_update", 18),
        ("b", "other", 17),
        ("c", "no_lost_update", None),
    ],
)
def test_a_property_is_found_in_the_tables_of_its_variant(tmp_path, variant, name, line):
    path = tmp_path / "x.toml"
    path.write_text(SPEC)
    place = Locator(tmp_path).place(str(path), variant, name)
    assert (place.file, place.line) == ("x.toml", line)


def test_a_spec_without_variants_has_its_own_lines(tmp_path):
    path = tmp_path / "specs" / "x.toml"
    path.parent.mkdir()
    path.write_text('title = "x"\nmodel = "fence"\n[expect]\nfinishes = "holds"\n')
    locator = Locator(tmp_path)
    assert locator.place(str(path), "x", "finishes").line == 4
    assert locator.place(str(path), "x", "at_most_once").line == 2
    assert locator.place(str(path)).file == "specs/x.toml"
    assert locator.place(str(tmp_path / "none.toml")).line is None


def test_variants_that_are_written_in_other_ways_have_no_line(tmp_path):
    path = tmp_path / "x.toml"
    path.write_text('model = "fence"\nvariant = [{ name = "a" }, { name = "b" }]\n')
    assert Locator(tmp_path).place(str(path), "b", "finishes").line is None


def test_no_text_of_a_spec_is_a_command():
    lines = render_github([hostile()], Locator(Path())).splitlines()
    assert len(lines) == 2
    command, plain = lines
    assert re.fullmatch(r"::error file=[^:,]*,title=[^:,]*::[^\r\n]*", command)
    assert not plain.startswith("::")
    assert "##[" not in plain


def test_errors_come_before_warnings_and_notes():
    lines = render_github([handmade.mixed(), handmade.expected()], Locator(Path())).splitlines()
    levels = [line.split(" ")[0] for line in lines if line.startswith("::")]
    assert levels == ["::error"] * 3 + ["::warning"]


def test_what_is_as_expected_is_no_issue():
    told = [(issue.variant, issue.title) for issue in issues_of(handmade.expected())]
    assert told == [
        ("step fence", "no_lost_update: violated in 3 events; expected: violated in 5 events"),
        ("step fence", "fresh_apply: holds; expected: violated"),
    ]


def test_nothing_checked_is_an_error():
    (issue,) = issues_of(handmade.result(handmade.variant("a")))
    assert (issue.level, issue.title) == ("error", "undetermined: no property was checked")


@pytest.mark.parametrize("name", [*OUTCOMES, "hostile"])
def test_sarif_is_what_its_schema_asks_for(name):
    outcome = hostile() if name == "hostile" else getattr(handmade, name)()
    text = render_sarif([outcome], Locator(Path()), outcome.exit_code)
    assert Judge(SCHEMA).accepts(SCHEMA, json.loads(text))


def test_the_schema_can_refuse():
    judge = Judge(SCHEMA)
    told = json.loads(render_sarif([handmade.mixed()], Locator(Path()), 1))
    told["runs"][0]["results"][0]["level"] = "bad"
    assert not judge.accepts(SCHEMA, told)


def test_sarif_tells_the_order_and_names_rules_that_exist():
    (run,) = json.loads(render_sarif([handmade.mixed()], Locator(Path()), 1))["runs"]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    (flow,) = run["results"][0]["codeFlows"][0]["threadFlows"]
    texts = [place["location"]["message"]["text"] for place in flow["locations"]]
    assert texts[1].startswith("2. human: edit file 1")
    assert [place["importance"] for place in flow["locations"]][2] == "essential"


def test_a_cell_keeps_its_fingerprint_when_its_order_changes():
    def prints(events: int) -> list[str]:
        outcome = handmade.result(handmade.variant("a", handmade.violated(events=events)))
        (run,) = json.loads(render_sarif([outcome], Locator(Path()), 1))["runs"]
        return [result["partialFingerprints"]["fencecheckCell/v1"] for result in run["results"]]

    assert prints(3) == prints(4)
