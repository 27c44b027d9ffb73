"""In what an event that can happen differs from the event that a trace tells of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fencecheck.runs.event import Event
from fencecheck.runs.told.teller import Teller
from fencecheck.runs.trace import Change, TracedEvent


def unlike(now: Mapping[str, Any], then: Mapping[str, Any], of: str = "") -> str | None:
    """Return in which argument, or field of one, an event differs from what a trace says of it.

    What the trace does not name is left open: the model may have it since.
    """
    for name, said in then.items():
        value = now.get(name)
        if isinstance(value, dict) and isinstance(said, dict):
            field = unlike(value, said, f"{name}.")
            if field:
                return field
        elif said != value or name not in now:
            return f"{of}{name} is {value}, the trace says {said}"
    return None


def difference_of(teller: Teller, event: Event, told: TracedEvent) -> str | None:
    """Return in what an event differs from what a trace tells of it, None in nothing."""
    args = teller.system.shown_args(event.action, event.args)
    if args != dict(told.args):
        return f"its {unlike(args, told.args) or 'arguments are others'}"
    outcome = teller.outcome(event)
    if told.outcome != outcome:
        return f"its outcome is {outcome}, the trace says {told.outcome}"
    changes, _ = teller.changes(event.before, event.after)
    for key in [*changes, *(k for k in told.changes if k not in changes)]:
        now, then = changes.get(key), told.changes.get(key)
        if now != then and not (now is None and then is not None and then.before == then.after):
            return f"{key} {_change(now)}, the trace says it {_change(then)}"
    return None


def _change(change: Change | None) -> str:
    if change is None:
        return "does not change"
    return f"goes from {change.before} to {change.after}"
