"""States while a function is written: what they are read from, and what was changed since.

Changes are kept until something reads what they changed; then they become a step with a name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fencecheck.export.tla.syntax.building import dotted
from fencecheck.export.tla.syntax.layout import on_one_line
from fencecheck.export.tla.syntax.trees import HERE, At, Except, Tree, Word, inside
from fencecheck.export.tla.values import NO_VALUE, HeldPlace, KnownValue, Term, only_value
from fencecheck.model.domains import Array, Bag, Set

Path = tuple[str | Tree, ...]
_SHORT = 12


@dataclass
class StateView:
    """A state: how its variables are read, itself as a tree, and changes not yet in it."""

    script: Any
    variable: Callable[[str], Tree]
    whole: Tree
    step: Callable[[Tree], Tree]  # gives a name to a state
    pending: tuple[tuple[Path, Tree], ...] = ()
    changes: int = 0

    def set_base(self, tree: Tree) -> None:
        """Go on from another state."""
        self.whole, self.pending = tree, ()
        self.variable = lambda name: dotted(tree, name)

    def settle(self) -> Tree:
        """Give the state as it is now a name, if it changed, and return it."""
        if self.pending:
            self.set_base(self.step(self.now()))
        return self.whole

    def now(self) -> Tree:
        """Return the state as it is now."""
        return Except(self.whole, self.pending) if self.pending else self.whole

    def read(self, path: Path, domain: Any) -> Any:
        """Return what stands at a path whose first step is a variable of the model."""
        name = str(path[0])
        if name in self.script.constants:
            return self._of_constant(path, domain)
        value = only_value(domain)
        if value is not NO_VALUE:
            return KnownValue(value, domain)
        own = (self.script.variable_names[name], *path[1:])
        changes = [(p, tree) for p, tree in self.pending if _overlap(p, own)]
        if len(changes) == 1 and changes[0][0] == own and is_short(changes[0][1]):
            return Term(changes[0][1], domain)
        if changes:
            self.settle()
        found = self.variable(str(own[0]))
        for step in path[1:]:
            found = dotted(found, step) if isinstance(step, str) else At(found, step)
        return Term(found, domain)

    def _of_constant(self, path: Path, domain: Any) -> Any:
        """Return a part of a variable that nothing changes: a value, where only one is there."""
        name = str(path[0])
        own: Any = self.script.domains[name]
        values = [self.script.constants[name]]
        tree: Tree = Word(self.script.variable_names[name])
        for step in path[1:]:
            if isinstance(step, str):
                values = [getattr(v, step) for v in values]
                tree, own = dotted(tree, step), own.fields[step]
                continue
            known = _position(own, step)
            values = [v for row in values for v in (row if known is None else [row_at(row, known)])]
            tree, own = At(tree, step), own.element
        if values and all(value == values[0] for value in values):
            return KnownValue(values[0], domain)
        return Term(tree, domain)

    def load(self, place: HeldPlace) -> Any:
        """Return what a container holds now."""
        return self.read(place.path, place.domain)

    def write(self, path: Path, tree: Tree, domain: Any) -> None:
        """Change what stands at a path."""
        name = str(path[0])
        if only_value(domain) is not NO_VALUE:
            return
        if self._is_as_it_was(path, tree, domain):
            return
        self.script.written.add(name)
        self.changes += 1
        own: Path = (self.script.variable_names[name], *path[1:])
        uses_old = HERE in inside(tree)
        if not uses_old:
            self.pending = tuple((p, t) for p, t in self.pending if p[: len(own)] != own)
        self.pending = (*self.pending, (own, tree))

    def _is_as_it_was(self, path: Path, tree: Tree, domain: Any) -> bool:
        """Tell whether a variable that nothing changes is given the value that it has."""
        if str(path[0]) not in self.script.constants:
            return False
        known = self._of_constant(path, domain)
        return isinstance(known, KnownValue) and bool(
            self.script.constant(known.value, domain) == tree
        )

    def at(self, path: Path, domain: Any) -> Any:
        """Return a place, or what is there where it is no container."""
        if isinstance(domain, Bag | Set):
            return HeldPlace(self, path, domain)
        if isinstance(domain, Array) and not domain.in_record:
            return HeldPlace(self, path, domain)
        return self.read(path, domain)


def row_at(row: Any, place: int) -> Any:
    """Return the element of an array at rest that stands at a place."""
    return tuple(row)[place]


def _position(domain: Any, step: Tree) -> int | None:
    """Return the place that an index names, if it is known."""
    if not isinstance(domain, Array) or not isinstance(step, Word):
        return None
    for place in range(domain.length):
        names = getattr(domain.index, "names", None)
        if step.text == (f'"{names[place]}"' if names else str(place)):
            return place
    return None


def is_short(tree: Tree) -> bool:
    """Tell whether a tree may stand twice instead of being given a name."""
    if HERE in inside(tree):
        return False
    return isinstance(tree, Word) or len(on_one_line(tree)) <= _SHORT


def _overlap(a: Path, b: Path) -> bool:
    """Tell whether two paths may lead to the same, or one into the other."""
    for one, other in zip(a, b, strict=False):
        if one == other:
            continue
        if isinstance(one, str) and isinstance(other, str):
            return False
        both_known = all(isinstance(s, Word) and _is_literal(s) for s in (one, other))
        if both_known:
            return False
    return True


def _is_literal(word: Any) -> bool:
    return bool(word.text.isdigit() or word.text.startswith('"'))
