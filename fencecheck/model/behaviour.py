"""Behaviour: what a property asks of a run, so that its class can say which runs refute it.

runs/run.py has the runs of which this can be asked; states are views of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol


class Behaviour(Protocol):
    """A run that ends, or that goes on for ever in a loop."""

    def end(self) -> Any:
        """Return its last state."""

    def views(self) -> Sequence[Any]:
        """Return its states."""

    def recurring(self) -> Sequence[Any]:
        """Return the states in which it stays for ever."""

    def last_event(self) -> tuple[Any, Sequence[Any], Any, Any] | None:
        """Return its last event: the action, its arguments, the state before and the one after."""

    def loop(self) -> Sequence[tuple[Any, Sequence[Any]]]:
        """Return the events that happen for ever: action and arguments of each."""

    def can_go_on(self) -> bool:
        """Tell whether a system event is possible at its end."""

    def can_reach(self, truth: Callable[[Any], bool]) -> bool:
        """Tell whether system events lead from its end to a state with ``truth``."""

    def why_not_for_ever(self) -> str | None:
        """Return why it is no fair behaviour, or None."""
