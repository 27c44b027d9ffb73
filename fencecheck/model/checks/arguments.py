"""What the arguments of declarations have to be: read off their annotations, checked in one place.

``declaration`` stands above every method that declares something; what is set on a model is
checked by ``check_argument`` likewise. Annotations that ``_WANTED`` does not have are checked
where they are used.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as Group
from typing import Any, ParamSpec, TypeVar, get_args

from fencecheck.errors import ModelError, nearest
from fencecheck.model.declare import Fairness, LaneKind
from fencecheck.model.declaring.inclusion import NEEDS
from fencecheck.model.drills import DrillPlan
from fencecheck.model.ordinary import place_of_call, shown

P = ParamSpec("P")
R = TypeVar("R")
_CHOICES = {"LaneKind": get_args(LaneKind), "Fairness": get_args(Fairness)}


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _are_names(value: Any) -> bool:
    """Tell whether a value is several names; an iterator is not looked into, which would end it."""
    if isinstance(value, list | tuple | Group):
        return all(isinstance(name, str) for name in value)
    return isinstance(value, Iterable) and not isinstance(value, str | bytes)


def _are_pairs(value: Any) -> bool:
    return isinstance(value, Mapping) and _are_names([*value.keys(), *value.values()])


def _one_of(names: tuple[str, ...]) -> tuple[Callable[[Any], bool], str]:
    return (lambda value: value in names), f"one of {', '.join(names)}"


_NAMES = "names in quotes, in a list"
_WANTED: dict[str, tuple[Callable[[Any], bool], str]] = {
    "str": (_is_text, "a text in quotes"),
    "bool": (lambda value: isinstance(value, bool), "True or False"),
    "int": (lambda value: type(value) is int, "a whole number"),
    "Function": (callable, "a function"),
    "Need": (lambda value: value in NEEDS, f"one of {', '.join(NEEDS)}"),
    "Iterable[str]": (_are_names, _NAMES),
    "Sequence[str]": (lambda value: isinstance(value, list | tuple) and _are_names(value), _NAMES),
    "str | Iterable[str]": (lambda value: _is_text(value) or _are_names(value), _NAMES),
    "Mapping[str, str]": (_are_pairs, 'names in quotes, in a dict ({"name": "name"})'),
    "DrillPlan": (lambda value: isinstance(value, DrillPlan), "a DrillPlan(...)"),
}


_WANTED |= {kind: _one_of(names) for kind, names in _CHOICES.items()}


def check_argument(what: str, annotation: str, value: Any) -> None:
    """Raise ModelError, with file and line, unless ``value`` is what ``annotation`` says."""
    kind = annotation.removesuffix(" | None")
    if kind not in _WANTED or (value is None and kind != annotation):
        return
    fits, wanted = _WANTED[kind]
    if not fits(value):
        hint = nearest(str(value), _CHOICES.get(kind, ()))
        raise ModelError(f"{place_of_call()}{what} is {shown(value)}; write {wanted}{hint}")


def declaration(function: Callable[P, R]) -> Callable[P, R]:
    """Check the arguments of a method that declares something before it is called."""
    signature = inspect.signature(function)

    @functools.wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        for name, value in signature.bind(*args, **kwargs).arguments.items():
            parameter = signature.parameters[name]
            if parameter.kind is parameter.VAR_KEYWORD:
                continue
            several = parameter.kind is parameter.VAR_POSITIONAL
            for one in value if several else (value,):
                check_argument(f"{function.__name__}: {name}", str(parameter.annotation), one)
        return function(*args, **kwargs)

    return checked
