"""Actors: who acts, and how their events are declared.

An actor belongs to a part and writes what it declares into what that part declares.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import FunctionType

from fencecheck.errors import ModelError
from fencecheck.model.checks.arguments import declaration
from fencecheck.model.declare import Action, Declared, Parameter
from fencecheck.model.files.texts import docstring_of
from fencecheck.model.property import Function


def meaning_of(function: Function) -> str:
    """Return the first paragraph of a function's docstring; ``python -OO`` drops no docstring."""
    text = function.__doc__
    if text is None and sys.flags.optimize > 1:
        own = getattr(function, "__func__", function)
        text = docstring_of(own) if isinstance(own, FunctionType) else None
    return inspect.cleandoc(text or "").split("\n\n")[0].replace("\n", " ")


Verdict = str | Function


@dataclass(frozen=True)
class _Words:
    """What an event is told in."""

    label: Function | None
    remark: Function | None
    verdict: Verdict | None


def _fair(
    register: Callable[[Function], Action], names: tuple[str, ...]
) -> Callable[[Function], Action]:
    """Return a decorator that registers an action as ``register`` does, with fairness by names."""

    def fair(effect: Function) -> Action:
        action = register(effect)
        action.fair_by = names
        return action

    return fair


class Actor:
    """Who acts; its actions are named ``actor.verb``, the verb being the function's name."""

    def __init__(self, declared: Declared, name: str) -> None:
        self._declared, self.name = declared, name

    @declaration
    def action(
        self,
        *,
        when: Function | None = None,
        name: str | None = None,
        quiet: bool = False,
        label: Function | None = None,
        remark: Function | None = None,
        verdict: Verdict | None = None,
        fair_by: str | Iterable[str] | None = None,
        **params: Parameter,
    ) -> Callable[[Function], Action]:
        """Declare a system event: ``when(s, ...)`` is its guard, the function its effect.

        ``label(s, ...)`` and ``remark(s, ...)`` give a diagram its words, from the state before.
        ``verdict`` says what the event stands for in an explanation: "accept", "replay",
        "reject: {why}" with what the outcome says behind its colon, or a function of (before,
        after). Without one an outcome stands for itself.
        ``fair_by`` names the arguments that tell the classes of weak fairness apart (``()``: the
        event is one class); without it, all that range over an Index.
        """
        names = (fair_by,) if isinstance(fair_by, str) else fair_by
        words = _Words(label, remark, verdict)
        action = self._declare(params, when, name, None, quiet, words)
        return action if names is None else _fair(action, tuple(names))

    @declaration
    def interference(
        self,
        budget: str,
        *,
        when: Function | None = None,
        name: str | None = None,
        label: Function | None = None,
        remark: Function | None = None,
        verdict: Verdict | None = None,
        **params: Parameter,
    ) -> Callable[[Function], Action]:
        """Declare an event that happens at most as often as its budget says.

        It has a ``verdict`` where it is itself an answer, as a compensation is.
        """
        words = _Words(label, remark, verdict)
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
            )
            self._declared.actions.append(action)
            return action

        return register
