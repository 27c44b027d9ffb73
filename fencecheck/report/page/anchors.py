"""Names of places in a page, which links from outside and within lead to.

In: names of designs and properties, whatever they hold. Out: names that stand in an address as
they are (letters, digits, ``._-/``), each once in a page.
"""

from __future__ import annotations

import re

from fencecheck.report.words.taken import TakenNames

LONGEST = 80


def anchor_part(text: str) -> str:
    """Return a text as one part of an anchor: lower case, words joined by ``-``, ASCII only."""
    plain = re.sub(r"[^a-z0-9._]+", "-", text.lower()).strip("-.")
    return plain[:LONGEST].rstrip("-.") or "unnamed"


class Anchors:
    """Gives every place of one page a name of its own."""

    def __init__(self) -> None:
        self._names = TakenNames()

    def take(self, *parts: str) -> str:
        """Return the parts joined by ``/``, with a number behind them where that is taken."""
        return self._names.take("/".join(anchor_part(part) for part in parts))
