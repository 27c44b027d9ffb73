"""Fairness classes: the label of every edge of a graph, one for each event name and step.

A label is a small number, the same in both engines: the first label of the edge's action plus
the step it is about, if it is about one. Weak fairness speaks of the classes of system events.
"""

from __future__ import annotations

from dataclasses import dataclass

from fencecheck.model.declare import Each
from fencecheck.model.system import Args, System


@dataclass(frozen=True)
class Classes:
    """The labels of a system's edges. ``system[label]`` tells the system's own events."""

    names: tuple[str, ...]
    system: tuple[bool, ...]
    first: tuple[int, ...]

    def labels_of(self, event: str) -> set[int]:
        """Return the labels of an event, one for each step."""
        return {i for i, name in enumerate(self.names) if name.split("(")[0] == event}


def _steps(system: System, action: int) -> int:
    """Return how many steps an action can be about; 0 if it is about none."""
    for name, param in system.params[action].items():
        if isinstance(param, Each):
            if "step" in param.args:
                domain = system.domains[system.place[param.variable]]
                return int(domain.element.fields["step"].count)  # type: ignore[attr-defined]
        elif name == "step":
            return int(param.count)
    return 0


def classes_of(system: System) -> Classes:
    """Return the labels of a system's edges, in the order of its actions."""
    names: list[str] = []
    own: list[bool] = []
    first: list[int] = []
    for number, action in enumerate(system.actions):
        first.append(len(names))
        steps = _steps(system, number)
        names += [f"{action.name}({i + 1})" for i in range(steps)] or [action.name]
        own += [not action.interference] * max(steps, 1)
    return Classes(tuple(names), tuple(own), tuple(first))


def label_of(system: System, classes: Classes, action: int, args: Args) -> int:
    """Return the label of one event."""
    for (name, param), value in zip(system.params[action].items(), args, strict=True):
        if isinstance(param, Each) and "step" in param.args:
            return classes.first[action] + int(value.step)
        if name == "step" and not isinstance(param, Each):
            return classes.first[action] + int(value)
    return classes.first[action]
