"""Write statements that nothing leaves early: what a branch sets becomes one choice."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from fencecheck.export.tla.functions.paths import Paths, names_read
from fencecheck.export.tla.syntax.building import (
    choice,
    letting,
)
from fencecheck.export.tla.syntax.trees import (
    FALSE,
    HERE,
    TRUE,
    Dotted,
    Except,
    Fields,
    Tree,
)
from fencecheck.export.tla.values import (
    HeldPlace,
    KnownValue,
    Several,
    Term,
)


class Joining(Paths):
    """Assignments and branches."""

    # -- statements that nothing leaves ---------------------------------------------------------
    def plain(self, node: ast.stmt, live: frozenset[str]) -> None:
        """Execute a statement that the function does not end in."""
        match node:
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                pass
            case ast.Expr(value=value):
                self.expression(value)
            case ast.Assign(targets=targets, value=value):
                self._assign(targets, value)
            case ast.AugAssign(target=ast.Name(id=name)):
                old = self.expression(node.target)
                self.set_local(name, self.operate(node.op, old, self.expression(node.value), node))
            case ast.AugAssign():
                self.augment(node)
            case ast.If():
                self._joined_if(node, live)
            case ast.For():
                self.joined_for(node, live)
            case _:
                self.fail(node, "it has no counterpart in the export to TLA+")

    def _assign(self, targets: Sequence[ast.expr], node: ast.expr) -> None:
        if self.is_refill(node):
            generator: Any = node
            for target in targets:
                place = self.target(target)
                self.filled.append(("put", str(place[1][0])))
                tree = self.bag_content(generator.args[0])
                place[0].write(place[1], tree, place[2])
            return
        value = self.expression(node)
        if isinstance(value, HeldPlace):
            value = value.view.load(value)
        for target in targets:
            self.bind(target, value)

    def bind(self, target: ast.expr, value: Any) -> None:
        if isinstance(target, ast.Tuple | ast.List):
            values = (
                value.items if isinstance(value, Several) else list(map(KnownValue, value.value))
            )
            kept = [self._kept(v) for v in values]
            for part, inner in zip(target.elts, kept, strict=True):
                self.bind(part, inner)
        elif isinstance(target, ast.Name):
            self.set_local(target.id, value)
        else:
            self.assign(self.target(target), value)

    def _kept(self, value: Any) -> Any:
        return value.view.load(value) if isinstance(value, HeldPlace) else value

    def is_refill(self, node: ast.expr) -> bool:
        """Tell whether an expression is the new content of a bag."""
        raise NotImplementedError

    # -- joining --------------------------------------------------------------------------------
    def _joined_if(self, node: ast.If, live: frozenset[str]) -> None:
        test = self.truth(node.test)
        if test in (TRUE, FALSE):
            for statement, after in with_live(node.body if test == TRUE else node.orelse, live):
                self.plain(statement, after)
            return
        saved = self.save()
        sides = self._sides(node, saved, live)
        if not self._joined(test, sides, saved, live):
            self.restore(saved)
            if self.state is not None:
                self.state.settle()
            saved = self.save()
            sides = self._sides(node, saved, live)
            self._join_whole(test, sides, saved, live)

    def _sides(self, node: ast.If, saved: Any, live: frozenset[str]) -> list[Any]:
        found = []
        for body in (node.body, node.orelse):
            self.restore(saved)
            kept, self.lets = self.lets, []
            for statement, after in with_live(body, live):
                self.plain(statement, after)
            found.append((self.lets, self.save()))
            self.lets = kept
        self.restore(saved)
        return found

    def _joined(self, test: Tree, sides: list[Any], saved: Any, live: frozenset[str]) -> bool:
        """Join two branches place by place where that is short; tell whether it was done."""
        (lets_a, a), (lets_b, b) = sides
        names = self._differing(a, b, live)
        before = saved[1]
        if lets_a or lets_b:
            return False
        if before is not None:
            done = before[1]
            updates = [side[1][1] for side in (a, b)]
            bases = [side[1][0] for side in (a, b)]
            if bases != [before[0]] * 2 or any(u[: len(done)] != done for u in updates):
                return False
            new = [dict(u[len(done) :]) for u in updates]
            if any(len(n) != len(u) - len(done) for n, u in zip(new, updates, strict=True)):
                return False
            paths = list(dict.fromkeys([*new[0], *new[1]]))
            if len(paths) + len(names) > 1:
                return False
            assert self.state is not None
            for path in paths:
                tree = choice(test, *(n.get(path, HERE) for n in new))
                self.state.pending = (*self.state.pending, (path, tree))
        elif len(names) > 2:
            return False
        for name in names:
            self._join_name(name, test, a, b)
        return True

    def _differing(self, a: Any, b: Any, live: frozenset[str]) -> list[str]:
        """Return the names that are read later and differ; those not set on both are lost."""
        first, second = a[0][-1], b[0][-1]
        names = sorted(n for n in {**first, **second} if n in live)
        for name in names:
            if name not in first or name not in second:
                self.frame.locals[name] = None
        common = [n for n in names if n in first and n in second]
        return [n for n in common if not _equal(first[n], second[n])]

    def _join_name(self, name: str, test: Tree, a: Any, b: Any) -> None:
        first, second = a[0][-1][name], b[0][-1][name]
        if first is None or second is None:
            self.frame.locals[name] = None
            return
        self.set_local(name, self.chosen(test, first, second))

    def _join_whole(self, test: Tree, sides: list[Any], saved: Any, live: frozenset[str]) -> None:
        """Join two branches by one choice of all that they set."""
        (lets_a, a), (lets_b, b) = sides
        names = self._differing(a, b, live)
        names = [n for n in names if a[0][-1][n] is not None and b[0][-1][n] is not None]
        changed = saved[1] is not None and (a[1][:2] != saved[1][:2] or b[1][:2] != saved[1][:2])
        used = a[2] | b[2]
        parts = (["state"] if changed else []) + names
        if not parts:
            return
        trees = []
        for lets, side in ((lets_a, a), (lets_b, b)):
            values = {n: self.tree(side[0][-1][n]) for n in names}
            if changed:
                whole, pending, _ = side[1]
                values["state"] = Except(whole, pending) if pending else whole
            whole_tree = (
                values[parts[0]]
                if len(parts) == 1
                else Fields(tuple((part, values[part]) for part in parts))
            )
            trees.append(letting(lets, whole_tree))
        self.used |= {n for n in used if not n.startswith("s")}
        joined = choice(test, *trees)
        self.take_parts(joined, parts, {n: self._domain_of(n, a, b) for n in names})

    def _domain_of(self, name: str, a: Any, b: Any) -> Any:
        values = [side[0][-1][name] for side in (a, b)]
        domains = [getattr(v, "domain", None) or self._domain_of_constant(v) for v in values]
        return next((d for d in domains if d is not None), None)

    def take_parts(self, joined: Tree, parts: Sequence[str], domains: dict[str, Any]) -> None:
        """Go on from what a choice or a loop gives: the state, a value, or a record of several."""
        if list(parts) == ["state"]:
            assert self.state is not None
            self.state.set_base(self.step(joined))
            return
        if len(parts) == 1:
            (name,) = parts
            self.set_local(name, Term(joined, domains[name]))
            return
        record = self.let("r", joined)
        for part in parts:
            if part == "state":
                assert self.state is not None
                self.state.set_base(Dotted(record, "state"))
            else:
                self.frame.locals[part] = Term(Dotted(record, part), domains[part])

    def joined_for(self, node: ast.For, live: frozenset[str]) -> None:
        """Execute a loop that nothing leaves early."""
        raise NotImplementedError


def with_live(
    body: Sequence[ast.stmt], live: frozenset[str]
) -> list[tuple[ast.stmt, frozenset[str]]]:
    """Return statements with the names that are read after each."""
    return [(s, live | names_read(body[n + 1 :])) for n, s in enumerate(body)]


def _equal(a: Any, b: Any) -> bool:
    return type(a) is type(b) and bool(a == b)
