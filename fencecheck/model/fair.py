"""Which arguments of an event make its fairness class: what the model declares, or the default.

Weak fairness is asked class by class: events of one class that stay possible must happen in the
end. A class is an event with the values of some of its arguments (``fair_by`` of the action); by
default all those that range over an Index. Names decide nothing here. Takes declarations and
resolved domains, gives the places to read; the classes of a system are in runs/fairness.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from fencecheck.errors import ModelError, nearest
from fencecheck.model.declare import Action, Each, Parameter
from fencecheck.model.domains import Index, Maybe, Record, Scalar, Subset, Unlimited


@dataclass(frozen=True)
class Argument:
    """An argument of an event as people see it: a parameter, or a field of its element."""

    param: int
    field: str | None
    name: str
    domain: Scalar

    def of(self, args: tuple[Any, ...]) -> Any:
        """Return the argument's value in an event with these arguments."""
        value = args[self.param]
        return value if self.field is None else getattr(value, self.field)


def fair_arguments(
    action: Action, domain_of: Callable[[str, Parameter], Any]
) -> tuple[Argument, ...]:
    """Return the arguments that tell an action's fairness classes apart, in order.

    ``domain_of(name, parameter)`` gives the domain of a parameter, or of the elements over which
    an Each ranges. Interference is never fair: all its events are of one class.
    """
    if action.interference:
        return ()
    found = arguments_of(action, domain_of)
    if action.fair_by is None:
        return tuple(a for a in found if isinstance(a.domain, Index))
    return tuple(a for a in found if a.name in action.fair_by)


def arguments_of(
    action: Action, domain_of: Callable[[str, Parameter], Any]
) -> tuple[Argument, ...]:
    """Return the arguments of an action as people see them, in order."""
    return tuple(
        Argument(number, field, shown, domain)
        for number, (name, param) in enumerate(action.params.items())
        for field, shown, domain in _arguments(name, param, domain_of(name, param))
    )


def _arguments(name: str, param: Parameter, domain: Any) -> list[tuple[str | None, str, Any]]:
    """Return (field, name, domain) of what people see of one parameter."""
    if isinstance(param, Each) and param.args:
        return [(field, field, domain.fields[field]) for field in param.args]
    return [(None, name, domain)]


def ranged_over(param: Parameter, domains: Mapping[str, Any]) -> Any:
    """Return the domain of a parameter, or of the elements over which an Each ranges."""
    return domains[param.variable].element if isinstance(param, Each) else param


def declared_fairness(
    actions: Iterable[Action], domain_of: Callable[[str, Parameter], Any]
) -> dict[str, tuple[str, ...]]:
    """Return for each system event the names of the arguments that tell its classes apart."""
    return {
        action.name: tuple(argument.name for argument in fair_arguments(action, domain_of))
        for action in actions
        if not action.interference
    }


def check_fair_by(where: str, action: Action, domain_of: Callable[[str, Parameter], Any]) -> None:
    """Raise ModelError where ``fair_by`` names what is no argument, or no single value."""
    known = {
        shown: domain
        for name, param in action.params.items()
        for _, shown, domain in _arguments(name, param, domain_of(name, param))
    }
    for name in action.fair_by or ():
        if name not in known:
            raise ModelError(
                f"{where}: fair_by names {name!r}; its arguments are "
                f"{', '.join(known) or 'none'}{nearest(name, known)}"
            )
        plain = known[name].index if isinstance(known[name], Maybe) else known[name]
        if isinstance(plain, Unlimited):
            raise ModelError(
                f"{where}: fair_by names {name!r}, a number that does not come back; name other "
                "arguments"
            )
        if isinstance(known[name], Subset):
            raise ModelError(f"{where}: fair_by names {name!r}, a subset; name other arguments")
        if isinstance(known[name], Record):
            raise ModelError(
                f"{where}: fair_by names {name!r}, a whole {known[name].name}; name fields of it "
                f'in Each("...", "field") and then in fair_by'
            )
