"""Check templates against what a model has: names of parameters, variables and their fields.

Takes declarations of a whole model; raises ModelError, with the line where a template was
written, for the first of its fields that is not there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fencecheck.model.declare import LEFT, USED, Action, Declared
from fencecheck.model.domains import Domain
from fencecheck.model.fair import ranged_over
from fencecheck.model.mistakes.gathering import apart
from fencecheck.model.property import Property
from fencecheck.model.wording.templates import Saying, StateFields, Template


def state_fields(declared: Declared, domains: Mapping[str, Domain]) -> StateFields:
    """Return what can be named of a state: variables, what is left of budgets, and the design."""
    fields: dict[str, Any] = {m.name: None for m in declared.mechanisms}
    for bound in declared.bounds:
        fields[bound.name] = None
        if bound.budget:
            fields[bound.name + LEFT], fields[bound.name + USED] = domains.get(bound.name), None
    return StateFields({**fields, **domains})


def check_words(model: str, action: Action, declared: Declared) -> None:
    """Check what an event is told in: its parameters, and ``s``, the state before it."""
    domains = _declared(declared)
    for kind, words in (("label", action.label), ("remark", action.remark)):
        if isinstance(words, Template):
            known = {**parameter_domains(action, domains), "s": state_fields(declared, domains)}
            with apart():
                words.check(f"model {model}: {kind} of {action.name}", known)


def check_sentence(
    model: str, prop: Property, spoken_of: Iterable[Action], declared: Declared
) -> None:
    """Check what says how a property breaks: its parameters, those of its events, and states."""
    if not isinstance(prop.explain, Saying):
        return
    domains = _declared(declared)
    state = state_fields(declared, domains)
    known = {**prop.params, "before": state, "after": state}
    events = [parameter_domains(action, domains) for action in spoken_of] if prop.of_events else []
    if not prop.of_events:
        known["s"] = state
    for template in prop.explain.templates():
        with apart():
            for params in events or [{}]:
                template.check(f"model {model}: says of {prop.name}", {**params, **known})


def parameter_domains(action: Action, domains: Mapping[str, Domain]) -> dict[str, Any]:
    """Return the parameters of an event with their domains, also those over containers."""
    return {name: ranged_over(param, domains) for name, param in action.params.items()}


def _declared(declared: Declared) -> dict[str, Domain]:
    return {v.name: v.domain for v in declared.variables}
