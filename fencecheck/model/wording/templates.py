"""Templates: words for people as format strings, whose fields are read off states and events.

``"assign {step} to {worker}"`` is held against a model when it is loaded (``check``: every name
and field is there) and filled where somebody is told (``text``): each value in the words of its
domain. What can be named is a mapping of names to domains; where values are told, to pairs of
domain and value. Runs nothing of a model.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from fencecheck.errors import ModelError, nearest
from fencecheck.model.domains import Array, Enum, Int, OneOf, Record, Seq
from fencecheck.model.ordinary import place_of_call

Known = Mapping[str, tuple[Any, Any]]  # name -> (domain, value); None is the domain of plain values
_FIELD = re.compile(r"(?P<root>[A-Za-z]\w*)(?P<steps>(\.[A-Za-z]\w*|\[[\w.]+\])*)")
_STEP = re.compile(r"\.(?P<name>\w+)|\[(?P<key>[\w.]+)\]")


class StateFields:
    """What a state has: its variables with their domains, and switches and bounds (None)."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self.fields = fields


@dataclass(frozen=True)
class _Step:
    """A field of a value, or its element at a key: a number, a name, or what a path leads to."""

    written: str
    name: str = ""
    key: str = ""


@dataclass(frozen=True)
class _Path:
    """A field of a template: a name, and what is read of what it stands for."""

    written: str
    root: str
    steps: tuple[_Step, ...]


@dataclass(frozen=True)
class Template:
    """A text with fields in braces; ``place`` is where it was written."""

    written: str
    parts: tuple[str | _Path, ...]
    place: str

    def check(self, what: str, known: Mapping[str, Any]) -> None:
        """Raise ModelError for the first field that is not there; ``what`` begins the message."""
        for part in self.parts:
            if isinstance(part, _Path):
                try:
                    _domain_at(part, known)
                except _Wrong as wrong:
                    raise ModelError(f"{self.place}{what}: {{{part.written}}}: {wrong}") from None

    def value(self, what: str, known: Known) -> Any:
        """Return what it says as a value to be shown: of a field alone, the value itself."""
        told = [self._told(what, part, known) for part in self.parts]
        if len(told) == 1 and isinstance(self.parts[0], _Path):
            return told[0]
        return "".join(
            part if isinstance(part, str) else value_text(value)
            for part, value in zip(self.parts, told, strict=True)
        )

    def text(self, what: str, known: Known) -> str:
        """Return what it says; raises ModelError where a value has no such element or field."""
        value = self.value(what, known)
        return value if isinstance(value, str) else value_text(value)

    def _told(self, what: str, part: str | _Path, known: Known) -> Any:
        if isinstance(part, str):
            return part
        try:
            domain, value = _value_at(part, known)
        except (_Wrong, LookupError, ValueError, TypeError, AttributeError) as error:
            raise ModelError(f"{self.place}{what}: {{{part.written}}}: {error}") from None
        return value if domain is None else domain.show(value)


@dataclass(frozen=True)
class Saying:
    """What is wrong at a violation: a sentence, and a table of values with their names.

    A name may have fields too: ``base of {step}``.
    """

    said: Template
    values: tuple[tuple[Template, Template], ...]

    def templates(self) -> Iterable[Template]:
        """Return everything that is filled in it."""
        return [self.said, *(template for pair in self.values for template in pair)]

    def told(self, what: str, known: Known) -> tuple[str, list[tuple[str, Any]]]:
        """Return the sentence and the values, filled in."""
        values = [(name.text(what, known), value.value(what, known)) for name, value in self.values]
        return self.said.text(what, known), values


class _Wrong(Exception):
    """What is wrong with a field, in words."""


def template_of(what: str, written: str, place: str | None = None) -> Template:
    """Return the template that a text is; raises ModelError where it is none.

    ``place`` is where it was written: by default the author's line that is being executed.
    """
    place = place_of_call() if place is None else place
    parts: list[str | _Path] = []
    try:
        for literal, field, form, conversion in string.Formatter().parse(written):
            parts += [literal] if literal else []
            if field is not None:
                parts.append(_path(field, form, conversion))
    except ValueError as error:
        raise ModelError(
            f"{place}{what} is {written!r}: {error}; write fields as {{name}}, and {{{{ or }}}} "
            "for a brace"
        ) from None
    return Template(written, tuple(parts), place)


def _path(field: str, form: str | None, conversion: str | None) -> _Path:
    found = _FIELD.fullmatch(field)
    if form or conversion or not found:
        more = (f"!{conversion}" if conversion else "") + (f":{form}" if form else "")
        raise ValueError(
            f"{{{field}{more}}} is no name with fields (.name) and elements ([name]) behind it"
        )
    steps = [
        _Step(step[0], step["name"] or "", step["key"] or "")
        for step in _STEP.finditer(found["steps"])
    ]
    return _Path(field, found["root"], tuple(steps))


def _domain_at(path: _Path, known: Mapping[str, Any]) -> Any:
    """Return the domain of what a field stands for; raises _Wrong where there is no such thing."""
    if path.root not in known:
        raise _Wrong(
            f"there is no {path.root}; there is {', '.join(known)}{nearest(path.root, known)}"
        )
    domain = known[path.root]
    for step in path.steps:
        if step.key and isinstance(domain, Array | Seq):
            _check_key(step, domain, known)
        domain = _inside(domain, step)
    if isinstance(domain, StateFields):
        raise _Wrong(f"it is a whole state; write {{{path.written}.name}}")
    return domain


def _check_key(step: _Step, domain: Array | Seq, known: Mapping[str, Any]) -> None:
    """Check that what stands in brackets is a number, a name of the array's, or leads to one."""
    index = domain.index if isinstance(domain, Array) else None
    if isinstance(index, Enum) and step.key in index.names:
        return
    if step.key.isdecimal() and not isinstance(index, Enum):
        return
    wanted = Enum if isinstance(index, Enum) else Int
    key = _domain_at(_key_path(step), known)
    if not isinstance(key, wanted):
        names = f"one of {', '.join(index.names)}" if isinstance(index, Enum) else "an index"
        raise _Wrong(f"{step.key} is not {names}")


def _key_path(step: _Step) -> _Path:
    return _path(step.key, None, None)


def _inside(domain: Any, step: _Step) -> Any:
    """Return the domain of a field or element of what has a domain."""
    if step.key:
        if isinstance(domain, Array | Seq):
            return domain.element
        raise _Wrong(f"{step.written} reads an element of what is no array or sequence")
    if isinstance(domain, OneOf):
        names: Mapping[str, Any] = {"tag": None, **{t: d for t, d in domain.tags.items() if d}}
    else:
        names = domain.fields if isinstance(domain, StateFields | Record) else {}
    if step.name not in names:
        whose = "the model" if isinstance(domain, StateFields) else "it"
        hint = nearest(step.name, names)
        if not (hint or isinstance(domain, StateFields)):
            hint = f"; it has {', '.join(names)}" if names else ""
        kind = "variable, mechanism or bound" if isinstance(domain, StateFields) else "field"
        raise _Wrong(f"{whose} has no {kind} {step.name}{hint}")
    return names[step.name]


def _value_at(path: _Path, known: Known) -> tuple[Any, Any]:
    """Return the domain and the value of what a field stands for."""
    domain, value = known[path.root]
    for step in path.steps:
        value = getattr(value, step.name) if step.name else _element(domain, value, step, known)
        domain = _inside(domain, step)
    return domain, value


def _element(domain: Any, value: Any, step: _Step, known: Known) -> Any:
    if isinstance(domain, Array) and isinstance(domain.index, Enum):
        named = step.key in domain.index.names
        key = step.key if named else _value_at(_key_path(step), known)[1]
        return value[key]
    key = int(step.key) if step.key.isdecimal() else _value_at(_key_path(step), known)[1]
    if type(key) is not int or not 0 <= key < len(value):
        shown = "nothing" if key is None else f"element {key + 1}"
        raise _Wrong(f"there is no {step.written} ({shown} of {len(value)})")
    return value[key]


def value_text(value: Any) -> str:
    """Return a value of a trace in words, on one line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    if isinstance(value, (list, tuple)):
        return ", ".join(value_text(item) for item in value) if value else "empty"
    return " ".join(str(value).split()) or "(empty text)"
