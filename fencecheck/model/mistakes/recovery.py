"""Go on behind a statement that is outside the subset, so that the next mistake is found too.

What is lowered from there on is thrown away: it only has to be sound enough to be looked through.
Names that the statement was to set are ``Wrong``; whatever reads one is not judged.
"""

from __future__ import annotations

import ast
from typing import Any

from fencecheck.errors import ModelError
from fencecheck.model.lower.core import Core
from fencecheck.model.lower.symbols import Wrong

Here = tuple[Any, ...]
WRONG = Wrong("its value is not known")


class GoingOn(Core):
    """Where a function is, and how to come back there."""

    def here(self) -> Here:
        """Return what ``go_on`` needs to come back to this place."""
        frame = self.frame
        paths = self.path, self.control, self.inline, self.goes_on
        return len(self.frames), len(frame.iterating), paths, frame.live, frame.locals

    def go_on(self, here: Here, statement: ast.stmt, error: ModelError) -> None:
        """Come back to where ``statement`` began, which has an ``error``, and go on behind it.

        The blocks of an ``if`` or ``for`` of which the first line is wrong are looked through.
        """
        frames, loops, paths, live, names = here
        del self.frames[frames:]
        del self.frame.iterating[loops:]
        self.frame.locals = names
        self.path, self.control, self.inline, self.goes_on = paths
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                names[node.id] = WRONG
        if isinstance(statement, ast.If | ast.For):
            inside = error.at is not None and error.at[1] >= statement.body[0].lineno
            for inner in () if inside else (statement.body, statement.orelse):
                self.frame.live, self.frame.locals = live, dict(names)
                self.block(inner)
        self.frame.live, self.frame.locals = live, names
        if isinstance(statement, ast.Return):
            self.frame.live = self.dag.false
