"""Predicates that people type: ``view[1] == "done" and len(requests) > 0`` as a function.

Written in the subset of models, with variables, switches and bounds by their plain names. Steps,
files and workers count from 1, as everywhere that people see them: in an index and in a
comparison (``view[1]``, ``work.step == 2``). Of a budget ``edits_left`` is what is left and
``edits_used`` what was used; its plain name is what is left, as in a model. A value may be named
as reports show it (``content[1] == "human edit 1"``). What comes out is an ordinary function of
one state, with a source that the lowering can read; what is wrong is a UsageError that points at
its place.
"""

from __future__ import annotations

import ast
import hashlib
import io
import linecache
import re
import tokenize
from collections.abc import Callable
from typing import Any, NoReturn

from fencecheck.errors import ModelError, UsageError
from fencecheck.model.ask.predicate_types import Typing
from fencecheck.model.system import System

_LOWERED = re.compile(r"(?P<file><question \w+>):(?P<line>\d+): in \w+: (?P<what>.*)", re.DOTALL)
_VARIABLE = re.compile(r"\bs\.(?=[A-Za-z_])")  # a predicate names variables without it
_FIRST = 3  # line of the generated source on which the first token stands
Function = Callable[[Any], bool]


class Predicate(Typing):
    """A typed predicate, ready to be compiled: ``uses`` are the variables that it names."""

    def __init__(self, system: System, text: str, option: str) -> None:
        self.system, self.text, self.option = system, " ".join(text.split()), option
        super().__init__()
        if not self.text:
            self._point("it is empty; write a condition", 0, 1)
        try:
            tree = ast.parse(self.text, mode="eval")
            self.columns = _columns(self.text)
            self.read(tree.body)
            compile(tree, "<predicate>", "eval")
        except (SyntaxError, ValueError) as error:
            column = (getattr(error, "offset", None) or 1) - 1
            what = getattr(error, "msg", None) or str(error)
            self._point(f"not an expression: {what}", min(column, len(self.text)), 1)
        except (RecursionError, MemoryError):
            raise UsageError(
                f"{self.option}: it is nested too deeply; write it with fewer brackets and signs"
            ) from None

    # -- messages -------------------------------------------------------------------------------
    def _point(self, message: str, column: int, width: int) -> NoReturn:
        raise UsageError(
            f"{self.option}: {message}\n  {self.text}\n  {' ' * column}{'^' * max(1, width)}"
        )

    def fail(self, message: str, node: ast.expr) -> NoReturn:
        """Raise the error that points at a piece of the text."""
        start, end = self.columns[node.col_offset], self.columns[node.end_col_offset or 0]
        self._point(message, start, end - start)

    def explained(self, error: ModelError) -> ModelError:
        """Return what the lowering objects to with its place in the text, if it is about that."""
        found = _LOWERED.match(str(error))
        if found is None or found["file"] != self._file:
            return error
        tokens = _tokens(self.text)
        token = tokens[min(max(int(found["line"]) - _FIRST, 0), len(tokens) - 1)]
        try:
            what = _VARIABLE.sub("", found["what"])
            self._point(what, token.start[1], token.end[1] - token.start[1])
        except UsageError as pointed:
            return ModelError(str(pointed))

    # -- the function ---------------------------------------------------------------------------
    def function(self, *, negated: bool = False) -> Function:
        """Return the predicate, or its opposite, as a function that models could have."""
        tokens = [self.edits.get(t.start[1], t.string) for t in _tokens(self.text)]
        head = ["def asked(s):", "    return not (" if negated else "    return ("]
        source = "\n".join([*head, *("        " + token for token in tokens), "    )", ""])
        self._file = f"<question {hashlib.sha256(source.encode()).hexdigest()[:12]}>"
        # an entry without a time stays: linecache never looks for the file
        linecache.cache[self._file] = (len(source), None, source.splitlines(True), self._file)
        scope: dict[str, Any] = {"__name__": "fencecheck_question", **self.constants}
        exec(compile(source, self._file, "exec"), scope)
        function: Function = scope["asked"]
        return function

    _file = ""


def _tokens(text: str) -> list[tokenize.TokenInfo]:
    """Return the tokens of one line, without what only ends it."""
    ending = (tokenize.NEWLINE, tokenize.NL, tokenize.ENDMARKER)
    found = tokenize.generate_tokens(io.StringIO(text).readline)
    return [token for token in found if token.type not in ending]


def _columns(text: str) -> list[int]:
    """Return the column in characters of each byte offset that syntax trees speak of."""
    columns = [i for i, char in enumerate(text) for _ in range(len(char.encode()))]
    return [*columns, len(text)]
