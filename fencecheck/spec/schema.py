"""The JSON Schema of a spec, generated from the models, so that editors complete it.

For each family named, the switches with their values, the bounds, the properties and the events
of orders come from what its model declares; for a model of one's own only the structure is
fixed. It accepts every spec that reading.py accepts, and leaves to it what a schema cannot
say: rules that combine switches, names that must not repeat, claims about scenarios.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from fencecheck.model.declare import Bound, Mechanism
from fencecheck.model.declaring.any_number import ANY
from fencecheck.model.family import Family
from fencecheck.model.files.loading import load_family
from fencecheck.spec.values import RELATIONS

Schema = dict[str, Any]
_TEXT: Schema = {"type": "string"}
_TEXTS: Schema = {"type": "array", "items": _TEXT}
_VERDICT: Schema = {"enum": ["holds", "violated"]}
_EXPECTATION: Schema = {
    "description": "The verdict that must come out, and of how many events the counterexample.",
    "anyOf": [
        _VERDICT,
        {
            "type": "object",
            "properties": {"verdict": _VERDICT, "events": {"type": "integer", "minimum": 0}},
            "required": ["verdict"],
            "additionalProperties": False,
        },
    ],
}
_COST: Schema = {
    "description": "That a cost of a variant is related so to another variant's, or to a number.",
    "type": "object",
    "properties": {
        "cost": _TEXT,
        "of": _TEXT,
        "is": {"enum": list(RELATIONS)},
        "than": {"anyOf": [_TEXT, {"type": "number"}]},
    },
    "required": ["cost", "of", "is", "than"],
    "additionalProperties": False,
}
_OPEN: dict[str, Schema] = {
    "mechanisms": {"type": "object"},
    "bounds": {
        "type": "object",
        "additionalProperties": {"anyOf": [{"type": "integer", "minimum": 0}, {"const": ANY}]},
    },
    "expect": {"type": "object", "additionalProperties": _EXPECTATION},
    "properties": {
        "type": "object",
        "properties": {"require": _TEXTS, "report": _TEXTS},
        "additionalProperties": False,
    },
    "call": _TEXT,
    "asked": _TEXT,
}


def spec_schema(families: Iterable[str]) -> Schema:
    """Return a schema (draft 2020-12) of specs: for built-in ``families`` and one's own models.

    For a single family its names stand without conditions, which every editor understands.
    """
    names = list(families)
    if len(names) == 1:
        return _of_one(names[0])
    return {
        **_head("any"),
        "title": "fencecheck spec",
        "type": "object",
        "properties": {
            "model": {
                "description": "A built-in family, or the path to a .py file, from this folder.",
                "anyOf": [{"enum": names}, {"type": "string", "pattern": r"\.py$"}],
            },
            **_parts(_OPEN),
        },
        "required": ["model"],
        "additionalProperties": False,
        "allOf": [_if_model(name) for name in names],
        "$defs": {name: {"properties": _parts(_of(load_family(name)))} for name in names},
    }


def _head(name: str) -> Schema:
    """Return what a schema is written in, and what it is known by: nothing has to be fetched."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:fencecheck:schema:spec:{name}",
    }


def _of_one(name: str) -> Schema:
    """Return the schema of the specs of one family."""
    own: Schema = {"type": "string", "pattern": r"\.py$"}
    return {
        **_head(load_family(name).name),
        "title": f"fencecheck spec of model {load_family(name).name}",
        "type": "object",
        "properties": {
            "model": own if name.endswith(".py") else {"enum": [name]},
            **_parts(_of(load_family(name))),
        },
        "required": ["model"],
        "additionalProperties": False,
    }


def _if_model(name: str) -> Schema:
    return {
        "if": {"properties": {"model": {"const": name}}, "required": ["model"]},
        "then": {"$ref": f"#/$defs/{name}"},
    }


def _parts(of: dict[str, Schema]) -> Schema:
    """Return the keys of a spec beside its model, with the names that ``of`` allows."""
    design = {"mechanisms": of["mechanisms"], "bounds": of["bounds"]}
    judged = {"expect": of["expect"], "claims": {"type": "object", "additionalProperties": _TEXT}}
    scenario = {
        "bounds": of["bounds"],
        "order": {"type": "array", "items": of["call"]},
        "ask": of["asked"],
        "show": {"type": "object", "additionalProperties": {"type": "string"}},
        "note": _TEXT,
        "variants": _TEXTS,
    }
    claim = {
        "text": _TEXT,
        "source": _TEXT,
        "verdicts": {"type": "object", "additionalProperties": of["expect"]},
        "cells": {
            "type": "object",
            "additionalProperties": {"type": "object", "additionalProperties": _TEXT},
        },
        "costs": {"type": "array", "items": _COST},
        "not_expressible": {"type": "string", "minLength": 1},
        "expect": {"enum": ["holds", "refuted"]},
    }
    return {
        "title": _TEXT,
        "note": {"type": "string", "description": "Free text, shown in reports."},
        **design,
        "properties": of["properties"],
        **judged,
        "variant": _named({**design, **judged}, []),
        "scenario": _named(scenario, ["order", "ask"]),
        "claim": _named(claim, ["text", "source"]),
        "also": _TEXTS,
    }


def _named(keys: Schema, required: list[str]) -> Schema:
    item = {
        "type": "object",
        "properties": {"name": {"type": "string", "minLength": 1}, **keys},
        "required": ["name", *required],
        "additionalProperties": False,
    }
    return {"type": "array", "items": item}


def _of(family: Family) -> dict[str, Schema]:
    names: Schema = {"type": "array", "items": {"enum": list(family.properties)}}
    actions = family.declared.actions
    actors = "|".join(dict.fromkeys(re.escape(a.actor) for a in actions))
    events = "|".join(re.escape(a.name) for a in actions)
    return {
        "mechanisms": _closed({m.name: _values(m) for m in family.declared.mechanisms}),
        "bounds": _closed({b.name: _number(b) for b in family.declared.bounds}),
        "expect": _closed(
            {p.name: {**_EXPECTATION, "description": p.doc} for p in family.properties.values()}
        ),
        "properties": _closed({"require": names, "report": names}),
        "call": {"type": "string", "pattern": rf"^\s*({events}|{actors})\s*(\(.*\))?\s*\??\s*$"},
        "asked": {"type": "string", "pattern": rf"^\s*({actors})\s*(\(.*\))?\s*$"},
    }


def _values(mechanism: Mechanism) -> Schema:
    values: list[str | bool | int] = [*mechanism.values]
    if mechanism.on_off:
        values += [True, False]
    values += [int(value) for value in mechanism.values if value.isdecimal()]
    return {"enum": values, "default": mechanism.default, "description": mechanism.doc}


def _number(bound: Bound) -> Schema:
    words = {"default": bound.default, "description": bound.doc}
    number: Schema = {"type": "integer", "minimum": bound.least}
    return {"anyOf": [number, {"const": ANY}], **words} if bound.budget else {**number, **words}


def _closed(properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "additionalProperties": False}
