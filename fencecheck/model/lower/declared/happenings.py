"""Lower what happens: the ways in which actions can, what constrains them, and how runs begin."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from fencecheck.model.declare import Action, Constraint, Forgetting, Start, conditions
from fencecheck.model.domains import Bool, Int, Left
from fencecheck.model.fair import fair_arguments
from fencecheck.model.lower.alike.in_range import out_of_range
from fencecheck.model.lower.dag import Node
from fencecheck.model.lower.declared.of_family import FamilyLowering
from fencecheck.model.lower.layout import span
from fencecheck.model.lower.lowered import Case, Changes, Lowered, StartWay
from fencecheck.model.lower.source import source_of
from fencecheck.model.lower.symbols import Num, View
from fencecheck.model.mistakes.gathering import apart, times_wrong
from fencecheck.model.property import Function

Cleanups = Sequence[tuple[Forgetting, list[Any]]]


def lower_action(
    machine: FamilyLowering, number: int, action: Action, result: Lowered, cleanups: Cleanups
) -> None:
    """Lower every way an action can happen, and the clean-ups that follow it."""
    written, renewed, in_place = set[str](), set[str](), set[str]()
    wrong = times_wrong()
    for present, args in machine.ways(action):
        enabled, guard_error = _enabled(machine, action, result, (present, args))
        asserted = _execute(machine, action, (enabled, args), cleanups)
        if times_wrong() > wrong:
            return  # the other ways have the same mistakes
        effect_error, held = _goes_wrong(machine, enabled, asserted)
        writes = {machine.layout.place[p]: node for p, node in machine.env.items()}
        machine.failed.append(asserted)
        fair = _class_rank(machine, action, args)
        case = Case(number, enabled, guard_error, effect_error, writes, fair, held)
        machine.arguments.append(dict(zip(action.params, args, strict=True)))
        result.cases.append(case)
        written |= {_variable(p) for p in machine.env}
        renewed |= machine.renewed
        in_place |= machine.in_place
    result.changes.append(Changes(frozenset(written), frozenset(renewed), frozenset(in_place)))


def _enabled(
    machine: FamilyLowering, action: Action, result: Lowered, way: tuple[Node, Any]
) -> tuple[Node, Node]:
    """Return where one way an action can happen is enabled, and where its guards go wrong."""
    machine.start()
    dag, (enabled, args) = machine.dag, way
    guard_error = dag.false
    known = result.formulas
    if known.within is not None and known.within_error is not None:
        enabled, guard_error = dag.both(enabled, known.within), known.within_error
    if action.budget is not None:
        left = machine.field(View(0), action.budget)
        enabled = dag.both(enabled, dag.less(dag.const(0), left))
    for together, wanted in conditions(action.guard):
        holds, error = _lower_guards(machine, action, together, (enabled, args))
        guard_error = dag.either(guard_error, error)
        enabled = dag.both(enabled, holds if wanted else dag.negate(holds))
    return enabled, guard_error


def _execute(
    machine: FamilyLowering, action: Action, way: tuple[Node, Any], cleanups: Cleanups
) -> Node:
    """Execute an effect and the clean-ups behind it; return where one of its assertions fails."""
    machine.path, args = way
    machine.env = _spend(machine, action)
    machine.asserted = []
    with apart():
        machine.call(action.effect, [View(0, writable=True), *args], tuple(action.params))
    asserted, machine.asserted = machine.dag.any_of(machine.asserted), None
    for forgetting, chosen in cleanups:
        view = View(0, writable=True)
        with apart():
            machine.call(forgetting.function, [view, *chosen], tuple(forgetting.params))
    return asserted


def _goes_wrong(
    machine: FamilyLowering, enabled: Node, asserted: Node
) -> tuple[Node, dict[str, Node]]:
    """Return where an effect that was executed goes wrong, and where which bound holds it back.

    Where an assertion failed nothing went wrong, and nothing has happened.
    """
    dag, out_of_domain = machine.dag, out_of_range(machine)
    there = dag.both(enabled, dag.negate(asserted))
    held = {b: e for b, n in machine.held.items() if (e := dag.both(there, n)).constant != 0}
    for node in held.values():
        out_of_domain = dag.both(out_of_domain, dag.negate(node))
    effect_error = dag.both(enabled, dag.either(machine.took_errors(), out_of_domain))
    if asserted is not dag.false:
        effect_error = dag.both(effect_error, dag.negate(asserted))
        old = {path: machine.field(View(0), path) for path in machine.env}
        machine.env = {p: dag.select(asserted, old[p], n) for p, n in machine.env.items()}
    return effect_error, held


def _lower_guards(
    machine: FamilyLowering, action: Action, guards: Iterable[Function], where: tuple[Node, Any]
) -> tuple[Node, Node]:
    """Return where all of some guards are true, and where asking one after another goes wrong."""
    dag, (path, args) = machine.dag, where
    holds, error = dag.true, dag.false
    for guard in guards:
        machine.path = dag.both(path, holds)
        with apart():
            truth = machine.truth(guard, [View(0), *args], tuple(action.params))
            if truth.ghosts:
                _refuse_ghost_guard(machine, action, guard, truth)
            error = dag.either(error, machine.took_errors())
            holds = dag.both(holds, truth.node)
        machine.start()
    return holds, error


def lower_constraint(machine: FamilyLowering, constraint: Constraint, result: Lowered) -> None:
    """Lower what states have to be to be expanded, beside what was lowered of it before."""
    dag, known = machine.dag, result.formulas
    before = known.within or dag.true
    machine.start()
    machine.path = before
    truth = machine.truth(constraint.within, [View(0)], ()).node
    error = dag.either(known.within_error or dag.false, machine.took_errors())
    known.within, known.within_error = dag.both(before, truth), error


def lower_start(machine: FamilyLowering, start: Start) -> list[StartWay]:
    """Lower what sets up an initial state, to refuse what an effect may not do.

    Returns the ways in which it can. It is run in Python only, once for a design.
    """
    found = []
    params = tuple(start.params)
    for _, args in machine.ways(start):
        machine.start()
        allowed = machine.dag.true
        if start.guard is not None:
            allowed = machine.truth(start.guard, [View(0), *args], params).node
            machine.start()
        machine.call(start.function, [View(0, writable=True), *args], params)
        writes = {machine.layout.place[path]: node for path, node in machine.env.items()}
        found.append(StartWay(allowed, writes))
    return found


def _class_rank(machine: FamilyLowering, action: Action, args: list[Any]) -> Node:
    """Return the rank of the fairness class of one way an action can happen."""
    dag, rank = machine.dag, machine.dag.const(0)
    for place in fair_arguments(action, machine.ranged_over):
        value = args[place.param]
        node = (value if place.field is None else value.fields[place.field]).node
        if isinstance(place.domain, Bool):
            node = dag.as_int(node)
        elif isinstance(place.domain, Int):
            node = dag.sub(node, dag.const(span(place.domain)[0]))
        rank = dag.add(dag.mul(rank, dag.const(place.domain.count)), node)
    return rank


def _spend(machine: FamilyLowering, action: Action) -> dict[str, Node]:
    """Return the fields as an effect finds them: its budget is one less, one of any stays."""
    if action.budget is None or isinstance(machine.variables[action.budget][0], Left):
        return {}
    left = machine.field(View(0), action.budget)
    dag = machine.dag
    return {action.budget: dag.maximum(dag.sub(left, dag.const(1)), dag.const(0))}


def _variable(path: str) -> str:
    for mark in "[.|#":
        path = path.split(mark)[0]
    return path


def _refuse_ghost_guard(
    machine: FamilyLowering, action: Action, guard: Function, truth: Num
) -> None:
    source = source_of(guard)
    machine.frames.append(machine.new_frame(source))
    names = ", ".join(sorted(truth.ghosts))
    machine.fail(
        f"the guard of {action.name} reads ghost {names}",
        "a mechanism may not read a ghost; decide by what the system itself knows",
        source.body[-1],
    )
