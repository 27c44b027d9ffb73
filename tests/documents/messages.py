"""The messages of the modelling language, read out of the code that gives them.

Gives, for each place at which a model is refused or goes wrong, a pattern of what it says.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import fencecheck.model

FOLDER = Path(fencecheck.model.__file__).parent
RAISED = ("ModelError", "DomainError")


def message_patterns(files: list[Path]) -> Iterator[tuple[str, re.Pattern[str]]]:
    """Yield (place, pattern) for each message that a file of the model layer can give."""
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args and _gives_message(node):
                pattern = _pattern(node.args[0])
                if pattern is not None:
                    yield f"{file.relative_to(FOLDER)}:{node.lineno}", re.compile(pattern)


def _gives_message(call: ast.Call) -> bool:
    if isinstance(call.func, ast.Attribute):
        return call.func.attr == "fail"
    return isinstance(call.func, ast.Name) and call.func.id in RAISED


def _pattern(node: ast.expr) -> str | None:
    """Return a text or f-string as a pattern, None where it is put together elsewhere."""
    if isinstance(node, ast.Constant):
        return re.escape(str(node.value))
    if not isinstance(node, ast.JoinedStr):
        return None
    parts = [re.escape(str(v.value)) if isinstance(v, ast.Constant) else ".*" for v in node.values]
    return "".join(parts).removeprefix(".*:").removeprefix(".*:").lstrip("\\ ")
