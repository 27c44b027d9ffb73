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
    KernelPlan,
    Substitution,
)
from fencecheck.model.declare import Action
from fencecheck.model.lower.dag import Dag, Node
from fencecheck.model.lower.declared.asked import OnEvent, error_at_end, error_in_state
from fencecheck.model.lower.lowered import Case, Lowered
from fencecheck.model.property import Property

GROUP = 16  # properties that one label has room for
ERRORS = 1 << STATE_ERROR | 1 << GUARD_ERROR | 1 << EFFECT_ERROR


def plan_walks(
    lowered: Lowered, actions: Sequence[Action], watched: Sequence[Property]
) -> KernelPlan:
    """Plan the kernel for at most GROUP properties, which get their bits in this order."""
    dag = lowered.dag
    forms = {p.name: form for p, form in zip(lowered.properties, lowered.forms, strict=True)}
    plan = KernelPlan(sorted(lowered.switches), {}, lowered.representative)
    guard_error = dag.any_of(case.guard_error for case in lowered.cases)
    own = [c.enabled for c in lowered.cases if not actions[c.action].interference]
    quiet, state_error = dag.negate(dag.any_of(own)), dag.false
    for bit, prop in enumerate(watched):
        form = forms[prop.name]
        if prop.of_states:
            _mark(plan, bit, dag.negate(form.holds))
        elif prop.of_ends:
            _mark(plan, bit, dag.both(quiet, dag.negate(form.holds)))
            guard_error = dag.either(guard_error, dag.both(quiet, error_at_end(dag, form)))
        state_error = dag.either(state_error, error_in_state(dag, prop, form))
    _mark(plan, STATE_ERROR, state_error)
    _mark(plan, GUARD_ERROR, guard_error)
    plan.stops = None if guard_error is dag.false else guard_error
    for number, case in enumerate(lowered.cases):
        name = actions[case.action].name
        asked = [
            (i, OnEvent(dag, p, lowered.form_on(p.name, number), name))
            for i, p in enumerate(watched)
        ]
        plan.cases.append(_case(dag, case, [(bit, truth) for bit, truth in asked if truth.any]))
    return plan


def _mark(plan: KernelPlan, bit: int, node: Node) -> None:
    if node.constant != 0:
        plan.state_flags.append((0, bit, node))


def _case(dag: Dag, case: Case, asked: Sequence[tuple[int, OnEvent]]) -> CasePlan:
    error, after, label = case.effect_error, Substitution(dag, case), dag.const(0)
    possible = case.possible(dag)
    for bit, truth in asked:
        error = dag.either(error, dag.both(possible, after.apply(truth.error)))
        broken = dag.as_int(after.apply(truth.broken))
        label = dag.bits_or(label, dag.shift_left(broken, bit))
    happens = dag.both(possible, dag.negate(error))
    result = CasePlan(case.action, case.enabled, happens, case.writes, label=label)
    if error.constant != 0:
        result.flags.append((0, EFFECT_ERROR, error))
    return result
