"""Forgetting: what effects put away because nobody can ask for it any more.

A model keeps its states few by renumbering what only has an order and by setting back what has
lost its meaning. People are told of the run as it would be without that: who keeps every number.
A function declared as forgetting does nothing while ``remembering`` is in force.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_remembers: ContextVar[bool] = ContextVar("remembers", default=False)


@contextmanager
def remembering() -> Iterator[None]:
    """Let effects forget nothing, and containers hold what is outside their domains."""
    token = _remembers.set(True)
    try:
        yield
    finally:
        _remembers.reset(token)


def remembers() -> bool:
    """Tell whether nothing is forgotten now."""
    return _remembers.get()


def forgetful(function: Callable[..., Any]) -> Callable[..., None]:
    """Return ``function`` as effects call it: it does nothing while all is remembered."""

    @functools.wraps(function)
    def forget(*args: Any, **named: Any) -> None:
        if not _remembers.get():
            function(*args, **named)

    return forget


def followed_by(
    effect: Callable[..., Any], calls: Sequence[tuple[Callable[..., Any], tuple[Any, ...]]]
) -> Callable[..., Any]:
    """Return an effect that is followed by calls on the same state, and has its own outcome."""

    def clean(s: Any, *args: Any) -> Any:
        outcome = effect(s, *args)
        for forget, chosen in calls:
            forget(s, *chosen)
        return outcome

    return clean
