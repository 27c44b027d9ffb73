"""Write calls: a function of the model is an operator of the same name, or stands where it is used.

An operator is made once for each shape of arguments. Truths and texts that are known are put in;
what folds to little is written where it is called.
"""

from __future__ import annotations

import ast
import inspect
import types
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fencecheck.errors import UsageError
from fencecheck.export.tla.functions.arguments import (
    BUILTINS,
    bound_arguments,
    changes_a_parameter,
    is_parameter,
    seen_names,
    shape_given,
)
from fencecheck.export.tla.functions.endings import Ending, at_ends, endings
from fencecheck.export.tla.functions.folds import Folds
from fencecheck.export.tla.functions.paths import Then
from fencecheck.export.tla.functions.reading import FunctionFrame
from fencecheck.export.tla.functions.tidying import tidy
from fencecheck.export.tla.states import StateView
from fencecheck.export.tla.syntax.building import (
    calling,
    letting,
)
from fencecheck.export.tla.syntax.layout import on_one_line
from fencecheck.export.tla.syntax.naming import camel
from fencecheck.export.tla.syntax.trees import (
    FALSE,
    TRUE,
    Dotted,
    Except,
    Fields,
    If,
    Let,
    Tree,
    Word,
    inside,
    words_in,
)
from fencecheck.export.tla.values import (
    INT,
    HeldPlace,
    KnownValue,
    Several,
    Term,
)
from fencecheck.model.declaring.actors import meaning_of
from fencecheck.model.domains import (
    OneOf,
    Record,
    bag,
)
from fencecheck.model.domains import replace as replaced
from fencecheck.model.lower.source import Source, source_of
from fencecheck.model.parts import Part

_SHORT, _FEW_CHANGES = 44, 2


@dataclass
class Operator:
    """A function as an operator: what it takes, what it is, what it does."""

    name: str
    parameters: tuple[str, ...]
    taken: tuple[int, ...]  # which arguments those are
    tree: Tree
    doc: str
    domain: Any
    changes: bool
    gives: bool
    written: frozenset[str]
    filled: tuple[tuple[str, str], ...]
    inline: bool


class Body(Folds):
    """A function, guard, effect or property while it is written."""

    def __init__(self, script: Any, *, changes: bool = False) -> None:
        self.script, self.changes = script, changes
        self.frames, self.lets, self.used = [], [], set()
        self.state, self.filled = None, []

    def is_refill(self, node: ast.expr) -> bool:
        return (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and self.frame.globals.get(node.func.id) is bag
        )

    # -- calls ----------------------------------------------------------------------------------
    def _call(self, node: ast.Call) -> Any:
        if isinstance(node.func, ast.Attribute):
            overridden = self._overridden(node.func)
            if overridden is not None:
                return self._apply(overridden, node)
            base = self.expression(node.func.value)
            if isinstance(base, KnownValue) and isinstance(base.value, OneOf):
                held = self.expression(node.args[0])
                return self._tagged(base.value, node.func.attr, held)
            if isinstance(base, KnownValue) and isinstance(base.value, Part | types.ModuleType):
                return self._apply(getattr(base.value, node.func.attr), node)
            return self.method(base, node.func.attr, node)
        called = self.expression(node.func)
        return self._apply(called.value, node)

    def _overridden(self, node: ast.Attribute) -> Any:
        """Return the method that ``super().name`` means, else None."""
        match node.value:
            case ast.Call(func=ast.Name(id="super"), args=[], keywords=[]):
                own = self.frame.globals["__class__"]
                part = next(
                    v.value
                    for v in self.frame.locals.values()
                    if isinstance(v, KnownValue) and isinstance(v.value, own)
                )
                return getattr(super(own, part), node.attr)
        return None

    def _tagged(self, declared: OneOf, tag: str, held: Any) -> Any:
        domain = self.script.tagged[declared.make]
        if isinstance(held, KnownValue):
            return KnownValue(domain.make(tag, held.value), domain)
        return Term(self.script.tag(declared.make, tag, self.tree(held)), domain)

    def _apply(self, function: Any, node: ast.Call) -> Any:
        if isinstance(function, Record):
            return self.new_record(function, node)
        if function is replaced:
            return self.with_fields(self.expression(node.args[0]), node.keywords)
        if function in BUILTINS:
            return getattr(self, f"_of_{function.__name__}")(node)
        if not callable(function):
            self.fail(node, "what is called is not known here")
        args = [self.expression(a) for a in node.args]
        named = {str(k.arg): self.expression(k.value) for k in node.keywords}
        return self.call(function, args, named, node)

    def call(self, function: Any, args: Sequence[Any], named: dict[str, Any], node: ast.AST) -> Any:
        """Return what a function of the subset gives, and change the state as it does."""
        if not isinstance(function, types.MethodType):
            function = inspect.unwrap(function)
        source = source_of(function)
        given = bound_arguments(function, source, args, named)
        if any(isinstance(v, HeldPlace) for v in given.values()):
            if changes_a_parameter(source):
                return self.inlined(function, source, given)
            given = {n: v.view.load(v) if isinstance(v, HeldPlace) else v for n, v in given.items()}
        if any(isinstance(v, Several) for v in given.values()):
            return self.inlined(function, source, given)
        operator = self._operator(function, source, given)
        if operator.inline:
            return self.inlined(function, source, given)
        return self._applied(operator, list(given.values()))

    def inlined(self, function: Any, source: Source, given: dict[str, Any]) -> Any:
        """Write a function where it is called."""
        outside, self.lets = self.lets, []
        tree = self.body(function, source, given)
        ends = endings(tree)
        own, self.lets = self.lets, outside
        if any(e.changed for e in ends):
            self.lets += own
            own = []
        value = self._value_of_ends(tree, ends)
        if own and isinstance(value, Term):
            return Term(tidy(letting(own, value.tree)), value.domain)
        return value

    def _value_of_ends(self, tree: Tree, ends: list[Ending]) -> Any:
        if len(ends) == 1:
            return ends[0].value if ends[0].value is not None else KnownValue(None)
        domain = common_domain(self, [e.value for e in ends])
        nothing = KnownValue(None)
        values = at_ends(tree, lambda e: self.tree(nothing if e.value is None else e.value))
        if any(e.changed for e in ends) and self.state is not None:
            self.state.set_base(self.step(at_ends(tree, lambda e: e.state)))
        return Term(values, domain) if values not in (TRUE, FALSE) else self.known_truth(values)

    def body(self, function: Any, source: Source, given: dict[str, Any]) -> Tree:
        """Return a function's body with an end for each of its paths."""
        frame = FunctionFrame(source.name, source.file)
        frame.locals, frame.globals = dict(given), seen_names(function)
        self.frames.append(frame)
        start = self.state.whole if self.state is not None else None

        def end(value: Any = None) -> Tree:
            kept = value.view.load(value) if isinstance(value, HeldPlace) else value
            state = self.state
            changed = state is not None and (bool(state.pending) or state.whole != start)
            return Ending(state and state.now(), changed, kept)

        tree = self.run(source.body, Then(end, end))
        self.frames.pop()
        return tree

    # -- operators ------------------------------------------------------------------------------
    def _operator(self, function: Any, source: Source, given: dict[str, Any]) -> Operator:
        script = self.script
        shapes = tuple(shape_given(script, v) for v in given.values())
        own = getattr(function, "__func__", function)
        key = own.__code__, shapes, self.changes
        if key in script.under_way:
            raise UsageError(f"{source.name} calls itself, which has no counterpart")
        if key not in script.operators:
            script.under_way.append(key)
            script.operators[key] = self._written(function, source, given)
            script.under_way.remove(key)
        operator: Operator = script.operators[key]
        script.written |= operator.written
        self.filled += operator.filled
        return operator

    def _written(self, function: Any, source: Source, given: dict[str, Any]) -> Operator:
        script, inner = self.script, Body(self.script, changes=self.changes)
        written, script.written = script.written, set()
        name = script.names.give(self._name_for(function, source, given))
        parameters, formal = self._formal(inner, given)
        tree = inner.scoped(lambda: inner.body(function, source, formal))
        ends = endings(tree)
        changes = any(e.changed for e in ends)
        gives = any(not _is_nothing(e.value) for e in ends)
        domain = common_domain(inner, [e.value for e in ends]) if gives else None
        simple = len(ends) == 1 and not isinstance(tree, Let | If)

        def as_tree(end: Ending) -> Tree:
            value = inner.tree(end.value if end.value is not None else KnownValue(None))
            if not changes:
                return value
            if not gives:
                found: Tree = end.state
                return found
            return Fields((("state", end.state), ("value", value)))

        found = tidy(at_ends(tree, as_tree))
        words = set(words_in(found))
        taken = tuple(n for n, p in enumerate(parameters) if p in words)
        inline = _is_little(found, changes=changes, simple=simple, gives=gives)
        operator = Operator(
            name, tuple(parameters[n] for n in taken), taken, found, meaning_of(function), domain,
            changes, gives, frozenset(script.written), tuple(inner.filled), inline,
        )  # fmt: skip
        script.written |= written
        return operator

    def _formal(self, inner: Body, given: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
        """Return the parameters of an operator, and what stands for each of the function's."""
        script, parameters, formal = self.script, list[str](), dict[str, Any]()
        for parameter, value in given.items():
            if not is_parameter(script, value):
                formal[parameter] = value
                continue
            word = script.names.free(parameter, inner.used)
            inner.used.add(word)
            parameters.append(word)
            if isinstance(value, StateView):
                formal[parameter] = view = _view_named(script, inner, word)
                inner.state = inner.state or (view if self.changes else None)
            else:
                domain = getattr(value, "domain", None) or self._domain_of_constant(value)
                formal[parameter] = Term(Word(word), domain or INT)
        return parameters, formal

    def _name_for(self, function: Any, source: Source, given: dict[str, Any]) -> str:
        """Return the name of an operator: the function's, and which truths are put in."""
        owner = getattr(function, "__self__", None)
        name = f"{owner.name}_{source.name}" if isinstance(owner, Part) else source.name
        name = camel(name if name != "lambda" else "condition")
        if name in self.script.names.taken:
            for parameter, value in given.items():
                known = value.value if isinstance(value, KnownValue) else None
                if isinstance(known, bool):
                    name += camel(parameter) if known else f"Not{camel(parameter)}"
                elif isinstance(known, str):
                    name += camel(known)
        return name

    def _applied(self, operator: Operator, args: list[Any]) -> Any:
        """Return an operator applied to arguments; one that changes the state is a step."""
        if operator.changes and self.state is not None:
            self.state.settle()
        passed = [v for v in args if is_parameter(self.script, v)]
        trees = [
            v.settle() if isinstance(v, StateView) else self.tree(v)
            for v in (passed[n] for n in operator.taken)
        ]
        tree = calling(operator.name, *trees)
        if not operator.changes:
            return Term(tree, operator.domain) if operator.gives else KnownValue(None)
        state = self.state
        assert state is not None
        state.changes += 1
        if not operator.gives:
            state.set_base(self.step(tree))
            return KnownValue(None)
        record = self.let("r", tree)
        state.set_base(Dotted(record, "state"))
        return Term(Dotted(record, "value"), operator.domain)


def _view_named(script: Any, inner: Body, word: str) -> StateView:
    """Return the state that a parameter stands for."""
    view = StateView(script, Word, Word(word), inner.step)
    view.set_base(Word(word))
    return view


def common_domain(body: Body, values: list[Any]) -> Any:
    """Return the domain of several values: of the first that has one."""
    domains = [getattr(v, "domain", None) or body._domain_of_constant(v) for v in values]
    found = next((d for d in domains if d is not None), None)
    return found.unnarrowed if isinstance(found, OneOf) else found


def _is_nothing(value: Any) -> bool:
    return value is None or (isinstance(value, KnownValue) and value.value is None)


def _is_little(tree: Tree, *, changes: bool, simple: bool, gives: bool) -> bool:
    """Tell whether a function is written where it is called."""
    if any(isinstance(part, Let) for part in inside(tree)):
        return False
    if not changes:
        return len(on_one_line(tree)) <= _SHORT
    if not simple or gives:
        return False
    return isinstance(tree, Except) and len(tree.updates) <= _FEW_CHANGES
