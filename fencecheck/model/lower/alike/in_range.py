"""Where an event leaves a value outside its domain, as a condition over the state before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fencecheck.model.domains import Maybe, Unlimited, Version
from fencecheck.model.lower.alike.inside import shape_of_field, values_in
from fencecheck.model.lower.dag import Node
from fencecheck.model.lower.layout import Field

if TYPE_CHECKING:
    from fencecheck.model.lower.statements import Statements


def out_of_range(machine: Statements) -> Node:
    """Return the condition under which a new value lies outside its field's domain.

    A version's highest is the clock after the event and what may be ahead of it; a fresh value is
    one that its clock handed out, and is in range by that.
    """
    dag, wrong = machine.dag, machine.dag.false
    for path, node in machine.env.items():
        found = machine.layout.fields[machine.layout.place[path]]
        if node.low < found.low:
            wrong = dag.either(wrong, dag.less(node, dag.const(found.low)))
        if node.high > found.high and not _by_its_clock(found):
            wrong = dag.either(wrong, dag.less(dag.const(found.high), node))
    for clock in machine.reach:
        wrong = dag.either(wrong, _ahead(machine, clock))
    return wrong


def _by_its_clock(field: Field) -> bool:
    """Tell whether a field is one value whose clock says how high it can be."""
    domain = field.holds.index if isinstance(field.holds, Maybe) else field.holds
    scalar = shape_of_field(field) == "scalar"
    return scalar and isinstance(domain, Unlimited) and not domain.is_clock


def _ahead(machine: Statements, clock: str) -> Node:
    """Return where an event leaves a version further above its clock than one may lie."""
    dag, wrong = machine.dag, machine.dag.false
    domain, _ = machine.variables[clock]
    assert isinstance(domain, Version)
    now = machine.env.get(clock, dag.const(domain.places))
    limit = dag.add(now, dag.const(domain.ahead))
    if machine.reach[clock] <= limit.low:
        return wrong
    for path, node in machine.env.items():
        field = machine.layout.fields[machine.layout.place[path]]
        for there, of, number in values_in(dag, field, node):
            if isinstance(of, Version) and of.clock == clock:
                wrong = dag.either(wrong, dag.both(there, dag.less(limit, number)))
    return wrong
