"""Find the syntax tree of a function or lambda, with the places for messages.

Takes a function object, gives its parameters and body as ``ast`` nodes whose line numbers are
those of the file. Functions made by ``exec`` without a file have no source and are refused.
"""

from __future__ import annotations

import ast
import functools
import inspect
import re
import types
from dataclasses import dataclass
from typing import Any

from fencecheck.errors import ModelError
from fencecheck.model.files.texts import near, source_text
from fencecheck.model.mistakes.gathering import Following
from fencecheck.model.mistakes.refused import RefusedDeclaration

_LATER = inspect.CO_COROUTINE | inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR


@dataclass(frozen=True)
class Source:
    """A function as written: ``body`` is a list of statements (a lambda's is one return)."""

    name: str
    file: str
    line: int
    params: tuple[str, ...]
    body: tuple[ast.stmt, ...]
    assigned: frozenset[str]


@functools.lru_cache(maxsize=256)
def _functions(file: str, text: str) -> dict[int, list[ast.FunctionDef | ast.Lambda]]:
    """Return the functions and lambdas of a file by their first lines, outer ones first."""
    found: dict[int, list[ast.FunctionDef | ast.Lambda]] = {}
    for node in ast.walk(ast.parse(text, file)):
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            found.setdefault(_first_line(node), []).append(node)
    return found


def _lambda_matches(node: ast.Lambda, code: types.CodeType, text: str) -> bool:
    """Tell by place whether ``code`` was compiled from ``node``, of those that start on its line.

    Where Python keeps no columns (PYTHONNODEBUGRANGES), by what ``node`` compiles to.
    """
    if all(column is None for _, _, column, _ in code.co_positions()):
        return _same_code(_compiled(node, text, code.co_filename), code)
    body = node.body
    start, end = (body.lineno, body.col_offset), (body.end_lineno or 0, body.end_col_offset or 0)
    for line, end_line, column, end_column in code.co_positions():
        if line is None or column is None or (line, column) == (end_line, end_column):
            continue
        if not start <= (line, column) <= end:
            return False
    return True


def _compiled(node: ast.Lambda, text: str, file: str) -> types.CodeType | None:
    """Return the code of the lambda at the place of ``node``, compiled where it stands."""
    tree, mark = ast.parse(text, file), 1 + text.count("\n") + 1
    for other in ast.walk(tree):
        if isinstance(other, ast.Lambda) and _place(other) == _place(node):
            other.lineno = other.end_lineno = mark  # a line that no other function starts on
            other.col_offset, other.end_col_offset = 0, 1
    waiting = [compile(tree, file, "exec", dont_inherit=True)]
    while waiting:
        code = waiting.pop()
        if code.co_firstlineno == mark:
            return code
        waiting += [c for c in code.co_consts if isinstance(c, types.CodeType)]
    return None


def _place(node: ast.Lambda) -> tuple[int, int, int | None, int | None]:
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset


def _same_code(a: types.CodeType | None, b: types.CodeType) -> bool:
    """Tell whether two functions do the same under the same names, whatever their lines."""
    if a is None or len(a.co_consts) != len(b.co_consts):
        return False
    names = ("co_code", "co_names", "co_varnames", "co_freevars", "co_cellvars")
    if any(getattr(a, name) != getattr(b, name) for name in names):
        return False
    return all(
        _same_code(x, y) if isinstance(x, types.CodeType) else (type(x), x) == (type(y), y)
        for x, y in zip(a.co_consts, b.co_consts, strict=True)
    )


def _first_line(node: ast.FunctionDef | ast.Lambda) -> int:
    """Return the line on which the code of a function begins, decorators included."""
    decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
    return min([node.lineno, *(d.lineno for d in decorators)])


def _line_of_def(text: str, code: types.CodeType) -> int:
    """Return the line of a function's ``def``, which stands below its decorators."""
    lines = text.split("\n")
    below = range(code.co_firstlineno, len(lines) + 1)
    named = re.compile(rf"\s*(async\s+)?def\s+{re.escape(code.co_name)}\b")
    return next((n for n in below if named.match(lines[n - 1])), code.co_firstlineno)


@functools.lru_cache(maxsize=4096)
def source_of(function: Any) -> Source:
    """Return the syntax of ``function``; a method's first parameter is what it belongs to.

    Raises ModelError if it is not an ordinary Python function with a readable source, or has
    parameters that stand for any number of arguments.
    """
    if isinstance(function, types.MethodType):
        function = function.__func__
    if isinstance(function, RefusedDeclaration):
        raise Following("a function of a declaration that was refused")
    if not isinstance(function, types.FunctionType):
        raise ModelError(f"{function!r} is not a Python function; write one with def or lambda")
    code = function.__code__
    text = source_text(function)
    where = f"{near(code.co_filename)}:{code.co_firstlineno}: {function.__name__}"
    if code.co_flags & _LATER:
        line = _line_of_def(text, code)
        raise ModelError(
            f"{near(code.co_filename)}:{line}: {function.__name__}: it runs piece by piece "
            "(async, yield); write a plain def that returns"
        )
    if not text:
        raise ModelError(f"{where}: its source cannot be read; keep models in .py files")
    innermost: Source | None = None
    for node in _functions(code.co_filename, text).get(code.co_firstlineno, []):
        if isinstance(node, ast.Lambda):
            if code.co_name == "<lambda>" and _lambda_matches(node, code, text):
                found = node.args
                params = tuple(a.arg for a in (*found.posonlyargs, *found.args, *found.kwonlyargs))
                if params == code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
                    innermost = _source(node, where, code.co_filename)
        elif node.name == code.co_name:
            return _source(node, where, code.co_filename)
    if innermost is not None:
        return innermost
    raise ModelError(f"{where}: its source does not match the file; was it changed after loading?")


def _source(node: ast.FunctionDef | ast.Lambda, where: str, file: str) -> Source:
    params = _params(node, where)
    if isinstance(node, ast.Lambda):
        body = (ast.copy_location(ast.Return(node.body), node.body),)
        return Source("lambda", file, node.lineno, params, body, frozenset())
    return Source(node.name, file, node.lineno, params, tuple(node.body), _assigned(node))


def _assigned(function: ast.FunctionDef) -> frozenset[str]:
    """Return the names that a function sets: they are local throughout."""
    names = set()
    for node in ast.walk(function):
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AugAssign | ast.For):
            targets = [node.target]
        inner = [part for target in targets for part in ast.walk(target)]
        names |= {n.id for n in inner if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return frozenset(names)


def _params(node: ast.FunctionDef | ast.Lambda, where: str) -> tuple[str, ...]:
    found = node.args
    if found.vararg or found.kwarg:
        raise ModelError(f"{where}: write each parameter by its name, without * and **")
    return tuple(a.arg for a in (*found.posonlyargs, *found.args, *found.kwonlyargs))
