"""Random runs beside the exhaustive check: rates, shrunk event orders, and what neither proves.

In: a FuzzResult. Out: text, or JSON of schema fencecheck/fuzz/1. That a property broke in no seed
is never put in a word that could be read as a pass; only the exhaustive check can hold.
"""

from __future__ import annotations

from typing import Any

from fencecheck.analysis.fuzz import Fuzzed, FuzzResult, Rate
from fencecheck.report.results.json import finding_object, variant_object
from fencecheck.report.words.columns import Entry, Paint, plain, table_lines
from fencecheck.report.words.orders import order_lines, violation_lines, wrapped
from fencecheck.report.words.outcomes import (
    NOTHING_CHECKED,
    count,
    finding_words,
    heading,
    model_in_words,
    search_words,
    settings_words,
)
from fencecheck.report.words.scope import held_back_words, limits_words, within_words
from fencecheck.report.words.visible import json_text, one_line
from fencecheck.runs.trace_json import trace_or_none
from fencecheck.version import __version__

SCHEMA = "fencecheck/fuzz/1"
HEADS = ("broke in", "shrunk to", "exhaustive check")
NO_PROOF = (
    "Breaking in no seed proves nothing; only a complete exhaustive check says that it holds."
)
MINIMAL = "No stretch and no two of its events can be left out"
CHANCES = "each enabled event is taken with the same chance"


def render_fuzz(
    fuzz: FuzzResult, *, width: int = 100, paint: Paint = plain, orders: bool = True
) -> str:
    """Return what came out as text; without ``orders`` no event order is told."""
    result, draw = fuzz.result, fuzz.draw
    lines = [paint("head", heading(result)), f"model {model_in_words(result.model)}"]
    lines += wrapped(result.note, width, "") if result.note else []
    last = draw.first_seed + draw.seeds - 1
    seeds = f"seeds {draw.first_seed:,} to {last:,}, at most {count(draw.length, 'event')} each"
    lines += wrapped(f"{seeds}; {CHANCES}", width, "")
    for fuzzed in fuzz.variants:
        lines += ["", *_variant(fuzzed, fuzz, width, paint)]
        lines += _orders(fuzzed, width, paint) if orders else []
    return "\n".join([*lines, "", NO_PROOF]) + "\n"


def _variant(fuzzed: Fuzzed, fuzz: FuzzResult, width: int, paint: Paint) -> list[str]:
    design = fuzzed.checked.design
    lines = [paint("head", one_line(fuzzed.name))]
    lines += wrapped(f"design: {settings_words(design.mechanisms)}", width, "  ", "  ")
    lines += wrapped(f"bounds: {settings_words(design.bounds)}", width, "  ", "  ")
    lines += wrapped(held_back_words(fuzzed.checked), width, "  ", "  ")
    lines += wrapped(limits_words(fuzzed.checked), width, "  ", "  ")
    within = within_words([fuzzed.checked])
    rows = [
        (
            rate.exhaustive.name,
            [_broke(rate, fuzzed), _shrunk(rate), _exhaustive(rate, within)],
        )
        for rate in fuzzed.rates
    ]
    if not rows:
        return [*lines, f"  {NOTHING_CHECKED}"]
    lines += ["  " + line for line in table_lines("", HEADS, rows, width - 2, paint)]
    ended = f"{fuzzed.over:,} of the runs ended by themselves"
    cut = f", {fuzzed.cut:,} were cut at {fuzz.draw.length} events" if fuzzed.cut else ""
    lines += wrapped(f"{fuzzed.events:,} events; {ended}{cut}", width, "  ", "  ")
    if fuzzed.out_of_time:
        asked = f"{fuzzed.seeds:,} of {fuzz.draw.seeds:,} seeds were drawn"
        lines += wrapped(f"time was up: {asked}; allow more with --timeout", width, "  ", "  ")
    search = f"exhaustive check {search_words(fuzzed.checked.exploration)}"
    return lines + wrapped(search, width, "  ", "  ")


def _broke(rate: Rate, fuzzed: Fuzzed) -> Entry:
    if not rate.judged:
        return Entry(("not judged by runs",))
    words = f"{rate.broke:,} of {fuzzed.seeds:,} seeds"
    if fuzzed.out_of_time and not rate.broke:
        return Entry((f"undetermined: {words}",), "undetermined", right=True)
    return Entry((words,), "violated" if rate.broke else "", right=True)


def _shrunk(rate: Rate) -> Entry:
    if rate.shrunk is None:
        if rate.seed is None or rate.events is None:
            return Entry(("",))
        return Entry((f"{count(rate.events, 'event')} (seed {rate.seed:,}), no time to shrink",))
    return Entry((f"{count(rate.shrunk, 'event')} (seed {rate.seed:,}: {rate.events})",))


def _exhaustive(rate: Rate, within: str) -> Entry:
    finding = rate.exhaustive
    words = finding_words(finding)
    if finding.verdict == "holds":
        words = f"holds {within}" + ("; vacuous" if finding.vacuous else "")
    elif finding.verdict == "violated" and rate.judged and not rate.broke:
        words += ": in no seed"
    return Entry((words,), finding.verdict)


def _orders(fuzzed: Fuzzed, width: int, paint: Paint) -> list[str]:
    lines: list[str] = []
    for rate in fuzzed.rates:
        if rate.trace is None or rate.shrunk is None:
            continue
        head = (
            f"{rate.exhaustive.name}: seed {rate.seed:,}, shrunk to {count(rate.shrunk, 'event')}"
        )
        lines += ["", f"  {paint('head', head)}"]
        lines += wrapped(_length_words(rate), width, "    ")
        lines += order_lines(rate.trace, width, "    ", paint)
        lines += violation_lines(rate.trace, width, "    ", paint)
    return lines


def _length_words(rate: Rate) -> str:
    """Return how the shrunk run compares with a shortest one."""
    least = rate.exhaustive.events
    if rate.exhaustive.verdict == "undetermined" or least is None:
        return f"{MINIMAL}; a shortest order is not known."
    if least == rate.shrunk:
        return "No shorter event order breaks it."
    return f"{MINIMAL}; a shortest event order has {count(least, 'event')}."


def render_fuzz_json(fuzz: FuzzResult) -> str:
    """Return everything that came out as one JSON object."""
    return json_text(fuzz_object(fuzz))


def fuzz_object(fuzz: FuzzResult) -> dict[str, Any]:
    """Return one result as an object of the schema."""
    result, draw = fuzz.result, fuzz.draw
    return {
        "schema": SCHEMA,
        "fencecheck": __version__,
        "spec": result.spec,
        "model": result.model,
        "title": result.title,
        "model_hash": result.model_hash,
        "seeds": {"first": draw.first_seed, "count": draw.seeds, "length": draw.length},
        "chances": CHANCES,
        "note": NO_PROOF,
        "variants": [_variant_object(fuzzed) for fuzzed in fuzz.variants],
    }


def _variant_object(fuzzed: Fuzzed) -> dict[str, Any]:
    checked = variant_object(fuzzed.checked)
    del checked["properties"]
    return {
        **checked,
        "random": {
            "seeds": fuzzed.seeds,
            "out_of_time": fuzzed.out_of_time,
            "events": fuzzed.events,
            "over": fuzzed.over,
            "cut": fuzzed.cut,
            "seconds": fuzzed.seconds,
        },
        "properties": [
            {
                "name": rate.exhaustive.name,
                "judged": rate.judged,
                "broke": rate.broke,
                "seed": rate.seed,
                "events": rate.events,
                "shrunk": rate.shrunk,
                "trace": trace_or_none(rate.trace),
                "exhaustive": finding_object(rate.exhaustive),
            }
            for rate in fuzzed.rates
        ],
    }
