"""Show where in its file a mistake is: the line of the author's text, and carets under the place.

A mistake has its columns where they are known (``ModelError.at``). Otherwise what its message
quotes is looked for in the line; where that does not stand there, the whole line is marked.
"""

from __future__ import annotations

import linecache
import re
from pathlib import Path

from fencecheck.errors import ModelError, ModelMistakes
from fencecheck.model.files.texts import executed_text

_PLACE = re.compile(r"([^\n]+?\.py):(\d+): ")
_QUOTED = re.compile(r"`([^`\n]+)`|'([^'\n]+)'|\"([^\"\n]+)\"")
_LONGEST = 100
Place = tuple[str, int, int | None, int | None]


def place_in(error: ModelError) -> Place:
    """Return the file, line and columns of a mistake, as far as they are known."""
    if error.at is not None:
        return error.at
    found = _PLACE.match(str(error))
    if found is None:
        return "", 0, None, None
    return str(Path.cwd() / found[1]), int(found[2]), None, None


def with_line(error: ModelError) -> list[str]:
    """Return a mistake in lines: its message, the line it is in, the carets under the place."""
    return [str(error), *marked_line(error)]


def told_whole(error: Exception) -> str:
    """Return an error with the line it is in, if it is a mistake in a model and has one."""
    if not isinstance(error, ModelError) or isinstance(error, ModelMistakes):
        return str(error)
    message = str(error)
    return message if "\n" in message else "\n".join(with_line(error))


def marked_line(error: ModelError) -> list[str]:
    """Return the line that a mistake is in and the carets below it, or nothing."""
    file, number, start, end = place_in(error)
    lines = (executed_text(file) or "".join(linecache.getlines(file))).split("\n") if file else []
    if not 0 < number <= len(lines):
        return []
    line = lines[number - 1].rstrip()
    start, end = _narrowed(line, _known(line, start, end), str(error))
    indent = min(len(line) - len(line.lstrip()), start)
    cut = max(indent, start - _LONGEST // 2)
    shown = line[cut : cut + _LONGEST]
    before = re.sub(r"[^\t]", " ", line[cut:start])
    carets = "^" * max(1, min(end - start, _LONGEST - len(before)))
    return ["    " + shown, "    " + before + carets] if shown.strip() else []


def _characters(line: str, column: int) -> int:
    return len(line.encode()[:column].decode(errors="ignore"))


def _known(line: str, start: int | None, end: int | None) -> tuple[int, int]:
    """Return the columns of a mistake in characters; Python counts them in bytes."""
    first = len(line) - len(line.lstrip()) if start is None else _characters(line, start)
    last = len(line) if end is None else _characters(line, end)
    return first, last if last > first else len(line)


def _narrowed(line: str, columns: tuple[int, int], message: str) -> tuple[int, int]:
    """Return the columns of what a message quotes, if that stands between ``columns``."""
    for match in _QUOTED.finditer(message.split(";")[0]):
        word = next(group for group in match.groups() if group)
        found = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)").search(line, *columns)
        if found:
            return found.span()
    return columns
