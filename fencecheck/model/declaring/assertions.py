"""Assertions: ``assert`` in the effects of events, and the property that none of them fails.

An event in which one fails changes nothing: it leads to the state that it began in, and what it
returns is a ``FailedAssertion``, with the words of the assertion. Takes actions, reads their
source; how an effect is executed is for system.py and lower.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from fencecheck.errors import ModelError
from fencecheck.model.declare import Action, Declared
from fencecheck.model.files.texts import near
from fencecheck.model.lower.source import source_of
from fencecheck.model.property import Function, NamedEvent, Transition
from fencecheck.model.wording.templates import Template, template_of

NAME = "assertions"
_DOC = "No assertion of an effect fails."


class FailedAssertion(str):
    """The outcome of an event in which an assertion fails: what the assertion says."""

    __slots__ = ()


def _none_fails(before: Any, after: Any) -> bool:
    """Stand for the truth of the property where the events are not told apart."""
    return True


@dataclass
class Assertions(Transition):
    """No assertion fails in the events that have some; ``failing`` executes one of them again.

    It takes the name of an event, a view of the state before and the arguments, and gives the
    words of what fails there, or None.
    """

    failing: Callable[[str, Any, Sequence[Any]], str | None] | None = None

    def truth_on(self, action: NamedEvent) -> tuple[Function, tuple[str, ...]]:
        name = action.name

        def none_fails(before: Any, after: Any, *args: Any) -> bool:
            return self.failing is None or self.failing(name, before, args) is None

        return none_fails, tuple(action.params)


def declare_assertions(declared: Declared) -> None:
    """Declare that no assertion fails, where an effect has one."""
    names = tuple(a.name for a in declared.actions if any(asserts_of(a.effect)))
    if names:
        declared.properties.append(Assertions(NAME, _none_fails, doc=_DOC, about=names))


def asserts_of(effect: Function) -> Iterator[ast.Assert]:
    """Yield the assertions that stand in an effect; what has no source is refused elsewhere."""
    with suppress(ModelError):
        for statement in source_of(effect).body:
            yield from (node for node in ast.walk(statement) if isinstance(node, ast.Assert))


def said_by(effect: Function) -> Iterator[Template]:
    """Yield what the assertions of an effect say; raises ModelError for what is no template."""
    for node in asserts_of(effect):
        said = getattr(node.msg, "value", None)
        if isinstance(said, str):
            place = f"{near(source_of(effect).file)}:{node.lineno}: "
            yield template_of("an assertion", said, place)


def stopping_at_assertions(effect: Function, step: Function) -> Function:
    """Return a step that gives the state before where an assertion of its effect fails."""

    def execute(state: Any, *args: Any) -> Any:
        try:
            return step(state, *args)
        except AssertionError as error:
            return state, _failed(effect, error)

    return execute


def _failed(effect: Function, error: AssertionError) -> FailedAssertion:
    """Return what a failed assertion says: its own words, or what is false there."""
    if error.args:
        return FailedAssertion(error.args[0])
    code, trace, line = getattr(effect, "__code__", None), error.__traceback__, 0
    while trace is not None:
        line = trace.tb_lineno if trace.tb_frame.f_code is code else line
        trace = trace.tb_next
    for node in asserts_of(effect):
        if node.lineno <= line <= (node.end_lineno or node.lineno):
            return FailedAssertion(f"this is false: {ast.unparse(node.test)}")
    return FailedAssertion(_DOC)


def asserting_events(declared: Declared) -> Sequence[Action]:
    """Return the actions whose effects have assertions."""
    about = {name for p in declared.properties if isinstance(p, Assertions) for name in p.about}
    return [action for action in declared.actions if action.name in about]
