"""Tagged values: one of several kinds of thing, each with its own content or none."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import Any

from fencecheck.errors import ModelError, nearest
from fencecheck.model.domains.records import Record
from fencecheck.model.domains.scalars import Domain, Scalar, Show
from fencecheck.model.ordinary import ask, is_callable, refuse, shown, words

Chosen = tuple[str, ...] | Callable[[Any], str | tuple[str, ...]]


class OneOf(Scalar):
    """A value with a tag, and what its tag says it holds: nothing, a scalar or a record.

    ``Content = OneOf("Content", original=None, edit=Int(1, 2))`` makes ``Content.original`` and
    ``Content.edit(1)``. Of a value ``v.tag`` is the tag, ``v.edit`` what an edit holds. Values are
    ranked by tag, alphabetically, then by what they hold. A tag that holds numbers of which a run
    has none has no values there. ``show(value, k)`` gives the words for a value.
    """

    def __init__(
        self, name: str, /, show: Show | None = None, **tags: Scalar | Record | None
    ) -> None:
        is_callable(f"OneOf {name}: show", show)
        self._show, self._sizes = show, None
        self.name, self.tags = name, {tag: tags[tag] for tag in sorted(tags)}
        self._order = tuple(tags)
        _check(name, tags)
        self.make = _values(name, tuple(tags))
        self.starts: dict[str, int] = {}
        self._chosen: Chosen = self._order
        self.unnarrowed = self
        self._declare()

    def __getattr__(self, tag: str) -> Any:
        tags = self.__dict__.get("tags", {})
        if tag not in tags:
            raise AttributeError(f"{self.__dict__.get('name')} has no {tag}{nearest(tag, tags)}")
        if tags[tag] is None:
            return self.make(tag, None)
        return lambda held: self.make(tag, held)

    def only(self, *tags: str | Callable[[Any], str | tuple[str, ...]]) -> OneOf:
        """Return the values with one of some tags: a domain of its own, of the same values.

        They are named, or a function of the sizes gives the name of one, or of several.
        """
        chosen: Any = tags[0] if len(tags) == 1 and callable(tags[0]) else tags
        if not callable(chosen):
            self._names(chosen)
        narrow = self._copy()
        narrow._chosen, narrow.unnarrowed = chosen, self
        narrow._declare()
        return narrow

    def _names(self, chosen: Any) -> tuple[str, ...]:
        """Return tags in the order of their declaration; raises ModelError for other names."""
        names = (chosen,) if isinstance(chosen, str) else tuple(chosen)
        for name in names:
            if name not in self.tags:
                hint = nearest(str(name), self.tags)
                raise ModelError(
                    f"OneOf {self.name}: only: it has no tag {shown(name)}{hint}; "
                    f"it has {', '.join(self._order)}"
                )
        return tuple(tag for tag in self._order if tag in names)

    def _copy(self) -> OneOf:
        copy = object.__new__(OneOf)
        copy.__dict__.update(self.__dict__)
        return copy

    def resolve(self, sizes: Any) -> OneOf:
        domain = self.resolve_held(sizes)
        first = next(iter(domain._names(domain._chosen)), "")
        if not first or not domain.size(first):
            wrong = f"its first tag {first} has no values; write one first that always has some"
            raise ModelError(
                f"{self.place}OneOf {self.name}: "
                + (wrong if first else "only: it names no tag; write one at least")
            )
        return domain

    def resolve_held(self, sizes: Any) -> OneOf:
        domain = self._copy()
        domain._sizes = sizes
        domain.tags = {
            tag: None if held is None else _held_in(held, sizes) for tag, held in self.tags.items()
        }
        domain.unnarrowed = domain if self.unnarrowed is self else self.unnarrowed.resolve(sizes)
        domain._chosen = self._chosen_at(sizes)
        domain.starts, domain.count = {}, 0
        for tag in domain.tags:
            domain.starts[tag] = domain.count
            domain.count += domain.size(tag)
        for tag in domain._names(domain._chosen)[:1]:
            held = domain.tags[tag]
            domain.default = self.make(tag, None if held is None else held.default)
        return domain

    def _chosen_at(self, sizes: Any) -> tuple[str, ...]:
        """Return the tags that there are in one run."""
        chosen = self._chosen
        if not callable(chosen):
            return self._names(chosen)
        given = ask(f"only of {self.name}", chosen, sizes)
        if not isinstance(given, str | tuple | list):
            refuse(f"only of {self.name}", chosen, given, "it gives names of tags")
        return self._names(given)

    def size(self, tag: str) -> int:
        """Return how many values have a tag."""
        if tag not in self._chosen:  # type: ignore[operator]
            return 0
        held = self.tags[tag]
        return 1 if held is None else held.count

    def has_values_of(self, other: OneOf) -> bool:
        """Tell whether another resolved domain of this OneOf has the same values."""
        return (self.starts, self.count) == (other.starts, other.count)

    def contains(self, value: Any) -> bool:
        if type(value) is not self.make or not self.size(value[0]):
            return False
        held = self.tags[value[0]]
        return value[1] is None if held is None else held.contains(value[1])

    def misfit(self, name: str, value: Any) -> str:
        if type(value) is not self.make:
            return super().misfit(name, value)
        held = self.tags[value[0]]
        if held and value[0] in self._chosen:  # type: ignore[operator]
            return held.misfit(f"{name}.{value[0]}", value[1])
        return f"{name} is {self.show(value)}, which is not {self.describe()}"

    def rank(self, value: Any) -> int:
        held = self.tags[value[0]]
        return self.starts[value[0]] + (0 if held is None else held.rank(value[1]))

    def value(self, rank: int) -> Any:
        tag = next(t for t in reversed(self.tags) if self.starts[t] <= rank)
        held = self.tags[tag]
        return self.make(tag, None if held is None else held.value(rank - self.starts[tag]))

    def show(self, value: Any) -> Any:
        if self._show:
            return words(f"show of OneOf {self.name}", self._show, value, self._sizes)
        held, tag = self.tags[value[0]], value[0].replace("_", " ")
        return tag if held is None else f"{tag} {held.show(value[1])}"

    def describe(self) -> str:
        chosen: Any = self._chosen
        names = sorted(self.tags if callable(chosen) else chosen)
        return f"{self.name}, one of {', '.join(names)}"


def _held_in(held: Scalar | Record, sizes: Any) -> Any:
    return held.resolve_held(sizes) if isinstance(held, Scalar) else held.resolve(sizes)


def _check(name: str, tags: dict[str, Any]) -> None:
    taken = {
        *dir(Scalar),
        *dir(tuple),
        "name",
        "tags",
        "make",
        "tag",
        "starts",
        "size",
        "only",
        "unnarrowed",
        "has_values_of",
    }
    if not tags:
        raise ModelError(f"OneOf {name}: write at least one tag, as in empty=None")
    for tag, held in tags.items():
        if tag in taken or tag.startswith("_"):
            raise ModelError(f"OneOf {name}: the tag {tag} is taken; choose another")
        if not (held is None or isinstance(held, Scalar | Record)):
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


def held_here(domain: OneOf) -> list[Domain]:
    """Return what values of a tagged domain hold, without tags that it has no values of.

    Before it is resolved: without tags of which only the sizes of a run say whether it has some.
    """
    chosen: Any = () if callable(domain._chosen) else domain._chosen
    tags = [tag for tag in chosen if not domain.starts or domain.size(tag)]
    return [held for tag in tags if (held := domain.tags[tag])]
