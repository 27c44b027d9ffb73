"""What an explanation is told in: headings, sentences, lists, tables and event orders."""

from __future__ import annotations

from dataclasses import dataclass

from fencecheck.runs.trace import Trace


@dataclass(frozen=True)
class Heading:
    """A title; level 1 is the spec's, 2 a variant's or the designs', 3 a section's."""

    level: int
    text: str


@dataclass(frozen=True)
class Sentence:
    """A paragraph; ``tone`` is what it is painted with."""

    text: str
    tone: str = ""


@dataclass(frozen=True)
class Listing:
    """Several short texts below each other."""

    items: tuple[str, ...]


@dataclass(frozen=True)
class Rows:
    """A table with heads."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class EventOrder:
    """An event order, what it breaks, and what is to be done about it.

    ``also`` tells of the other properties that it breaks.
    """

    title: str
    trace: Trace
    also: tuple[str, ...]
    verdict: str


Block = Heading | Sentence | Listing | Rows | EventOrder
