"""Names that are taken once: of files of one run, of places in one page."""

from __future__ import annotations


class TakenNames:
    """Gives every thing a name of its own."""

    def __init__(self) -> None:
        self.taken: set[str] = set()

    def take(self, name: str) -> str:
        """Return ``name``, or with a number behind it where it is taken."""
        found, number = name, 1
        while found in self.taken:
            number += 1
            found = f"{name}-{number}"
        self.taken.add(found)
        return found
