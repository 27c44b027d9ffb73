"""Check what the functions of a property take by name: its own parameters, and those of events.

Takes a property as it was declared and the actions of its model; raises ModelError where a name
is no parameter, or where a parameter is declared that decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fencecheck.errors import ModelError, nearest
from fencecheck.model.declare import Action
from fencecheck.model.domains import Index, Scalar
from fencecheck.model.property import Property, Recurrence, names_taken
from fencecheck.model.wording.templates import Saying


def check_taken(where: str, prop: Property, actions: Sequence[Action]) -> None:
    """Raise ModelError for the first name that is wrong; ``where`` begins the message."""
    for name, param in prop.params.items():
        if not isinstance(param, Scalar):
            raise ModelError(
                f"{where}: parameter {name}: {param!r} has no fixed values; "
                "write an Index, Int, Bool or Enum"
            )
        if name not in names_taken(prop.holds):
            raise ModelError(
                f"{where}: it is declared for each {name}, and its function does not take {name}; "
                f"write def {prop.name}({', '.join(_wanted(prop))})"
            )
    spoken_of = [action for action in actions if prop.speaks_of(action.name)]
    triggering = [action for action in actions if prop.triggered_on(action.name)]
    if isinstance(prop, Recurrence):
        _check_classes(where, prop, actions)
    _check_names(f"{where}: it", prop, prop.takes, spoken_of)
    _check_names(f"{where}: its trigger", prop, prop.trigger_takes, triggering)
    if prop.explain is not None and not isinstance(prop.explain, Saying):
        taken = [name for name in names_taken(prop.explain)[2:] if name not in prop.params]
        _check_names(f"{where}: what says how it breaks", prop, taken, spoken_of)


def _check_classes(where: str, prop: Property, actions: Sequence[Action]) -> None:
    """Check that fairness tells events of a recurrence apart by the parameters it shares."""
    for action in actions:
        for name in prop.params if action.name in prop.events else ():
            param = action.params.get(name)
            apart = isinstance(param, Index) if action.fair_by is None else name in action.fair_by
            if isinstance(param, Scalar) and not apart:
                raise ModelError(
                    f"{where}: fairness does not tell {action.name} apart by {name}; "
                    f'write fair_by="{name}" there, or give the parameter another name here'
                )


def _wanted(prop: Property) -> list[str]:
    states = ["before", "after"] if prop.of_events else ["s"]
    return [*states, *prop.takes, *prop.params]


def _check_names(where: str, prop: Property, names: Iterable[str], events: list[Action]) -> None:
    """Check that names are parameters of all the events that are spoken of."""
    for name in names:
        if not prop.of_events:
            known = ", ".join(prop.params) or "none"
            raise ModelError(
                f"{where} takes {name}, which is no parameter of it; its parameters are "
                f"{known}{nearest(name, prop.params)}; declare it ({name}=...)"
            )
        for action in events:
            if name not in action.params:
                raise ModelError(
                    f"{where} takes {name}, which {action.name} does not have; its parameters "
                    f"are {', '.join(action.params) or 'none'}{nearest(name, action.params)}; "
                    "name the events that have it"
                )
