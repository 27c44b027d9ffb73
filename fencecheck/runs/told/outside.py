"""An element that is not there, in words: which container was read or written, and at what place.

Python says ``list index out of range`` and no more. What was subscripted stands in the text, at the
place that the error came from, and is evaluated once more in the frame that failed; it is told
only where that changes nothing, since it calls nothing.
"""

from __future__ import annotations

import ast
import traceback
import types
from typing import Any

from fencecheck.model.files.texts import executed_text, is_authors

Span = tuple[int | None, int | None, int | None, int | None]  # lines and columns, as ast has them


def outside_in_words(error: BaseException) -> str | None:
    """Return which element is not there; None where the error is another, or that is not known."""
    if not isinstance(error, IndexError | TypeError):
        return None
    for frame, span in _frames(error):
        found = _subscript(frame.f_code.co_filename, span)
        if found is not None:
            container, index = _value(found.value, frame), _value(found.slice, frame)
            if isinstance(container, tuple | list) and (type(index) is int or index is None):
                return _told(found.value, index, len(container))
    return None


def _told(container: ast.expr, index: int | None, size: int) -> str:
    name = ast.unparse(container).removeprefix("s.")
    there = f"it has {size}, counted from 0" if size else "it is empty"
    return f"{name} has no element {index}; {there}"


def _frames(error: BaseException) -> list[tuple[types.FrameType, Span]]:
    """Return the author's frames of an error, innermost first, each with its place in the text."""
    found: list[tuple[types.FrameType, Span]] = []
    tb = error.__traceback__
    for place in traceback.extract_tb(tb):
        assert tb is not None
        if is_authors(tb.tb_frame.f_code.co_filename):
            span = place.lineno, place.colno, place.end_lineno, place.end_colno
            found.append((tb.tb_frame, span))
        tb = tb.tb_next
    return found[::-1]


def _subscript(file: str, span: Span) -> ast.Subscript | None:
    """Return the subscript that stands at a place of a file, if it calls nothing."""
    for node in ast.walk(ast.parse(executed_text(file))):
        if isinstance(node, ast.Subscript):
            own = node.lineno, node.col_offset, node.end_lineno, node.end_col_offset
            if own == span:
                calls = any(isinstance(inner, ast.Call) for inner in ast.walk(node))
                return None if calls else node
    return None


def _value(node: ast.expr, frame: types.FrameType) -> Any:
    """Return what an expression is in a frame, None where it cannot be told."""
    code = compile(ast.Expression(node), "<expression>", "eval")
    try:
        return eval(code, frame.f_globals, frame.f_locals)
    except Exception:
        return None
