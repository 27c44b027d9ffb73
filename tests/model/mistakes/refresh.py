"""Write into the table of mistakes what is told of each of them today."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from click.testing import CliRunner

from fencecheck.cli import main
from tests.model.mistakes import NEXT, TABLE, TOLD, mistakes, shown_in


def refreshed() -> str:
    """Return the table as it would be made now; a mistake that is none keeps its message."""
    entries = []
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for mistake in mistakes():
            Path("small.py").write_text(mistake.text, encoding="utf-8")
            told = CliRunner().invoke(main, ["list", "small.py"])
            alone = told.exit_code == 2 and told.output.count("\n") == 3
            shown = shown_in(mistake, told.output) if alone else (mistake.marked, mistake.message)
            entries.append(TOLD.join(shown))
        os.chdir(TABLE.parent)
    return NEXT.join(entries) + "\n"


if __name__ == "__main__":
    table = refreshed()
    TABLE.write_text(table, encoding="utf-8")
