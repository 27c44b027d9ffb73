"""The page in Chromium: opened, a cell clicked, stepped through, compared with the JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import fencecheck as fc
from fencecheck.model.wording.templates import value_text
from fencecheck.report.page.page import results_page
from tests.report.test_page import SCRIPT, renamed

pytestmark = pytest.mark.browser
WIDTHS = {"phone": 390, "tablet": 820, "desk": 1400}
PLACE = "step-fence/at_most_once"


def trace_of(tour: fc.CheckResult) -> dict[str, Any]:
    """Return the trace of the cell that is clicked, as JSON has it."""
    (variant,) = (v for v in json.loads(tour.to_json())["variants"] if v["name"] == "step fence")
    (found,) = (p for p in variant["properties"] if p["name"] == "at_most_once")
    trace: dict[str, Any] = found["trace"]
    return trace


def shown_state(page: Any) -> dict[str, str]:
    """Return the state beside the picture, by variable; what changed as ``before → after``."""
    rows = page.locator(".run.open .state tr")
    told = {}
    for row in rows.all():
        name = "".join(row.locator("th").evaluate("e => [...e.childNodes].map("
            "n => n.className === 'tag' ? '' : n.textContent)"))  # fmt: skip
        told[name] = row.locator("td").text_content()
    return told


def test_the_table_says_what_the_json_says(
    visit: Any, tour: fc.CheckResult, tour_page: Path
) -> None:
    """A row for each design, a cell for each property, an event count where it breaks."""
    page = visit(tour_page)
    rows = page.locator(".verdict-table tbody tr")
    variants = json.loads(tour.to_json())["variants"]
    assert rows.count() == len(variants)
    for row, variant in zip(rows.all(), variants, strict=True):
        assert row.locator("th").inner_text() == variant["name"]
        for cell, found in zip(row.locator("td").all(), variant["properties"], strict=True):
            mark = cell.locator("a, [aria-hidden]").first.text_content().strip()
            holds = "(✓)" if found["vacuous"] else "✓"
            assert mark == (f"✗ {found['events']}" if found["verdict"] == "violated" else holds)


def test_a_cell_opens_its_counterexample_and_arrow_keys_step_through_it(
    visit: Any, tour: fc.CheckResult, tour_page: Path
) -> None:
    """Each event, and each state with what changed in it, is the one in the JSON."""
    page, trace = visit(tour_page), trace_of(tour)
    assert page.locator(".run.open").count() == 0
    page.click(f'.verdict-table a[href="#{PLACE}"]')
    assert page.locator(".run.open").get_attribute("id") == PLACE
    assert page.locator(".run.open .verdict").is_visible()
    page.keyboard.press("Home")
    assert page.locator(".run.open .verdict").is_hidden()
    state = shown_state(page)
    assert {n: state[n] for n in trace["initial"]} == {
        n: value_text(value) for n, value in trace["initial"].items()
    }
    for number, event in enumerate(trace["events"], 1):
        page.keyboard.press("ArrowRight")
        assert page.locator(".run.open .count").inner_text() == f"{number} of 10"
        assert page.locator(".run.open .at").inner_text() == f"{event['actor']}: {event['label']}"
        state = shown_state(page)
        changed = {**event["changes"], **event["ghosts"]}
        arrows = {name for name, text in state.items() if " → " in text}
        assert arrows == set(changed)
        for name, (before, after) in changed.items():
            assert state[name] == f"{value_text(before)} → {value_text(after)}"
        later = page.locator(".run.open svg g.event.later").count()
        assert later == len(trace["events"]) - number
    page.keyboard.press("ArrowLeft")
    assert page.locator(".run.open .count").inner_text() == "9 of 10"


def test_the_end_shows_the_values_that_disagree_and_the_ghosts_that_were_read(
    visit: Any, tour: fc.CheckResult, tour_page: Path
) -> None:
    """Side by side, in the words of the property."""
    page, violation = visit(tour_page, f"#{PLACE}"), trace_of(tour)["violation"]
    end = page.locator(".run.open .verdict")
    assert violation["says"] in end.inner_text()
    pairs = zip(end.locator("dt").all(), end.locator("dd").all(), strict=True)
    told = [(dt.inner_text(), dd.inner_text().removeprefix("≠ ")) for dt, dd in pairs]
    assert told == [tuple(pair) for pair in violation["compare"]]
    ghost = page.locator(".run.open .state tr", has_text="effect_in[1]")
    assert "ghost" in ghost.inner_text()
    assert "read by the property" in ghost.inner_text()


def test_addresses_lead_to_cells_and_events(visit: Any, tour_page: Path) -> None:
    """``#design/property`` opens a run whole, ``@3`` up to its third event; stepping keeps it."""
    page = visit(tour_page, f"#{PLACE}@3")
    assert page.locator(".run.open .count").inner_text() == "3 of 10"
    page.keyboard.press("ArrowRight")
    assert page.url.endswith(f"#{PLACE}@4")
    page.evaluate("location.hash = '#no-fence/no_lost_update'")
    page.wait_for_selector(".run.open[id='no-fence/no_lost_update']")
    page.evaluate("location.hash = '#%E0%A4%A'")
    assert page.locator(".run.open").count() == 1


def test_everything_works_by_keyboard(visit: Any, tour_page: Path) -> None:
    """Tab reaches the cells, Enter opens one, Escape closes it and goes back to the cell."""
    page = visit(tour_page)
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.getAttribute('href')") == f"#{PLACE}":
            break
    page.keyboard.press("Enter")
    page.wait_for_selector(".run.open")
    assert page.evaluate("document.activeElement.id") == PLACE
    page.keyboard.press("ArrowLeft")
    assert page.locator("#said").inner_text().startswith("Event 9 of 10: ")
    page.keyboard.press("Escape")
    assert page.locator(".run.open").count() == 0
    assert page.evaluate("document.activeElement.getAttribute('href')") == f"#{PLACE}"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("place", ["", f"#{PLACE}", f"#{PLACE}@3"])
def test_axe_finds_nothing_to_object_to(
    visit: Any, tour_page: Path, place: str, scheme: str
) -> None:
    """Names, roles, headings, contrast: the rules of axe-core, in light and dark."""
    from axe_playwright_python.sync_playwright import Axe

    page = visit(tour_page, place, color_scheme=scheme)
    found = Axe().run(page).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []


def test_a_click_on_an_event_in_the_picture_goes_there(visit: Any, tour_page: Path) -> None:
    """So does one in the list of words."""
    page = visit(tour_page, f"#{PLACE}")
    page.locator(".run.open svg g.event[data-event='8'] text").last.click()
    assert page.locator(".run.open .count").inner_text() == "8 of 10"
    page.click(".run.open .words summary")
    page.click(".run.open .words li[data-event='2']")
    assert page.locator(".run.open .count").inner_text() == "2 of 10"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS.values(), ids=WIDTHS)
def test_no_page_is_wider_than_the_screen(
    visit: Any, tour_page: Path, tmp_path: Path, width: int, scheme: str
) -> None:
    """The table and the picture scroll within themselves; what steps is in reach."""
    page = visit(
        tour_page,
        f"#{PLACE}@4",
        viewport={"width": width, "height": 844},
        color_scheme=scheme,
    )
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.locator(".run.open .next").is_visible()
    box = page.locator(".run.open .next").bounding_box()
    assert box["y"] + box["height"] <= 844
    assert page.locator(".run.open g.event.now").first.is_visible()
    page.screenshot(path=tmp_path / f"{width}.png")


@pytest.mark.parametrize("width", WIDTHS.values(), ids=WIDTHS)
def test_a_long_word_pushes_nothing_off_the_screen(visit: Any, tmp_path: Path, width: int) -> None:
    """Names and values without a blank are broken; cells stay in sight, and clear of the names."""
    path = tmp_path / "long.html"
    path.write_text(results_page([renamed("longname" * 40)]), "utf-8")
    page = visit(path, viewport={"width": width, "height": 844})
    name = page.locator(".verdict-table th[scope='row']")
    assert name.evaluate("e => e.scrollWidth <= e.clientWidth")
    cell = page.locator(".verdict-table td a").bounding_box()
    assert cell["x"] + cell["width"] <= width
    page.locator(".verdict-table td a").click()
    held = page.locator(".run.open .state td").first
    held.evaluate("e => { e.textContent = 'x'.repeat(300) }")
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_a_print_has_every_order_whole(visit: Any, tour_page: Path) -> None:
    """Whatever is open on the screen: on paper all is unfolded, and nothing is dimmed."""
    page = visit(tour_page, f"#{PLACE}@2")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".run").count() == page.locator(".run:visible").count() > 5
    assert page.locator(".run .verdict:visible").count() == page.locator(".run .verdict").count()
    assert page.locator("details:not([open])").count() == 0
    assert page.locator(".stepper:visible, .bar:visible").count() == 0
    ink = "e => getComputedStyle(e).fill"
    texts = page.locator(f"[id='{PLACE}'] svg g.event text.ink")
    assert {text.evaluate(ink) for text in texts.all()} == {texts.first.evaluate(ink)}


def test_without_a_script_everything_is_there(visit: Any, tour_page: Path) -> None:
    """The table, every event order in words and pictures, every end."""
    page = visit(tour_page, java_script_enabled=False)
    assert page.locator(".run:visible").count() == page.locator(".run").count() > 5
    assert page.locator(f"[id='{PLACE}'] .words li[data-event]:visible").count() == 10
    assert page.locator(f"[id='{PLACE}'] .verdict").is_visible()


@pytest.mark.parametrize("name", [SCRIPT, "<script>alert(1)</script>"])
def test_a_model_called_script_does_nothing(visit: Any, tmp_path: Path, name: str) -> None:
    """Neither as it opens nor as it is stepped through; its name is seen as it is."""
    path = tmp_path / "nasty.html"
    path.write_text(results_page([renamed(name)]), "utf-8")
    page = visit(path)
    assert page.locator("h1").inner_text() == name
    page.locator(".verdict-table td a").click()
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    assert page.locator("img").count() == 0
    assert name in page.locator(".run.open .state").inner_text()


def test_the_page_of_the_tour_is_small(visit: Any, tour_page: Path) -> None:
    """It is under 2 MB, and has its cells ready for a click as soon as it is loaded."""
    assert tour_page.stat().st_size < 2_000_000
    page = visit(tour_page)
    assert page.evaluate("document.documentElement.classList.contains('js')")
    spent = page.evaluate("performance.getEntriesByType('navigation')[0].domInteractive")
    print(f"interactive after {spent:.0f} ms")
