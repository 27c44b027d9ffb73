"""Traces as Markdown, and the parts that every document in it is made of.

In: one trace, or texts. Out: text for a pull request or a wiki (GitHub's dialect). Texts
of models and specs are escaped, so that nothing in them becomes markup.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from fencecheck.model.wording.templates import value_text
from fencecheck.report.picture.mermaid import BREAKS, trace_to_mermaid
from fencecheck.report.words.orders import event_details, event_line
from fencecheck.report.words.trace_words import (
    EVIDENCE,
    ONWARD,
    bounds_text,
    broken_event,
    evidence_texts,
    headline,
    initial_values,
    loop_text,
    violation_heading,
)
from fencecheck.report.words.visible import one_line, visible
from fencecheck.runs.trace import Trace

_MARKUP = re.compile(r"[`*_\[\]~$]")
MARK = "<!-- fencecheck/markdown/1 -->"
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&$])")
# what begins a list, a rule or an underlined title
_LEADING = re.compile(r"^(\d*)((?<=\d)[.)]|(?<!\d)[-+=])")


def escape(text: object) -> str:
    """Return a text that Markdown shows as it is, on one line."""
    shown = _SPECIAL.sub(r"\\\1", one_line(text))
    return _LEADING.sub(r"\1\\\2", shown)


def code(text: object) -> str:
    """Return a text as code on one line, in a table too; nothing in it ends the code."""
    shown = one_line(text)
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", shown)), default=0))
    space = " " if shown.startswith("`") or shown.endswith("`") else ""
    if "|" in shown:  # it would end a table's cell, and its escape would be seen elsewhere
        words = html.escape(shown, quote=False).replace("|", "&#124;").replace("\\", "&#92;")
        return f"<code>{_MARKUP.sub(lambda match: f'&#{ord(match[0])};', words)}</code>"
    return f"{fence}{space}{shown}{space}{fence}"


def table_markdown(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return a table's lines; the texts are escaped already."""
    lines = ["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)]
    return [*lines, *("| " + " | ".join(row) + " |" for row in rows)]


def fenced(text: str, language: str) -> list[str]:
    """Return a fenced block whose fence is longer than any in the text."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}{language}", visible(text).rstrip("\n"), fence]


def trace_to_markdown(trace: Trace) -> str:
    """Return one trace as a document of its own: the event order and its diagram."""
    lines = [MARK, "", f"# {escape(headline(trace))}", "", escape(bounds_text(trace))]
    meaning = trace.shows.meaning
    lines += ["", escape(meaning)] if meaning else []
    return "\n".join([*lines, "", *order_markdown(trace)]) + "\n"


def order_markdown(trace: Trace) -> list[str]:
    """Return an event order as a numbered list, what it violates, and its diagram."""
    return [*order_words(trace), "", *fenced(trace_to_mermaid(trace), "mermaid")]


def order_words(trace: Trace) -> list[str]:
    """Return an event order as a numbered list, with what it breaks and where."""
    lines = []
    initial = [
        f"{lane}.{name} {value}"
        for lane, values in initial_values(trace).items()
        for name, value in values
    ]
    if initial:
        lines += [f"Initially {escape(', '.join(initial))}.", ""]
    breaking = broken_event(trace)
    for number, event in enumerate(trace.all_events, 1):
        if number == len(trace.events) + 1:
            lines += ["", f"{escape(ONWARD)}", ""]
        words = f"**{escape(event_line(event))}**" + " (interference)" * event.interference
        words += f" **{BREAKS}**" * (number == breaking)
        details = "; ".join(event_details(trace, event))
        lines.append(f"{number}. {words}" + (f"<br>{escape(details)}" if details else ""))
    lines += [f"\n{escape(loop_text(trace))}"] if loop_text(trace) else []
    return [*lines, *_violation(trace)]


def _violation(trace: Trace) -> list[str]:
    """Return what a trace violates, the values that disagree, and what the property read."""
    violation = trace.violation
    if not violation:
        return []
    says = escape(value_text(violation.says))
    lines = ["", f"**{escape(violation_heading(trace))}**: {says}"]
    pairs = [[escape(words), escape(value_text(value))] for words, value in violation.compare]
    lines += ["", *table_markdown(("", ""), pairs)] if pairs else []
    texts = evidence_texts(trace)
    return [*lines, "", f"{EVIDENCE}: {escape('; '.join(texts))}."] if texts else lines
