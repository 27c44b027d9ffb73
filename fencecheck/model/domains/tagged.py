"""Tagged values: one of several kinds of thing, each with its own content or none."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from fencecheck.errors import ModelError, nearest
from fencecheck.model.domains.records import Record
from fencecheck.model.domains.scalars import Domain, Scalar
from fencecheck.model.ordinary import shown


class OneOf(Scalar):
    """A value with a tag, and what its tag says it holds: nothing, a scalar or a record.

    ``Content = OneOf("Content", original=None, edit=Int(1, 2))`` makes ``Content.original`` and
    ``Content.edit(1)``. Of a value ``v.tag`` is the tag, ``v.edit`` what an edit holds. Values are
    ranked by tag, alphabetically, then by what they hold. A tag that holds numbers of which a run
    has none has no values there.
    """

    def __init__(self, name: str, /, **tags: Scalar | Record | None) -> None:
        self.name, self.tags = name, {tag: tags[tag] for tag in sorted(tags)}
        self._first = next(iter(tags), "")
        _check(name, tags)
        self.make = _values(name, tuple(tags))
        self.starts: dict[str, int] = {}
        self._declare()

    def __getattr__(self, tag: str) -> Any:
        tags = self.__dict__.get("tags", {})
        if tag not in tags:
            raise AttributeError(f"{self.__dict__.get('name')} has no {tag}{nearest(tag, tags)}")
        if tags[tag] is None:
            return self.make(tag, None)
        return lambda held: self.make(tag, held)

    def resolve(self, sizes: Any) -> OneOf:
        domain = object.__new__(OneOf)
        domain.name, domain.make, domain._first = self.name, self.make, self._first
        domain._at = self._at
        domain.tags = {
            tag: None if held is None else _held_in(held, sizes) for tag, held in self.tags.items()
        }
        domain.starts, domain.count = {}, 0
        for tag in domain.tags:
            domain.starts[tag] = domain.count
            domain.count += domain.size(tag)
        held = domain.tags[domain._first]
        if not domain.size(domain._first):
            raise ModelError(
                f"{self.place}OneOf {self.name}: its first tag {domain._first} has no values; "
                "write one first that always has some"
            )
        domain.default = self.make(domain._first, None if held is None else held.default)
        return domain

    def size(self, tag: str) -> int:
        """Return how many values have a tag."""
        held = self.tags[tag]
        return 1 if held is None else held.count

    def contains(self, value: Any) -> bool:
        if type(value) is not self.make:
            return False
        held = self.tags[value[0]]
        return value[1] is None if held is None else held.contains(value[1])

    def misfit(self, name: str, value: Any) -> str:
        held = self.tags.get(value[0]) if type(value) is self.make else None
        return held.misfit(f"{name}.{value[0]}", value[1]) if held else super().misfit(name, value)

    def rank(self, value: Any) -> int:
        held = self.tags[value[0]]
        return self.starts[value[0]] + (0 if held is None else held.rank(value[1]))

    def value(self, rank: int) -> Any:
        tag = next(t for t in reversed(self.tags) if self.starts[t] <= rank)
        held = self.tags[tag]
        return self.make(tag, None if held is None else held.value(rank - self.starts[tag]))

    def show(self, value: Any) -> Any:
        held, words = self.tags[value[0]], value[0].replace("_", " ")
        return words if held is None else f"{words} {held.show(value[1])}"

    def describe(self) -> str:
        return f"{self.name}, one of {', '.join(self.tags)}"


def _held_in(held: Scalar | Record, sizes: Any) -> Any:
    return held.resolve_held(sizes) if isinstance(held, Scalar) else held.resolve(sizes)


def _check(name: str, tags: dict[str, Any]) -> None:
    taken = {*dir(Scalar), *dir(tuple), "name", "tags", "make", "tag", "starts", "size"}
    if not tags:
        raise ModelError(f"OneOf {name}: write at least one tag, as in empty=None")
    for tag, held in tags.items():
        if tag in taken or tag.startswith("_"):
            raise ModelError(f"OneOf {name}: the tag {tag} is taken; choose another")
        if not (held is None or isinstance(held, Scalar | Record)) or isinstance(held, OneOf):
            raise ModelError(
                f"OneOf {name}: {tag} holds {shown(held)}; write None, a scalar or a record"
            )
        if isinstance(held, Record) and held.ghosts:
            raise ModelError(f"OneOf {name}: {tag}: what it holds has no ghosts")


def _values(name: str, tags: tuple[str, ...]) -> Any:
    """Return the type of the values: a pair of the tag and what it holds."""
    kind: Any = namedtuple(name, ["tag", "held"])  # type: ignore[misc]
    return type(name, (kind,), {"__slots__": (), **{tag: _held(name, tag) for tag in tags}})


def _held(name: str, tag: str) -> property:
    def held(value: Any) -> Any:
        if value[0] != tag:
            raise ValueError(f"{name} is {value[0]}, which holds no {tag}")
        return value[1]

    return property(held)


def held_in(domain: Domain) -> list[Domain]:
    """Return what the values of a tagged domain hold, nothing for another domain."""
    return [held for held in domain.tags.values() if held] if isinstance(domain, OneOf) else []
