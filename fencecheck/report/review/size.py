"""What fits into a comment of a review thread: pieces by their importance, within a limit.

In: pieces, each in several lengths, and how important it is. Out: one text that is never longer
than a comment may be, with what was left out said at its end. It knows no results.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from fencecheck.report.words.outcomes import count
from fencecheck.report.words.visible import visible

LIMIT = 65_536  # characters of a comment, an end of line sent as two
_RESERVED = 600  # for what was left out, and where to find it
_CLIPPED = "…"


@dataclass(frozen=True)
class Passage:
    """A part of a document; the lower its ``rank`` the more important.

    ``texts`` are its forms, the longest first. ``kinds`` name, in the singular, what is missing
    where the form before it does not fit: one for each form.
    """

    rank: int
    texts: tuple[str, ...]
    kinds: tuple[str, ...]


def size(text: str) -> int:
    """Return the characters of a text as a browser sends it and a server may count it."""
    return len(text) + text.count("\n") + sum(ord(char) > 0xFFFF for char in text)


def clipped(text: object, most: int) -> str:
    """Return a text of at most ``most`` characters, cut where it is longer."""
    whole = str(text)
    return whole if len(whole) <= most else whole[: most - 1] + _CLIPPED


def fitted(pieces: Sequence[Passage], ending: str, where: str, limit: int = LIMIT) -> str:
    """Return the pieces in their order, each in the longest form for which there is room.

    Room goes to important pieces first. ``ending`` always stands at the end; where something had
    to be left out, a line before it says what, and ``where`` it is to be found.
    """
    room = limit - _RESERVED - size(ending)
    chosen, lost = [""] * len(pieces), Counter[str]()
    for number in sorted(range(len(pieces)), key=lambda n: pieces[n].rank):
        piece = pieces[number]
        for text, kind in zip(piece.texts, piece.kinds, strict=True):
            shown = visible(text).rstrip("\n") + "\n\n"
            if size(shown) <= room:
                chosen[number] = shown
                room -= size(shown)
                break
            lost[kind] += 1
    told = ", ".join(count(number, kind) for kind, number in sorted(lost.items()))
    note = f"Left out, so that this fits a comment: {told}. {where}\n\n" if told else ""
    return "".join(chosen) + visible(note) + ending
