"""Check what a model declares of its drills against the model itself.

Takes a family that is otherwise put together; raises ModelError with the line that set the plan,
what it names, and the names that there are. Runs the model's rules and nothing else of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fencecheck.errors import DesignError, ModelError, nearest
from fencecheck.model.declare import Action
from fencecheck.model.drills import KEPT, RECOVERED, Control, DrillPlan, InjectedFailure
from fencecheck.model.ordinary import shown

if TYPE_CHECKING:
    from fencecheck.model.family import Family

KINDS = (
    ("base", Mapping, "a dict of mechanisms"),
    ("controls", tuple, "a tuple of Control(...)"),
    ("designs", Mapping, "a dict of names and dicts of mechanisms"),
    ("failures", tuple, "a tuple of InjectedFailure(...)"),
    ("owners", Mapping, "a dict of events and who answers for them"),
    ("domain_spec", str, "the name of a spec that ships, in quotes"),
    ("domains", Mapping, "a dict of scripted orders and pairs of texts"),
)
MEMBERS = (("controls", Control), ("failures", InjectedFailure))


def check_drills(family: Family) -> None:
    """Raise ModelError for the first thing in a family's drills that its model does not have."""
    plan = family.model.drill
    if plan is not None:
        _DrillCheck(family, plan).run()


class _DrillCheck:
    """The check of one plan."""

    def __init__(self, family: Family, plan: DrillPlan) -> None:
        self.family, self.plan = family, plan
        self.actions: dict[str, Action] = {a.name: a for a in family.declared.actions}
        self.interference = [a.name for a in family.declared.actions if a.interference]

    def run(self) -> None:
        plan = self.plan
        for name, kind, wanted in KINDS:
            if not isinstance(getattr(plan, name), kind):
                self._refuse(f"{name} is {shown(getattr(plan, name))}; write {wanted}")
        for name, member in MEMBERS:
            for item in getattr(plan, name):
                if not isinstance(item, member):
                    self._refuse(f"{name}: {shown(item)} is no {member.__name__}(...)")
        for name, pair in plan.domains.items():
            if not isinstance(pair, tuple) or len(pair) != 2:
                self._refuse(
                    f"domains: {name}: {shown(pair)}; write two texts, by what it is detected and "
                    "whose the recovery is"
                )
        self._design("base", plan.base)
        for control in plan.controls:
            self._control(control)
        for name, mechanisms in plan.designs.items():
            self._design(f'designs: "{name}"', mechanisms)
        for failure in plan.failures:
            self._failure(failure)
        for event in plan.owners:
            self._named("owners: there is no event", str(event).partition(": ")[0], self.actions)

    def _control(self, control: Control) -> None:
        where = f'control "{control.name}"'
        for design in (control.without, control.fenced):
            self._design(where, design, control.bounds, self.plan.base)
        properties = self.family.properties
        self._named(f"{where}: symptom: there is no property", control.symptom, properties)
        self._named(f"{where}: answer: there is no event", control.answer, self.actions)
        if control.expect is not None:
            self._expected(where, control.expect, KEPT)

    def _failure(self, failure: InjectedFailure) -> None:
        where = f'failure "{failure.name}"'
        sentence = f"{where}: event: there is no interference"
        self._named(sentence, failure.event, self.interference)
        if failure.when is not None and not callable(failure.when):
            self._refuse(f"{where}: when is {shown(failure.when)}; write a function")
        for base in self.plan.designs.values():
            self._design(where, failure.mechanisms, failure.bounds, base)
        said = failure.expect
        for design in said if isinstance(said, Mapping) else ():
            self._named(f"{where}: expect: there is no design", design, self.plan.designs)
        each = said.values() if isinstance(said, Mapping) else () if said is None else (said,)
        for outcome in each:
            self._expected(where, outcome, RECOVERED)

    def _expected(self, where: str, outcome: Any, outcomes: Sequence[str]) -> None:
        if outcome not in outcomes:
            allowed = ", ".join(outcomes)
            self._refuse(f"{where}: expect is {shown(outcome)}; write one of {allowed}")

    def _design(self, where: str, mechanisms: Any, bounds: Any = None, base: Any = None) -> None:
        """Check a design that is laid over another one, which was checked itself."""
        for given in (mechanisms, bounds):
            if given is not None and not isinstance(given, Mapping):
                self._refuse(f"{where}: {shown(given)} is no dict of names and values")
        try:
            self.family.design({**(base or {}), **mechanisms}, bounds)
        except DesignError as error:
            self._refuse(f"{where}: {error}")

    def _named(self, sentence: str, name: Any, names: Iterable[str]) -> None:
        known = list(names)
        if name not in known:
            hint = nearest(str(name), known) or f"; there is {', '.join(known) or 'none'}"
            self._refuse(f"{sentence} {shown(name)}{hint}")

    def _refuse(self, what: str) -> None:
        model = self.family.model
        raise ModelError(f"{model.place('drill')}model {model.name}: drill: {what}")
