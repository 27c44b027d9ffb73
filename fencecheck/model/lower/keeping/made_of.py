"""What a lowering is made of, as a digest: all that lowering a family can come to see.

Takes a family; gives a digest that is the same in another process where everything is that the
functions to be lowered are made of: their text and place in it, what their names stand for, what
parts keep, the domains, and fencecheck's own text. What came of data files and the environment is
covered, since it is in some value. Gives nothing for a family in which something stands that no
other process can compare. Runs nothing but properties of parts that functions name.
"""

from __future__ import annotations

import builtins
import functools
import hashlib
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from fencecheck.model.declare import Action, Bound, Constraint, Mechanism, Variable
from fencecheck.model.domains import Domain
from fencecheck.model.family import Family
from fencecheck.model.files.kept import digest_of_sources, digest_of_texts
from fencecheck.model.files.texts import SHIPPED, is_authors, source_text
from fencecheck.model.parts import Part
from fencecheck.model.property import Property
from fencecheck.version import __version__

_OWN = "fencecheck."
_PLAIN = (type(None), bool, int, float, str, bytes, range)
_AS_WORDS: list[tuple[type, str]] = [
    (Variable, "initial owner doc messages back told"),
    (Bound, "default doc least"),
    (Mechanism, "default doc environment plain"),
    (Action, "quiet args label remark doc verdict outcome_words"),
    (Constraint, "doc"),
    (Property, "explain relevant doc words situation failing"),
    (Domain, "_at _sizes _show"),
]  # attributes of which nothing is lowered: words, and what one run begins with


class _Incomparable(Exception):
    """Something of which another process could not tell whether it has the same."""


def made_of(family: Family) -> str:
    """Return a digest of what lowering a family depends on beside sizes; "" if there is none."""
    declared = family.declared
    roots = [
        declared.variables, declared.bounds, declared.mechanisms, declared.actions,
        declared.properties, declared.forgets, declared.starts, declared.constraints,
        family.goal,
    ]  # fmt: skip
    walk = _Walk(family.parts)
    try:
        walk.all_of(roots)
    except (_Incomparable, RecursionError):
        return ""
    return walk.digest.hexdigest()


def own_text() -> str:
    """Return what there is of the text and version of what lowers, and of the version of Python."""
    return f"{__version__} {sys.version} {digest_of_sources(Path(__file__).parents[2])}"


@functools.lru_cache(256)
def _digest_of(text: str) -> str:
    return digest_of_texts([text])


class _Walk:
    """Goes through values once each, and takes a digest of what it sees in the order it comes.

    ``named`` are the names that stand in the functions seen so far: of modules and parts only
    attributes of these names can be read, and they are looked at when all names are known.
    """

    def __init__(self, parts: Iterable[Part]) -> None:
        self.parts = list(parts)
        self.digest = hashlib.sha256(own_text().encode())
        self.seen: dict[int, tuple[int, Any]] = {}
        self.named: set[str] = set()
        self.open: list[tuple[Any, set[str]]] = []  # of modules and parts, with names looked at

    def all_of(self, roots: list[Any]) -> None:
        """Go through some values and all that they lead to."""
        self._value(roots)
        found = True
        while found:
            found = False
            for thing, done in list(self.open):
                for name in sorted(self.named - done):
                    done.add(name)
                    found = self._attribute(thing, name) or found

    def _say(self, *said: Any) -> None:
        self.digest.update(f"{said!r}\n".encode("utf-8", "backslashreplace"))

    def _value(self, value: Any) -> None:
        if type(value) in _PLAIN:
            self._say(type(value).__name__, value)
            return
        known = self.seen.get(id(value))
        if known is not None:
            self._say("again", known[0])
            return
        self.seen[id(value)] = len(self.seen), value
        for kinds, look in self._looks():
            if isinstance(value, kinds):
                look(value)
                return
        self._object(value)

    def _looks(self) -> list[tuple[Any, Callable[[Any], None]]]:
        return [
            (types.FunctionType, self._function),
            (types.MethodType, self._method),
            (types.ModuleType, self._module),
            (types.BuiltinFunctionType, self._builtin),
            (Part, self._part),
            (type, self._type),
            ((tuple, list), self._sequence),
            ((set, frozenset), self._set),
            ((dict, types.MappingProxyType), self._mapping),
        ]

    # -- values ---------------------------------------------------------------------------------
    def _sequence(self, value: Any) -> None:
        self._say(len(value))
        self._value(type(value))
        for item in value:
            self._value(item)

    def _set(self, value: Any) -> None:
        if not all(type(item) in _PLAIN for item in value):
            raise _Incomparable
        items = sorted((type(item).__name__, repr(item)) for item in value)
        self._say(type(value).__name__, items)

    def _mapping(self, value: Mapping[Any, Any]) -> None:
        self._say("mapping", len(value))
        for key, item in value.items():
            self._value(key)
            self._value(item)

    def _object(self, value: Any) -> None:
        """Look at an object of fencecheck itself: it is what its attributes are."""
        kind = type(value)
        if not _is_own(kind):
            raise _Incomparable
        self._say("object", kind.__module__, kind.__qualname__)
        if is_dataclass(value):
            names = [one.name for one in fields(value)]
        else:
            names = list(getattr(value, "__dict__", {}))
        passed_over = next((names for kind, names in _AS_WORDS if isinstance(value, kind)), "")
        for name in names:
            if name not in passed_over.split():
                self._say(name)
                self._value(getattr(value, name))

    def _type(self, kind: type) -> None:
        """Look at a type: nothing is read of one in a function, it is only known again."""
        self._say("type", kind.__qualname__, getattr(kind, "_fields", None))

    def _builtin(self, function: Any) -> None:
        if not isinstance(function.__self__, types.ModuleType | None):
            raise _Incomparable
        self._say("builtin", function.__module__, function.__qualname__)

    # -- functions and what they name -----------------------------------------------------------
    def _method(self, method: types.MethodType) -> None:
        self._say("method")
        self._value(method.__func__)
        self._value(method.__self__)

    def _function(self, function: types.FunctionType) -> None:
        code = function.__code__
        own = not is_authors(code.co_filename) and str(function.__module__).startswith(_OWN)
        self._say("function", function.__name__, code.co_name, code.co_firstlineno)
        if "__signature__" in vars(function):
            raise _Incomparable
        self._value(vars(function).get("__wrapped__"))
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            self._say(name)
            self._cell(cell)
        self._value(function.__defaults__)
        self._value(function.__kwdefaults__)
        if own:
            return  # its text is part of fencecheck's
        self._say(_digest_of(source_text(function)))
        if code.co_name == "<lambda>":
            self._say(list(code.co_positions()))
        self.named.update(_names(code))
        scope = function.__globals__
        for name in sorted(set(_names(code))):
            if name in scope:
                self._say("global", name)
                self._value(scope[name])
            elif hasattr(builtins, name):
                self._say("builtin", name)

    def _cell(self, cell: types.CellType) -> None:
        try:
            content = cell.cell_contents
        except ValueError:  # it was never assigned
            self._say("no value")
        else:
            self._value(content)

    def _module(self, module: types.ModuleType) -> None:
        self._say("module", module.__name__)
        self.open.append((module, set()))

    def _part(self, part: Part) -> None:
        included = part in self.parts
        self._say("part", self.parts.index(part) if included else -1, part.name)
        self.open.append((part, set()))

    def _attribute(self, thing: Any, name: str) -> bool:
        """Look at what a name means in a module or part; tell whether it means anything."""
        if not hasattr(thing, name):
            return False
        self._say("attribute", name)
        kinds = type(thing).__mro__ if isinstance(thing, Part) else ()
        having = [kind for kind in kinds if name in vars(kind)]
        for kind in having:  # super() means one behind the first
            if not _is_own(kind):
                self._value(vars(kind)[name])
        if not having or name in vars(thing):
            self._value(getattr(thing, name))
        return True


def _names(code: types.CodeType) -> Iterator[str]:
    """Yield the names that code reads beside its own, with those of the code inside it."""
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield from _names(inner)


def _is_own(kind: type) -> bool:
    """Tell whether a type is fencecheck's, and no model's."""
    return kind.__module__.startswith(_OWN) and not kind.__module__.startswith(f"{SHIPPED}.")
