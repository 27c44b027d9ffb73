"""The names that a guard reads, with their values and domains, and the words for what it read.

Takes a function of a model and its arguments; gives what its expressions are evaluated in. Values
are told in the words of their domains where these are known. Executes nothing but expressions of
the model itself.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import FunctionType, MethodType
from typing import Any, TypeGuard

from fencecheck.model.domains import Array, OneOf, Record, Seq
from fencecheck.model.lower.source import Source, source_of
from fencecheck.model.wording.templates import StateFields, value_text

Domains = Mapping[str, Any]


@dataclass(frozen=True)
class Scope:
    """Where the expressions of a function are evaluated: ``local`` are the names of its own.

    ``set_here`` are the expressions of those that it sets, each once.
    """

    source: Source
    names: dict[str, Any]
    local: frozenset[str]
    domains: Domains
    set_here: Mapping[str, ast.expr] = field(default_factory=dict)

    def value(self, node: ast.expr) -> Any:
        """Return what an expression is here; raises whatever the model's function raises."""
        code = compile(ast.Expression(node), self.source.file, "eval")
        return eval(code, self.names)

    def domain(self, node: ast.expr) -> Any:
        """Return the domain of what an expression reads, None where that is not known."""
        if isinstance(node, ast.Name):
            return self.domains.get(node.id)
        if isinstance(node, ast.Attribute):
            base = self.domain(node.value)
            if isinstance(base, StateFields | Record):
                return base.fields.get(node.attr)
            return base.tags.get(node.attr) if isinstance(base, OneOf) else None
        if isinstance(node, ast.Subscript):
            base = self.domain(node.value)
            if isinstance(base, StateFields):
                return base.fields.get(self.value(node.slice))
            return base.element if isinstance(base, Array | Seq) else None
        return None

    def readings(self, node: ast.AST) -> list[str]:
        """Return what a piece reads of the state and of its arguments, with the values."""
        texts = []
        for part in self._read(node):
            text = self._reading(part)
            if text is not None:
                texts.append(text)
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            left, right = node.left, node.comparators[0]
            for side, other in ((left, right), (right, left)):
                if isinstance(_base(side), ast.Call):
                    texts.append(self._reading(side, self.domain(other)) or "")
        return [text for text in dict.fromkeys(texts) if text]

    def _reading(self, part: ast.expr, domain: Any = None) -> str | None:
        """Return the words for one read; of an element that is not there, for what holds it.

        ``domain`` is that of the value where it is known from elsewhere.
        """
        try:
            value, domain = self.value(part), domain or self.domain(part)
            shown = domain.show(value) if hasattr(domain, "show") else value
        except Exception:
            inner = part.value if isinstance(part, ast.Attribute | ast.Subscript) else None
            return None if inner is None else self._reading(inner)
        plain = shown is None or isinstance(shown, str | int | float | list | tuple)
        return f"{ast.unparse(self._by_name(part))} is {value_text(shown)}" if plain else None

    def _by_name(self, part: ast.expr) -> ast.expr:
        """Return a read with the variable in it by its name: ``s.cell`` for ``s[self.name]``."""
        if isinstance(part, ast.Attribute):
            return ast.Attribute(self._by_name(part.value), part.attr, part.ctx)
        if isinstance(part, ast.Subscript):
            if isinstance(self.domain(part.value), StateFields):
                return ast.Attribute(part.value, str(self.value(part.slice)), part.ctx)
            return ast.Subscript(self._by_name(part.value), part.slice, part.ctx)
        return part

    def _read(self, node: ast.AST) -> Iterator[ast.expr]:
        """Yield the longest reads of fields and elements that begin with a name of the function."""
        children: list[ast.AST] = list(ast.iter_child_nodes(node))
        if isinstance(node, ast.Call) and not isinstance(node.func, ast.Attribute):
            children = [*node.args, *node.keywords]
        if self._is_read(node):
            yield node
            children = list(_indices(node))
        for child in children:
            yield from self._read(child)

    def _is_read(self, node: ast.AST) -> TypeGuard[ast.expr]:
        """Tell whether a piece reads something that can be shown: no method, no whole state."""
        if not isinstance(node, ast.Attribute | ast.Subscript | ast.Name):
            return False
        if _root(node) not in self.local or isinstance(self.domain(node), StateFields):
            return False
        try:
            return not callable(self.value(node))
        except Exception:
            return True


def _base(node: ast.expr) -> ast.expr:
    """Return what a read of fields and elements begins with."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node


def _root(node: ast.expr) -> str:
    base = _base(node)
    return base.id if isinstance(base, ast.Name) else ""


def _indices(node: ast.expr) -> Iterator[ast.expr]:
    while isinstance(node, ast.Attribute | ast.Subscript):
        if isinstance(node, ast.Subscript):
            yield node.slice
        node = node.value


@dataclass(frozen=True)
class FunctionCall:
    """A call of a model's function; ``domains`` are those of its arguments, by place or name."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    domains: Mapping[int | str, Any]
    named: Mapping[str, Any] = field(default_factory=dict)


def scope_of(call: FunctionCall) -> Scope:
    """Return the scope of a call.

    Raises ModelError for a function without a readable source, TypeError where the arguments do
    not fit it.
    """
    function, named = call.function, call.named
    source = source_of(function)
    plain: Any = function
    first: tuple[Any, ...] = ()
    if isinstance(function, MethodType):
        plain, first = function.__func__, (function.__self__,)
    assert isinstance(plain, FunctionType)
    bound = inspect.signature(plain).bind(*first, *call.args, **named)
    places = {name: i - len(first) for i, name in enumerate(source.params)}
    domains = {
        name: call.domains.get(name if name in named else places[name])
        for name in bound.arguments
        if name in named or places[name] >= 0
    }
    bound.apply_defaults()
    cells = zip(plain.__code__.co_freevars, plain.__closure__ or (), strict=True)
    outer = {name: cell.cell_contents for name, cell in cells}
    names = {**plain.__globals__, **outer, **bound.arguments}
    return Scope(source, names, frozenset(source.params[len(first) :]), domains)
