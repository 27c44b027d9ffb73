"""Properties with parameters: what their functions take, and their form in a system.

Takes a property as it was declared and a run's sizes. Gives it in the form that is evaluated: its
functions take states and arguments of events alone, and ``instances`` are what it promises of
each choice of values. Every one of them is asked, also where an earlier one is false, so that
what goes wrong does not depend on their order.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from fencecheck.errors import ModelError
from fencecheck.model.domains import Index
from fencecheck.model.ordinary import place_of
from fencecheck.model.property import Function, Property, names_taken

MOST_INSTANCES = 1_000


def choices_of(prop: Property, sizes: Any) -> list[dict[str, tuple[Any, Any]]]:
    """Return every choice of a property's own parameters, as name -> (resolved domain, value).

    Raises ModelError where there are too many.
    """
    domains = {name: param.resolve(sizes) for name, param in prop.params.items()}
    many = math.prod(domain.count for domain in domains.values())
    if many > MOST_INSTANCES:
        raise ModelError(
            f"{place_of(prop.holds)}property {prop.name}: it is promised for {many:,} choices of "
            f"{', '.join(domains)} (at most {MOST_INSTANCES:,}); lower the bounds that they "
            "depend on"
        )
    ranks = itertools.product(*(range(domain.count) for domain in domains.values()))
    return [
        {n: (d, d.value(rank)) for (n, d), rank in zip(domains.items(), chosen, strict=True)}
        for chosen in ranks
    ]


def in_system(prop: Property, sizes: Any) -> Property:
    """Return a property in the form that is evaluated in a run of these sizes."""
    if not (prop.params or prop.takes or prop.trigger_takes):
        return prop
    states = 2 if prop.of_events else 1
    asked = 1 if prop.triggered_by_states else states
    one_for_each = []
    for choice in choices_of(prop, sizes):
        values = {name: value for name, (_, value) in choice.items()}
        holds = _with(prop.holds, states, values, prop.takes)
        trigger = prop.trigger and _with(prop.trigger, asked, values, prop.trigger_takes)
        words = ", ".join(_called(name, *found) for name, found in choice.items())
        known = replace(prop, asks_states=asked == 1, values=values, words=words)
        one_for_each.append(replace(known, holds=holds, trigger=trigger))
    if not prop.params:
        return one_for_each[0]
    whole = replace(prop, asks_states=asked == 1, instances=tuple(one_for_each))
    return _together(whole, one_for_each)


def masked(prop: Property, is_cut: Callable[[Any], bool]) -> Property:
    """Return a property where some states are not expanded: what comes after them is not known.

    So no such state is an end, and none breaks what is judged on the whole graph.
    """
    if not (prop.temporal or prop.of_ends):
        return prop
    truth, test = prop.holds, prop.trigger

    def holds(view: Any) -> bool:
        return bool(truth(view)) or is_cut(view)

    def trigger(view: Any) -> bool:
        return (test is None or bool(test(view))) and not is_cut(view)

    each = None if prop.instances is None else tuple(masked(p, is_cut) for p in prop.instances)
    found = replace(prop, holds=holds, instances=each)
    return replace(found, trigger=trigger) if prop.of_ends else found


def _together(whole: Property, instances: list[Property]) -> Property:
    """Return the conjunction of the instances of a property."""
    truths = [one.holds for one in instances]
    triggers = [one.trigger for one in instances if one.trigger is not None]

    def holds(*args: Any) -> bool:
        found = [truth(*args) for truth in truths]
        return all(found)

    def trigger(*args: Any) -> bool:
        found = [truth(*args) for truth in triggers]
        return any(found)

    return replace(whole, holds=holds, trigger=trigger if whole.trigger else None)


def _with(
    function: Function, states: int, values: Mapping[str, Any], takes: tuple[str, ...]
) -> Callable[..., bool]:
    """Return a function of states and of the arguments ``takes``, with ``values`` put in."""
    names = names_taken(function)[states:]

    def asked(*args: Any) -> bool:
        known = {**dict(zip(takes, args[states:], strict=True)), **values}
        return bool(function(*args[:states], *(known[name] for name in names)))

    return asked


def _called(name: str, domain: Any, value: Any) -> str:
    """Return what people call a value: ``w1``, or ``size 3``."""
    shown = domain.show(value)
    return str(shown) if isinstance(domain, Index) and domain.prefix else f"{name} {shown}"
