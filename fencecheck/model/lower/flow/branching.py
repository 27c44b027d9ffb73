"""Execute what decides which statements run: branches, bounded loops, returns, breaks.

Both branches of an ``if`` are executed and their results merged by ``select``; loops are unrolled
over what they can visit. What leaves a loop or a function early takes its paths out of
``Frame.live``; where the paths meet again they come back. So each statement is executed once for
each time round, however many ways lead to it.
"""

from __future__ import annotations

import ast
from typing import Any

from fencecheck.model.lower.dag import Node
from fencecheck.model.lower.kinds.builtins import Builtins
from fencecheck.model.lower.kinds.contents import BEFORE
from fencecheck.model.lower.symbols import Items, Missing, Num, Rec, Vector

_SKIPPED = Missing("a break or continue may come before it")


class Branching(Builtins):
    """Branches, loops and what leaves them."""

    # -- leaving ---------------------------------------------------------------------------------
    def _do_return(self, node: ast.Return) -> None:
        value = self.expression(node.value) if node.value else Missing("it returns nothing")
        frame = self.frame
        if frame.result is None:
            frame.result = value
        else:
            earlier = Num(self.dag.negate(frame.live))
            frame.result = self.choose(earlier, frame.result, value)
        frame.ghosts = frame.tainted | self.control
        frame.returned = self._and_those_here(frame.returned)
        frame.live = self.dag.false

    def _and_those_here(self, left: Node) -> Node:
        """Return the paths that left and the present ones; outside loops these are all."""
        return self.dag.either(left, self.frame.live) if self.frame.loops else self.dag.true

    def _do_break(self, node: ast.Break) -> None:
        frame = self.frame
        frame.broken = self._and_those_here(frame.broken)
        frame.loop_ghosts |= self.control
        frame.unset_after |= self._leave_turn()

    def _do_continue(self, node: ast.Continue) -> None:
        self._leave_turn()

    def _leave_turn(self) -> set[str]:
        """End this time round on the present paths; return the names that have no value there."""
        frame = self.frame
        unset = {name for name, value in frame.locals.items() if isinstance(value, Missing)}
        frame.unset |= unset
        frame.turn_ghosts |= self.control
        frame.live, frame.jumps = self.dag.false, frame.jumps + 1
        return unset

    # -- branches --------------------------------------------------------------------------------
    def _do_if(self, node: ast.If) -> None:
        if (settled := self.said_by_part(node.test)) is not None:
            self.block(node.body if settled else node.orelse)
            return
        condition, frame = self.condition(node.test), self.frame
        if (taken := self._only_branch(node, condition.node)) is not None:
            with self.under(self.dag.true, condition.ghosts):
                self.block(taken)
            return
        before = self._copied()
        with self.under(condition.node, condition.ghosts):
            then_returns = self._branch(node.body)
        then = self._now()
        self._resume(before)
        with self.under(self.dag.negate(condition.node), condition.ghosts):
            else_returns = self._branch(node.orelse)
        self.node = node
        if then_returns:
            names = frame.locals
        elif else_returns:
            names = then[1]
        else:
            names = self._either_names(condition, then[1], frame.locals)
        self._merge(condition, then)
        frame.locals = names

    def _only_branch(self, node: ast.If, condition: Node) -> list[ast.stmt] | None:
        """Return the branch that is taken everywhere, None if the other is looked at too."""
        there, elsewhere = condition, self.dag.negate(condition)
        body = self._passes_over_block(node.body, there)
        orelse = self._passes_over_block(node.orelse, elsewhere)
        if elsewhere is self.dag.false and orelse:
            return node.body
        return node.orelse if there is self.dag.false and body else None

    def _passes_over_block(self, body: list[ast.stmt], where: Node) -> bool:
        return self.passes_over(body[0], where) if body else True

    def _branch(self, body: list[ast.stmt]) -> bool:
        """Execute a block; tell whether all its paths have left the function."""
        frame, jumps = self.frame, self.frame.jumps
        self.block(body)
        return frame.live is self.dag.false and frame.jumps == jumps

    def _now(self) -> tuple[Any, ...]:
        """Return the state, the names and what became of the frame so far."""
        frame = self.frame
        return self.env, frame.locals, frame.live, frame.result, frame.returned, frame.broken

    def _copied(self) -> tuple[Any, ...]:
        env, names, *rest = self._now()
        return dict(env), dict(names), *rest

    def _resume(self, then: tuple[Any, ...]) -> None:
        frame = self.frame
        self.env, frame.locals, frame.live, frame.result, frame.returned, frame.broken = then

    def _either_names(self, condition: Num, a: dict[str, Any], b: dict[str, Any]) -> dict[str, Any]:
        """Return what local names mean where two branches meet."""
        merged: dict[str, Any] = {}
        absent = Missing("it is set in one branch only")
        for name in a | b:
            x, y = a.get(name, absent), b.get(name, absent)
            merged[name] = x if x is y else self.choose(condition, x, y)
        return merged

    def _merge(self, condition: Num, then: tuple[Any, ...]) -> None:
        """Bring together the state and what became of the frame, but for its names."""
        env, _, live, result, returned, broken = then
        frame, test = self.frame, condition.node
        for path in env | self.env:  # in an order that is the same in every process
            a, b = env.get(path), self.env.get(path)
            if a is not b:
                a = a or self.field(BEFORE, path)
                b = b or self.field(BEFORE, path)
                self.env[path] = self.dag.select(test, a, b)
        # on each side the result so far counts only where that side has returned
        if result is not frame.result:
            frame.result = self._either_result(condition, result, frame.result)
        frame.live = self.dag.select(test, live, frame.live)
        frame.returned = self.dag.select(test, returned, frame.returned)
        frame.broken = self.dag.select(test, broken, frame.broken)

    def _either_result(self, condition: Num, a: Any, b: Any) -> Any:
        if a is None:
            return b
        return a if b is None else self.choose(condition, a, b)

    # -- loops -----------------------------------------------------------------------------------
    def _do_for(self, node: ast.For) -> None:
        if node.orelse or not isinstance(node.target, ast.Name):
            self.fail("a for binds one name and has no else", "write for x in ...:")
        items = self.items(self.expression(node.iter), node)
        if items.loose:
            self._loop_in_any_order(node, items)
            return
        self.needs_order(items, node.iter)
        with self.visiting(items):
            if _jumps(node.body):
                self._loop_with_jumps(node, items)
                return
            for present, value in items.pairs:
                self._iterate(node, present, value, items.ghosts)

    def _loop_in_any_order(self, node: ast.For, items: Items) -> None:
        """Execute a loop whose turns must not depend on each other."""
        self.check_turns(node)
        with self.visiting(items), self.in_any_order(node, items) as turns:
            if _jumps(node.body):
                self._loop_with_jumps(node, items, turns)
                return
            for present, value in turns:
                self._iterate(node, present, value, items.ghosts)

    def _iterate(self, node: ast.For, present: Node, value: Any, ghosts: frozenset[str]) -> None:
        assert isinstance(node.target, ast.Name)
        if present is self.dag.false:
            return
        frame, entry = self.frame, self.frame.live
        if present is self.dag.true:
            frame.locals[node.target.id] = value
            self.block(node.body)
            return
        before = self._copied()
        frame.locals[node.target.id] = value
        with self.under(present, ghosts):
            returns = self._branch(node.body)
            self._next_turn(node, entry)
        then = self._now()
        self._resume(before)
        then[1][node.target.id] = frame.locals[node.target.id] = Missing("its loop is over")
        self.node = node
        there = Num(present, None, ghosts)
        names = frame.locals if returns else self._either_names(there, then[1], frame.locals)
        self._merge(there, then)
        frame.locals = names

    def _loop_with_jumps(self, node: ast.For, items: Items, turns: Any = None) -> None:
        """Execute a loop that has a break or continue of its own."""
        assert isinstance(node.target, ast.Name)
        frame, entry, last = self.frame, self.frame.live, None
        outer = frame.unset, frame.unset_after, frame.turn_ghosts, frame.loop_ghosts, frame.broken
        frame.unset, frame.unset_after, frame.broken = set(), set(), self.dag.false
        frame.loops += 1
        for present, value in turns or items.pairs:
            goes_on = Num(self.dag.negate(frame.broken), None, frame.loop_ghosts)
            self._iterate(node, present, value, items.ghosts)
            if present is self.dag.true:
                self._next_turn(node, entry)
            frame.turn_ghosts = outer[2]
            reached = frame.locals.get(node.target.id, _SKIPPED)
            last = reached if last is None else self._last(goes_on, reached, last)
        frame.loops -= 1
        for name in frame.unset_after:
            frame.locals[name] = _SKIPPED
        if last is not None:
            frame.locals[node.target.id] = last
        frame.live = self.dag.both(entry, self.dag.negate(frame.returned))
        frame.unset, frame.unset_after, frame.turn_ghosts, frame.loop_ghosts, frame.broken = outer

    def _next_turn(self, node: ast.For, entry: Node) -> None:
        """Let the paths that a continue took out go on."""
        frame, dag = self.frame, self.dag
        if not _jumps(node.body):
            return
        stays = dag.both(dag.negate(frame.returned), dag.negate(frame.broken))
        frame.live = dag.both(entry, stays)
        for name in frame.unset:
            frame.locals[name] = _SKIPPED
        frame.unset = set()

    def _last(self, goes_on: Num, value: Any, earlier: Any) -> Any:
        """Return what the name of a loop means behind it: ``earlier`` if a break came before."""
        if isinstance(value, Missing):
            return value
        alike = isinstance(value, Num) and isinstance(earlier, Num) and value.kind == earlier.kind
        if alike or (isinstance(value, Rec | Vector) and isinstance(earlier, Rec | Vector)):
            return self.choose(goes_on, value, earlier)
        return _SKIPPED


def _jumps(body: list[ast.stmt]) -> bool:
    """Tell whether a loop's body has a break or continue of that loop."""
    return any(
        isinstance(statement, ast.Break | ast.Continue)
        or (isinstance(statement, ast.If) and (_jumps(statement.body) or _jumps(statement.orelse)))
        for statement in body
    )
