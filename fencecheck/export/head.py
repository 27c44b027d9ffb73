"""What stands at the head of an exported model, and in the README beside it: what must come out."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from fencecheck.export.names import comment_text
from fencecheck.version import __version__

MARK = "fencecheck/export/1"
WIDTH = 96
_WRAPPING: dict[str, Any] = {"subsequent_indent": "  ", "break_on_hyphens": False}


@dataclass(frozen=True)
class Answers:
    """What our search says of a design; None where it was cut before an answer.

    ``lengths`` has the properties that break, each with how many events a shortest run has.
    ``starts`` is how many states there are to begin in; ``fault`` says how the model goes wrong.
    ``concrete`` is how many states there are where none stands for others.
    """

    states: int | None = None
    transitions: int | None = None
    depth: int | None = None
    starts: int = 1
    holds: tuple[str, ...] = ()
    lengths: dict[str, int | None] = field(default_factory=dict)
    fault: str = ""
    concrete: int | None = None


@dataclass(frozen=True)
class Head:
    """Which model of which spec it is, with which design and bounds, and what must come out."""

    model: str
    model_hash: str
    title: str
    variant: str
    mechanisms: Mapping[str, object]
    bounds: Mapping[str, object]
    answers: Answers = Answers()
    not_asked: tuple[str, ...] = ()

    def identity(self) -> Iterator[str]:
        """Yield what it is and who wrote it, a line each."""
        yield f"{MARK}: written by fencecheck {__version__}"
        yield f"model {self.model} ({self.model_hash})"
        yield f"{self.title}: {self.variant}"
        for what, values in (("design", self.mechanisms), ("bounds", self.bounds)):
            if values:
                yield f"{what}: {', '.join(f'{name}={value}' for name, value in values.items())}"

    def expected(self) -> Iterator[str]:
        """Yield what must come out of what is asked, a line each."""
        answers = self.answers
        if answers.fault:
            yield f"the model goes wrong: {answers.fault}"
        elif answers.states is None or answers.transitions is None:
            yield "what must come out is not known: our own search was not complete"
        else:
            yield f"must come out: {answers.states:,} states, {answers.transitions:,} transitions"
        holds = [name for name in answers.holds if name not in self.not_asked]
        broken = [
            f"{name} by {length} events"
            for name, length in answers.lengths.items()
            if name not in self.not_asked
        ]
        for what, items in (("holds", holds), ("violated", broken)):
            if items:
                yield f"{what}: {', '.join(items)}"
        if self.not_asked:
            names = ", ".join(self.not_asked)
            yield f"not asked, as a truth of the whole graph: {names}"

    def comment(self, begin: str) -> list[str]:
        """Return the head as lines of comment, each of which begins so."""
        lines = (
            part
            for line in (*self.identity(), *self.expected())
            for part in textwrap.wrap(comment_text(line), WIDTH, **_WRAPPING)
        )
        return [f"{begin}{line}".rstrip() for line in lines]
