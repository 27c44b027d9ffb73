"""Write the events of a model as actions: guard conjuncts, steps, and what the state becomes."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fencecheck.export.tla.afterwards import cleaned, filled_and_emptied
from fencecheck.export.tla.functions.arguments import bound_arguments
from fencecheck.export.tla.functions.calls import Body
from fencecheck.export.tla.functions.endings import at_ends, endings
from fencecheck.export.tla.functions.tidying import tidy
from fencecheck.export.tla.parameters import Parameters
from fencecheck.export.tla.states import StateView
from fencecheck.export.tla.syntax.building import both, calling, letting, negated, number
from fencecheck.export.tla.syntax.trees import (
    FALSE,
    HERE,
    TRUE,
    Applied,
    Binding,
    If,
    Infix,
    Let,
    Primed,
    Tree,
    Word,
)
from fencecheck.export.tla.values import HeldPlace, KnownValue
from fencecheck.model.declare import Action, Each, conditions
from fencecheck.model.declaring.any_number import AnyNumber
from fencecheck.model.domains import Bag, Seq
from fencecheck.model.lower.source import source_of


@dataclass
class WrittenEvent:
    """An event as an action: what it ranges over, where it is possible, what it leads to.

    ``ranges`` are its parameters with the sets that they range over; ``given`` is what stands for
    each argument of the model's event. ``asserted`` says that no assertion fails. ``unsure`` are
    containers that a bound holds back, and that the event empties after it filled them.
    """

    action: Action
    name: str
    ranges: tuple[tuple[str, Tree], ...]
    given: dict[str, Any]
    guards: tuple[Tree, ...]
    names: tuple[tuple[str, tuple[str, ...], Tree], ...]
    after: Tree
    asserted: Tree
    unsure: tuple[str, ...]

    @property
    def head(self) -> str:
        """Return its name with its parameters."""
        names = ", ".join(name for name, _ in self.ranges)
        return f"{self.name}({names})" if names else self.name

    @property
    def tree(self) -> Tree:
        """Return the action."""
        whole = letting(self.names, calling("Become", self.after))
        if self.asserted != TRUE:
            asserts = calling(f"{self.name}Asserts", *(Word(name) for name, _ in self.ranges))
            whole = If(asserts, whole, calling("Become", Word("S")))
        parts = (*self.guards, whole)
        return Infix("/\\", parts) if len(parts) > 1 else whole

    def with_names_apart(self, apart: Callable[..., Tree]) -> WrittenEvent:
        """Return the same with no name bound where it has a meaning already."""
        scope = [name for name, _ in self.ranges]
        whole: Any = apart(letting(self.names, self.after), *scope)
        names, after = (whole.names, whole.body) if isinstance(whole, Let) else ((), whole)
        return replace(
            self,
            ranges=tuple((name, apart(places)) for name, places in self.ranges),
            guards=tuple(apart(guard, *scope) for guard in self.guards),
            names=names,
            after=after,
            asserted=apart(self.asserted, *scope),
        )

    @property
    def called(self) -> Tree:
        """Return the action applied to its parameters."""
        return calling(self.name, *(Word(name) for name, _ in self.ranges))

    def for_some(self) -> Tree:
        """Return the action for some choice of its parameters."""
        return over(self.ranges, self.called, "\\E")


def over(ranges: Sequence[tuple[str, Tree]], tree: Tree, kind: str) -> Tree:
    """Return a truth for some, or for all, values of parameters."""
    for name, places in reversed(ranges):
        tree = Binding(kind, name, places, tree)
    return tree


def current(script: Any, body: Body) -> StateView:
    """Return the state of the module's variables."""
    return StateView(script, Word, Word("S"), body.step)


def primed(script: Any, body: Body) -> StateView:
    """Return the state after a step."""
    return StateView(script, lambda name: Primed(Word(name)), Primed(Word("S")), body.step)


def written_event(script: Any, number_: int, action: Action) -> WrittenEvent | None:
    """Return an event as an action; None if it can never happen."""
    reading = Body(script)
    view = current(script, reading)
    found = _ranges(script, reading, view, number_)
    if found is None:
        return None
    ranges, given = found
    guards = _guards(reading, view, action, given)
    if FALSE in guards:
        return None
    writing = Body(script, changes=True)
    writing.used = set(reading.used)
    state = writing.state = current(script, writing)
    if action.budget is not None and not _any(script, action.budget):
        state.write((action.budget,), Infix("-", (HERE, number(1))), script.domains[action.budget])
    args = [state, *given.values()]
    tree = writing.scoped(lambda: _inside(writing, action.effect, args))
    asserted = at_ends(tree, lambda e: FALSE if e.failed else TRUE)
    after = at_ends(tree, lambda e: Word("S") if e.failed else e.state)
    names, after = (after.names, after.body) if isinstance(after, Let) else ((), after)
    whole = tidy(letting(names, calling("Become", cleaned(script, after))))
    names, becomes = (whole.names, whole.body) if isinstance(whole, Let) else ((), whole)
    assert isinstance(becomes, Applied)
    return WrittenEvent(
        action, script.events[action.name], ranges, given, guards, names, becomes.arguments[0],
        tidy(asserted) if any(e.failed for e in endings(tree)) else TRUE,
        filled_and_emptied(script, writing.filled),
    )  # fmt: skip


def _any(script: Any, budget: str) -> bool:
    return isinstance(script.system.design.bounds[budget], AnyNumber)


def _ranges(script: Any, body: Body, view: StateView, number_: int) -> Any:
    """Return the parameters of an action with what they range over, and what stands for each."""
    own = Parameters()
    for wanted, param in script.system.params[number_].items():
        if not isinstance(param, Each):
            own.add(body, wanted, param)
            continue
        held = view.at((param.variable,), script.domains[param.variable])
        loaded = held.view.load(held) if isinstance(held, HeldPlace) else held
        if isinstance(loaded, KnownValue) and not loaded.value:
            return None
        domain, tree = script.domains[param.variable], script.tree(loaded, held.domain)
        if isinstance(domain, Seq):
            tree = script.helper("Range", tree)
        elif isinstance(domain, Bag):
            tree = calling("BagToSet", tree)
        own.add_over(body, wanted, domain.element, tree)
    return tuple(own.ranges), own.given


def _guards(body: Body, view: StateView, action: Action, given: dict[str, Any]) -> tuple[Tree, ...]:
    found: list[Tree] = []
    if action.budget is not None and not _any(body.script, action.budget):
        left = view.at((action.budget,), body.script.domains[action.budget])
        known = isinstance(left, KnownValue)
        found.append(
            (TRUE if left.value > 0 else FALSE)
            if known
            else Infix(">", (body.tree(left), number(0)))
        )
    for together, wanted in conditions(action.guard):
        if FALSE in found:
            break
        parts: list[Tree] = []
        for function in together:
            parts.append(truth_of(body, function, [view, *given.values()]))
            if parts[-1] == FALSE:
                break
        truth = both(*parts)
        found.append(truth if wanted else negated(truth))
    flat = without_what_follows(both(*found))
    if flat == TRUE:
        return ()
    return flat.operands if isinstance(flat, Infix) and flat.operator == "/\\" else (flat,)


def without_what_follows(tree: Tree) -> Tree:
    """Return a conjunction without ``x # b`` where it has ``x = a`` of another literal ``a``."""
    if not (isinstance(tree, Infix) and tree.operator == "/\\"):
        return tree
    equal = {
        part.operands[0]: part.operands[1]
        for part in tree.operands
        if isinstance(part, Infix) and part.operator == "=" and _is_named(part.operands[1])
    }

    def follows(part: Tree) -> bool:
        if not (isinstance(part, Infix) and part.operator == "#"):
            return False
        held, other = part.operands
        return held in equal and _is_named(other) and equal[held] != other

    return both(*(part for part in tree.operands if not follows(part)))


def _is_named(tree: Tree) -> bool:
    """Tell whether a tree is a literal, or the name of a tagged value."""
    return isinstance(tree, Word) and (tree.text[0] in '"0123456789' or tree.text[0].isupper())


def truth_of(body: Body, function: Any, args: Sequence[Any]) -> Tree:
    """Return what a function that gives a truth says of some arguments."""
    if not inspect.ismethod(function):
        function = inspect.unwrap(function)
    source = source_of(function)
    if source.name == "lambda":
        given = bound_arguments(function, source, args, {})
        tree = body.scoped(lambda: body.tree(body.inlined(function, source, given)))
        return tidy(tree)
    tree = body.scoped(lambda: body.tree(body.call(function, list(args), {}, ast.Pass())))
    return tidy(tree)


def written_out(body: Body, function: Any, args: Sequence[Any]) -> Tree:
    """Return what a function says of some arguments, its body written out."""
    tree = body.scoped(lambda: _inside(body, function, args))
    return tidy(at_ends(tree, lambda e: body.tree(e.value)))


def _inside(body: Body, function: Any, args: Sequence[Any]) -> Tree:
    if not inspect.ismethod(function):
        function = inspect.unwrap(function)
    source = source_of(function)
    return body.body(function, source, bound_arguments(function, source, args, {}))
