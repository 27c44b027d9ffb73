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
from types import FunctionType
from typing import Any, ParamSpec, TypeVar, cast, get_args

from fencecheck.errors import ModelError, nearest
from fencecheck.model.declare import Fairness, LaneKind
from fencecheck.model.declaring.inclusion import NEEDS
from fencecheck.model.drills import DrillPlan
from fencecheck.model.mistakes.refused import attended, of_refused, refused, usage_of
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
    "Wording": (
        lambda value: isinstance(value, str) or callable(value),
        "a text in quotes, or a function",
    ),
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
    """Check the arguments of a method that declares something before it is called.

    While a model's file is executed, a declaration that is refused is noted and stands aside.
    """
    call = _Call(function)

    @functools.wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        unknown: Any = of_refused(args[1:], kwargs)
        if unknown is not None:
            return cast(R, unknown)
        try:
            call.check(args, kwargs)
            made: Any = function(*args, **kwargs)
        except ModelError as error:
            return cast(R, refused(error, args[1:]))
        return cast(R, attended(made, call.name) if call.decorates else made)

    return checked


class _Call:
    """What a method that declares something can be called with."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.name, self.signature = function.__name__, inspect.signature(function)
        gives = str(self.signature.return_annotation)
        self.decorates = gives.startswith(("Callable[[Function]", "Callable[[Property]"))

    def check(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        """Raise ModelError for an argument that is missing, unknown or of the wrong kind."""
        try:
            bound = None if self._is_bare(args, kwargs) else self.signature.bind(*args, **kwargs)
        except TypeError as error:
            usage = usage_of(self.signature, self.name)
            raise ModelError(f"{place_of_call()}{self.name}: {error}; write {usage}") from None
        if bound is None:
            raise ModelError(
                f"{place_of_call()}{self.name} stands above {args[1].__name__} without brackets; "
                f"write {self.name}()"
            )
        for name, value in bound.arguments.items():
            parameter = self.signature.parameters[name]
            if parameter.kind is parameter.VAR_KEYWORD:
                continue
            several = parameter.kind is parameter.VAR_POSITIONAL
            for one in value if several else (value,):
                check_argument(f"{self.name}: {name}", str(parameter.annotation), one)

    def _is_bare(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
        """Tell whether the call is a decorator's own, that of a name without brackets."""
        first = [str(p.annotation) for p in self.signature.parameters.values()][1:2]
        return (
            self.decorates
            and first not in (["Function"], ["Wording"])
            and len(args) == 2
            and not kwargs
            and isinstance(args[1], FunctionType)
            and args[1].__name__ != "<lambda>"
        )
