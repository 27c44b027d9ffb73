"""Lower tagged values: a OneOf is a number, the rank of its tag and of what it holds."""

from __future__ import annotations

import ast
from typing import Any

from fencecheck.errors import nearest
from fencecheck.model.domains import Enum, OneOf, Record
from fencecheck.model.domains.leaves import leaves
from fencecheck.model.lower.core import Core
from fencecheck.model.lower.dag import Node
from fencecheck.model.lower.symbols import NONE, Num, Rec, out_of_scalars


class Tagged(Core):
    """Values that have a tag, and what they hold."""

    def known_tagged(self, declared: OneOf) -> OneOf:
        """Return a OneOf of the file with its sizes resolved."""
        found = self.tagged.get(declared.make)
        if found is None:
            self.fail(
                f"{declared.name} is in no variable of the model",
                "use tagged values that variables hold",
            )
        return found

    def tagged_constant(self, value: Any) -> Num:
        """Return the symbol of a tagged value that is a constant of the file."""
        domain = self.tagged[type(value)]
        rank = domain.rank(value) if domain.contains(value) else domain.count
        return Num(self.dag.const(rank), one_of=domain)

    def tagged_name(self, declared: OneOf, tag: str) -> Num:
        """Return ``Content.tag``, for a tag that holds nothing."""
        domain = self.known_tagged(declared)
        self._check_tag(domain, tag)
        if domain.tags[tag] is not None:
            self.fail(f"{domain.name}.{tag} holds something", f"write {domain.name}.{tag}(...)")
        return Num(self.dag.const(domain.starts[tag]), one_of=domain)

    def tagged_call(self, declared: OneOf, tag: str, node: ast.Call) -> Num:
        """Return ``Content.tag(held)``; what the tag may not hold is outside the domain."""
        domain, dag = self.known_tagged(declared), self.dag
        self._check_tag(domain, tag)
        held = domain.tags[tag]
        if held is None or len(node.args) != 1 or node.keywords:
            wanted = f"write {domain.name}.{tag}" + ("" if held is None else "(...) with one value")
            self.fail(f"`{ast.unparse(node)}` is no {domain.name}", wanted)
        value = self.expression(node.args[0])
        saved, self.errors = self.errors, []
        rank, ghosts = self.rank_of(value, held)
        outside, self.errors = dag.any_of(self.errors), saved
        place = dag.add(rank, dag.const(domain.starts[tag]))
        return Num(dag.select(outside, dag.const(domain.count), place), None, ghosts, one_of=domain)

    def tagged_attribute(self, value: Num, name: str) -> Any:
        """Return ``value.tag``, or what a value holds: an error of the run where it does not."""
        domain = value.one_of
        assert domain is not None
        if name == "tag":
            return self._tag(value, domain)
        self._check_tag(domain, name)
        held, start, dag = domain.tags[name], domain.starts[name], self.dag
        size = domain.size(name)
        below = dag.less(value.node, dag.const(start))
        self.may_fail(dag.either(below, dag.less(dag.const(start + size - 1), value.node)))
        if held is None:
            self.fail(f"{domain.name} {name} holds nothing", f'write x.tag == "{name}"')
        rank = dag.sub(value.node, dag.const(start))
        rank = dag.minimum(dag.maximum(rank, dag.const(0)), dag.const(max(0, size - 1)))
        if isinstance(held, Record):
            return self.record_of_rank(rank, held, value.ghosts)
        return self.from_rank(rank, held, value.ghosts)

    def record_of_rank(self, rank: Node, record: Record, ghosts: frozenset[str] = NONE) -> Rec:
        """Return the record of a rank."""
        scalars, dag = list[Num](), self.dag
        for leaf in reversed(list(leaves(record))):
            count = dag.const(leaf.domain.count)
            scalars.append(self.from_rank(dag.mod(rank, count), leaf.domain, ghosts))
            rank = dag.floordiv(rank, count)
        found: Rec = out_of_scalars(record, reversed(scalars))
        return found

    def retagged(self, value: Num, domain: OneOf, foreign: int) -> Num:
        """Return a tagged value as one of a domain of the same OneOf with other tags.

        One with a tag that the domain does not have becomes ``foreign``.
        """
        own, dag = value.one_of, self.dag
        assert own is not None
        if own.has_values_of(domain):
            return value
        node = dag.const(foreign)
        for tag in own.tags:
            start, last = own.starts[tag], own.starts[tag] + own.size(tag) - 1
            if last >= start and domain.size(tag):
                within = dag.minimum(dag.maximum(value.node, dag.const(start)), dag.const(last))
                moved = dag.add(within, dag.const(domain.starts[tag] - start))
                node = dag.select(dag.equal(within, value.node), moved, node)
        return Num(node, None, value.ghosts, one_of=domain)

    def _tag(self, value: Num, domain: OneOf) -> Num:
        dag, rank = self.dag, self.dag.const(0)
        for number, start in enumerate(domain.starts.values()):
            below = dag.less(value.node, dag.const(start))
            rank = dag.select(below, rank, dag.const(number))
        return Num(rank, Enum(*domain.tags), value.ghosts)

    def _check_tag(self, domain: OneOf, tag: str) -> None:
        if tag not in domain.tags:
            known = ", ".join(domain.tags)
            self.fail(f"{domain.name} has no {tag}{nearest(tag, domain.tags)}", f"it has {known}")

    def from_rank(self, raw: Node, domain: Any, ghosts: frozenset[str] = NONE) -> Num:
        raise AssertionError  # given by Elements

    def rank_of(self, value: Any, domain: Any) -> tuple[Node, frozenset[str]]:
        raise AssertionError  # given by Elements

    def expression(self, node: ast.expr) -> Any:
        raise AssertionError  # given by Places
