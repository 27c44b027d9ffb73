"""Which part of a guard decides that it is false: the conjunct, with its line and its values.

Takes a function of a model and the arguments of a call that gave the wrong answer; gives the
parts from the outside in: a conjunct, and where it is a call of another function of the model
that is one expression, the conjunct of that. A part that cannot be taken apart is told whole.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from types import FunctionType, MethodType
from typing import Any

from fencecheck.errors import ModelError
from fencecheck.model.files.texts import near, source_text
from fencecheck.runs.guards.scope import FunctionCall, Scope, scope_of

_DEEPEST = 6  # calls that are followed


@dataclass(frozen=True)
class DecidingPart:
    """A piece of a guard: where it stands, its text, what it gave, and what it read."""

    place: str
    text: str
    truth: bool
    readings: tuple[str, ...]


def deciding_parts(call: FunctionCall, wanted: bool, depth: int = _DEEPEST) -> list[DecidingPart]:
    """Return the parts for which a call does not give what is ``wanted``, outer ones first.

    At most ``depth`` calls are followed. There is none where the source cannot be read.
    """
    try:
        scope = scope_of(call)
    except (ModelError, TypeError, ValueError):
        return []
    function: Any = call.function
    text = source_text(getattr(function, "__func__", function))
    node, scope = _expression(scope)
    if node is None:
        place = f"{near(scope.source.file)}:{scope.source.line}"
        read = scope.readings(ast.Module(list(scope.source.body), []))
        return [DecidingPart(place, scope.source.name, not wanted, tuple(read))]
    leaf, wanted = _deciding(scope, node, wanted)
    found = DecidingPart(
        f"{near(scope.source.file)}:{leaf.lineno}",
        _on_one_line(ast.get_source_segment(text, leaf) or ast.unparse(leaf)),
        not wanted,
        tuple(scope.readings(leaf)),
    )
    return [found, *_followed(scope, leaf, wanted, depth)]


def _on_one_line(text: str) -> str:
    words = " ".join(text.split())
    return words.replace("( ", "(").replace(" )", ")")


def _expression(scope: Scope) -> tuple[ast.expr | None, Scope]:
    """Return the expression that a function returns, and the scope with what it sets before."""
    body = [s for s in scope.source.body if not _is_text(s)]
    *before, last = body or [ast.Pass()]
    if not isinstance(last, ast.Return) or last.value is None:
        return None, scope
    names, set_here = dict(scope.names), dict[str, ast.expr]()
    for statement in before:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name not in set_here:
                set_here[name] = value
            case _:
                return None, scope
    try:
        exec(compile(ast.Module(before, []), scope.source.file, "exec"), names)
    except Exception:
        return None, scope
    local = scope.local | scope.source.assigned
    return last.value, Scope(scope.source, names, local, scope.domains, set_here)


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _deciding(scope: Scope, node: ast.expr, wanted: bool) -> tuple[ast.expr, bool]:
    """Return the smallest part for which an expression is not what is wanted, and what that is."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return _deciding(scope, node.operand, not wanted)
    if isinstance(node, ast.Name) and node.id in scope.set_here:
        return _deciding(scope, scope.set_here[node.id], wanted)
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And) == wanted:
        for part in node.values:
            try:
                if bool(scope.value(part)) != wanted:
                    return _deciding(scope, part, wanted)
            except Exception:
                break
    return node, wanted


def _followed(scope: Scope, leaf: ast.expr, wanted: bool, depth: int) -> list[DecidingPart]:
    """Return the parts of the function that a part calls, where it is one of the model."""
    if not isinstance(leaf, ast.Call) or depth == 0:
        return []
    if any(isinstance(arg, ast.Starred) for arg in leaf.args):
        return []
    try:
        function = scope.value(leaf.func)
        args = tuple(scope.value(arg) for arg in leaf.args)
        named = {k.arg: scope.value(k.value) for k in leaf.keywords if k.arg is not None}
    except Exception:
        return []
    if not isinstance(function, FunctionType | MethodType) or len(named) < len(leaf.keywords):
        return []
    given: dict[int | str, Any] = {i: scope.domain(arg) for i, arg in enumerate(leaf.args)}
    given |= {k.arg: scope.domain(k.value) for k in leaf.keywords if k.arg is not None}
    return deciding_parts(FunctionCall(function, args, given, named), wanted, depth - 1)
