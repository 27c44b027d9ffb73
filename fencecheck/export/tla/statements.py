"""Write statements: what a branch sets becomes one choice, a loop is written out or folded.

``run`` goes on from a statement to the end of the function on each path, and returns a tree with
an Ending for each; where nothing leaves a branch early its paths are joined at once.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fencecheck.export.tla.changing import Changing
from fencecheck.export.tla.endings import Ending, at_ends
from fencecheck.export.tla.states import View, is_short
from fencecheck.export.tla.trees import (
    FALSE,
    HERE,
    TRUE,
    Dotted,
    Except,
    Fields,
    Infix,
    Listed,
    Tree,
    Word,
    choice,
    letting,
    negated,
    number,
)
from fencecheck.export.tla.values import INT, Known, Place, Several, Term
from fencecheck.model.domains import Array, Bag, Seq

_UNROLLED, _UNROLLED_WITH_EXIT = 3, 12
_EXITS = (ast.Return, ast.Break, ast.Continue, ast.Assert)


@dataclass(frozen=True)
class Then:
    """What comes after statements, by how they end; ``live`` are names that are read there."""

    falls: Callable[[], Tree]
    returns: Callable[[Any], Tree]
    breaks: Callable[[], Tree] | None = None
    goes_on: Callable[[], Tree] | None = None
    live: frozenset[str] = frozenset()


class Statements(Changing):
    """Statements of functions and effects."""

    lets: list[tuple[str, tuple[str, ...], Tree]]
    state: View | None

    # -- names of steps and values --------------------------------------------------------------
    def step(self, tree: Tree) -> Tree:
        """Give a name to a state."""
        count = 1 + sum(name.rstrip("_") in self.used for name in ())
        while f"s{count}" in self.used:
            count += 1
        return self.let(f"s{count}", tree)

    def let(self, wanted: str, tree: Tree, parameters: tuple[str, ...] = ()) -> Tree:
        """Give a name to what a tree stands for."""
        name = self.script.names.free(wanted, self.used)
        self.used.add(name)
        self.lets.append((name, parameters, tree))
        return Word(name)

    def set_local(self, name: str, value: Any) -> None:
        """Let a local name stand for a value."""
        if isinstance(value, Place):
            value = value.view.load(value)
        if isinstance(value, Term) and not is_short(value.tree):
            value = Term(self.let(name, value.tree), value.domain)
        self.frame.locals[name] = value

    # -- paths ----------------------------------------------------------------------------------
    def save(self) -> Any:
        """Return where the function is, to come back to it."""
        state = self.state
        kept = state and (state.whole, state.pending, state.variable)
        return [dict(f.locals) for f in self.frames], kept, set(self.used)

    def restore(self, saved: Any) -> None:
        """Come back to where the function was."""
        local_names, kept, used = saved
        for frame, names in zip(self.frames, local_names, strict=True):
            frame.locals = dict(names)
        if self.state is not None:
            self.state.whole, self.state.pending, self.state.variable = kept
        self.used = set(used)

    def scoped(self, write: Callable[[], Tree]) -> Tree:
        """Return what is written, under the names that it gives."""
        saved, self.lets = self.lets, []
        tree = write()
        found = letting(self.lets, tree)
        self.lets = saved
        return found

    def run(self, statements: Sequence[ast.stmt], then: Then) -> Tree:
        """Return the rest of a function from these statements on."""
        for place, statement in enumerate(statements):
            rest = statements[place + 1 :]
            live = then.live | _names_read(rest)
            if not any(isinstance(part, _EXITS) for part in ast.walk(statement)):
                self.plain(statement, live)
                continue
            if isinstance(statement, ast.Return):
                return then.returns(
                    None if statement.value is None else self.expression(statement.value)
                )
            if isinstance(statement, ast.Break | ast.Continue):
                leave = then.breaks if isinstance(statement, ast.Break) else then.goes_on
                assert leave is not None
                return leave()
            if isinstance(statement, ast.Assert):
                test = self.truth(statement.test)
                return self._either_path(test, lambda r=rest: self.run(r, then), self.failed)
            if isinstance(statement, ast.If):
                return self._leaving_if(statement, rest, then)
            assert isinstance(statement, ast.For)
            return self._leaving_for(statement, rest, replace(then, live=live))
        return then.falls()

    def failed(self) -> Tree:
        """Return the end at which an assertion fails."""
        return Ending(Word("S"), failed=True)

    def _either_path(self, test: Tree, a: Callable[[], Tree], b: Callable[[], Tree]) -> Tree:
        if test in (TRUE, FALSE):
            return a() if test == TRUE else b()
        saved = self.save()
        first = self.scoped(a)
        self.restore(saved)
        second = self.scoped(b)
        self.restore(saved)
        return choice(test, first, second)

    def _leaving_if(self, node: ast.If, rest: Sequence[ast.stmt], then: Then) -> Tree:
        return self._either_path(
            self.truth(node.test),
            lambda: self.run([*node.body, *rest], then),
            lambda: self.run([*node.orelse, *rest], then),
        )

    def _leaving_for(self, node: ast.For, rest: Sequence[ast.stmt], then: Then) -> Tree:
        items = self.items(node, _UNROLLED_WITH_EXIT)
        if items is None:
            return self._folded_and_left(node, rest, then)

        def turn(number: int) -> Tree:
            if number == len(items):
                return self.run(rest, then)
            self._bind(node.target, items[number])
            inner = Then(
                falls=lambda: turn(number + 1),
                returns=then.returns,
                breaks=lambda: self.run(rest, then),
                goes_on=lambda: turn(number + 1),
                live=then.live | _names_read([node]),
            )
            return self.run(node.body, inner)

        return turn(0)

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
                self._joined_for(node, live)
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
        if isinstance(value, Place):
            value = value.view.load(value)
        for target in targets:
            self._bind(target, value)

    def _bind(self, target: ast.expr, value: Any) -> None:
        if isinstance(target, ast.Tuple | ast.List):
            values = value.items if isinstance(value, Several) else list(map(Known, value.value))
            kept = [self._kept(v) for v in values]
            for part, inner in zip(target.elts, kept, strict=True):
                self._bind(part, inner)
        elif isinstance(target, ast.Name):
            self.set_local(target.id, value)
        else:
            self.assign(self.target(target), value)

    def _kept(self, value: Any) -> Any:
        return value.view.load(value) if isinstance(value, Place) else value

    def is_refill(self, node: ast.expr) -> bool:
        """Tell whether an expression is the new content of a bag."""
        raise NotImplementedError

    # -- joining --------------------------------------------------------------------------------
    def _joined_if(self, node: ast.If, live: frozenset[str]) -> None:
        test = self.truth(node.test)
        if test in (TRUE, FALSE):
            for statement, after in _with_live(node.body if test == TRUE else node.orelse, live):
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
            for statement, after in _with_live(body, live):
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
                old = next((t for p, t in done if p == path), HERE)
                tree = choice(test, *(n.get(path, HERE if old is HERE else HERE) for n in new))
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
            whole_tree = values[parts[0]] if len(parts) == 1 else Fields(
                tuple((part, values[part]) for part in parts)
            )
            trees.append(letting(lets, whole_tree))
        self.used |= {n for n in used if not n.startswith("s")}
        joined = choice(test, *trees)
        self._take_parts(joined, parts, {n: self._domain_of(n, a, b) for n in names})

    def _domain_of(self, name: str, a: Any, b: Any) -> Any:
        values = [side[0][-1][name] for side in (a, b)]
        domains = [getattr(v, "domain", None) or self._domain_of_constant(v) for v in values]
        return next((d for d in domains if d is not None), None)

    def _take_parts(self, joined: Tree, parts: Sequence[str], domains: dict[str, Any]) -> None:
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

    # -- loops ----------------------------------------------------------------------------------
    def items(self, node: ast.For, most: int) -> list[Any] | None:
        """Return the values that a loop goes over, if there are few and they are known."""
        over = self.expression(node.iter)
        loaded = over.view.load(over) if isinstance(over, Place) else over
        domain = getattr(loaded, "domain", None)
        if isinstance(loaded, Several):
            return list(loaded.items)
        if isinstance(loaded, Known):
            values = [Known(v, getattr(domain, "element", None)) for v in loaded.value]
            return values if len(values) <= most else None
        if isinstance(domain, Array) and domain.length <= most:
            keys = getattr(domain.index, "names", range(domain.length))
            return [self.element(loaded, Known(key), node) for key in keys]
        return None

    def _joined_for(self, node: ast.For, live: frozenset[str]) -> None:
        items = self.items(node, _UNROLLED)
        if items is None:
            self._folded(node, live)
            return
        inner = live | _names_read([node])
        for item in items:
            self._bind(node.target, item)
            for statement, after in _with_live(node.body, inner):
                self.plain(statement, after)

    def _folded(self, node: ast.For, live: frozenset[str]) -> None:
        """Write a loop as a fold over a range or a sequence."""
        self._fold(node, live, exits=False)

    def _folded_and_left(self, node: ast.For, rest: Sequence[ast.stmt], then: Then) -> Tree:
        """Write a loop that can be left: what is carried says whether it was."""
        left, value = "left", "given"
        for name, known in ((left, Known(False)), (value, Known(None))):
            self.frame.locals[f" {name}"] = known
        self._fold(node, then.live, exits=True)
        has_left = self.frame.locals[" left"]
        given = self.frame.locals[" given"]
        returns = [n for n in ast.walk(node) if isinstance(n, ast.Return)]
        if not returns:
            return self.run(rest, then)
        test = self.tree(has_left)
        return self._either_path(test, lambda: then.returns(given), lambda: self.run(rest, then))

    def _fold(self, node: ast.For, live: frozenset[str], *, exits: bool) -> None:
        read = live | _names_read([node])
        carried = [
            n
            for n in sorted(_names_set(node.body))
            if n in read and self.frame.locals.get(n) is not None
        ]
        if exits:
            carried += [" left", " given"]
        changes = self._turn(node, live, carried, state=False)[1]
        tree, _, domains = self._turn(node, live, carried, state=changes)
        parts = (["state"] if changes else []) + carried
        if not parts:
            return
        if self.state is not None:
            self.state.settle()
        values = {n: self.tree(self.frame.locals[n]) for n in carried}
        if changes and self.state is not None:
            values["state"] = self.state.whole
        names = [p.strip() for p in parts]
        start = values[parts[0]] if len(parts) == 1 else Fields(
            tuple((n, values[p]) for n, p in zip(names, parts, strict=True))
        )
        call = self._folding_call(node, tree, start)
        self._take_carried(call, parts, domains)

    def _take_carried(self, call: Tree, parts: list[str], domains: dict[str, Any]) -> None:
        if len(parts) == 1 or " left" not in parts:
            self._take_parts(call, parts, domains)
            return
        record = self.let("r", call)
        for part in parts:
            if part == "state":
                assert self.state is not None
                self.state.set_base(Dotted(record, "state"))
            else:
                self.frame.locals[part] = Term(Dotted(record, part.strip()), domains.get(part))

    def _turn(
        self, node: ast.For, live: frozenset[str], carried: list[str], *, state: bool
    ) -> tuple[Any, bool, dict[str, Any]]:
        """Return one turn of a loop as an operator (its parameters and tree), whether it changes

        the state, and the domains of what is carried from turn to turn.
        """
        saved = self.save()
        names = self.script.names
        single = len(carried) + state == 1
        so_far = names.free("t" if single and state else "so_far", self.used)
        self.used.add(so_far)
        item = names.free(node.target.id, self.used)  # type: ignore[attr-defined]
        self.used.add(item)
        for name in carried:
            old = self.frame.locals[name]
            domain = getattr(old, "domain", None) or self._domain_of_constant(old)
            tree = Word(so_far) if single else Dotted(Word(so_far), name.strip())
            self.frame.locals[name] = Term(tree, domain)
        if self.state is not None:
            self.state.settle()
        if state and self.state is not None:
            self.state.set_base(Word(so_far) if single else Dotted(Word(so_far), "state"))
        base = self.state.whole if self.state is not None else None
        self.frame.locals[node.target.id] = Term(Word(item), self._item_domain(node))  # type: ignore[attr-defined]
        domains: dict[str, Any] = {}

        def end(*, left: bool = False, given: Any = None) -> Tree:
            if left:
                self.frame.locals[" left"] = Known(True)
                self.frame.locals[" given"] = Known(None) if given is None else given
            kept = {n: self.frame.locals[n] for n in carried}
            for n, value in kept.items():
                found = getattr(value, "domain", None) or self._domain_of_constant(value)
                domains.setdefault(n, found)
                domains[n] = domains[n] or found
            now = self.state.now() if self.state is not None else None
            return Ending(now, changed=now != base, locals=kept)

        inner = Then(
            end,
            lambda value: end(left=True, given=value),
            lambda: end(left=True),
            end,
            live | _names_read([node]),
        )
        test = self.tree(self.frame.locals[" left"]) if " left" in carried else FALSE
        skip = Ending(base, locals={n: self.frame.locals[n] for n in carried})
        tree = self.scoped(lambda: self._either_path(negated(test), lambda: self.run(node.body, inner), lambda: skip))
        from fencecheck.export.tla.endings import endings

        changed = any(e.changed for e in endings(tree))
        parts = (["state"] if state else []) + carried

        def record(found: Ending) -> Tree:
            values = {n: self.tree(v) for n, v in found.locals.items()} | {"state": found.state}
            if single:
                return values[parts[0]]  # type: ignore[no-any-return]
            return Fields(tuple((p.strip(), values[p]) for p in parts))

        body = at_ends(tree, record) if parts else tree
        self.restore(saved)
        return ((so_far, item), body), changed, domains

    def _item_domain(self, node: ast.For) -> Any:
        over = self.expression(node.iter)
        return getattr(getattr(over, "domain", None), "element", None) or INT

    def _folding_call(self, node: ast.For, turn: Any, start: Tree) -> Tree:
        parameters, body = turn
        over = self.expression(node.iter)
        loaded = over.view.load(over) if isinstance(over, Place) else over
        name = self.let("turn", body, parameters)
        domain = getattr(loaded, "domain", None)
        if isinstance(loaded, Known) and isinstance(loaded.value, range) and loaded.value.step == 1:
            low, high = number(loaded.value.start), number(loaded.value.stop - 1)
            return self.script.helper("FoldRange", name, start, low, high)
        if isinstance(loaded, Term) and isinstance(loaded.tree, Infix) and (
            loaded.tree.operator == ".."
        ):
            return self.script.helper("FoldRange", name, start, *loaded.tree.operands)
        return self.script.helper("FoldSeq", name, start, self._sequence(loaded, domain))

    def _sequence(self, loaded: Any, domain: Any) -> Tree:
        """Return what a loop goes over as a sequence."""
        if isinstance(loaded, Known) and not isinstance(domain, Bag) or isinstance(domain, Seq):
            if isinstance(loaded, Known):
                return Listed("<<", tuple(
                    self.script.constant(v, getattr(domain, "element", None))
                    for v in loaded.value
                ))
            return self.tree(loaded)
        if isinstance(domain, Array):
            keys = getattr(domain.index, "names", range(domain.length))
            return Listed("<<", tuple(self.tree(self.element(loaded, Known(k), None)) for k in keys))  # type: ignore[arg-type]
        return self.in_order(loaded)


def _with_live(body: Sequence[ast.stmt], live: frozenset[str]) -> list[tuple[ast.stmt, frozenset[str]]]:
    """Return statements with the names that are read after each."""
    return [(s, live | _names_read(body[n + 1 :])) for n, s in enumerate(body)]


def _names_read(nodes: Sequence[ast.AST]) -> frozenset[str]:
    return frozenset(
        part.id
        for node in nodes
        for part in ast.walk(node)
        if isinstance(part, ast.Name) and (isinstance(part.ctx, ast.Load))
    ) | frozenset(
        part.target.id
        for node in nodes
        for part in ast.walk(node)
        if isinstance(part, ast.AugAssign) and isinstance(part.target, ast.Name)
    )


def _names_set(nodes: Sequence[ast.AST]) -> set[str]:
    return {
        part.id
        for node in nodes
        for part in ast.walk(node)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }


def _equal(a: Any, b: Any) -> bool:
    return type(a) is type(b) and bool(a == b)
