"""Adapter: what connects an implementation to the events and the state of a model.

A class with one method for each real call, which says with ``on`` which events of the model the
call stands for, and ``observe``, which returns what can be seen. A driver makes a fresh adapter for
each run, calls its methods in an order that the model allows, and compares; nothing here compares.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

Method = TypeVar("Method", bound=Callable[..., Any])
_EVENTS = "_fencecheck_events"
OWN = frozenset({"design", "folder", "posted"})  # attributes that a driver sets, and never saves


class _Any:
    """The value of what cannot be seen just now."""

    def __repr__(self) -> str:
        return "ANY"

    def __reduce__(self) -> str:
        return "ANY"


ANY: Final = _Any()


class Adapter:
    """An implementation as a driver sees it: a fresh one for each run.

    ``design`` has the mechanisms and bounds that it is driven under, also in ``__init__``; where
    an adapter names a ``folder``, what stands in it belongs to what is saved.
    """

    design: Mapping[str, Any]
    folder: str | Path | None = None
    posted: list[Any]

    def post(self, message: Any) -> None:
        """Say that the event has put a message in flight: whoever takes it gets this object."""
        self.posted.append(message)

    def begin(self, initial: Mapping[str, Any]) -> None:
        """Set up the initial state in which a run begins, where a model has several.

        ``initial`` has its values under the names that ``observe`` uses.
        """

    def observe(self) -> Mapping[str, Any]:
        """Return any part of the state, under the names and with the values that traces show."""
        return {}

    def save(self) -> Any:
        """Return all that decides what it will do and show; its attributes, where it says nothing.

        What is returned is pickled at once, together with the messages in flight.
        """
        return {name: value for name, value in vars(self).items() if name not in OWN}

    def load(self, saved: Any) -> None:
        """Become what it was when ``saved`` was saved."""
        kept = {name: value for name, value in vars(self).items() if name in OWN}
        vars(self).clear()
        vars(self).update({**saved, **kept})

    def close(self) -> None:
        """Let go of what it holds; called at the end of a run, whatever happened."""


def on(*events: str) -> Callable[[Method], Method]:
    """Say that a method carries out these events, named as in traces.

    Several are the outcomes of one real call: the method returns the outcome that it had.
    """
    for name in events:
        if not isinstance(name, str):
            raise TypeError('write the names of events: @on("actor.verb")')
    if not events:
        raise TypeError('name an event: @on("actor.verb")')

    def decorate(method: Method) -> Method:
        setattr(method, _EVENTS, events)
        return method

    return decorate


def methods_of(adapter: type[Adapter]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the methods of a class that carry out events, with the events, in their order.

    A method that overrides another takes its events, unless it names its own.
    """
    names = dict.fromkeys(name for kind in reversed(adapter.__mro__) for name in vars(kind))
    for name in names:
        for kind in adapter.__mro__:
            events = getattr(vars(kind).get(name), _EVENTS, None)
            if events is not None:
                yield name, events
                break


def is_adapter(found: Any) -> bool:
    """Tell whether something is a class of adapters."""
    return inspect.isclass(found) and issubclass(found, Adapter)
