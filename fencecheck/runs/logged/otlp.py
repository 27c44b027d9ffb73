"""Spans and their events from OTLP in JSON, as flat records for a map.

A record has ``kind`` (span or event), ``name``, ``time`` in seconds, ``trace``, ``attributes``,
those of its ``resource`` and, of an event, its ``span``. ``id`` and ``causes`` say what comes
before: the parent and the links of a span, the span of an event. Files promise no order: the
records of one resource are ordered by their times by whoever reads them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

NANO = 1e9


def is_otlp(document: Any) -> bool:
    """Tell whether a JSON document has the shape of exported spans."""
    return isinstance(document, dict) and "resourceSpans" in document


def otlp_records(
    document: Mapping[str, Any], place: str, problems: list[str]
) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield the records of a document with their places; notes what is not of the format."""
    try:
        for r, held in enumerate(document["resourceSpans"]):
            resource = _attributes(held.get("resource", {}))
            for s, scope in enumerate(held.get("scopeSpans", [])):
                for n, span in enumerate(scope.get("spans", [])):
                    at = f"{place}: resourceSpans[{r}].scopeSpans[{s}].spans[{n}]"
                    yield from _span(span, resource, at)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        problems.append(f"{place}: is not OTLP in JSON ({type(error).__name__}: {error})")


def _span(
    span: Mapping[str, Any], resource: dict[str, Any], at: str
) -> Iterator[tuple[dict[str, Any], str]]:
    links = [link["spanId"] for link in span.get("links", [])]
    parent = [span["parentSpanId"]] if span.get("parentSpanId") else []
    attributes = _attributes(span)
    head = {"trace": span.get("traceId"), "resource": resource}
    told = {
        **head,
        "kind": "span",
        "name": span.get("name"),
        "time": int(span.get("startTimeUnixNano", 0)) / NANO,
        "id": span["spanId"],
        "causes": [*parent, *links],
        "attributes": attributes,
    }
    yield told, at
    about = {"name": span.get("name"), "id": span["spanId"], "attributes": attributes}
    for number, event in enumerate(span.get("events", [])):
        yield (
            {
                **head,
                "kind": "event",
                "name": event.get("name"),
                "time": int(event.get("timeUnixNano", 0)) / NANO,
                "id": f"{span['spanId']}#{number}",
                "causes": [span["spanId"]],
                "attributes": _attributes(event),
                "span": about,
            },
            f"{at}.events[{number}]",
        )


def _attributes(holder: Mapping[str, Any]) -> dict[str, Any]:
    return {item["key"]: _value(item["value"]) for item in holder.get("attributes", [])}


def _value(told: Mapping[str, Any]) -> Any:
    """Return a value of OTLP as plain JSON."""
    if "intValue" in told:
        return int(told["intValue"])
    if "arrayValue" in told:
        return [_value(item) for item in told["arrayValue"].get("values", [])]
    if "kvlistValue" in told:
        return {item["key"]: _value(item["value"]) for item in told["kvlistValue"]["values"]}
    return next(iter(told.values()), None)
