"""What a model is lowered to, as text and back: numbers and names, and nothing that is executed.

Nodes keep their numbers, so that everything made from them comes out the same. A text that is none
of these raises ValueError; of one that is cut short or altered the caller knows by its digest.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

from fencecheck.errors import InternalError
from fencecheck.model.lower.dag import Dag, Node, TooLarge
from fencecheck.model.lower.layout import Layout
from fencecheck.model.lower.lowered import (
    Case,
    Changes,
    Form,
    Formulas,
    Lowered,
    Spending,
    StartWay,
)

_WRONG = (ValueError, TypeError, KeyError, IndexError, AttributeError, TooLarge, InternalError)


def lowered_as_text(lowered: Lowered) -> str:
    """Return a lowering as text: a line with what every run needs, and one with its formulas."""
    head = {
        "changes": [
            [sorted(c.written), sorted(c.renewed), sorted(c.in_place)] for c in lowered.changes
        ],
        "may_be_negative": lowered.may_be_negative,
        "uses_sets": lowered.uses_sets,
        "alike": lowered.alike,
        "spending": [lowered.spending.readers, lowered.spending.refilled],
        "size": lowered.size,
    }
    lines = head, _Writing().formulas(lowered.formulas)
    return "\n".join(json.dumps(line, separators=(",", ":")) for line in lines)


def read_lowered(text: str, layout: Layout, again: Callable[[], Formulas]) -> Lowered:
    """Return the lowering that a text says, whose formulas are read when they are asked for.

    If they cannot be, ``again`` gives them. Raises ValueError for what is no such text.
    """
    try:
        first, formulas = text.split("\n")
        head = json.loads(first)
        changes = [Changes(*map(frozenset, kinds)) for kinds in head["changes"]]
        found = Lowered(layout, again, changes, size=int(head["size"]))
        found.may_be_negative, found.uses_sets = head["may_be_negative"], head["uses_sets"]
        found.alike, (readers, refilled) = head["alike"], head["spending"]
        found.spending = Spending({name: tuple(who) for name, who in readers.items()}, refilled)
    except _WRONG as error:
        raise ValueError from error

    def read() -> Formulas:
        try:
            told = json.loads(formulas)
            return _Reading(told["nodes"], layout).formulas(told)
        except _WRONG:
            return again()

    found.given = read
    return found


class _Writing:
    """Writes nodes as their numbers, and each form once."""

    def __init__(self) -> None:
        self.forms: list[list[int]] = []
        self.known: dict[int, int] = {}

    def formulas(self, told: Formulas) -> dict[str, Any]:
        """Return all of them as plain values."""
        return {
            "cases": [self._case(case) for case in told.cases],
            "of": [
                [
                    self._form(form),
                    [self._form(one) for one in instances],
                    [[number, self._form(one)] for number, one in of_cases.items()],
                ]
                for form, instances, of_cases in zip(
                    told.forms, told.instances, told.of_cases, strict=True
                )
            ],
            "goal": told.goal and self._form(told.goal),
            "within": told.within and told.within.number,
            "within_error": told.within_error and told.within_error.number,
            "starts": [[way.allowed.number, _pairs(way.writes)] for way in told.starts],
            "representative": None if told.representative is None else _pairs(told.representative),
            "forms": self.forms,
            "nodes": [_node(node) for node in told.dag.nodes()],
        }

    def _case(self, case: Case) -> list[Any]:
        nodes = case.enabled, case.guard_error, case.effect_error, case.fair
        return [case.action, *(n.number for n in nodes), _pairs(case.writes), _pairs(case.held)]

    def _form(self, form: Form) -> int:
        if id(form) not in self.known:
            self.known[id(form)] = len(self.forms)
            self.forms.append([node.number for node in form.nodes()])
        return self.known[id(form)]


def _pairs(nodes: dict[Any, Node]) -> list[Any]:
    return [[key, node.number] for key, node in nodes.items()]


def _node(node: Node) -> list[Any]:
    args = [a.number for a in node.args]
    return [node.op, args, list(node.extra), node.low, node.high, int(node.truth)]


class _Reading:
    """Reads formulas; ``nodes`` are all nodes by their numbers."""

    def __init__(self, told: Iterable[Any], layout: Layout) -> None:
        self.dag = Dag()
        self.dag.held = layout.held()
        self.nodes = self.dag.refill(told)
        self.forms: list[Form] = []

    def formulas(self, told: dict[str, Any]) -> Formulas:
        """Return what plain values say."""
        nodes = self.nodes
        self.forms = [Form(*(nodes[n] for n in numbers)) for numbers in told["forms"]]
        made = Formulas(self.dag, [self._case(*case) for case in told["cases"]])
        for form, instances, of_cases in told["of"]:
            made.forms.append(self.forms[form])
            made.instances.append([self.forms[one] for one in instances])
            made.of_cases.append({number: self.forms[one] for number, one in of_cases})
        made.goal = None if told["goal"] is None else self.forms[told["goal"]]
        made.within = self._perhaps(told["within"])
        made.within_error = self._perhaps(told["within_error"])
        made.starts = [StartWay(nodes[n], self._named(writes)) for n, writes in told["starts"]]
        if told["representative"] is not None:
            made.representative = self._named(told["representative"])
        return made

    def _case(self, action: int, *rest: Any) -> Case:
        *numbers, writes, held = rest
        enabled, guard_error, effect_error, fair = (self.nodes[n] for n in numbers)
        writes, held = self._named(writes), self._named(held)
        return Case(action, enabled, guard_error, effect_error, writes, fair, held)

    def _perhaps(self, number: int | None) -> Node | None:
        return None if number is None else self.nodes[number]

    def _named(self, pairs: Iterable[Any]) -> dict[Any, Node]:
        return {key: self.nodes[number] for key, number in pairs}
