"""What functions are given: by place, by name, by default; and what an operator is made for."""

from __future__ import annotations

import ast
import types
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from fencecheck.export.tla.states import StateView
from fencecheck.export.tla.values import (
    KnownValue,
    Term,
    shape,
)
from fencecheck.model.lower.source import Source

BUILTINS = (len, min, max, abs, any, all, sum, range, tuple)


def bound_arguments(
    function: Any, source: Source, args: Sequence[Any], named: dict[str, Any]
) -> dict[str, Any]:
    """Return what each parameter is given: by place, by name, or its default."""
    places = list(args)
    if isinstance(function, types.MethodType):
        places.insert(0, KnownValue(function.__self__))
    own = getattr(function, "__func__", function)
    given = dict(zip(source.params, places, strict=False)) | named
    defaults = own.__defaults__ or ()
    by_place = source.params[: own.__code__.co_argcount]
    spare = dict(zip(by_place[len(by_place) - len(defaults) :], defaults, strict=True))
    spare |= own.__kwdefaults__ or {}
    return {n: given[n] if n in given else KnownValue(spare[n]) for n in source.params}


def seen_names(function: Any) -> dict[str, Any]:
    """Return the names a function can see besides its own."""
    function = getattr(function, "__func__", function)
    names: dict[str, Any] = {f.__name__: f for f in BUILTINS}
    names |= function.__globals__
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        with suppress(ValueError):  # it was never assigned
            names[name] = cell.cell_contents
    return names


def is_parameter(script: Any, value: Any) -> bool:
    """Tell whether an argument is passed, or put in where the operator is made."""
    if not isinstance(value, KnownValue):
        return True
    known = value.value
    return type(known) is int or type(known) in script.records or type(known) in script.tagged


def shape_given(script: Any, value: Any) -> Any:
    """Return what an operator has to know of an argument that it is given."""
    if isinstance(value, StateView):
        return "state"
    if isinstance(value, KnownValue) and is_parameter(script, value):
        kind = script.records.get(type(value.value)) or script.tagged.get(type(value.value))
        return shape(value) if kind is None else shape(Term(None, kind))
    return shape(value)


def changes_a_parameter(source: Source) -> bool:
    """Tell whether a function changes a container that it is given."""
    for statement in source.body:
        for node in ast.walk(statement):
            held = None
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                held = node.func.value
            elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
                held = node.value
            while isinstance(held, ast.Subscript):
                held = held.value
            if isinstance(held, ast.Name) and held.id in source.params[1:]:
                return True
    return False
