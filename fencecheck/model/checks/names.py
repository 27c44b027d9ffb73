"""Check the declarations of a whole model against each other: names that repeat or do not exist.

Takes a model and what all its parts declare, raises ModelError with the place of what is wrong
and the nearest name that there is. Runs nothing of the model.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Sequence
from typing import Any

from fencecheck.errors import ModelError, nearest
from fencecheck.model.checks.taken import check_taken
from fencecheck.model.declare import (
    LEFT,
    NETWORK,
    Action,
    Declared,
    Each,
    Forgetting,
    Start,
    part_of_budget,
)
from fencecheck.model.domains import Bag, Record, Scalar, Seq, Set, Subset
from fencecheck.model.fair import check_fair_by, ranged_over
from fencecheck.model.mistakes.gathering import apart, times_wrong
from fencecheck.model.ordinary import place_of
from fencecheck.model.parts import Part, declared_places
from fencecheck.model.property import Property
from fencecheck.model.wording.fields import check_sentence, check_words


def check_declarations(model: Part, declared: Declared) -> None:
    """Raise ModelError for a contradiction: the first, or all where they are gathered."""
    if not declared.actions and not times_wrong():
        raise ModelError(f"model {model.name}: it has no actions; declare at least one")
    with apart():
        _check_names(model, declared)
    for action in declared.actions:
        with apart():
            _check_action(model.name, action, declared)
    for prop in declared.properties:
        with apart():
            _check_property(model.name, prop, declared)
    bounds = [b.name for b in declared.bounds]
    for cost in declared.costs:
        if cost.per:
            where = f"{place_of(cost.count)}model {model.name}: cost {cost.name}"
            _exists(f"{where}: per: there is no bound", cost.per, bounds)
    for forgetting in declared.forgets:
        with apart():
            _check_plain(model.name, forgetting, declared, "what is forgotten ranges")
    for start in declared.starts:
        with apart():
            _check_plain(model.name, start, declared, "an initial state ranges")
    with apart():
        _check_lanes(model, declared)


def _check_property(model: str, prop: Property, declared: Declared) -> None:
    """Check that what a property speaks of is there, and what its functions take."""
    where = f"{place_of(prop.holds)}model {model}: property {prop.name}"
    events, wrong = [a.name for a in declared.actions], times_wrong()
    for event in (*prop.events, *(getattr(prop, "trigger_on", None) or ())):
        _exists(f"{where}: there is no event", event, events)
    for name in prop.relevant:
        _exists(
            f"{where}: relevant: there is no variable", name, [v.name for v in declared.variables]
        )
    if times_wrong() == wrong:
        check_taken(where, prop, declared.actions)
        spoken_of = [action for action in declared.actions if prop.speaks_of(action.name)]
        check_sentence(model, prop, spoken_of, declared)


@apart()
def _exists(sentence: str, name: Any, names: Iterable[str]) -> None:
    known = list(dict.fromkeys(names))
    if name not in known:
        hint = nearest(str(name), known) or f"; there is {', '.join(known) or 'none'}"
        raise ModelError(f"{sentence} {name!r}{hint}")


def _check_lanes(model: Part, declared: Declared) -> None:
    """Check what is said of lanes: their order, and actors that are several of a kind."""
    lanes = [lane.name for lane in declared.lanes]
    for name in model.lane_order:
        _exists(f"{model.place('lane_order')}lane_order: there is no lane", name, lanes)
    _check_owners(model, lanes)
    sizes = [b.name for b in declared.bounds if not b.budget]
    for actor, bound in model.one_lane_each.items():
        where = f"{model.place('one_lane_each')}one_lane_each"
        _exists(f"{where}: there is no actor", actor, lanes)
        _exists(f"{where}: {actor}: there is no bound", bound, sizes)
        for action in declared.actions:
            shown = [
                name
                for param, domain in action.params.items()
                for name in ((domain.args or (param,)) if isinstance(domain, Each) else (param,))
            ]
            if action.actor == actor and actor not in shown:
                raise ModelError(
                    f"{where}: {actor}: each of them has a lane, so that their events say whose "
                    f"they are; give {action.name} a parameter named {actor}"
                )


def _check_owners(model: Part, lanes: list[str]) -> None:
    """Check that each variable belongs to a lane, or to the part that declares it.

    Budgets have no lane, and messages need none: they are on the way.
    """
    for part in model.and_included():
        for variable in part.declared.variables:
            own = NETWORK if variable.messages else part.name
            if not (variable.budget or variable.owner == own):
                place = part.place(f"declared {variable.name}")
                where = f"{place}model {model.name}: variable {variable.name}: owner"
                _exists(f"{where}: there is no lane", variable.owner, lanes)


def _check_names(model: Part, declared: Declared) -> None:
    places = declared_places(model.and_included())
    named = [v.name for v in declared.variables]
    named += [m.name for m in declared.mechanisms]
    named += [b.name for b in declared.bounds if not b.budget]
    _once(model.name, "variable, mechanism or bound", [(n, places.get(n, "")) for n in named])
    first = {v.name: v for v in reversed(declared.variables)}
    declared.variables[:] = [v for v in declared.variables if first[v.name] is v]
    promised = [(p.name, place_of(p.holds)) for p in declared.properties]
    _once(model.name, "property", promised)
    events = [(a.name, place_of(a.effect)) for a in declared.actions]
    _once(model.name, "event", events)
    budgets = [b.name for b in declared.bounds if b.budget]
    limits = [(c.name, place_of(c.within)) for c in declared.constraints]
    _once(model.name, "constraint", limits)
    _once(model.name, "index", [(name, "") for name, _ in declared.indices])
    for name in named:
        _check_name(model.name, name, places.get(name, ""), budgets)
    taking = [(place_of(a.effect), a.params) for a in declared.actions]
    taking += [(place_of(start.function), start.params) for start in declared.starts]
    for place, params in taking:
        for name in params:
            _check_name(model.name, name, place, ())


@apart()
def _check_name(model: str, name: str, place: str, budgets: Sequence[str]) -> None:
    """Check that functions can read a name, and that it is not one that has a meaning already."""
    if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("_"):
        raise ModelError(
            f"{place}model {model}: {name!r} cannot be read as an attribute; "
            "write letters, digits and underscores, a letter first, and no Python keyword"
        )
    if name == "k":
        raise ModelError(f"{place}model {model}: the name k is taken; choose another")
    budget, part = part_of_budget(name, budgets)
    if budget:
        what = "left of" if part == LEFT else "used of"
        raise ModelError(
            f"{place}model {model}: the name {name} is taken: it is what is {what} budget "
            f"{budget}; choose another"
        )


def _once(model: str, kind: str, names: Iterable[tuple[str, str]]) -> None:
    """Check that a name is declared once; each comes with its place."""
    seen: set[str] = set()
    for name, place in names:
        if name in seen:
            with apart():
                raise ModelError(f"{place}model {model}: two declarations of the {kind} {name}")
        seen.add(name)


def _check_action(model: str, action: Action, declared: Declared) -> None:
    where = f"{place_of(action.effect)}model {model}: {action.name}"
    if action.budget is not None:
        budgets = [b.name for b in declared.bounds if b.budget]
        _exists(f"{where}: no budget is named", action.budget, budgets)
    domains = {v.name: (v.domain, v.ghost) for v in declared.variables}
    for name, param in action.params.items():
        _check_param(f"{where}: parameter {name}", param, domains)
    known = {name: domain for name, (domain, _) in domains.items()}
    check_fair_by(where, action, lambda _, param: ranged_over(param, known))
    check_words(model, action, declared)


def _check_plain(model: str, made: Forgetting | Start, declared: Declared, what: str) -> None:
    """Check parameters that do not depend on a state."""
    where = f"{place_of(made.function)}model {model}: {made.function.__name__}"
    domains = {v.name: (v.domain, v.ghost) for v in declared.variables}
    for name, param in made.params.items():
        if isinstance(param, Each):
            raise ModelError(
                f"{where}: parameter {name}: {what} over no container; "
                "write an Index, Int, Bool or Enum"
            )
        _check_param(f"{where}: parameter {name}", param, domains)


def _check_param(where: str, param: Any, domains: dict[str, tuple[Any, bool]]) -> None:
    if isinstance(param, Scalar | Subset):
        return
    if not isinstance(param, Each):
        raise ModelError(f"{where}: {param!r} is no domain; write an Index, Int, Enum or Each")
    domain, ghost = domains.get(param.variable, (None, False))
    if not isinstance(domain, Bag | Set) or isinstance(domain, Seq):
        fitting = [
            name
            for name, (d, _) in domains.items()
            if isinstance(d, Bag | Set) and not isinstance(d, Seq)
        ]
        raise ModelError(
            f"{where}: Each({param.variable!r}) needs a bag or set variable"
            f"{nearest(param.variable, fitting)}"
        )
    if ghost:
        raise ModelError(
            f"{where}: it ranges over ghost {param.variable}; a mechanism may not read a ghost"
        )
    fields = domain.element.fields if isinstance(domain.element, Record) else {}
    for name in param.args:
        if name not in fields:
            raise ModelError(
                f"{where}: the elements of {param.variable} have no field {name!r}"
                f"{nearest(name, fields)}"
            )
        if not isinstance(fields[name], Scalar):
            plain = [f for f, held in fields.items() if isinstance(held, Scalar)]
            raise ModelError(
                f"{where}: field {name!r} of the elements of {param.variable} is no single value; "
                f"name one of {', '.join(plain) or 'none'}, or write a label"
            )
