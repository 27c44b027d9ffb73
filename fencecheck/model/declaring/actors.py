"""Actors: who acts, and how their events are declared.

An actor belongs to a part and writes what it declares into what that part declares.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from fencecheck.errors import ModelError, nearest
from fencecheck.model.checks.arguments import declaration
from fencecheck.model.declare import (
    Action,
    Alternative,
    Declared,
    Fairness,
    Parameter,
    Wording,
)
from fencecheck.model.files.texts import docstring_of
from fencecheck.model.ordinary import place_of_call
from fencecheck.model.property import Function
from fencecheck.model.wording.templates import Template, template_of


def meaning_of(function: Function) -> str:
    """Return the first paragraph of a function's docstring; ``python -OO`` drops no docstring."""
    text = function.__doc__
    if text is None and sys.flags.optimize > 1:
        own = getattr(function, "__func__", function)
        text = docstring_of(own) if isinstance(own, FunctionType) else None
    return inspect.cleandoc(text or "").split("\n\n")[0].replace("\n", " ")


Verdict = str | Function
_TOLD = ("name", "quiet", "label", "remark", "verdict", "outcome_words", "fair", "fair_by")


@dataclass(frozen=True)
class _Words:
    """What an event is told in."""

    label: Function | Template | None
    remark: Function | Template | None
    verdict: Verdict | None
    outcome: str | None


def _words(
    label: Wording | None, remark: Wording | None, verdict: Verdict | None, outcome: str | None
) -> _Words:
    """Return what an event is told in; texts are read as templates."""
    return _Words(_worded("label", label), _worded("remark", remark), verdict, outcome)


def _worded(what: str, wording: Wording | None) -> Function | Template | None:
    return template_of(what, wording) if isinstance(wording, str) else wording


def _names(fair_by: str | Iterable[str] | None) -> tuple[str, ...] | None:
    return (
        (fair_by,) if isinstance(fair_by, str) else fair_by if fair_by is None else tuple(fair_by)
    )


def _fair(
    register: Callable[[Function], Action], kind: Fairness, names: tuple[str, ...] | None
) -> Callable[[Function], Action]:
    """Return a decorator that registers an action as ``register`` does, with this fairness."""

    def fair(effect: Function) -> Action:
        action = register(effect)
        action.fair, action.fair_by = kind, names
        return action

    return fair


class Actor:
    """Who acts; its actions are named ``actor.verb``, the verb being the function's name.

    ``fair_by`` is that of its actions, where they do not say otherwise.
    """

    def __init__(
        self, declared: Declared, name: str, fair_by: str | Iterable[str] | None = None
    ) -> None:
        self._declared, self.name = declared, name
        self._fair_by = _names(fair_by)

    @declaration
    def action(
        self,
        *,
        when: Function | None = None,
        name: str | None = None,
        quiet: bool = False,
        label: Wording | None = None,
        remark: Wording | None = None,
        verdict: Verdict | None = None,
        outcome_words: str | None = None,
        fair: Fairness = "weak",
        fair_by: str | Iterable[str] | None = None,
        **params: Parameter,
    ) -> Callable[[Function], Action]:
        """Declare a system event: ``when(s, ...)`` is its guard, the function its effect.

        ``label`` and ``remark`` give a diagram its words: a text with fields ({w}, {s.held[w]}:
        the parameters, and the state before), or a function of the state before and parameters.
        ``verdict`` says what the event stands for in an explanation: "accept", "replay",
        "reject: {why}" with what the outcome says behind its colon, or a function of (before,
        after). Without one an outcome stands for itself. ``outcome_words`` are what tables and
        scripted orders call the outcome: "rejected: {outcome}".
        ``fair`` says whether it has to happen in the end: where it stays possible ("weak"), where
        it is possible again and again ("strong"), or not ("none"). ``fair_by`` names the arguments
        that tell the classes of which this is asked apart (``()``: the event is one class);
        without it, those that the actor says, else all that range over an Index.
        """
        names = self._fair_by if fair_by is None else _names(fair_by)
        words = _words(label, remark, verdict, outcome_words)
        action = self._declare(params, when, name, None, quiet, words)
        return _fair(action, fair, names)

    @declaration
    def first_of(self, *, when: Function | None = None, **params: Parameter) -> Alternatives:
        """Begin alternatives in order of priority: events of which one at a time is possible.

        All have these parameters; ``when(s, ...)`` is part of the guard of each.
        """
        return Alternatives(self, when, params)

    @declaration
    def interference(
        self,
        budget: str,
        *,
        when: Function | None = None,
        name: str | None = None,
        label: Wording | None = None,
        remark: Wording | None = None,
        verdict: Verdict | None = None,
        outcome_words: str | None = None,
        **params: Parameter,
    ) -> Callable[[Function], Action]:
        """Declare an event that happens at most as often as its budget says.

        It has a ``verdict`` where it is itself an answer, as a compensation is.
        """
        words = _words(label, remark, verdict, outcome_words)
        return self._declare(params, when, name, budget, False, words)

    def _declare(
        self,
        params: dict[str, Parameter],
        guard: Function | None,
        name: str | None,
        budget: str | None,
        quiet: bool,
        words: _Words,
    ) -> Callable[[Function], Action]:
        if not (words.verdict is None or isinstance(words.verdict, str) or callable(words.verdict)):
            raise ModelError(
                f"{self.name}: verdict is {words.verdict!r}; write a text, or a function of "
                "(before, after); a parameter of an event needs another name"
            )

        def register(effect: Function) -> Action:
            action = Action(
                self.name,
                name or effect.__name__,
                dict(params),
                guard,
                effect,
                budget,
                quiet,
                label=words.label,
                remark=words.remark,
                doc=meaning_of(effect),
                verdict=words.verdict,
                outcome_words=words.outcome or "{outcome}",
            )
            self._declared.actions.append(action)
            return action

        return register


class Alternatives:
    """Events of one actor of which the first is possible whose guard is true, and no other.

    Each is an event of its own, declared above its effect, in the order of priority.
    """

    def __init__(self, actor: Actor, guard: Function | None, params: dict[str, Parameter]) -> None:
        self._actor, self._guard, self._params = actor, guard, params
        self._inside: tuple[Function, ...] = ()
        self._earlier: list[tuple[Function, ...]] = []
        self._events: list[str] = []
        self._closed = False

    @declaration
    def first_of(self, *, when: Function) -> Alternatives:
        """Begin alternatives that come next, and are only asked where ``when(s, ...)`` is true.

        Where it is not, or none of them is possible, those of this group that follow are asked.
        """
        self._check_open()
        nested = Alternatives(self._actor, self._guard, self._params)
        nested._inside = (*self._inside, when)
        nested._earlier, nested._events = self._earlier, self._events
        return nested

    @declaration
    def action(self, *, when: Function, **said: Any) -> Callable[[Function], Action]:
        """Declare the next alternative, possible where ``when(s, ...)`` is and no earlier one.

        It is told as any action is, and as fair (``name``, ``quiet``, ``label``, ``remark``,
        ``verdict``, ``outcome_words``, ``fair``, ``fair_by``).
        """
        return self._next(when, **said)

    @declaration
    def otherwise(self, **said: Any) -> Callable[[Function], Action]:
        """Declare the last alternative, possible where no earlier one is."""
        if not self._earlier:
            raise ModelError(
                f"{place_of_call()}otherwise: there is nothing before it; declare the "
                "alternatives that come first with action(when=...)"
            )
        return self._next(None, **said)

    def _check_open(self) -> None:
        if self._closed:
            raise ModelError(
                f"{place_of_call()}nothing comes after otherwise(), which is always possible; "
                "declare it last"
            )

    def _next(self, when: Function | None, **said: Any) -> Callable[[Function], Action]:
        self._check_open()
        if more := [name for name in said if name not in _TOLD]:
            raise ModelError(
                f"{place_of_call()}{more[0]} is no argument of an alternative; it has when, "
                f"{', '.join(_TOLD)}{nearest(more[0], _TOLD)}; parameters belong into first_of"
            )
        own = self._inside if when is None else (*self._inside, when)
        guard = Alternative(self._guard, tuple(self._earlier), own, tuple(self._events))
        given: dict[str, Any] = {**said, **self._params}
        declare = self._actor.action(when=guard, **given)
        self._closed = when is None
        if own:
            self._earlier.append(own)

        def register(effect: Function) -> Action:
            action = declare(effect)
            self._events.append(action.name)
            return action

        return register
