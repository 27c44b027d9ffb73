"""Follow a function to its end on each path, and give names to steps and values.

``run`` goes on from a statement to the end of the function, and returns a tree with an Ending for
each path that is left early; where nothing leaves a branch early its paths are joined at once.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fencecheck.export.tla.functions.changing import Changing
from fencecheck.export.tla.functions.endings import Ending
from fencecheck.export.tla.states import StateView, is_short
from fencecheck.export.tla.syntax.building import (
    choice,
    letting,
)
from fencecheck.export.tla.syntax.trees import (
    FALSE,
    TRUE,
    Tree,
    Word,
)
from fencecheck.export.tla.values import (
    HeldPlace,
    Term,
)

_UNROLLED_WITH_EXIT, _MOST_UNROLLED = 12, 100
_EXITS = (ast.Return, ast.Break, ast.Continue, ast.Assert)


@dataclass(frozen=True)
class Then:
    """What comes after statements, by how they end; ``live`` are names that are read there."""

    falls: Callable[[], Tree]
    returns: Callable[[Any], Tree]
    breaks: Callable[[], Tree] | None = None
    goes_on: Callable[[], Tree] | None = None
    live: frozenset[str] = frozenset()


class Paths(Changing):
    """Statements of functions and effects."""

    lets: list[tuple[str, tuple[str, ...], Tree]]
    state: StateView | None

    # -- names of steps and values --------------------------------------------------------------
    def step(self, tree: Tree) -> Tree:
        """Give a name to a state."""
        count = 1
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
        if isinstance(value, HeldPlace):
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
            live = then.live | names_read(rest)
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
                goes_on = functools.partial(self.run, rest, then)
                return self.either_path(test, goes_on, self.failed)
            if isinstance(statement, ast.If):
                return self._leaving_if(statement, rest, then)
            assert isinstance(statement, ast.For)
            return self._leaving_for(statement, rest, replace(then, live=live))
        return then.falls()

    def failed(self) -> Tree:
        """Return the end at which an assertion fails."""
        return Ending(Word("S"), failed=True)

    def either_path(self, test: Tree, a: Callable[[], Tree], b: Callable[[], Tree]) -> Tree:
        if test in (TRUE, FALSE):
            return a() if test == TRUE else b()
        saved = self.save()
        first = self.scoped(a)
        self.restore(saved)
        second = self.scoped(b)
        self.restore(saved)
        return choice(test, first, second)

    def _leaving_if(self, node: ast.If, rest: Sequence[ast.stmt], then: Then) -> Tree:
        return self.either_path(
            self.truth(node.test),
            lambda: self.run([*node.body, *rest], then),
            lambda: self.run([*node.orelse, *rest], then),
        )

    def _leaving_for(self, node: ast.For, rest: Sequence[ast.stmt], then: Then) -> Tree:
        asserts = any(isinstance(part, ast.Assert) for part in ast.walk(node))
        items = self.items(node, _MOST_UNROLLED if asserts else _UNROLLED_WITH_EXIT)
        if items is None and asserts:
            self.fail(node, "an assertion in such a loop has no counterpart; assert behind it")
        if items is None:
            return self.folded_and_left(node, rest, then)

        def turn(number: int) -> Tree:
            if number == len(items):
                return self.run(rest, then)
            self.bind(node.target, items[number])
            inner = Then(
                falls=lambda: turn(number + 1),
                returns=then.returns,
                breaks=lambda: self.run(rest, then),
                goes_on=lambda: turn(number + 1),
                live=then.live | names_read([node]),
            )
            return self.run(node.body, inner)

        return turn(0)

    # -- given by the classes below -------------------------------------------------------------
    def plain(self, node: ast.stmt, live: frozenset[str]) -> None:
        """Execute a statement that the function does not end in."""
        raise NotImplementedError

    def items(self, node: ast.For, most: int) -> list[Any] | None:
        """Return the values that a loop goes over, if there are few and they are known."""
        raise NotImplementedError

    def bind(self, target: ast.expr, value: Any) -> None:
        """Give a target a value."""
        raise NotImplementedError

    def folded_and_left(self, node: ast.For, rest: Sequence[ast.stmt], then: Then) -> Tree:
        """Write a loop that can be left as a fold, and what follows."""
        raise NotImplementedError


def names_read(nodes: Sequence[ast.AST]) -> frozenset[str]:
    """Return the names that are read in some syntax."""
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


def names_set(nodes: Sequence[ast.AST]) -> set[str]:
    """Return the names that are set in some syntax."""
    return {
        part.id
        for node in nodes
        for part in ast.walk(node)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }
