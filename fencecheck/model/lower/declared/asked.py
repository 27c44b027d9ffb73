"""What is asked of states and events for a property: where it breaks, is tested and goes wrong."""

from __future__ import annotations

from fencecheck.model.lower.dag import Dag, Node
from fencecheck.model.lower.lowered import Form
from fencecheck.model.property import Property


def error_in_state(dag: Dag, prop: Property, form: Form) -> Node:
    """Return where a state itself makes what is asked of every state go wrong."""
    error = form.error if prop.of_states or prop.temporal else dag.false
    return dag.either(error, form.trigger_error) if prop.triggered_by_states else error


def error_at_end(dag: Dag, form: Form) -> Node:
    """Return where what is asked of a state that no system event leaves goes wrong."""
    return dag.either(form.error, form.trigger_error)


class OnEvent:
    """What is asked of one event for a property: nodes over the states before and after."""

    def __init__(self, dag: Dag, prop: Property, form: Form, event: str) -> None:
        spoken_of, triggering = prop.speaks_of(event), prop.triggered_on(event)
        self.any = spoken_of or triggering
        self.broken = dag.negate(form.holds) if spoken_of else dag.false
        self.seen = form.trigger if triggering else dag.false
        self.error = form.error if spoken_of else dag.false
        if triggering:
            self.error = dag.either(self.error, form.trigger_error)
