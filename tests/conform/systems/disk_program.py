"""An executor as a program over a folder: content in files, revision and keys in SQLite.

    python disk_program.py FOLDER atomic|separate|none|rename

It reads requests as lines of JSON and answers by lines. ``atomic``: one transaction moves the
revision, says which file counts and records the key; ``separate``: the key is a transaction of its
own; ``none``: there are no keys; ``rename``: the file is replaced first, and then the revision and
the key are committed. It stands at its points only where a driver holds it.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from pathlib import Path
from typing import Any

from fencecheck.conform.points import point


class Workspace:
    """The folder, as everybody sees it who opens it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def open(self) -> sqlite3.Connection:
        return sqlite3.connect(self.folder / "workspace.db", isolation_level=None, timeout=5)

    def create(self, content: str) -> None:
        with sqlite3.connect(self.folder / "workspace.db") as db:
            db.execute("create table head (rev, file)")
            db.execute("create table keys (step primary key)")
            db.execute("insert into head values (0, 'content-0')")
        db.close()
        (self.folder / "content-0").write_text(content, "utf-8")

    def head(self) -> tuple[int, str]:
        """The revision, and the content that counts."""
        db = self.open()
        try:
            rev, file = db.execute("select rev, file from head").fetchone()
        finally:
            db.close()
        return rev, (self.folder / file).read_text("utf-8")

    def write(self, content: str, key: int | None = None) -> None:
        """Leave new content as the next revision, in one transaction."""
        rev, _ = self.head()
        name = f"content-{rev + 1}"
        (self.folder / name).write_text(content, "utf-8")
        self.commit("update head set rev = ?, file = ?", (rev + 1, name), key)

    def commit(self, change: str, args: tuple[Any, ...], key: int | None) -> None:
        db = self.open()
        try:
            db.execute("begin immediate")
            if change:
                db.execute(change, args)
            if key is not None:
                db.execute("insert or ignore into keys values (?)", (key,))
            db.execute("commit")
        finally:
            db.close()

    def knows(self, key: int) -> bool:
        db = self.open()
        try:
            return db.execute("select 1 from keys where step = ?", (key,)).fetchone() is not None
        finally:
            db.close()


class Program:
    def __init__(self, folder: Path, journal: str) -> None:
        self.workspace, self.journal = Workspace(folder), journal
        self.answer: dict[str, Any] = {}

    def execute(self, step: int, plan: int, base: int, pre: str) -> str:
        word = self.decide(step, base, pre)
        if word == "applied":
            point("checked")
            self.apply(step)
        self.answer = {"step": step, "plan": plan, "word": word}
        return word

    def decide(self, step: int, base: int, pre: str) -> str:
        if self.journal != "none" and self.workspace.knows(step):
            return "replayed"
        rev, content = self.workspace.head()
        if base != rev:
            return "stale_rev"
        return "applied" if pre == content else "pre_hash"

    def apply(self, step: int) -> None:
        content = f"s{step}"
        if self.journal == "rename":
            self.rename(content)
            rev, _ = self.workspace.head()
            self.workspace.commit("update head set rev = ?", (rev + 1,), step)
            return
        self.workspace.write(content, step if self.journal == "atomic" else None)
        point("written")
        if self.journal == "separate":
            self.workspace.commit("", (), step)

    def rename(self, content: str) -> None:
        """Replace the file that counts, and only then commit."""
        db = self.workspace.open()
        (name,) = db.execute("select file from head").fetchone()
        db.close()
        draft = self.workspace.folder / "draft"
        draft.write_text(content, "utf-8")
        os.replace(draft, self.workspace.folder / name)
        point("written")

    def reply(self) -> dict[str, Any]:
        return self.answer


def main() -> None:
    program = Program(Path(sys.argv[1]), sys.argv[2])
    for line in sys.stdin:
        request = json.loads(line)
        answer = getattr(program, request.pop("do"))(**request)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
