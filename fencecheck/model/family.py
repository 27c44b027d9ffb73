"""Family: a model put together from its parts, checked for contradictions, and designs of it.

Takes a Model, flattens the parts it includes, and refuses names used twice or not declared.
``design`` turns what a spec or a command line says into a complete assignment of mechanisms and
bounds, or says everything that is wrong with it at once.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from types import SimpleNamespace
from typing import Any

from fencecheck.errors import DesignError, ModelError, nearest
from fencecheck.model.declare import Declared, Each, Lane
from fencecheck.model.domains import Bag, Record, Scalar, Seq, Set
from fencecheck.model.fair import check_fair_by
from fencecheck.model.parts import Part


@dataclass(frozen=True)
class Design:
    """Every mechanism's value and every bound's number for one run of a model."""

    mechanisms: dict[str, str]
    bounds: dict[str, int]

    @property
    def sizes(self) -> SimpleNamespace:
        """Return both as attributes: the ``k`` of domains, rules and words."""
        return SimpleNamespace(**self.bounds, **self.mechanisms)


def _parts(part: Part, seen: dict[int, Part]) -> None:
    for inner in part.parts:
        if id(inner) not in seen:
            _parts(inner, seen)
    seen[id(part)] = part


class Family:
    """A whole model: the declarations of all its parts, in order."""

    def __init__(self, model: Part) -> None:
        found: dict[int, Part] = {}
        _parts(model, found)
        self.model, self.name, self.title = model, model.name, model.title
        self.parts = list(found.values())
        self.goal = next((p.goal for p in reversed(self.parts) if p.goal), None)
        self.admission = next((p.refusal for p in reversed(self.parts) if p.refusal), None)
        self.declared = Declared()
        for part in self.parts:
            for field in fields(Declared):
                getattr(self.declared, field.name).extend(getattr(part.declared, field.name))
        lanes: dict[str, Lane] = {}
        for lane in self.declared.lanes:
            lanes.setdefault(lane.name, lane)
        order = getattr(model, "lane_order", ())
        self.declared.lanes = sorted(
            lanes.values(), key=lambda x: order.index(x.name) if x.name in order else len(order)
        )
        self._check()
        self.mechanisms = {m.name: m for m in self.declared.mechanisms}
        self.bounds = {b.name: b for b in self.declared.bounds}
        self.properties = {p.name: p for p in self.declared.properties}
        self._whole, self._digest = self, ""
        self.reference = self.name
        self.lowered: dict[tuple[Any, ...], Any] = {}

    def has_refused(self, view: Any) -> bool:
        """Tell whether the model refuses its plan as a whole in a state (see ``admission``)."""
        return self.admission is not None and bool(self.admission.refuses(view))

    def answers_by_refusal(self, prop: str, initial: Any) -> bool:
        """Tell whether a plan refused from the start is itself what a property asks for."""
        protects = self.admission.protects if self.admission is not None else ()
        return prop in protects and self.has_refused(initial)

    @property
    def hash(self) -> str:
        """Return what the model is, in 16 digits: a digest of what it is lowered to by default.

        A family with questions added (questions.py) has the hash of the family itself.
        """
        if not self._whole._digest:
            from fencecheck.model.identity import digest_of
            from fencecheck.model.system import System

            whole = self._whole
            whole._digest = digest_of(System(whole, whole.default_design()))[:16]
        return self._whole._digest

    def default_design(self) -> Design:
        """Return the design of all defaults, whether or not the model's rules accept it."""
        mechanisms = {m.name: m.default for m in self.declared.mechanisms}
        return Design(mechanisms, {b.name: b.default for b in self.declared.bounds})

    def _check(self) -> None:
        declared = self.declared
        named = [v.name for v in declared.variables]
        named += [m.name for m in declared.mechanisms]
        named += [b.name for b in declared.bounds if not b.budget]
        _once(self.name, "variable, mechanism or bound", named)
        _once(self.name, "property", [p.name for p in declared.properties])
        _once(self.name, "event", [a.name for a in declared.actions])
        events = {a.name for a in declared.actions}
        budgets = {b.name for b in declared.bounds if b.budget}
        domains = {v.name: (v.domain, v.ghost) for v in declared.variables}
        self._check_names([*named, *(n for a in declared.actions for n in a.params)])
        for action in declared.actions:
            where = f"model {self.name}: {action.name}"
            if action.budget is not None and action.budget not in budgets:
                hint = nearest(action.budget, budgets)
                raise ModelError(f"{where}: no budget is named {action.budget!r}{hint}")
            for name, param in action.params.items():
                _check_param(f"{where}: parameter {name}", param, domains)
            check_fair_by(where, action, lambda _, param: _ranged_over(param, domains))
        for forgetting in declared.forgets:
            where = f"model {self.name}: {forgetting.function.__name__}"
            for name, param in forgetting.params.items():
                if isinstance(param, Each):
                    raise ModelError(
                        f"{where}: parameter {name}: what is forgotten ranges over no container; "
                        "write an Index, Int, Bool or Enum"
                    )
                _check_param(f"{where}: parameter {name}", param, domains)
        for prop in declared.properties:
            for event in (*prop.events, *(getattr(prop, "trigger_on", None) or ())):
                if event not in events:
                    raise ModelError(
                        f"model {self.name}: property {prop.name}: there is no event {event!r}"
                        f"{nearest(event, events)}"
                    )
        properties = [p.name for p in declared.properties]
        for name in self.admission.protects if self.admission is not None else ():
            if name not in properties:
                hint = nearest(name, properties)
                raise ModelError(
                    f"model {self.name}: admission protects no property {name!r}{hint}"
                )
        if not declared.actions:
            raise ModelError(f"model {self.name}: it has no actions; declare at least one")

    def _check_names(self, names: Iterable[str]) -> None:
        for name in names:
            if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("_"):
                raise ModelError(
                    f"model {self.name}: {name!r} cannot be read as an attribute; "
                    "write letters, digits and underscores, a letter first, and no Python keyword"
                )
            if name == "k":
                raise ModelError(f"model {self.name}: the name k is taken; choose another")

    def design(
        self, mechanisms: Mapping[str, Any] | None = None, bounds: Mapping[str, Any] | None = None
    ) -> Design:
        """Return a complete design; what is not named has the model's default.

        Raises DesignError with one line for each unknown name, value and senseless combination.
        """
        problems: list[str] = []
        chosen = {m.name: m.default for m in self.declared.mechanisms}
        for name, value in (mechanisms or {}).items():
            problems += self._mechanism(name, value, chosen)
        numbers = {b.name: b.default for b in self.declared.bounds}
        for name, value in (bounds or {}).items():
            problems += self._bound(name, value, numbers)
        if not problems:
            sizes = Design(chosen, numbers).sizes
            said = (rule.refuses(sizes) for rule in self.declared.rules)
            problems = [message for message in said if message]
        if problems:
            raise DesignError(problems)
        return Design(chosen, numbers)

    def _mechanism(self, name: str, value: Any, chosen: dict[str, str]) -> list[str]:
        known = self.mechanisms.get(name)
        if known is None:
            return [
                f"mechanisms.{name}: model {self.name} has no such mechanism; it has "
                f"{', '.join(self.mechanisms) or 'none'}{nearest(name, self.mechanisms)}"
            ]
        if isinstance(value, bool) and known.on_off:
            value = "on" if value else "off"
        if value not in known.values:
            hint = nearest(str(value), known.values)
            shown = f'"{value}"' if isinstance(value, str) else str(value).lower()
            allowed = ", ".join(known.values)
            return [f"mechanisms.{name}: {shown} is not one of {allowed}{hint}"]
        chosen[name] = value
        return []

    def _bound(self, name: str, value: Any, numbers: dict[str, int]) -> list[str]:
        known = self.bounds.get(name)
        if known is None:
            return [
                f"bounds.{name}: model {self.name} has no such bound; it has "
                f"{', '.join(self.bounds)}{nearest(name, self.bounds)}"
            ]
        if isinstance(value, bool) or not isinstance(value, int):
            return [f"bounds.{name}: {value!r} is not a whole number"]
        if value < known.least:
            return [f"bounds.{name}: {value} is too small; write {known.least} or more"]
        numbers[name] = value
        return []


def _once(model: str, kind: str, names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ModelError(f"model {model}: two declarations of the {kind} {name}")
        seen.add(name)


def _ranged_over(param: Any, domains: dict[str, tuple[Any, bool]]) -> Any:
    """Return the domain of a parameter, or of the elements over which an Each ranges."""
    return domains[param.variable][0].element if isinstance(param, Each) else param


def _check_param(where: str, param: Any, domains: dict[str, tuple[Any, bool]]) -> None:
    if isinstance(param, Scalar):
        return
    if not isinstance(param, Each):
        raise ModelError(f"{where}: {param!r} is no domain; write an Index, Int, Enum or Each")
    domain, ghost = domains.get(param.variable, (None, False))
    if not isinstance(domain, Bag | Set) or isinstance(domain, Seq):
        fitting = [n for n, (d, _) in domains.items() if isinstance(d, Bag | Set)]
        raise ModelError(
            f"{where}: Each({param.variable!r}) needs a bag or set variable"
            f"{nearest(param.variable, [n for n in fitting if n != param.variable])}"
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
