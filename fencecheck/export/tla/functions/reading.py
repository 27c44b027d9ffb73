"""Write what expressions read: names, attributes, elements of what the state and Python hold.

A method ``_name`` writes one kind of syntax. What has no counterpart is refused by its place.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from fencecheck.errors import UsageError
from fencecheck.export.tla.script import Script
from fencecheck.export.tla.states import StateView
from fencecheck.export.tla.syntax.building import (
    dotted,
)
from fencecheck.export.tla.syntax.trees import (
    At,
    If,
    Listed,
    Tree,
)
from fencecheck.export.tla.values import (
    INT,
    NO_VALUE,
    HeldPlace,
    KnownValue,
    Several,
    Term,
    only_value,
)
from fencecheck.model.declare import LEFT, USED, part_of_budget
from fencecheck.model.domains import (
    Array,
    Bag,
    Enum,
    OneOf,
    Record,
    Seq,
)
from fencecheck.model.files.texts import near
from fencecheck.model.parts import Part


class FunctionFrame:
    """A function that is being written: its names."""

    def __init__(self, name: str, file: str) -> None:
        self.name, self.file = name, file
        self.locals: dict[str, Any] = {}
        self.globals: dict[str, Any] = {}


class Reading:
    """Expressions; calls, containers and statements are added by the classes below this one."""

    script: Script
    frames: list[FunctionFrame]
    state: StateView | None
    changes: bool  # whether this is an effect, in which counts stay where they end

    @property
    def frame(self) -> FunctionFrame:
        """Return the function that is being written."""
        return self.frames[-1]

    def fail(self, node: ast.AST, message: str) -> NoReturn:
        """Raise UsageError: where, what was seen, why it has no counterpart."""
        line = getattr(node, "lineno", 0)
        said = ast.unparse(node).splitlines()[0]
        place = f"{near(self.frame.file)}:{line}: in {self.frame.name}"
        raise UsageError(f"{place}: `{said}`: {message}")

    def tree(self, value: Any, domain: Any = None) -> Tree:
        """Return a value as a tree."""
        return self.script.tree(value, domain)

    def expression(self, node: ast.expr) -> Any:
        """Return what an expression stands for."""
        method = getattr(self, "_" + type(node).__name__.lower(), None)
        if method is None:
            self.fail(node, f"{type(node).__name__} has no counterpart in the export to TLA+")
        return method(node)

    @contextmanager
    def unchanged(self, node: ast.AST) -> Iterator[None]:
        """Refuse, for what follows, calls that change the state: they may not be evaluated."""
        before = self.state and self.state.changes
        yield
        if self.state is not None and self.state.changes != before:
            self.fail(node, "a call in it changes the state, and may not happen; write an if")

    def truth(self, node: ast.expr) -> Tree:
        """Return a condition as a tree."""
        return self.tree(self.expression(node))

    # -- names ----------------------------------------------------------------------------------
    def _constant(self, node: ast.Constant) -> Any:
        return KnownValue(node.value)

    def _name(self, node: ast.Name) -> Any:
        if node.id in self.frame.locals:
            found = self.frame.locals[node.id]
            if found is None:
                self.fail(node, "it has a value on some paths only")
            return found
        value = self.frame.globals.get(node.id)
        is_record = type(value) in self.script.records or type(value) in self.script.tagged
        name = node.id if is_record and not node.id.startswith("_") else ""
        return KnownValue(value, None, name)

    def _tuple(self, node: ast.Tuple | ast.List) -> Any:
        return Several(tuple(self.expression(e) for e in node.elts))

    _list = _tuple

    def _set(self, node: ast.Set) -> Any:
        return Several(tuple(self.expression(e) for e in node.elts), is_set=True)

    # -- attributes and elements ----------------------------------------------------------------
    def _attribute(self, node: ast.Attribute) -> Any:
        return self.attribute(self.expression(node.value), node.attr, node)

    def attribute(self, base: Any, name: str, node: ast.AST) -> Any:
        """Return what ``base.name`` is."""
        if isinstance(base, StateView):
            return self.variable(base, name)
        if isinstance(base, KnownValue):
            return self._of_known(base, name)
        domain = getattr(base, "domain", None)
        if isinstance(base, Term) and isinstance(domain, Record):
            return self._part(dotted(base.tree, name), domain.fields[name])
        if isinstance(base, Term) and isinstance(domain, OneOf):
            return self._of_tagged(base, name)
        if isinstance(base, Term) and isinstance(base.tree, If):
            return Term(dotted(base.tree, name))
        self.fail(node, "what it is read from is not known here")

    def _of_known(self, base: KnownValue, name: str) -> Any:
        value = base.value
        if isinstance(value, Part | types.ModuleType | OneOf):
            return KnownValue(getattr(value, name))
        kind = self.script.records.get(type(value))
        if kind is not None:
            return KnownValue(getattr(value, name), kind.fields[name])
        tagged = self.script.tagged[type(value)]
        if name == "tag" or value[0] == name:
            return KnownValue(getattr(value, name), tagged.tags.get(name))
        return Term(dotted(self.tree(base), name), tagged.tags[name])  # it goes wrong there

    def _part(self, tree: Tree, domain: Any) -> Any:
        value = only_value(domain)
        return Term(tree, domain) if value is NO_VALUE else KnownValue(value, domain)

    def _of_tagged(self, base: Term, name: str) -> Any:
        domain = base.domain
        if name == "tag":
            tags = [tag for tag in domain.tags if domain.size(tag)]
            return (
                KnownValue(tags[0])
                if len(tags) == 1
                else Term(dotted(base.tree, "tag"), Enum(*tags))
            )
        return self._part(dotted(base.tree, name), domain.tags[name])

    def variable(self, view: StateView, name: str) -> Any:
        """Return what ``s.name`` is: a variable, a mechanism, a bound, a part of a budget."""
        if name in self.script.domains:
            return view.at((name,), self.script.domains[name])
        totals = self.script.system.design.bounds
        budget, part = part_of_budget(name, totals)
        if budget:
            left = view.at((budget,), self.script.domains[budget])
            if part == LEFT:
                return left
            assert part == USED
            return self.sum_of("-", KnownValue(totals[budget]), left)
        return KnownValue(getattr(self.script.system.sizes, name))

    def _subscript(self, node: ast.Subscript) -> Any:
        base, index = self.expression(node.value), self.expression(node.slice)
        if isinstance(base, StateView):
            return self.variable(base, index.value)
        return self.element(base, index, node)

    def element(self, base: Any, index: Any, node: ast.AST) -> Any:
        """Return ``base[index]``."""
        domain = getattr(base, "domain", None)
        if isinstance(base, HeldPlace):
            if isinstance(domain, Array):
                return base.view.at((*base.path, self.tree(index)), domain.element)
            base = base.view.load(base)
        if isinstance(base, Several) or (isinstance(base, KnownValue) and domain is None):
            return self._of_several(base, index)
        if isinstance(base, KnownValue) and isinstance(index, KnownValue):
            try:
                inner = getattr(domain, "element", None)
                return KnownValue(base.value[index.value], inner)
            except (IndexError, KeyError, TypeError):
                pass
        if isinstance(domain, Array):
            return self._part(At(self.tree(base), self.tree(index)), domain.element)
        if isinstance(domain, Seq):
            return self._part(At(self.tree(base), self.after(index)), domain.element)
        if isinstance(domain, Bag):
            return self._part(At(self.in_order(base), self.after(index)), domain.element)
        self.fail(node, "its elements have no numbers")

    def _of_several(self, base: Any, index: Any) -> Any:
        items = base.items if isinstance(base, Several) else [KnownValue(v) for v in base.value]
        if isinstance(index, KnownValue):
            return items[index.value]
        trees = tuple(self.tree(item) for item in items)
        place = self.tree(self.sum_of("+", index, KnownValue(1)))
        return Term(At(Listed("<<", trees), place), getattr(items[0], "domain", None) or INT)

    def after(self, index: Any) -> Tree:
        """Return the place, from 1, of an index from 0."""
        return self.tree(self.sum_of("+", index, KnownValue(1)))

    # -- given by the classes below -------------------------------------------------------------
    def sum_of(self, sign: str, left: Any, right: Any) -> Any:
        """Return a sum, difference or product of numbers."""
        raise NotImplementedError

    def in_order(self, bag: Any) -> Tree:
        """Return the elements of a bag or set as an ascending sequence."""
        raise NotImplementedError
