"""Plan the kernel of random walks: successors, with what each event breaks as its label.

Takes the lowered model and up to 16 safety properties. Bit i of a state's flags says that
property i, an invariant or a deadlock, breaks in that state; bit i of a successor's label that
property i, a transition property, breaks in that event. The bits of errors are those of plan.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from fencecheck.explore.compiled.kernel.plan import (
    EFFECT_ERROR,
    GUARD_ERROR,
    STATE_ERROR,
    CasePlan,
    Plan,
    Substitution,
)
from fencecheck.model.declare import Action, Property
from fencecheck.model.lower.dag import Dag, Node
from fencecheck.model.lower.lowering import Case, Form, Lowered

GROUP = 16  # properties that one label has room for
ERRORS = 1 << STATE_ERROR | 1 << GUARD_ERROR | 1 << EFFECT_ERROR


def plan_walks(lowered: Lowered, actions: Sequence[Action], watched: Sequence[Property]) -> Plan:
    """Plan the kernel for at most GROUP properties, which get their bits in this order."""
    dag = lowered.dag
    forms = {p.name: form for p, form in zip(lowered.properties, lowered.forms, strict=True)}
    plan = Plan(sorted(lowered.switches), {})
    guard_error = dag.any_of(case.guard_error for case in lowered.cases)
    own = [c.enabled for c in lowered.cases if not actions[c.action].interference]
    quiet, state_error = dag.negate(dag.any_of(own)), dag.false
    for bit, prop in enumerate(watched):
        form = forms[prop.name]
        if prop.kind == "invariant":
            _mark(plan, bit, dag.negate(form.holds))
            state_error = dag.either(state_error, form.error)
        elif prop.kind == "deadlock":
            _mark(plan, bit, dag.both(quiet, dag.negate(form.holds)))
            guard_error = dag.either(guard_error, dag.both(quiet, form.error))
    _mark(plan, STATE_ERROR, state_error)
    _mark(plan, GUARD_ERROR, guard_error)
    plan.stops = None if guard_error is dag.false else guard_error
    for case in lowered.cases:
        name = actions[case.action].name
        spoken = [(bit, forms[p.name]) for bit, p in enumerate(watched) if p.speaks_of(name)]
        plan.cases.append(_case(dag, case, spoken))
    return plan


def _mark(plan: Plan, bit: int, node: Node) -> None:
    if node.constant != 0:
        plan.state_flags.append((0, bit, node))


def _case(dag: Dag, case: Case, spoken: Sequence[tuple[int, Form]]) -> CasePlan:
    error, after, label = case.effect_error, Substitution(dag, case), dag.const(0)
    for bit, form in spoken:
        error = dag.either(error, dag.both(case.enabled, after.apply(form.error)))
        broken = dag.as_int(dag.negate(after.apply(form.holds)))
        label = dag.bits_or(label, dag.shift_left(broken, bit))
    happens = dag.both(case.enabled, dag.negate(error))
    result = CasePlan(case.action, case.enabled, happens, case.writes, label=label)
    if error.constant != 0:
        result.flags.append((0, EFFECT_ERROR, error))
    return result
