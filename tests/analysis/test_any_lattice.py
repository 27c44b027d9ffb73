"""The lattice at any number: which sound designs break with more, told in every format."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fencecheck.analysis.explain.any_number.unlimited import AnyNumberAsker
from fencecheck.analysis.explain.explain import ALL_PARTS, PARTS, ExplainPlan, explain_spec
from fencecheck.analysis.explain.explanation import Designs, Explanation
from fencecheck.checking.judge import Deadline, Judge
from fencecheck.checking.question import Options
from fencecheck.explore.engine import EngineName
from fencecheck.explore.graph import Limits
from fencecheck.model.family import Design, Family
from fencecheck.model.time_limit import TimeUp
from fencecheck.report.explanation.blocks import part_blocks
from fencecheck.report.explanation.json import render_explanations_json
from fencecheck.report.explanation.markdown import render_explanations_markdown
from fencecheck.report.explanation.text import render_explanation, render_part
from fencecheck.report.page.page import explanations_page
from fencecheck.runs.trace import Origin
from fencecheck.spec.files import load_specs
from tests.analysis import guarded, heavier
from tests.report.pages import words_of
from tests.report.pictures import check_golden

FAMILY = Family(heavier.model)
SPEC = """title = "A paper"
[bounds]
thefts = 1
[[variant]]
name = "spare"
mechanisms = { spare = true }
"""
PLAN = ExplainPlan(parts=("any",), seconds=None)
REFERENCE = Options(engine="reference")


def explained(
    folder: Path,
    text: str = SPEC,
    options: Options = REFERENCE,
    plan: ExplainPlan = PLAN,
    model: object = heavier,
) -> Explanation:
    path, source = folder / "paper.toml", Path(str(model.__file__))  # type: ignore[attr-defined]
    path.write_text(f'model = "{source.as_posix()}"\n{text}', encoding="utf-8")
    (spec,) = load_specs([path])
    return explain_spec(spec, options, plan)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Explanation:
    return explained(tmp_path_factory.mktemp("paper"))


def came_out(designs: Designs) -> dict[str, list[tuple[int, list[str]]]]:
    """Return how many designs are alike, and their least sets, by the word for what came out."""
    assert designs.at_any is not None
    told: dict[str, list[tuple[int, list[str]]]] = {}
    for group in designs.at_any.groups:
        word = {True: "sound", False: "breaks", None: "undetermined"}[group.sound]
        word = "impossible" if group.impossible else word
        sets = [" ".join(sorted(name for name, _ in added)) for added in group.least]
        told.setdefault(word, []).append((group.count, sets))
    return told


def test_each_sound_design_is_asked_and_those_alike_stand_together(found: Explanation) -> None:
    """A spare takes one theft and a shelf two; the vault any number, but not with a shelf."""
    (designs,) = found.designs
    assert designs.land.count(True) == 28
    assert came_out(designs) == {
        "sound": [(2, ["vault"])],
        "breaks": [(4, ["shelf"]), (1, ["spare"])],
        "impossible": [
            (14, ["bell shelf", "bell spare", "bell vault"]),
            (7, ["count shelf", "count spare", "count vault"]),
        ],
    }
    assert designs.at_any is not None
    assert [
        (b.name, [(a.budgets, a.events) for a in b.adversaries])
        for group in designs.at_any.of(False)
        if group.found
        for b in group.found.broken
    ] == [
        (name, [({"thefts": number}, number)])
        for number in (3, 2)
        for name in ("kept", "gets_read")
    ]
    assert [sorted(one.added) for one in designs.at_any.minimal] == [[("vault", "on")]]
    assert found.exit_code == 0  # a larger bound is no failure of the spec


def test_nothing_is_concluded_from_a_smaller_or_a_larger_set(found: Explanation) -> None:
    """Every sound design, asked alone, has the verdict of those that it stands with."""
    (designs,) = found.designs
    lattice, judge = designs.land.lattice, Judge(FAMILY, found.asked, {"thefts": 1}, REFERENCE)
    at_any, alone = designs.at_any, {True: 0, False: 0, None: 0}
    assert at_any is not None
    for leaf in designs.land.sound_leaves():
        rest = [m for m in lattice.switches if m.name not in leaf.known]
        for number in range(2 ** len(rest)):
            chosen = {m.name: m.values[number >> at & 1] for at, m in enumerate(rest)}
            design = Design({**leaf.known, **chosen}, {"thefts": 1})
            said = AnyNumberAsker(judge, design.bounds).ask(design, Deadline())
            assert said is not None
            sound = None if design.mechanisms["bell"] == "on" or said.wrong else not said.broken
            alone[sound] += 1
            other = at_any.found(design)
            if sound is not None:
                assert other is not None
                assert (other.holding, [b.name for b in other.broken]) == (
                    said.holding,
                    [b.name for b in said.broken],
                )
    assert alone == {True: at_any.count(True), False: at_any.count(False), None: 21}


def test_a_set_that_is_minimal_with_numbers_is_told_from_the_lattice(tmp_path: Path) -> None:
    """The least sets for one hit break with two; one more mechanism keeps any number."""
    text = '[bounds]\nhits = 1\ndrops = 1\n[mechanisms]\nguard = true\nlog = "disk"\n'
    found = explained(tmp_path, text, model=guarded)
    (designs,) = found.designs
    assert came_out(designs) == {
        "sound": [(2, ["checks guard log"])],
        "breaks": [(2, ["guard log"])],
    }
    assert [bool(one and one.broken) for one in designs.beyond] == [True]
    told = json.loads(render_explanations_json([found]))["designs"][0]
    (least,) = told["minimal"][0]["any_number"]["broken"][0]["minimal"]
    assert least["budgets"] == {"hits": 2}
    assert told["any_number"]["minimal"] == [
        {"mechanisms": {"checks": "one", "guard": "on", "log": "disk"}, "certain": True}
    ]


def test_what_was_cut_is_undetermined_and_leaves_a_gap(tmp_path: Path) -> None:
    """A limit that suffices with numbers but not for any; the exit code is 3."""
    text = '[bounds]\nhits = 1\ndrops = 1\n[mechanisms]\nguard = true\nlog = "disk"\n'
    whole = explained(tmp_path, text, model=guarded).designs[0]
    assert whole.at_any is not None
    sizes = {g.found.states for g in whole.at_any.groups if g.found}
    with_numbers = max(j.states for j in whole.land.judgements.values() if j.sound)
    limit = max(sizes) - 1
    assert with_numbers <= limit
    found = explained(
        tmp_path, text, Options(Limits(states=limit), engine="reference"), PLAN, guarded
    )
    (designs,) = found.designs
    assert designs.at_any is not None
    assert designs.at_any.count(None) > 0
    assert found.exit_code == 3
    assert f"{designs.at_any.count(None)} of 4 sound designs at any number" in list(found.gaps())
    text = " ".join(render_explanation(found).split())
    assert "undetermined (cut by the limit on states (--max-states))" in text


def test_where_time_is_up_nothing_is_sound(tmp_path: Path) -> None:
    found = explained(tmp_path, plan=ExplainPlan(("any",), 1e-9))
    assert found.exit_code == 3
    assert all(one.at_any is None or not one.at_any.count(True) for one in found.designs)


def test_there_is_nothing_to_ask_where_budgets_are_any_already(tmp_path: Path) -> None:
    found = explained(tmp_path, SPEC.replace("thefts = 1", 'thefts = "any"'))
    assert "No budget is a number here" in render_explanation(found)
    assert not any(one.at_any.groups for one in found.designs if one.at_any)


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_a_judge_of_one_property_tells_the_same_order(engine: EngineName) -> None:
    """Its search ends where that breaks; the trace is the one of a whole search."""
    family = Family(guarded.model)
    design = family.design({"checks": "two", "log": "disk"}, {"hits": 2, "drops": 1})
    for name in ("unharmed", "no_stuck", "finishes"):
        traces = []
        for names in (list(family.properties), [name]):
            judge = Judge(family, names, design.bounds, Options(engine=engine))
            judged, told = judge.tell(design, [name], Origin())
            traces.append((judged.broken.get(name), told.get(name)))
        assert traces[0] == traces[1]


def test_a_deadline_in_the_midst_of_compiling_is_undetermined(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is brought down then is left open, and nothing is raised."""

    def late(*_: object) -> None:
        raise TimeUp

    judge = Judge(FAMILY, ["kept"], {"thefts": 2}, REFERENCE)
    monkeypatch.setattr(judge, "_search", late)
    judged, told = judge.tell(FAMILY.design({}, {"thefts": 2}), ["kept"], Origin())
    assert (judged.cut, judged.whole, told) == ("time", False, {})


# -- reports ------------------------------------------------------------------------------------
def test_every_format_tells_it_in_few_lines(found: Explanation) -> None:
    """Text and Markdown are known to the letter; the page has the same words."""
    (number,) = (n for n, part in enumerate(found.parts) if part.name == "at_any")
    check_golden("any_lattice.txt", render_part(found, number))
    marked = render_explanations_markdown([found])
    start = marked.index("## Which sound designs break with more")
    check_golden("any_lattice.md", marked[start : marked.index("## In short")])
    shown = words_of(explanations_page([found]))
    for block in part_blocks(found, number):
        for text in getattr(block, "items", ()) or [getattr(block, "text", "")]:
            assert text in shown
        for row in getattr(block, "rows", ()):
            assert all(cell in shown for cell in row)


def test_programs_read_the_whole_of_it(found: Explanation) -> None:
    """Every group with its sets, and every least adversary with its trace."""
    told = json.loads(render_explanations_json([found]))["designs"][0]["any_number"]
    counts = {key: told[key] for key in ("sound", "broken", "undetermined", "impossible")}
    assert counts == {"sound": 2, "broken": 5, "undetermined": 0, "impossible": 21}
    assert told["bounds"] == {"thefts": "any"}
    (spare,) = [group for group in told["alike"] if group["least"] == [{"spare": "on"}]]
    assert (spare["designs"], spare["sound"], spare["impossible"]) == (1, False, None)
    least = spare["any_number"]["broken"][0]["minimal"][0]
    assert least["budgets"] == {"thefts": 2}
    assert [event["event"] for event in least["trace"]["events"]] == ["thief.take"] * 2


def test_it_is_asked_only_where_it_is_asked_for(tmp_path: Path) -> None:
    """By default the minimal sets are asked, and it is said what asks the rest."""
    assert "any" not in PARTS
    assert set(ALL_PARTS) == {*PARTS, "any"}
    plan = ExplainPlan(("designs", "bounds"), None, growing=3.0)
    found = explained(tmp_path, plan=plan)
    assert found.designs[0].at_any is None
    text = " ".join(render_explanation(found).split())
    assert "Asked were the minimal sets; --part any asks all sound designs (28)." in text
    assert "Which sound designs break with more" not in text
