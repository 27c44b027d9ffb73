"""The JSON Schema of one line of a log, which ships beside the schemas of specs."""

from __future__ import annotations

from typing import Any

from fencecheck.runs.logged.log import LOG

Described = dict[str, Any]
_TEXT: Described = {"type": "string"}
_NAME: Described = {"anyOf": [_TEXT, {"type": "number"}]}
_TEXTS: Described = {"anyOf": [_TEXT, {"type": "array", "items": _TEXT}]}
_WORD: Described = {"anyOf": [_TEXT, {"type": "number"}, {"enum": [True, False]}, {"const": None}]}
_VALUE: Described = {"$ref": "#/$defs/value"}
_VALUES: Described = {"type": "object", "additionalProperties": _VALUE}


def log_schema() -> Described:
    """Return what a line must be: an event, or in the first line the head of the log."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:fencecheck:schema:log",
        "title": "A line of a log for fencecheck conform",
        "$defs": {
            "value": {
                "description": 'A value as traces show it; {"as": X} is only compared with itself.',
                "anyOf": [
                    _WORD,
                    {"type": "array", "items": _VALUE},
                    _object({"as": _NAME}, "as"),
                ],
            },
        },
        "anyOf": [_object(_event(), "process"), _object(_head(), "schema")],
    }


def _event() -> Described:
    return {
        "schema": {"const": LOG},
        "process": {**_NAME, "description": "Whose event it is: its lines are in order."},
        "run": {**_NAME, "description": "Tells the runs of one file apart."},
        "id": {**_NAME, "description": "What causes of other events name it by."},
        "causes": {**_TEXTS, "description": "Events of the run that came before."},
        "time": {**_NAME, "description": "Seconds, or ISO 8601; orders nothing without a skew."},
        "event": {**_TEXT, "description": "The event as traces name it: actor.verb."},
        "args": {**_VALUES, "description": "Its arguments as traces show them."},
        "outcome": {**_WORD, "description": "Its outcome, in the model's word."},
        "after": {**_VALUES, "description": "What could be seen after it, by the names of traces."},
    }


def _head() -> Described:
    return {
        "schema": {"const": LOG},
        "hidden": {**_TEXTS, "description": "Events, or actors, that this log never has."},
        "ignored": {**_TEXTS, "description": "Words of this log that are no events of the model."},
    }


def _object(fields: Described, *required: str) -> Described:
    return {
        "type": "object",
        "properties": fields,
        "required": list(required),
        "additionalProperties": False,
    }
