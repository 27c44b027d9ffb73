"""Claims are decided by verdicts, scripted orders and costs; what is open stays open."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from fencecheck.analysis.compare.compare import compare_spec
from fencecheck.checking.question import Options
from fencecheck.checking.results import ClaimResult, Result
from fencecheck.explore.graph import Limits
from fencecheck.report.results.csv import render_csv
from fencecheck.report.results.json import render_json
from fencecheck.report.results.junit import render_junit
from fencecheck.report.results.table import render_table
from fencecheck.report.results.text import render_text
from fencecheck.report.review.document import render_markdown
from fencecheck.runs.replay import replay
from fencecheck.spec.files import builtin_spec, load_specs

HEAD = """
model = "fence"
[bounds]
edits = 1
[properties]
require = []
report = ["no_lost_update", "at_most_once"]
[[variant]]
name = "none"
mechanisms = { fence = "none", precondition = "off" }
[[variant]]
name = "step"
mechanisms = { fence = "step" }
[[scenario]]
name = "edit"
bounds = { edits = 1 }
order = ["client.dispatch(1)", "human.edit(1)"]
ask = "executor(1)"
[[claim]]
name = "c"
text = "Somebody says so."
source = "somewhere"
"""


def decided(folder: Path, text: str, **limits: Any) -> tuple[Result, ClaimResult]:
    path = folder / "x.toml"
    path.write_text(HEAD + text, encoding="utf-8")
    (spec,) = load_specs([path])
    result = compare_spec(spec, Options(Limits(**limits)))
    (claim,) = result.claims
    return result, claim


CASES = [
    (
        'verdicts.none.no_lost_update = "violated"',
        "holds",
        "none: no_lost_update violated in 3 events",
    ),
    (
        'verdicts.none.no_lost_update = { verdict = "violated", events = 4 }',
        "refuted",
        "none: no_lost_update violated in 3 events; claimed: violated in 4 events",
    ),
    ('verdicts.step.no_lost_update = "violated"', "refuted", "holds; claimed: violated"),
    ('cells.none.edit = "applied"', "holds", "none: edit: applied"),
    ('cells.step.edit = "applied"', "refuted", "rejected: stale_rev; claimed: applied"),
    (
        'costs = [{ cost = "stamps per step", of = "none", is = "<", than = "step" }]',
        "holds",
        "stamps per step: 0 (none), 1 (step)",
    ),
    (
        'costs = [{ cost = "stamps per step", of = "step", is = "<=", than = 0.5 }]',
        "refuted",
        "stamps per step: 1 (step), 0.5; claimed: <=",
    ),
    ('not_expressible = "there is no time"', "not expressible", "there is no time"),
]


@pytest.mark.parametrize(("text", "verdict", "why"), CASES)
def test_a_claim_is_decided(tmp_path: Path, text: str, verdict: str, why: str) -> None:
    """By a verdict, its number of events, an outcome, a cost, or not at all."""
    result, claim = decided(tmp_path, text)
    assert (claim.verdict, result.exit_code) == (verdict, 0)
    assert why in claim.why[0]
    if claim.trace is not None:
        family = load_specs([tmp_path / "x.toml"])[0].family
        assert replay(family, claim.trace).misfit is None


def test_one_wrong_part_refutes_what_else_is_right_or_open(tmp_path: Path) -> None:
    """Shown is what refutes it, with its event order."""
    text = 'verdicts.none = { no_lost_update = "holds", at_most_once = "holds" }'
    _, claim = decided(tmp_path, text, states=10)
    assert claim.verdict == "refuted"
    assert claim.why == ("none: no_lost_update violated in 3 events; claimed: holds",)
    assert claim.trace is not None
    assert len(claim.trace.events) == 3


def test_an_open_claim_is_undetermined_everywhere(tmp_path: Path) -> None:
    """A search that was cut decides nothing: no word of holding, and exit code 3."""
    result, claim = decided(tmp_path, 'verdicts.step.no_lost_update = "holds"', states=5)
    assert (claim.verdict, result.exit_code) == ("undetermined", 3)
    texts = [
        render_table(result),
        render_text(result),
        render_json([result]),
        render_markdown([result]),
        render_csv([result]),
        render_junit([result]),
    ]
    for text in texts:
        assert "undetermined" in text
    root = ET.fromstring(texts[-1].encode())
    (case,) = (c for c in root.iter("testcase") if c.get("name") == "c")
    assert case.find("error") is not None


@pytest.mark.parametrize(("expected", "code"), [("holds", 0), ("refuted", 1)])
def test_only_an_expectation_makes_a_claim_a_failure(
    tmp_path: Path, expected: str, code: int
) -> None:
    """A claim fails no run; that it does not come out as expected does."""
    text = f'expect = "{expected}"\nverdicts.none.no_lost_update = "violated"'
    result, claim = decided(tmp_path, text)
    assert (claim.as_expected, result.exit_code) == (code == 0, code)
    assert ("1 claim not as expected" in render_table(result)) == (code == 1)


def test_claims_stand_on_every_surface(tmp_path: Path) -> None:
    """Text, source, what came out and by what; a refuted one with its event order."""
    result, _ = decided(tmp_path, 'verdicts.none.no_lost_update = "holds"')
    for text in (render_table(result, width=160), render_text(result, width=160)):
        assert "1 claim: 1 refuted" in text
        assert "“Somebody says so.” (somewhere)" in text
        assert "human: edit file 1" in text
    told = json.loads(render_json([result]))["claims"][0]
    assert (told["verdict"], len(told["trace"]["events"])) == ("refuted", 3)
    assert "<summary>refuted: c</summary>" in render_markdown([result])
    assert ",claim,c," in render_csv([result])


def test_a_property_that_was_not_checked_leaves_its_claim_open(tmp_path: Path) -> None:
    """--property checks less than a claim needs."""
    from fencecheck.spec.files import Overrides

    path = tmp_path / "x.toml"
    path.write_text(HEAD + 'verdicts.none.no_lost_update = "violated"', encoding="utf-8")
    (spec,) = load_specs([path], Overrides(properties=("at_most_once",)))
    (claim,) = compare_spec(spec).claims
    assert (claim.verdict, claim.why) == ("undetermined", ("none: no_lost_update was not checked",))


def test_both_reviews_are_gone_through() -> None:
    """One command reads the claims of both; every one of them comes out as its file says."""
    specs = load_specs([builtin_spec("claims")], also=True)
    assert [spec.family.name for spec in specs] == ["fence", "ledger"]
    counts = []
    for spec in specs:
        claims = compare_spec(spec).claims
        assert [c.name for c in claims if c.as_expected is False] == []
        assert all(c.expected or c.verdict == "not expressible" for c in claims)
        assert all(c.trace for c in claims if c.verdict == "refuted")
        counts.append({v: sum(c.verdict == v for c in claims) for v in ("holds", "refuted")})
    assert counts == [{"holds": 31, "refuted": 6}, {"holds": 18, "refuted": 5}]


def test_also_is_only_followed_when_asked(tmp_path: Path) -> None:
    """A spec that names others is still one spec; what it names must exist."""
    assert len(load_specs([builtin_spec("claims")])) == 1
    (tmp_path / "x.toml").write_text('model = "fence"\nalso = ["y.toml"]\n', encoding="utf-8")
    with pytest.raises(Exception, match=r"y\.toml: there is no such file"):
        load_specs([tmp_path / "x.toml"], also=True)


def test_numbers_of_claims_are_counted_in_good_words() -> None:
    """One holds, three hold, none is left out of the total."""
    from fencecheck.checking.results import ClaimResult, Result
    from fencecheck.report.words.claims import claims_summary

    def told(*verdicts: str) -> str:
        claims = [ClaimResult(f"c{i}", "", "", v, ()) for i, v in enumerate(verdicts)]
        return claims_summary(Result(None, "m", "", "", "", [], claims=claims))

    assert told("holds") == "1 claim: 1 holds"
    assert told("holds", "holds", "refuted") == "3 claims: 2 hold, 1 refuted"
