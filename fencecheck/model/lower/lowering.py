"""Lower a model to the intermediate form, checking that it stays within the subset.

Takes resolved variables and a family's functions; gives, for every way an action can happen, its
condition and the new value of each field, and for every property its truth, all as nodes of one
graph. Raises ModelError with file and line for what is outside the subset or reads a ghost where
no ghost may be read. Runs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fencecheck.model.declare import Forgetting
from fencecheck.model.declaring.any_number import HowMany
from fencecheck.model.domains import Domain, Enum
from fencecheck.model.family import Family
from fencecheck.model.lower.alike.representative import representative
from fencecheck.model.lower.declared.happenings import lower_action, lower_constraint, lower_start
from fencecheck.model.lower.declared.of_family import FamilyLowering
from fencecheck.model.lower.declared.promised import lower_property
from fencecheck.model.lower.declared.spending import spending
from fencecheck.model.lower.layout import Layout
from fencecheck.model.lower.lowered import Form, Formulas, Lowered
from fencecheck.model.lower.symbols import View
from fencecheck.model.mistakes.depth import not_too_deep, room_to_recur
from fencecheck.model.mistakes.gathering import apart


def lower(
    family: Family,
    variables: list[tuple[str, Domain, bool]],
    sizes: Any,
    totals: Mapping[str, HowMany],
) -> Lowered:
    """Lower ``family`` with ``variables`` (name, resolved domain, ghost) and bounds ``sizes``.

    ``totals`` are the budgets of the run, which ``s.NAME_used`` is reckoned from.
    """
    layout = Layout(variables)
    constants: dict[str, Any] = {m.name: Enum(*m.values) for m in family.declared.mechanisms}
    constants |= {b.name: getattr(sizes, b.name) for b in family.declared.bounds}
    machine = FamilyLowering(layout, {n: (d, g) for n, d, g in variables}, constants)
    machine.dag.held = layout.held()
    machine.sizes, machine.totals, machine.included = sizes, totals, family.parts
    result = Lowered(layout, Formulas(machine.dag))
    with room_to_recur():
        _lower_functions(machine, family, result)
    result.properties = list(family.declared.properties)
    result.switches = [m.name for m in family.declared.mechanisms]
    result.may_be_negative, result.uses_sets = machine.may_be_negative, machine.uses_sets
    result.reads_totals = machine.reads_totals
    result.formulas.representative = representative(machine.dag, layout)
    result.alike = result.representative is not None
    result.spending = spending(result, family.declared.actions)
    result.size = len(machine.dag)
    return result


def _lower_functions(machine: FamilyLowering, family: Family, result: Lowered) -> None:
    """Lower every function of a family, each apart from the others."""
    cleanups: list[tuple[Forgetting, list[Any]]] = []
    for forgetting in (f for f in family.declared.forgets if f.always):
        with apart():
            cleanups += [(forgetting, args) for _, args in machine.ways(forgetting)]
    for constraint in family.declared.constraints:
        with apart(), not_too_deep(constraint.within, constraint.name):
            lower_constraint(machine, constraint, result)
    for number, action in enumerate(family.declared.actions):
        with apart(), not_too_deep(action.effect, action.name):
            lower_action(machine, number, action, result, cleanups)
    for start in family.declared.starts:
        with apart(), not_too_deep(start.function, start.name):
            result.formulas.starts += lower_start(machine, start)
    for prop in family.declared.properties:
        with apart(), not_too_deep(prop.holds, prop.name):
            lower_property(machine, family, prop, result)
    if family.goal is not None:
        with apart(), not_too_deep(family.goal, "the goal"):
            machine.start()
            goal = machine.truth(family.goal, [View(0)], ())
            dag = machine.dag
            result.formulas.goal = Form(goal.node, dag.true, machine.took_errors(), dag.false)
