"""Find what a document shows: marked code, marked tables, outputs of commands, sessions.

A mark is an HTML comment in the line above, which readers do not see:

    <!-- model: lock.py -->      a whole model; it is saved under this name and loaded
    <!-- file: words.py -->      a file that models import
    <!-- spec: lock.toml -->     a whole spec; everything in it comes out as it says
    <!-- added to: lock.py -->   lines added to that model; a comment ``# NAME: holds`` is checked
    <!-- output: COMMAND --> ... <!-- end -->     what the command prints; made by refresh.py
    <!-- init: FILE --> ... <!-- end -->          a file that ``fencecheck init`` writes; likewise
    <!-- family: NAME --> ... <!-- end -->        the files of a family that ships; likewise
    <!-- incidents: FOLDER --> ... <!-- end -->      the incidents of a folder of specs; likewise
    <!-- designs: FOLDER --> ... <!-- end -->     what breaks the documented designs of its specs
    <!-- refused by: lock.py, guard -->           a table; its second column is made by refresh.py

Nothing here runs anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
DOCUMENTS = [
    ROOT / name
    for name in (
        "README.md",
        "CONTRIBUTING.md",
        "models/README.md",
        "specs/README.md",
        "reports/README.md",
        "fencecheck/README.md",
        "tests/README.md",
    )
]
CODE = re.compile(r"(?:<!-- ([^\n]+?) -->\n\n?)?^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
MADE = re.compile(
    r"(<!-- (output|init|family|incidents|designs): (.+?) -->\n).*?(<!-- end -->)", re.DOTALL
)
TABLE = re.compile(r"(<!-- (\w+ by): (\S+), (\w+) -->\n\n?)((?:\|.*\n)+)")
NEW_LINE = " ⏎ "


@dataclass(frozen=True)
class Code:
    """A fenced block: its language, and its mark split into kind and name (empty without one)."""

    document: Path
    language: str
    kind: str
    name: str
    text: str


def read(document: Path) -> str:
    """Return a document's text, empty where there is none."""
    return document.read_text(encoding="utf-8") if document.exists() else ""


def code_of(document: Path) -> Iterator[Code]:
    """Yield the fenced blocks of a document that say their language."""
    for mark, language, text in CODE.findall(read(document)):
        kind, _, name = mark.partition(": ")
        yield Code(document, language, kind, name, text)


def folder_for(document: Path, folder: Path) -> Path:
    """Save the models and specs that a document shows, beside the specs that ship."""
    (folder / "specs").symlink_to(ROOT / "specs")
    for block in code_of(document):
        if block.kind in ("model", "file", "spec"):
            (folder / block.name).write_text(block.text, encoding="utf-8")
    return folder


# -- tables -------------------------------------------------------------------------------------
def cells(row: str) -> list[str]:
    """Return the cells of a table's row."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", row.strip())[1:-1]]


def code_in(cell: str) -> str:
    """Return the code that a cell shows."""
    ticks = re.match(r"`+", cell)
    assert ticks is not None, f"{cell}: write code in backticks"
    inner = cell[len(ticks[0]) : -len(ticks[0])]
    inner = inner.strip() if len(ticks[0]) > 1 else inner
    return inner.replace("\\|", "|").replace(NEW_LINE, "\n")


def as_code(text: str) -> str:
    """Return a cell that shows ``text`` as code."""
    shown = text.replace("\n", NEW_LINE).replace("|", "\\|")
    return f"`` {shown} ``" if "`" in shown else f"`{shown}`"


def rows_of(table: str) -> list[list[str]]:
    """Return the rows of a table below its head."""
    return [cells(row) for row in table.strip().splitlines()[2:]]


def with_second_column(table: str, made: Callable[[str], str]) -> str:
    """Return a table whose second column is what ``made`` gives for the code in the first."""
    head = table.strip().splitlines()[:2]
    lines = []
    for row in rows_of(table):
        row[1] = as_code(made(code_in(row[0])))
        lines.append(f"| {' | '.join(row)} |")
    return "\n".join([*head, *lines]) + "\n"
