"""The page: golden files, that nothing passes for what it is not, and that no name acts in it."""

import base64
import hashlib
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from fencecheck.model.wording.templates import value_text
from fencecheck.report.page.anchors import Anchors
from fencecheck.report.page.page import results_page, trace_page
from fencecheck.report.page.run_view import steps_of
from fencecheck.report.picture.lanes import layout_trace
from fencecheck.report.words.outcomes import Outcome
from fencecheck.report.words.trace_words import broken_event
from fencecheck.report.words.visible import visible
from fencecheck.runs.trace import Reading, Trace
from fencecheck.runs.trace_json import read_trace
from tests.report import handmade
from tests.report.pages import Page, without_looks, words_of
from tests.report.pictures import NAMES, NASTY, check_golden, load_trace, nasty_trace

SUCCESS = re.compile(r"\b(holds?|pass(es|ed)?|ok|sound|success|as expected)\b|✓", re.IGNORECASE)
SAMPLE = Path(__file__).parents[2] / "reports" / "sample" / "step-fence.at_most_once.json"
SCRIPT = '</script><script>alert(1)</script><img src=x onerror="alert(1)">'


def kinds() -> dict[str, Outcome]:
    """Return a small outcome of each kind that a page must tell apart."""
    return {
        "holds": handmade.result(handmade.variant("step fence", handmade.holds())),
        "vacuous": handmade.result(handmade.variant("step fence", handmade.vacuous())),
        "violated": handmade.result(handmade.variant("no fence", handmade.violated())),
        "undetermined": handmade.cut(),
        "liveness": handmade.lasting(),
        "model_error": handmade.wrong(),
    }


def every_page() -> list[str]:
    """Return pages of all that is made by hand."""
    outcomes = [*kinds().values(), handmade.mixed(), handmade.expected(), handmade.scripted()]
    traces = [*map(load_trace, NAMES), nasty_trace()]
    several = results_page([*outcomes, handmade.failure()])
    return [*(results_page([o]) for o in outcomes), several, *map(trace_page, traces)]


@pytest.mark.parametrize("kind", kinds())
def test_a_page_is_the_golden_one(kind):
    """What a page says of each kind of outcome is known to the letter; looks may change."""
    check_golden(f"page_{kind}.html", without_looks(results_page([kinds()[kind]])))


@pytest.mark.parametrize("kind", ["violated", "undetermined", "liveness", "model_error"])
def test_no_word_of_success_stands_on_a_page_without_any(kind):
    """Neither in a text nor in a title or a label."""
    assert SUCCESS.findall(words_of(results_page([kinds()[kind]]))) == []


def test_what_holds_vacuously_is_not_shown_as_what_holds():
    """It has a mark of its own, and says why."""
    page = Page(results_page([kinds()["vacuous"]]))
    (cell,) = (e for e in page.by_class("vacuous") if e.text.startswith("(✓)"))
    assert "vacuous: what it speaks of never happens" in (cell.attributes["title"] or "")
    assert page.by_class("holds") != []  # the badge, which says that one verdict is vacuous
    assert {e.tag for e in page.by_class("holds")} == {"span"}


def test_undetermined_is_as_visible_as_violated():
    """Both have a cell, a badge and an entry of the legend in their own words."""
    for kind, mark in (("undetermined", "undet."), ("violated", "✗ 3")):
        page = Page(results_page([kinds()[kind]]))
        marked = page.by_class(kind)
        assert [e.text for e in marked if "badge" in (e.attributes["class"] or "")]
        assert [e for e in marked if e.tag == "td" and e.text.startswith(mark)]
        assert [e for e in page.by_class("mark") if e.text in (mark, "✗ n")]


def test_what_is_not_as_expected_is_marked_whatever_its_verdict():
    """A cell that holds, where a violation is expected, is no quiet one."""
    page = Page(results_page([handmade.expected()]))
    cells = [e for e in page.by_class("unexpected") if e.tag == "td"]
    words = [e.attributes["title"] or "" for e in cells]
    assert len(words) == 2
    assert all("not as expected: violated" in text for text in words)


def test_what_is_wrong_with_a_model_stands_at_the_head():
    """With the design it is wrong in, and the event order that leads there."""
    page = Page(results_page([handmade.wrong()]))
    (head,) = (e for e in page.by_class("head") if e.tag == "header")
    assert "no fence" in head.text
    assert "model queue goes wrong in worker.take" in head.text
    assert "#no-fence/model-error" in {e.attributes["href"] for e in page.all("a")}
    assert "model queue goes wrong in worker.take" in words_of(results_page([handmade.failure()]))


def test_pages_are_well_formed_and_every_place_exists_once():
    """Each id stands once; each link within the page and each name of an element leads to one."""
    for text in every_page():
        page = Page(text)
        places = [e.attributes["id"] for e in page.elements if "id" in e.attributes]
        assert len(places) == len(set(places))
        links = [e.attributes.get("href") or "" for e in page.all("a")]
        assert {link[1:] for link in links if link != "#"} <= set(places)
        named = [e.attributes.get("aria-labelledby") or "" for e in page.elements]
        assert {name for names in named for name in names.split()} <= set(places)


def test_each_violated_cell_leads_to_its_run():
    """The address of a cell is made of its design and its property."""
    page = Page(results_page([handmade.mixed()]))
    (link,) = {e.attributes["href"] for e in page.all("a") if "✗" in e.text}
    assert link == "#no-fence/no_lost_update"
    assert set(page.steps) == {"no-fence/no_lost_update"}


def test_the_event_order_is_told_without_a_script():
    """Events, what they changed, the values that disagree: all of it stands in the page itself."""
    trace = load_trace("11_events")
    words = words_of(trace_page(trace))
    assert trace.violation is not None
    for said, value in trace.violation.compare:
        assert said in words
        assert value in words
    for event in trace.events:
        assert f"{event.actor}: {event.label}" in words


@pytest.mark.parametrize("name", NAMES)
def test_the_picture_has_a_name_a_description_and_a_group_for_each_event(name):
    """Screen readers hear the events in words; each can be dimmed on its own."""
    trace = load_trace(name)
    page = Page(trace_page(trace))
    (svg,) = (e for e in page.all("svg") if e.attributes.get("role") == "img")
    told = {e.attributes.get("id"): e.text for e in page.elements}
    title, description = (svg.attributes["aria-labelledby"] or "").split()
    assert trace.shows.name in told[title]
    assert f"{len(trace.events)}. {trace.events[-1].actor}" in told[description]
    groups = [e for e in page.by_class("event") if e.tag == "g"]
    numbers = [str(number) for number in range(1, len(trace.events) + 1)]
    assert [e.attributes["data-event"] for e in groups] == numbers
    bands = [
        e.attributes["data-event"] for e in page.by_class("band") if "data-event" in e.attributes
    ]
    assert bands == ([str(broken_event(trace))] if broken_event(trace) else [])


def test_the_states_that_are_stepped_through_are_those_of_the_trace():
    """Before each event a variable has the value that the trace says it had."""
    trace = read_trace(json.loads(SAMPLE.read_text("utf-8")), "sample")
    steps = steps_of(trace)
    names = [f"{one['lane']}.{one['name']}" for one in steps["variables"]]
    values = {name: one["value"] for name, one in zip(names, steps["variables"], strict=True)}
    for event, changes in zip(trace.all_events, steps["changes"], strict=True):
        told = {**event.changes, **event.ghosts}
        assert {names[int(place)] for place in changes} == set(told)
        for place, after in changes.items():
            assert values[names[int(place)]] == value_text(told[names[int(place)]].before)
            assert after == value_text(told[names[int(place)]].after)
            values[names[int(place)]] = after


def test_ghosts_that_the_property_read_are_in_the_state():
    """One that no event changed is there with the value that was read."""
    trace = load_trace("3_events")
    assert trace.violation is not None
    ghost = Reading("spec.truth", 7, 7, ghost=True)
    seen = replace(trace, violation=replace(trace.violation, evidence=(ghost,)))
    (told,) = (one for one in steps_of(seen)["variables"] if one["lane"] == "spec")
    expected = {"name": "truth", "ghost": True, "read": True, "plain": True, "value": "7"}
    assert told == {"lane": "spec", **expected}


def renamed(name: str) -> Outcome:
    """Return a result in which everything that has a name has this one."""
    trace: Trace = nasty_trace()
    origin = replace(trace.origin, variant=name, title=name)
    shows = replace(trace.shows, name=name, meaning=name)
    told = [change for event in trace.events for change in event.changes.values()]
    changes = {f"{name}.{name}": change for change in told}
    events = tuple(replace(event, label=name, changes=changes) for event in trace.events)
    trace = replace(trace, name=name, origin=origin, shows=shows, events=events)
    finding = handmade.violated(trace=trace)
    finding.name = finding.meaning = name
    result = handmade.result(handmade.variant(name, finding))
    result.title = result.note = result.model = result.spec = name
    return result


@pytest.mark.parametrize(
    "name", [SCRIPT, NASTY, "<script>", "<!-- <script>", "\u2028&lt;", "a\x85\u202e\x1bb"]
)
def test_a_name_does_nothing(name):
    """It is text wherever it stands: in elements, attributes, pictures, what the script reads."""
    page = Page(results_page([renamed(name)]))
    plain = Page(results_page([renamed("plain")]))
    assert {e.tag for e in page.elements} <= {e.tag for e in plain.elements}
    assert (len(page.all("script")), len(page.all("img"))) == (2, 0)
    assert not any(key.startswith("on") for e in page.elements for key in e.attributes)
    assert not any(e.attributes.get("src") for e in page.elements)
    places = [e.attributes["id"] for e in page.elements if "id" in e.attributes]
    assert all(re.fullmatch(r"[\w./:@-]+", place or "") for place in places)
    (steps,) = page.steps.values()
    assert any(one["name"] for one in steps["variables"])
    told = json.dumps(steps, ensure_ascii=False)
    assert visible(told) == told


def test_the_policy_allows_what_stands_in_the_page_and_nothing_else():
    """Style and script are allowed by their digests; there is no style or script beside them."""
    for text in every_page():
        page = Page(text)
        policy = page.all("meta")[1].attributes["content"] or ""
        for tag in ("style", "script"):
            own = [e for e in page.all(tag) if "type" not in e.attributes]
            assert len(own) == 1
            digest = base64.b64encode(hashlib.sha256("".join(own[0].texts).encode()).digest())
            assert f"{tag}-src 'sha256-{digest.decode()}'" in policy
        assert "default-src 'none'" in policy
        assert not any("style" in e.attributes for e in page.elements)
        outside = re.findall(r"(?:https?:)?//[\w.]+\.\w+[^\s\"']*", without_looks(text))
        assert set(outside) <= {"http://www.w3.org/2000/svg"}


def test_places_have_names_of_their_own():
    """Whatever designs and properties are called, an address is plain and stands once."""
    anchors = Anchors()
    assert anchors.take("Step fence + journal", "at_most_once") == "step-fence-journal/at_most_once"
    assert anchors.take("step fence / journal", "at_most_once") == (
        "step-fence-journal/at_most_once-2"
    )
    assert anchors.take("漢字", "<b>") == "unnamed/b"


@pytest.mark.parametrize("name", NAMES)
def test_the_legend_of_the_picture_is_told_in_the_page(name):
    """The page draws its own samples, of the kinds that the picture's legend has, and no other."""
    trace = load_trace(name)
    page = Page(trace_page(trace))
    told = [element.attributes["class"] for element in page.all("span")]
    kinds = [kind.split()[1] for kind in told if kind and kind.startswith("sample ")]
    drawn = {box.name.removeprefix("legend_") for box in layout_trace(trace).legend}
    assert {"event", "request"} <= set(kinds)
    assert set(kinds) - {"flying"} == drawn - {"open_end"}
