"""Lower a value to one of the kind that a place needs: a name, a tagged value, perhaps None."""

from __future__ import annotations

from typing import Any

from fencecheck.errors import nearest
from fencecheck.model.domains import Domain, Enum, Int, Maybe, OneOf
from fencecheck.model.lower.core import describe
from fencecheck.model.lower.dag import Node
from fencecheck.model.lower.kinds.marks import Marks
from fencecheck.model.lower.layout import span
from fencecheck.model.lower.symbols import Num, Text, mark_of


class Coercion(Marks):
    """Values as those of a domain that is not their own."""

    def coerce(self, value: Any, domain: Domain) -> Num:
        """Return ``value`` as one of ``domain``'s kind; a literal is looked up among its names."""
        if isinstance(domain, OneOf):
            if isinstance(value, Num) and value.one_of and value.one_of.make is domain.make:
                return self.retagged(value, domain, domain.count)
        elif isinstance(domain, Enum):
            if isinstance(value, Text):
                return self._literal(value, domain)
            if isinstance(value, Num) and value.enum and share_names(value.enum, domain):
                return self.recast(value, domain, domain.count)
        elif isinstance(value, Num) and isinstance(domain, Int) and mark_of(domain):
            if isinstance(value, Num) and value.kind not in ("bool", "enum", "tagged"):
                return self._as_optional(self.fitting(value, domain), domain)
        elif isinstance(value, Num) and value.kind == (
            "int" if isinstance(domain, Int) else "bool"
        ):
            return self._as_optional(value, domain)
        if self.marked(value) and isinstance(domain, Int) and not mark_of(domain):
            self.wrong_mark(value, None)
        self.fail(
            f"{describe(value)} where {domain.describe()} is needed", "write a value of that kind"
        )

    def recast(self, value: Num, enum: Enum, foreign: int) -> Num:
        """Return a name as one of another Enum; one that it does not have becomes ``foreign``."""
        if value.enum is None or value.enum.names == enum.names:
            return value
        node = self.dag.const(foreign)
        for name in value.enum.names:
            if enum.contains(name):
                here = self.dag.equal(value.node, self.dag.const(value.enum.rank(name)))
                node = self.dag.select(here, self.dag.const(enum.rank(name)), node)
        return Num(node, enum, value.ghosts)

    def _as_optional(self, value: Num, domain: Domain) -> Num:
        """Return a number as one of a domain in which None may be -1, or as one in which it is not.

        What the domain does not hold stays outside of it.
        """
        dag, node, wanted = self.dag, value.node, isinstance(domain, Maybe)
        if value.is_none and not wanted:
            self.fail(
                f"None where {domain.describe()} is needed",
                "declare it as Maybe(INDEX, word), or write another value",
            )
        low = span(domain)[0] if isinstance(domain, Int) else 0
        if value.optional and not wanted and low < 0:
            node = dag.select(dag.equal(node, dag.const(-1)), dag.const(low - 1), node)
        if wanted and not value.optional and node.low < 0:
            node = dag.select(dag.less(node, dag.const(0)), dag.sub(node, dag.const(1)), node)
        mark, at_clock = mark_of(domain), value.at_clock
        return Num(node, None, value.ghosts, optional=wanted, mark=mark, at_clock=at_clock)

    def _literal(self, text: Text, enum: Enum) -> Num:
        node: Node | None = None
        for condition, name in reversed(text.options):
            if not enum.contains(name):
                self.fail(f'"{name}" is not {enum.describe()}{nearest(name, enum.names)}')
            rank = self.dag.const(enum.rank(name))
            node = rank if node is None else self.dag.select(condition, rank, node)
        assert node is not None
        return Num(node, enum, text.ghosts)


def share_names(a: Enum, b: Enum) -> bool:
    """Tell whether two Enums have a name in common."""
    return not set(a.names).isdisjoint(b.names)
