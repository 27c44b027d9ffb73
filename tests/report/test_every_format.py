"""Every format tells every kind of outcome: a golden file each, read back as what it is.

What holds is the only success; what is vacuous, violated, undetermined or an error reads as one in
no format. The readers below share nothing with the writers.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from fencecheck.checking.results import Exploration, Finding, ModelFault, Result
from fencecheck.report.ci.github import render_github
from fencecheck.report.ci.sarif import render_sarif
from fencecheck.report.results.csv import render_csv
from fencecheck.report.results.html import verdicts_html
from fencecheck.report.results.json import render_json
from fencecheck.report.results.junit import render_junit
from fencecheck.report.results.text import render_text
from fencecheck.report.review.document import render_markdown
from fencecheck.report.words.outcomes import Outcome
from fencecheck.spec.places import Locator
from tests.report import handmade
from tests.report.pictures import check_golden, load_document, traced

WRONG = Exploration(5, 4, 3, False, "error", "reference", 1, 0.25)


def failing_liveness() -> Finding:
    """Return a liveness property that fails in a loop."""
    document = load_document("3_events")
    name, meaning = "finishes", "Every step comes to its end."
    document["property"] = {"name": name, "kind": "liveness", "meaning": meaning}
    document["violation"] = {"event": 3, "says": "s1 is never done", "compare": [], "evidence": []}
    document["loop_start"] = 1
    trace = traced(document)
    return Finding(name, "liveness", meaning, True, "violated", events=3, trace=trace)


def kinds() -> dict[str, Result]:
    """Return a result with one verdict of each kind."""
    results = {
        "holds": handmade.result(handmade.variant("ours", handmade.holds())),
        "violated": handmade.result(handmade.variant("ours", handmade.violated())),
        "undetermined": handmade.result(
            handmade.variant("ours", handmade.undetermined(), search=handmade.CUT)
        ),
        "vacuous": handmade.result(handmade.variant("ours", handmade.vacuous())),
        "liveness": handmade.result(handmade.variant("ours", failing_liveness())),
        "error": handmade.result(handmade.variant("ours", handmade.undetermined(), search=WRONG)),
    }
    message = "model queue goes wrong in worker.take: runs is 3, which is not 0..2"
    results["error"].variants[0].error = ModelFault(message)
    return {kind: replace(result, title="Ours") for kind, result in results.items()}


def html(outcome: Outcome) -> str:
    assert isinstance(outcome, Result)
    return verdicts_html(outcome, outcome.variants) + "\n"


def sarif(outcome: Outcome) -> str:
    return render_sarif([outcome], Locator(Path()), outcome.exit_code)


WRITERS: dict[str, tuple[str, Callable[[Outcome], str]]] = {
    "text": ("txt", render_text),
    "json": ("json", lambda outcome: render_json([outcome])),
    "markdown": ("md", lambda outcome: render_markdown([outcome])),
    "html": ("html", html),
    "junit": ("xml", lambda outcome: render_junit([outcome])),
    "csv": ("csv", lambda outcome: render_csv([outcome])),
    "github": ("txt", lambda outcome: render_github([outcome], Locator(Path()))),
    "sarif": ("sarif", sarif),
}


def of_marks(text: str, cells: list[str]) -> str:
    """Return the verdict that a table's only cell shows by its mark."""
    if "goes wrong" in text:
        return "error"
    (cell,) = cells
    marks = {"✓": "holds", "(✓)": "vacuous", "✗ 3": "violated", "undet.": "undetermined"}
    return marks[cell]


def read_text(text: str) -> str:
    if "  error\n" in text:
        return "error"
    (line,) = re.findall(r"^  ((?:holds|violated|undetermined)  .*)$", text, re.M)
    return "vacuous" if "vacuous" in line else line.split()[0]


def read_json(text: str) -> str:
    told = json.loads(text)
    if "error" in told:
        return "error"
    ((finding,),) = [variant["properties"] for variant in told["variants"]]
    return "vacuous" if finding["vacuous"] else finding["verdict"]


def read_markdown(text: str) -> str:
    row = re.search(r"^\| ours \| (.*) \|$", text, re.M)
    assert row
    return of_marks(text, [row[1].replace("**", "")])


def read_html(text: str) -> str:
    return of_marks(text, re.findall(r"<td style[^>]*>([^<]*)</td>", text))


def read_junit(text: str) -> str:
    root = ET.fromstring(text.encode())
    children = [child for case in root.iter("testcase") for child in case]
    errors = [child.get("message") for child in children if child.tag == "error"]
    if errors:
        return "error" if "error" in errors else "undetermined"
    assert root.get("errors") == "0"
    if any(child.tag == "failure" for child in children):
        return "violated"
    return "vacuous" if children else "holds"


def read_csv(text: str) -> str:
    rows = list(csv.DictReader(io.StringIO(text)))
    if any(row["verdict"] == "error" for row in rows):
        return "error"
    (row,) = rows
    return "vacuous" if row["vacuous"] == "true" else row["verdict"]


def read_github(text: str) -> str:
    commands = re.findall(r"^::(\w+) .*?title=([^:]*)::(.*)$", text, re.M)
    if any("goes wrong" in message for _, _, message in commands):
        return "error"
    for level, title, message in commands:
        if "undetermined" in message:
            assert level == "error"
            return "undetermined"
        if "violated" in title:
            assert level == "error"
            return "violated"
        assert "vacuous" in message
        return "vacuous"
    return "holds" if "every required property holds" in text else "nothing"


def read_sarif(text: str) -> str:
    (run,) = json.loads(text)["runs"]
    (invocation,) = run["invocations"]
    texts = [result["message"]["text"] for result in run["results"]]
    if any("goes wrong" in told for told in texts):
        assert not invocation["executionSuccessful"]
        return "error"
    for told, result in zip(texts, run["results"], strict=True):
        if "undetermined" in told:
            assert result["level"] == "error"
            assert not invocation["executionSuccessful"]
            return "undetermined"
        if "violated" in told:
            assert (result["level"], invocation["exitCode"]) == ("error", 1)
            return "violated"
        assert "vacuous" in told
        return "vacuous"
    return "holds" if invocation == {"executionSuccessful": True, "exitCode": 0} else "nothing"


READERS = {
    "text": read_text,
    "json": read_json,
    "markdown": read_markdown,
    "html": read_html,
    "junit": read_junit,
    "csv": read_csv,
    "github": read_github,
    "sarif": read_sarif,
}


@pytest.mark.parametrize("kind", kinds())
@pytest.mark.parametrize("form", WRITERS)
def test_each_kind_is_told_in_each_format_as_what_it_is(form: str, kind: str) -> None:
    """Golden, and read back by a reader of the format."""
    ending, write = WRITERS[form]
    text = write(kinds()[kind])
    check_golden(f"every/{form}_{kind}.{ending}", text)
    assert READERS[form](text) == {"liveness": "violated"}.get(kind, kind)


@pytest.mark.parametrize("form", WRITERS)
def test_what_has_no_answer_has_no_word_of_a_pass(form: str) -> None:
    text = WRITERS[form][1](kinds()["undetermined"]).lower()
    for word in ("holds", "passed", "success:", "satisfied", "as expected"):
        assert word not in text
