"""An explanation puts its parts together, keeps to its time, and says what is missing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fencecheck.analysis.explain.explain import PARTS, ExplainPlan, explain_spec
from fencecheck.analysis.explain.explanation import Explanation
from fencecheck.checking.question import Options
from fencecheck.explore.graph import Limits
from fencecheck.report.explanation.json import render_explanations_json
from fencecheck.report.explanation.markdown import render_explanations_markdown
from fencecheck.report.explanation.text import render_explanation
from fencecheck.spec.files import load_specs

MODEL = Path(__file__).with_name("guarded.py")
SPEC = """
title = "A job"
[bounds]
hits = 2
drops = 1
[[variant]]
name = "bare"
mechanisms = { checks = "two" }
[[variant]]
name = "good"
mechanisms = { guard = true, log = "disk" }
"""
ALL = ExplainPlan(parts=tuple(part for part in PARTS if part != "bounds"), seconds=None)


def explained(
    folder: Path, text: str = SPEC, plan: ExplainPlan = ALL, options: Options | None = None
) -> Explanation:
    path = folder / "job.toml"
    path.write_text(f'model = "{MODEL.as_posix()}"\n{text}', encoding="utf-8")
    (spec,) = load_specs([path])
    return explain_spec(spec, options, plan)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Explanation:
    return explained(tmp_path_factory.mktemp("job"))


def test_a_broken_variant_gets_orders_repairs_and_verdicts(found: Explanation) -> None:
    """What breaks it, the fewest changes, and what the sound design does about each order."""
    bare = found.variants[0]
    assert bare.is_sound is False
    assert bare.repairs is not None
    assert bare.repairs.changes == [{"guard": "on", "checks": "one", "log": "disk"}]
    told = {
        (o.breaking.name, tuple(o.adversary.budgets.items())): o.answer.verdict
        for o in bare.orders
        if o.answer
    }
    assert told["no_stuck", (("drops", 1),)] == "replay"
    assert told["unharmed", (("hits", 1),)] == "accept"


def test_a_sound_variant_is_its_own_sound_design(found: Explanation) -> None:
    """Its guards are its own, and there is nothing to repair."""
    good = found.variants[1]
    assert (good.is_sound, good.repairs, good.orders) == (True, None, [])
    assert {g.switch for g in good.guards or ()} == {"guard", "checks", "log"}


def test_variants_with_the_same_bounds_share_a_lattice(found: Explanation) -> None:
    """The designs are surveyed once for both."""
    (designs,) = found.designs
    assert designs.variants == ["bare", "good"]
    assert [sorted(m.added) for m in designs.minimal] == [
        [("checks", "one"), ("guard", "on"), ("log", "disk")]
    ]


def test_the_exit_code_is_that_of_the_verdicts(found: Explanation) -> None:
    """A required property that breaks is a failure here as it is for check."""
    assert found.exit_code == 1


def test_expectations_count(tmp_path: Path) -> None:
    """Where what is expected came out, it is no failure."""
    expect = '[expect]\nunharmed = { verdict = "violated", events = 2 }\n'
    expect += 'no_stuck = "violated"\nfinishes = "violated"\n'
    text = f'[mechanisms]\nchecks = "two"\n[bounds]\nhits = 1\ndrops = 1\n{expect}'
    assert explained(tmp_path, text).exit_code == 0


def test_only_what_is_required_decides_which_designs_are_sound(tmp_path: Path) -> None:
    """A property that is only reported is explained, and asks for no mechanism."""
    text = '[bounds]\nhits = 1\ndrops = 1\n[properties]\nrequire = ["unharmed"]\n'
    found = explained(tmp_path, text + 'report = ["no_stuck"]\n')
    (designs,) = found.designs
    assert [sorted(m.added) for m in designs.minimal] == [[("guard", "on")]]
    names = [b.name for b in found.variants[0].breakings or () if b.adversaries]
    assert names == ["unharmed", "no_stuck"]


def test_a_switch_that_is_kept_is_not_chosen(tmp_path: Path) -> None:
    """Without a log that can be had, nothing repairs what is stuck."""
    plan = ExplainPlan(ALL.parts, None, keep=("log",))
    found = explained(tmp_path, plan=plan)
    assert found.designs[0].land.lattice.kept == {"log": "none"}
    assert found.designs[0].minimal == []
    assert found.variants[0].repairs is not None
    assert (found.variants[0].repairs.changes, found.variants[0].repairs.certain) == ([], True)
    assert "No choice of the switches repairs it" in render_explanation(found)


# -- what is missing is said --------------------------------------------------------------------
FALSE_COMFORT = ("holds at these bounds", "every required property holds", "certain: true")


def test_a_limit_on_states_is_undetermined_on_every_surface(tmp_path: Path) -> None:
    """No format has a word that could be read as a pass; the exit code is 3."""
    text = '[mechanisms]\nguard = true\nlog = "disk"\n[bounds]\nhits = 2\ndrops = 1\n'
    found = explained(tmp_path, text, options=Options(Limits(states=2)))
    assert found.exit_code == 3
    assert found.variants[0].is_sound is None
    plain, marked = render_explanation(found), render_explanations_markdown([found])
    told = json.loads(render_explanations_json([found]))
    for surface in (plain, marked):
        assert "undetermined" in surface
        assert not any(words in surface for words in FALSE_COMFORT)
    assert (told["exit_code"], told["variants"][0]["sound"]) == (3, None)
    assert told["designs"][0]["sound"] == 0
    assert told["designs"][0]["undetermined"] > 0
    assert told["gaps"]


def test_a_time_that_is_up_is_undetermined_on_every_surface(tmp_path: Path) -> None:
    """An explanation without time says so, and is no pass."""
    found = explained(tmp_path, plan=ExplainPlan(PARTS, 1e-9))
    assert found.exit_code == 3
    for surface in (render_explanation(found), render_explanations_markdown([found])):
        assert "undetermined" in surface
        assert not any(words in surface for words in FALSE_COMFORT)
    assert json.loads(render_explanations_json([found]))["exit_code"] == 3


def test_a_missing_answer_makes_a_pass_undetermined(found: Explanation, tmp_path: Path) -> None:
    """Where every verdict is in but a design is not, 3 stands in the place of 0."""
    text = '[mechanisms]\nguard = true\nlog = "disk"\n[bounds]\nhits = 1\ndrops = 1\n'
    whole = explained(tmp_path, text)
    assert whole.exit_code == 0
    land = whole.designs[0].land
    del land.judgements[land.lattice.leaves[0].number]
    assert whole.exit_code == 3
    assert "the explanation is undetermined in part" in render_explanation(whole)


# -- reports ------------------------------------------------------------------------------------
def test_the_text_has_short_sections_and_numbered_orders(found: Explanation) -> None:
    """The least interference, the repair, the order with its verdict, the designs."""
    text = render_explanation(found, width=100)
    for line in (
        "  The least interference that breaks it",
        "    - checks two → one, guard off → on, log none → disk",
        "    unharmed, interference: one hit, 2 events",
        "      2. attacker: hit  (interference)",
        "  Minimal sets of mechanisms",
        "    log disk → none   breaks finishes in 2 events, no_stuck in 2 events",
    ):
        assert line in text.splitlines(), line
    assert "Verdict: replay. Event 3 of the sound design is" in " ".join(text.split())
    assert "Nothing that can happen at these bounds depends on light." in text
    assert max(map(len, text.splitlines())) <= 100


def test_without_orders_only_the_tables_are_told(found: Explanation) -> None:
    """The quiet form has no event orders."""
    assert "1. sender: send" not in render_explanation(found, orders=False)


def test_markdown_says_the_same_with_diagrams(found: Explanation) -> None:
    """Headings, tables and a Mermaid diagram of each order."""
    text = render_explanations_markdown([found])
    assert "### Minimal sets of mechanisms" in text
    orders = {repr(o.adversary.trace.events) for v in found.variants for o in v.orders}
    assert text.count("```mermaid") == len(orders)


def test_json_carries_every_trace_and_answer(found: Explanation) -> None:
    """What a program needs to go on: budgets, events, traces, answers, sets."""
    told = json.loads(render_explanations_json([found]))
    assert told["schema"] == "fencecheck/explanation/1"
    bare = told["variants"][0]
    (unharmed,) = [p for p in bare["interference"] if p["property"] == "unharmed"]
    (hit,) = unharmed["minimal"]
    assert (hit["budgets"], hit["events"], hit["certain"]) == ({"hits": 1}, 2, True)
    assert hit["trace"]["schema"] == "fencecheck/trace/1"
    assert hit["answer"]["verdict"] == "accept"
    (designs,) = told["designs"]
    assert designs["minimal"][0]["mechanisms"] == {"checks": "one", "guard": "on", "log": "disk"}
    assert designs["plain"]["checks"] == "two"


def test_sets_that_are_enough_for_one_fault_are_asked_again_at_any_number(tmp_path: Path) -> None:
    """A guard with two checks is enough for one hit, and breaks with two; in every format."""
    text = SPEC.replace("hits = 2", "hits = 1")
    plan = ExplainPlan(parts=("designs", "bounds"), seconds=None)
    options = Options(Limits(states=100), engine="reference")
    found = explained(tmp_path, text, plan, options)
    (designs,) = found.designs
    least = {
        tuple(sorted(one.added)): [
            (breaking.name, [adversary.budgets for adversary in breaking.adversaries])
            for breaking in beyond.broken
        ]
        for one, beyond in zip(designs.minimal, designs.beyond, strict=True)
        if beyond is not None
    }
    assert least == {(("guard", "on"), ("log", "disk")): [("unharmed", [{"hits": 2}])]}
    told = json.loads(render_explanations_json([found]))["designs"][0]["minimal"][0]["any_number"]
    assert [one["property"] for one in told["broken"]] == ["unharmed"]
    for shown in (render_explanation(found), render_explanations_markdown([found])):
        assert "The minimal sets, at any number" in shown
        assert "unharmed breaks with two hits" in " ".join(shown.split())
