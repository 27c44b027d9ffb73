"""Lower what is promised: a property for each choice of its parameters, and for what it takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fencecheck.model.declaring.assertions import Assertions
from fencecheck.model.declaring.instances import choices_of
from fencecheck.model.family import Family
from fencecheck.model.lower.dag import Node
from fencecheck.model.lower.declared.of_family import FamilyLowering
from fencecheck.model.lower.lowered import Form, Lowered, form_of_all
from fencecheck.model.lower.symbols import Items, Rec, Vector, View
from fencecheck.model.mistakes.gathering import apart
from fencecheck.model.property import Function, Property, names_taken


def lower_property(
    machine: FamilyLowering, family: Family, prop: Property, result: Lowered
) -> None:
    """Lower a property for each choice of its parameters, and for the arguments that it takes."""
    if isinstance(prop, Assertions):
        about = [prop.speaks_of(action.name) for action in family.declared.actions]
        result.add_assertions(machine.failed, about)
        return
    choices = [
        {name: machine.constant_of(d, d.rank(v)) for name, (d, v) in choice.items()}
        for choice in choices_of(prop, machine.sizes)
    ]
    dag, of_cases = machine.dag, dict[int, Form]()
    if not (prop.takes or prop.trigger_takes):
        instances = [_form(machine, prop, choice) for choice in choices]
    else:
        instances, known = [], dict[Any, Form]()
        for number, case in enumerate(result.cases):
            event = family.declared.actions[case.action].name
            parts = (prop.speaks_of(event), prop.triggered_on(event))
            if any(parts):
                args = machine.arguments[number]
                taken = (args.get(name) for name in (*prop.takes, *prop.trigger_takes))
                key = parts, tuple(map(_key, taken))
                if key not in known:
                    forms = [_form(machine, prop, {**args, **c}, parts) for c in choices]
                    known[key] = form_of_all(dag, forms)
                of_cases[number] = known[key]
        if not known and prop.triggered_by_states:
            known[None] = form_of_all(
                dag, [_form(machine, prop, c, (False, True)) for c in choices]
            )
        instances = list(known.values())
    instances = [result.masked(prop, form) for form in instances]
    result.forms.append(instances[0] if len(instances) == 1 else form_of_all(dag, instances))
    result.instances.append(instances)
    result.of_cases.append(of_cases)


def _key(symbol: Any) -> Any:
    """Return what tells an argument from others."""
    if isinstance(symbol, Rec):
        return tuple(map(_key, symbol.fields.values()))
    if isinstance(symbol, Vector):
        return tuple(map(_key, symbol.items))
    if isinstance(symbol, Items):
        return tuple(_key(value) for _, value in symbol.pairs)
    return symbol and (
        symbol.node.number,
        symbol.enum and symbol.enum.names,
        symbol.one_of and (symbol.one_of.name, *symbol.one_of.starts.values(), symbol.one_of.count),
        symbol.optional,
        symbol.mark,
    )


def _form(
    machine: FamilyLowering,
    prop: Property,
    known: Mapping[str, Any],
    parts: tuple[bool, bool] = (True, True),
) -> Form:
    """Lower a property with what its functions take by name; ``parts``: holds, trigger."""

    def asked(function: Function, states: int) -> Node:
        views: list[Any] = [View(0), View(1)][:states]
        names = names_taken(function)[states:]
        return machine.truth(function, [*views, *(known[name] for name in names)], None).node

    states = 2 if prop.of_events else 1
    machine.start()
    holds = trigger = machine.dag.true
    with apart():
        holds = asked(prop.holds, states) if parts[0] else machine.dag.true
    error = machine.took_errors()
    machine.start()
    if prop.trigger is not None and (parts[1] or prop.triggered_by_states):
        with apart():
            trigger = asked(prop.trigger, 1 if prop.triggered_by_states else states)
    return Form(holds, trigger, error, machine.took_errors())
