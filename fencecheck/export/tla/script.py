"""The module that is being written: what its names stand for, and constants as trees.

Takes a system; knows which of its variables nothing changes (``constants``). Operators that are
made of functions are kept in ``operators``, constants that are named in ``named``.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

from fencecheck.errors import UsageError
from fencecheck.export.tla.syntax.building import calling, number, text, truth
from fencecheck.export.tla.syntax.helping import HELPERS
from fencecheck.export.tla.syntax.naming import Identifiers, camel, identifier
from fencecheck.export.tla.syntax.trees import Fields, FunctionOf, Infix, Listed, Prefix, Tree, Word
from fencecheck.export.tla.values import (
    HeldPlace,
    KnownValue,
    Several,
    Term,
    domains_inside,
    live_fields,
)
from fencecheck.model.domains import Array, Bag, Enum, OneOf, Record, Seq, Set
from fencecheck.model.system import System


class Script:
    """A module that is being written, for one guess of which variables never change."""

    def __init__(self, system: System, constants: Mapping[str, Any]) -> None:
        self.system, self.constants = system, constants
        self.names = Identifiers()
        self.names.taken |= set(HELPERS)
        self.domains = dict(zip(system.names, system.domains, strict=True))
        self.variable_names = {name: self.names.give(identifier(name)) for name in system.names}
        inner = domains_inside([*system.domains, *self._parameters()])
        self.records = {d.make: d for d in inner if isinstance(d, Record)}
        self.tagged = {d.make: d.unnarrowed for d in inner if isinstance(d, OneOf)}
        self.events = {a.name: self.names.give(camel(a.name)) for a in system.actions}
        self.promised = {
            p.name: self.names.give(camel(p.name)) for p in system.family.declared.properties
        }
        self.tags = self._named_tags()
        self.operators: dict[Any, Any] = {}
        self.named: dict[str, tuple[str, Tree]] = {}
        self.helpers: set[str] = set()
        self.written: set[str] = set()
        self.under_way: list[Any] = []

    def _parameters(self) -> list[Any]:
        return [p for params in self.system.params for p in params.values() if hasattr(p, "count")]

    def _named_tags(self) -> dict[tuple[Any, str], str]:
        """Return the operators that make tagged values: of the tag, where one OneOf has it."""
        places: dict[str, list[Any]] = {}
        for domain in self.tagged.values():
            for tag in domain.tags:
                places.setdefault(tag, []).append(domain)
        return {
            (domain.make, tag): self.names.give(self._tag_name(domain, tag, len(domains)))
            for tag, domains in places.items()
            for domain in domains
        }

    def _tag_name(self, domain: Any, tag: str, domains: int) -> str:
        alone = domains == 1 and camel(tag) not in self.names.taken
        return camel(tag) if alone else camel(f"{domain.name}_{tag}")

    def helper(self, name: str, *arguments: Tree) -> Tree:
        """Return an operator of ours applied, which the module then defines."""
        self.helpers.add(name)
        return calling(name, *arguments)

    # -- constants ------------------------------------------------------------------------------
    def tree(self, value: Any, domain: Any = None) -> Tree:
        """Return a value as a tree; ``domain`` is what it is needed as, where that is known."""
        if isinstance(value, Term):
            found: Tree = value.tree
            return found
        if isinstance(value, HeldPlace):
            return self.tree(value.view.load(value))
        if isinstance(value, Several):
            return self._several(value, domain)
        if isinstance(value, KnownValue):
            if value.name:
                return self._named(value)
            return self.constant(value.value, domain if domain is not None else value.domain)
        raise UsageError(f"{value!r} stands for no value")

    def _named(self, known: KnownValue) -> Tree:
        """Return a constant of the file by its name."""
        name = self.named.get(known.name)
        if name is None:
            given = self.names.give(camel(known.name.lower()))
            name = self.named[known.name] = given, self.constant(known.value, known.domain)
        return Word(name[0])

    def constant(self, value: Any, domain: Any = None) -> Tree:
        """Return a value of Python as a tree."""
        if value is None:
            return Word("None")
        if isinstance(value, bool):
            return truth(value)
        if isinstance(value, str):
            return text(str(value))
        if isinstance(value, int):
            return number(int(value))
        if type(value) in self.tagged:
            held = self.tagged[type(value)].tags[value[0]]
            inside = [] if held is None else [self.constant(value[1], held)]
            return self.tag(type(value), value[0], *inside)
        if type(value) in self.records:
            record = self.records[type(value)]
            kept = live_fields(record)
            pairs = zip(record.fields, value, strict=True)
            return Fields(tuple((f, self.constant(v, kept[f])) for f, v in pairs if f in kept))
        return self._container(value, domain)

    def _container(self, value: Any, domain: Any) -> Tree:
        element = getattr(domain, "element", None)
        items = [self.constant(item, element) for item in value]
        if isinstance(domain, Array):
            return self.row(domain, items)
        if isinstance(domain, Seq):
            return Listed("<<", tuple(items))
        if isinstance(domain, Bag):
            return self.bag_of(items)
        if isinstance(domain, Set) or isinstance(value, frozenset | set):
            return Listed("{", tuple(dict.fromkeys(items)))
        if isinstance(value, range) and value.step == 1 and len(value) > 1:
            return Infix("..", (number(value.start), number(value.stop - 1)))
        return Listed("<<" if isinstance(value, tuple | list) else "{", tuple(items))

    def bag_of(self, items: list[Tree]) -> Tree:
        """Return the bag of some elements."""
        if not items:
            return Word("EmptyBag")
        if len(set(items)) == len(items):
            return calling("SetToBag", Listed("{", tuple(items)))
        bags = [calling("SetToBag", Listed("{", (item,))) for item in items]
        return Infix("(+)", tuple(bags))

    def row(self, domain: Any, items: list[Tree]) -> Tree:
        """Return an array of given elements."""
        if len(set(items)) == 1:
            return FunctionOf(self.names.free("i", ()), self.places(domain), items[0])
        keys = [self.key(domain, place) for place in range(len(items))]
        pairs = tuple(Infix(":>", pair) for pair in zip(keys, items, strict=True))
        return Infix("@@", pairs) if len(pairs) > 1 else pairs[0]

    def places(self, domain: Any) -> Tree:
        """Return the set of indices of an array."""
        if isinstance(domain.index, Enum):
            return Listed("{", tuple(map(text, domain.index.names)))
        return Infix("..", (number(0), number(domain.length - 1)))

    def key(self, domain: Any, place: int) -> Tree:
        """Return the index of an element that stands at a place, from 0."""
        return text(domain.index.names[place]) if isinstance(domain.index, Enum) else number(place)

    def _several(self, several: Several, domain: Any) -> Tree:
        element = getattr(domain, "element", None)
        items = [self.tree(item, element) for item in several.items]
        if isinstance(domain, Array):
            return self.row(domain, items)
        opening = "{" if several.is_set or isinstance(domain, Set) else "<<"
        return Listed(opening, tuple(dict.fromkeys(items)) if opening == "{" else tuple(items))

    def tag(self, make: Any, tag: str, *held: Tree) -> Tree:
        """Return a tagged value."""
        return calling(self.tags[make, tag], *held)

    def tag_definitions(self) -> dict[str, tuple[tuple[str, ...], Tree]]:
        """Return what each operator that makes a tagged value stands for."""
        held = self.names.free("held", ())
        found: dict[str, tuple[tuple[str, ...], Tree]] = {}
        for (make, tag), name in self.tags.items():
            domain = self.tagged[make].tags[tag]
            inside = () if domain is None else ((tag, Word(held)),)
            body = Fields((("tag", text(tag)), *inside))
            found[name] = (() if domain is None else (held,)), body
        return found

    # -- what domains hold ----------------------------------------------------------------------
    def values_of(self, domain: Any) -> Tree:
        """Return the set of the values of a scalar domain that a parameter ranges over."""
        values = [domain.value(rank) for rank in range(domain.count)]
        if all(isinstance(v, bool) for v in values) and len(values) == 2:
            return Word("BOOLEAN")
        numbers = [v for v in values if type(v) is int]
        if len(numbers) == len(values) and len(values) > 1:
            return Infix("..", (number(numbers[0]), number(numbers[-1])))
        if hasattr(domain, "element"):  # a Subset
            return Prefix("SUBSET", self.values_of(domain.element))
        return Listed("{", tuple(self.constant(v, domain) for v in values))

    def all_choices(self, domains: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return every choice of values of some domains."""
        ranks = itertools.product(*(range(d.count) for d in domains.values()))
        return [
            {n: d.value(r) for (n, d), r in zip(domains.items(), chosen, strict=True)}
            for chosen in ranks
        ]
