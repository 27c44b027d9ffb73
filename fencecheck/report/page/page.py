"""One self-contained HTML page: results, explanations or a trace, with nothing loaded from outside.

In: outcomes, explanations, a trace. Out: the text of the page. Templates escape every text; styles
and script are files of this folder that stand in the page as they are, and its policy allows
them by their digests and nothing else. The same input always gives the same page.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jinja2
from markupsafe import Markup

from fencecheck.report.page.anchors import Anchors
from fencecheck.report.page.explanation_view import PageArticle, view_explanation
from fencecheck.report.page.result_view import view_outcome
from fencecheck.report.page.run_view import RunView, view_run
from fencecheck.report.words.outcomes import Outcome, where
from fencecheck.report.words.trace_words import headline
from fencecheck.report.words.visible import one_line, visible
from fencecheck.runs.trace import Trace
from fencecheck.version import __version__

if TYPE_CHECKING:
    from fencecheck.analysis.explain.explanation import Explanation

MARK = "fencecheck/page/1"
FOLDER = Path(__file__).parent


def results_page(outcomes: Sequence[Outcome]) -> str:
    """Return a page with the verdict table of each outcome, and every counterexample."""
    anchors = Anchors()
    several = len(outcomes) > 1
    articles = [
        PageArticle(view_outcome(outcome, anchors, (_short(outcome),) if several else ()))
        for outcome in outcomes
    ]
    return _page(articles, articles[0].result.title if len(articles) == 1 else "Results")


def explanations_page(explanations: Sequence[Explanation]) -> str:
    """Return a page with the verdicts of each explained spec, and all that is said of them."""
    anchors = Anchors()
    several = len(explanations) > 1
    articles = [
        view_explanation(one, anchors, (_short(one.result),) if several else ())
        for one in explanations
    ]
    return _page(articles, articles[0].result.title if len(articles) == 1 else "Explanations")


def trace_page(trace: Trace) -> str:
    """Return a page with one run."""
    found = Anchors().take(*filter(None, (trace.variant, trace.shows.name)))
    return _page([], one_line(headline(trace)), [view_run(trace, found)])


def _short(outcome: Outcome) -> str:
    return Path(where(outcome)).stem


def _page(articles: Sequence[PageArticle], title: str, runs: Sequence[RunView] = ()) -> str:
    style, script = _text("page.css"), _text("page.js")
    told = [*(run for article in articles for run in article.runs), *runs]
    policy = (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    return visible(
        _templates()
        .get_template("page.html")
        .render(
            title=title,
            articles=articles,
            runs=runs,
            steps=_json({run.anchor: run.steps for run in told}),
            style=Markup(style),
            script=Markup(script),
            policy=policy,
            mark=MARK,
            version=__version__,
        )
    )


@functools.cache
def _templates() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _text(name: str) -> str:
    return (FOLDER / name).read_text("utf-8")


def _digest(text: str) -> str:
    """Return what a policy calls a style sheet or a script by."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _json(value: Any) -> Markup:
    """Return a value as JSON that ends no element and begins no comment, whatever it holds."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return Markup(text)
