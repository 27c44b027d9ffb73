"""What an adapter for a design has to have: every event that can happen, every name to observe.

In: a spec, and a survey of each variant. Out: text for people, JSON for programs. Of a survey that
was cut it says so: more can happen than is listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fencecheck.analysis.driving.survey import Happening, Survey, passed_in_words
from fencecheck.model.wording.templates import value_text
from fencecheck.report.words.columns import pad
from fencecheck.report.words.visible import json_text, one_line
from fencecheck.runs.told.observed import Comparison
from fencecheck.runs.told.teller import Teller
from fencecheck.spec.values import Spec

Surveyed = Sequence[tuple[str, Survey]]
NOTHING = "needs no method: the driver holds the messages"


def surface_text(spec: Spec, found: Surveyed) -> str:
    """Return what an adapter has to have for each variant, as text."""
    parts = [_head(spec)]
    for name, survey in found:
        parts += ["", *_lines(name if len(found) > 1 else "", survey)]
    return "\n".join(parts) + "\n"


def _head(spec: Spec) -> str:
    return f"{one_line(spec.path or spec.family.name)}: {one_line(spec.title)}"


def _lines(variant: str, survey: Survey) -> Iterator[str]:
    if variant:
        yield one_line(variant)
    if survey.stopped_by is not None:
        yield f"(cut by the limit on {survey.stopped_by}: more may happen than is listed)"
    yield "events, each taken by a method of the adapter:"
    heads = {h.name: _call(survey, h) for h in _ordered(survey)}
    width = max(map(len, heads.values()), default=0)
    for happening in _ordered(survey):
        yield f"  {pad(heads[happening.name], width)}  {_what(survey, happening)}".rstrip()
    yield "names that observe() can return, with what they are at first:"
    values = _values(survey)
    width = max(map(len, values), default=0)
    for name, (value, unordered) in values.items():
        order = "  (in any order)" if unordered else ""
        yield f"  {pad(name, width)}  {value_text(value)}{order}"


def _ordered(survey: Survey) -> list[Happening]:
    names = dict.fromkeys(name for name, _ in survey.outcomes)
    return [survey.happenings[name] for name in names]


def _call(survey: Survey, happening: Happening) -> str:
    return f'@on("{happening.name}") ({", ".join(happening.parameters)})'


def _what(survey: Survey, happening: Happening) -> str:
    if happening.moves:
        return NOTHING
    outcomes = [value_text(o) for o in happening.outcomes if o is not None]
    told = [f"returns {' or '.join(outcomes)}"] if outcomes else []
    posts = " or ".join(map(str, sorted(happening.sends)))
    told += [f"posts {posts}"] if happening.sends != {0} else []
    told += [f"{p}: {what}" for p, what in passed_in_words(survey.system, happening.name) if what]
    return "; ".join(told)


def _values(survey: Survey) -> dict[str, tuple[Any, bool]]:
    comparison, teller = Comparison(Teller(survey.system)), Teller(survey.system)
    unordered = teller.unordered()
    shown = comparison.shown(survey.system.initial)
    return {name: (shown[name], name in unordered) for name in comparison.names}


def surface_json(spec: Spec, found: Surveyed) -> str:
    """Return the same for programs."""
    told = {
        "schema": "fencecheck/surface/1",
        "spec": spec.path,
        "variants": [
            {
                "name": name,
                "complete": survey.stopped_by is None,
                "events": [_event_object(survey, h) for h in _ordered(survey)],
                "values": {name: value for name, (value, _) in _values(survey).items()},
            }
            for name, survey in found
        ],
    }
    return json_text(told)


def _event_object(survey: Survey, happening: Happening) -> dict[str, Any]:
    return {
        "event": happening.name,
        "parameters": list(happening.parameters),
        "outcomes": list(happening.outcomes),
        "posts": sorted(happening.sends),
        "needs_method": not happening.moves,
    }
