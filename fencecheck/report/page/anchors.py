"""Names of places in a page, which links from outside and within lead to.

In: names of designs and properties, whatever they hold. Out: names that stand in an address as
they are (letters, digits, ``._-/``), each once in a page.
"""

from __future__ import annotations

import re

LONGEST = 80


def anchor_part(text: str) -> str:
    """Return a text as one part of an anchor: lower case, words joined by ``-``, ASCII only."""
    plain = re.sub(r"[^a-z0-9._]+", "-", text.lower()).strip("-.")
    return plain[:LONGEST].rstrip("-.") or "unnamed"


class Anchors:
    """Gives every place of one page a name of its own."""

    def __init__(self) -> None:
        self.taken: set[str] = set()

    def take(self, *parts: str) -> str:
        """Return the parts joined by ``/``, with a number behind them where that is taken."""
        name = "/".join(anchor_part(part) for part in parts)
        found, number = name, 1
        while found in self.taken:
            number += 1
            found = f"{name}-{number}"
        self.taken.add(found)
        return found
