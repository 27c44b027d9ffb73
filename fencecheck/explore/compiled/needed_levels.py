"""Expand a search under dominance level by level: what is superfluous is struck at a level's end.

Which states are kept depends on neither the order in which those of a level came nor on threads.
"""

from __future__ import annotations

from fencecheck.explore.compiled import loop
from fencecheck.explore.compiled.levels import LevelSearch
from fencecheck.explore.compiled.storage.needed import NeededStore
from fencecheck.explore.compiled.storage.packing import Words
from fencecheck.explore.watch import Watch
from fencecheck.model.system import System

Budgets = tuple[str, ...]


class NeededSearch(LevelSearch):
    """One search under way, that keeps only the states that are needed."""

    def __init__(self, system: System, watch: Watch, store: NeededStore, spent: Budgets) -> None:
        """Begin a search under dominance by the budgets ``spent``."""
        super().__init__(system, watch, store)
        self.needed = store
        self.graph.search.spent = spent

    def expand_small(self, most: int | None) -> None:
        """Leave every level to ``expand``: each has an end at which states may be struck."""

    def insert(self, words: Words, count: int) -> None:
        """Insert states, all at once."""
        store = self.needed
        loop.insert_needed(
            words, count, store.log, store.own[0], store.table.slots, store.table.shape, 0
        )

    def end_level(self) -> None:
        """Judge what was noted in the level just expanded, and make the new level."""
        self.needed.strike(self.ends)
        super().end_level()
