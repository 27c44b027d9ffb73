"""Write changes of the state: assignments to places in it, and methods of its containers."""

from __future__ import annotations

import ast
from typing import Any

from fencecheck.export.tla.functions.ordering import Ordering
from fencecheck.export.tla.states import Path, StateView
from fencecheck.export.tla.syntax.building import calling, number
from fencecheck.export.tla.syntax.trees import (
    HERE,
    TRUE,
    At,
    Binding,
    Except,
    Fields,
    Infix,
    Listed,
    Tree,
    Word,
)
from fencecheck.export.tla.values import (
    INT,
    HeldPlace,
    KnownValue,
    Several,
    Term,
    live_fields,
)
from fencecheck.model.domains import Array, Bag, Count, Record, Seq, Set

_RELATIONS = {"issubset": ast.LtE(), "issuperset": ast.GtE()}
_OPERATORS: dict[str, ast.operator] = {
    "union": ast.BitOr(),
    "intersection": ast.BitAnd(),
    "difference": ast.Sub(),
    "symmetric_difference": ast.BitXor(),
}


class Changing(Ordering):
    """What effects do to the state."""

    filled: list[tuple[str, str]]  # what is put into and taken out of containers, in order

    def target(self, node: ast.expr) -> tuple[StateView, Path, Any]:
        """Return the place that an assignment's target names: its state, path and domain."""
        if isinstance(node, ast.Name):
            value = self.expression(node)
            if isinstance(value, HeldPlace):
                return value.view, value.path, value.domain
        elif isinstance(node, ast.Attribute):
            base = self._view_of(node.value)
            if base is not None:
                return base, (node.attr,), self.script.domains[node.attr]
            view, path, domain = self.target(node.value)
            if isinstance(domain, Record):
                return view, (*path, node.attr), domain.fields[node.attr]
        elif isinstance(node, ast.Subscript):
            base, index = self._view_of(node.value), self.expression(node.slice)
            if base is not None:
                return base, (index.value,), self.script.domains[index.value]
            view, path, domain = self.target(node.value)
            if isinstance(domain, Seq):
                return view, (*path, self.after(index)), domain.element
            if isinstance(domain, Array):
                return view, (*path, self.tree(index)), domain.element
        self.fail(node, "it is no place of the state")

    def _view_of(self, node: ast.expr) -> StateView | None:
        if isinstance(node, ast.Name):
            found = self.frame.locals.get(node.id)
            return found if isinstance(found, StateView) else None
        return None

    def assign(self, target: tuple[StateView, Path, Any], value: Any) -> None:
        """Give a place a value."""
        view, path, domain = target
        if isinstance(domain, Bag | Set):
            self.filled.append(("put", str(path[0])))
        if isinstance(value, Several) and isinstance(domain, Set):
            value = Several(value.items, is_set=True)
        view.write(path, self.tree(value, self._wanted(domain)), domain)

    def _wanted(self, domain: Any) -> Any:
        return domain if isinstance(domain, Array | Bag | Set) else None

    def augment(self, node: ast.AugAssign) -> None:
        """Change a place by an operator."""
        view, path, domain = self.target(node.target)
        calls = any(isinstance(part, ast.Call) for part in ast.walk(node.value))
        old = view.read(path, domain) if calls else None
        before = view.whole, view.pending
        value = self.expression(node.value)
        kept = domain if isinstance(domain, Count | Set) else INT
        was = old if old is not None and (view.whole, view.pending) != before else Term(HERE, kept)
        tree = self.tree(self.operate(node.op, was, value, node))
        if isinstance(domain, Set):
            self.filled.append(("put", str(path[0])))
        view.write(path, tree, domain)

    # -- methods of containers ------------------------------------------------------------------
    def method(self, base: Any, name: str, node: ast.Call) -> Any:
        """Return what a method of a container gives, and change the container as it does."""
        domain = getattr(base, "domain", None)
        args = [self.expression(a) for a in node.args]
        if name == "copy":
            return base.view.load(base) if isinstance(base, HeldPlace) else base
        if name in _RELATIONS:
            return self.known_truth(self._compared(_RELATIONS[name], base, args[0], node))
        if name in _OPERATORS:
            return self.operate(_OPERATORS[name], base, args[0], node)
        if name == "isdisjoint":
            common = self.tree(self.operate(ast.BitAnd(), base, args[0], node))
            return self.known_truth(Infix("=", (common, Listed("{", ()))))
        if name == "count":
            return self._count(base, args[0])
        if not isinstance(base, HeldPlace):
            self.fail(node, "only containers of the state change")
        changed = {"change": self._change, "pop": self._pop, "insert": self._insert}.get(name)
        if changed is not None:
            return changed(base, args, node)
        return self._put_or_take(base, name, args, domain)

    def _count(self, base: Any, item: Any) -> Any:
        loaded = base.view.load(base) if isinstance(base, HeldPlace) else base
        tree, element = self.tree(loaded), self.tree(item)
        if isinstance(loaded.domain, Seq):
            with self.variable_for("n") as name:
                places = Infix("..", (number(1), calling("Len", tree)))
                equal = Infix("=", (At(tree, Word(name)), element))
                return Term(calling("Cardinality", Binding("{", name, places, equal)), INT)
        return Term(calling("CopiesIn", element, tree), INT)

    def _put_or_take(self, base: HeldPlace, name: str, args: list[Any], domain: Any) -> Any:
        if name == "clear":
            empty: Tree = Listed("{", ()) if isinstance(domain, Set) else Word("EmptyBag")
            tree: Tree = Listed("<<", ()) if isinstance(domain, Seq) else empty
        else:
            item = self.tree(args[0])
            one = Listed("{", (item,))
            puts = name in ("add", "append")
            if isinstance(domain, Seq):
                at = self.script.helper("FirstAt", HERE, item)
                rest = self.script.helper("Without", HERE, at)
                tree = calling("Append", HERE, item) if puts else rest
            elif isinstance(domain, Set):
                tree = Infix("\\union" if puts else "\\", (HERE, one))
            else:
                tree = Infix("(+)" if puts else "(-)", (HERE, calling("SetToBag", one)))
        self.filled.append(("put" if name in ("add", "append") else "take", str(base.path[0])))
        base.view.write(base.path, tree, domain)
        return KnownValue(None)

    def _change(self, base: HeldPlace, args: list[Any], node: ast.Call) -> Any:
        old = self.tree(args[0])
        new = self.with_fields(self.as_term(args[0], base.domain.element), node.keywords)
        changed = self.tree(new)
        if isinstance(base.domain, Seq):
            seq = self.tree(base)
            at = self.script.helper("FirstAt", seq, old)
            base.view.write(base.path, Except(seq, (((at,), changed),)), base.domain)
            return KnownValue(None)
        one, other = (calling("SetToBag", Listed("{", (t,))) for t in (old, changed))
        taken = Infix("(-)", (HERE, one))
        base.view.write(base.path, Infix("(+)", (taken, other)), base.domain)
        return KnownValue(None)

    def _pop(self, base: HeldPlace, args: list[Any], node: ast.Call) -> Any:
        seq = base.view.load(base)
        tree, element = self.tree(seq), base.domain.element
        self.filled.append(("take", str(base.path[0])))
        if not args:
            rest: Tree = calling("SubSeq", HERE, number(1), _less_one(calling("Len", HERE)))
            value = At(tree, calling("Len", tree))
        elif isinstance(args[0], KnownValue) and args[0].value == 0:
            rest, value = calling("Tail", HERE), calling("Head", tree)  # type: ignore[assignment]
        else:
            rest = self.script.helper("Without", HERE, self.after(args[0]))
            value = At(tree, self.after(args[0]))
        base.view.write(base.path, rest, base.domain)
        return self._part(value, element)

    def _insert(self, base: HeldPlace, args: list[Any], node: ast.Call) -> Any:
        self.filled.append(("put", str(base.path[0])))
        tree = self.script.helper("Inserted", HERE, self.after(args[0]), self.tree(args[1]))
        base.view.write(base.path, tree, base.domain)
        return KnownValue(None)

    # -- records --------------------------------------------------------------------------------
    def as_term(self, value: Any, domain: Any = None) -> Any:
        """Return a record as a term with its domain."""
        if isinstance(value, KnownValue):
            kind = self.script.records.get(type(value.value), domain)
            return Term(self.tree(value), kind)
        return value

    def new_record(self, record: Any, node: ast.Call) -> Any:
        """Return a record of the file with the fields that it is given."""
        resolved = self.script.records.get(record.make)
        if resolved is None:
            self.fail(node, "no variable holds such a record")
        values = {str(k.arg): self.expression(k.value) for k in node.keywords}
        if all(isinstance(v, KnownValue) for v in values.values()):
            made = {f: values[f].value for f in resolved.fields}
            return KnownValue(resolved.make(**made), resolved)
        kept = live_fields(resolved)
        return Term(Fields(tuple((f, self.tree(values[f], kept[f])) for f in kept)), resolved)

    def with_fields(self, old: Any, keywords: list[ast.keyword]) -> Any:
        """Return a record with other values in some fields."""
        old = self.as_term(old)
        kept, given = live_fields(old.domain), []
        for keyword in keywords:
            name, value = str(keyword.arg), self.expression(keyword.value)
            if name in kept:
                given.append((name, self.tree(value, kept[name])))
        if not given:
            return old
        if isinstance(old.tree, Fields):
            found = dict(old.tree.entries) | dict(given)
            return Term(Fields(tuple((f, found[f]) for f in kept)), old.domain)
        return Term(Except(old.tree, tuple(((f,), v) for f, v in given)), old.domain)

    def holds(self, tree: Tree) -> bool:
        """Tell whether a condition is known to be true."""
        return tree == TRUE


def _less_one(tree: Tree) -> Tree:
    return Infix("-", (tree, number(1)))
