"""A table of mistakes (table.txt), each added to a small model (model.txt), and what is told of it.

In the table «» stand around what the carets are under; behind ``=>`` stands the message. Running
``python -m tests.model.mistakes.refresh`` writes what is told today into it, to be read over.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
TABLE = FOLDER / "table.txt"
MODEL = (FOLDER / "model.txt").read_text(encoding="utf-8") + "\n\n"
NEXT, TOLD = "\n---\n", "\n=> "


@dataclass(frozen=True)
class Mistake:
    """A few lines with a mistake, the columns that are marked in one of them, the message."""

    lines: str
    marked: str
    message: str

    @property
    def text(self) -> str:
        """Return the whole model file."""
        return MODEL + self.lines + "\n"


def mistakes() -> Iterator[Mistake]:
    """Yield the mistakes of the table."""
    for entry in TABLE.read_text(encoding="utf-8").rstrip("\n").split(NEXT):
        shown, _, message = entry.partition(TOLD)
        yield Mistake(shown.replace("«", "").replace("»", ""), shown, message)


def shown_in(mistake: Mistake, output: str) -> tuple[str, str]:
    """Return the lines of a mistake with what ``output`` marks in «», and its message."""
    first, line, carets = output.rstrip("\n").split("\n")
    place, message = first.removeprefix("error: ").split(": ", 1)
    number = int(place.rpartition(":")[2])
    lines = mistake.text.split("\n")
    indent = lines[number - 1].index(line.removeprefix("    "))
    start, end = (indent + len(part) - 4 for part in (carets.rstrip("^"), carets))
    marked = lines[number - 1]
    lines[number - 1] = f"{marked[:start]}«{marked[start:end]}»{marked[end:]}"
    return "\n".join(lines).removeprefix(MODEL).rstrip("\n"), message
