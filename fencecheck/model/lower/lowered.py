"""What a model is lowered to: the ways in which its actions can happen, and its properties."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from fencecheck.model.lower.alike.representative import representative
from fencecheck.model.lower.dag import Dag, Node
from fencecheck.model.lower.layout import Layout
from fencecheck.model.property import Property


@dataclass(frozen=True)
class Case:
    """One way an action can happen: its parameters fixed, or read from one slot of a bag.

    ``fair`` is the rank of its fairness class among those of the action (model/fair.py). ``held``
    says, for the bounds that hold back what would not fit, where they do.
    """

    action: int
    enabled: Node
    guard_error: Node
    effect_error: Node
    writes: dict[int, Node]
    fair: Node
    held: dict[str, Node] = field(default_factory=dict)

    def possible(self, dag: Dag) -> Node:
        """Return where it is enabled and no bound holds it back."""
        return dag.both(self.enabled, dag.negate(dag.any_of(self.held.values())))


@dataclass(frozen=True)
class StartWay:
    """One way an initial state can be set up: where it is allowed, and what it writes."""

    allowed: Node
    writes: dict[int, Node]


@dataclass(frozen=True)
class Form:
    """A property as nodes: whether it holds and its trigger occurred, whether either failed.

    A transition property's trigger may be a truth of one state: that of the state before.
    """

    holds: Node
    trigger: Node
    error: Node
    trigger_error: Node

    def nodes(self) -> tuple[Node, Node, Node, Node]:
        """Return all of them."""
        return self.holds, self.trigger, self.error, self.trigger_error


def form_of_all(dag: Dag, forms: Sequence[Form]) -> Form:
    """Return what is promised where all of several promises are made."""
    return Form(
        dag.all_of(form.holds for form in forms),
        dag.any_of(form.trigger for form in forms),
        dag.any_of(form.error for form in forms),
        dag.any_of(form.trigger_error for form in forms),
    )


@dataclass(frozen=True)
class Changes:
    """The variables that an action can change.

    All of them are ``written``; of these, bags and sets that it can assign as a whole are
    ``renewed``, and ``in_place`` those of whose records it sets fields.
    """

    written: frozenset[str]
    renewed: frozenset[str]
    in_place: frozenset[str]

    @staticmethod
    def of_all(names: Iterable[str]) -> Changes:
        """Return every change there can be of variables."""
        found = frozenset(names)
        return Changes(found, found, found)


@dataclass
class Formulas:
    """All that a model is lowered to that consists of nodes, in the order of declaration.

    ``starts`` are the ways in which initial states are set up. For each property ``forms`` has what
    it promises as a whole, ``instances`` what it promises for each choice of its own parameters,
    ``of_cases`` what it is of the cases (by number) whose arguments it takes.

    ``representative`` are the fields in which what stands for a state that an event led to differs
    from it (model/lower/alike), over reads of it as state 1; None where no two states are alike.
    """

    dag: Dag
    cases: list[Case] = field(default_factory=list)
    forms: list[Form] = field(default_factory=list)
    instances: list[list[Form]] = field(default_factory=list)
    of_cases: list[dict[int, Form]] = field(default_factory=list)
    goal: Form | None = None
    within: Node | None = None  # where a state is expanded; None: everywhere
    within_error: Node | None = None
    starts: list[StartWay] = field(default_factory=list)
    representative: dict[int, Node] | None = None


@dataclass(eq=False)
class Lowered:
    """A whole model in the intermediate form.

    Its formulas are ``given``, or made when first asked for. ``changes`` says for each action what
    it can change. ``reads_totals`` says that it holds for the budgets of one run only, since
    functions ask how much of them was used; ``alike`` that some states have others for their
    representatives; ``size`` how many nodes the formulas have. ``name`` is a digest of all that it
    was made from, by which it is known to other processes; empty where they cannot know it.
    """

    layout: Layout
    given: Formulas | Callable[[], Formulas]
    changes: list[Changes] = field(default_factory=list)
    may_be_negative: bool = False
    uses_sets: bool = False
    properties: list[Property] = field(default_factory=list)
    switches: list[str] = field(default_factory=list)
    reads_totals: bool = False
    alike: bool = False
    size: int = 0
    name: str = ""

    @functools.cached_property
    def formulas(self) -> Formulas:
        """Return all that consists of nodes."""
        return self.given if isinstance(self.given, Formulas) else self.given()

    @property
    def dag(self) -> Dag:
        return self.formulas.dag

    @property
    def cases(self) -> list[Case]:
        return self.formulas.cases

    @property
    def forms(self) -> list[Form]:
        return self.formulas.forms

    @property
    def instances(self) -> list[list[Form]]:
        return self.formulas.instances

    @property
    def of_cases(self) -> list[dict[int, Form]]:
        return self.formulas.of_cases

    @property
    def goal(self) -> Form | None:
        return self.formulas.goal

    @property
    def within(self) -> Node | None:
        return self.formulas.within

    @property
    def starts(self) -> list[StartWay]:
        return self.formulas.starts

    @property
    def representative(self) -> dict[int, Node] | None:
        return self.formulas.representative

    def keeping(self, still: frozenset[Any], places: Iterable[int]) -> Lowered:
        """Return the same with representatives in which some indices are not put in order.

        ``still`` are symmetric indices as they were declared, ``places`` what tells them apart.
        """
        if not still or not self.alike:
            return self
        if still not in self._keeping:
            name = self.name and f"{self.name}.{'.'.join(map(str, places))}"
            made = functools.partial(self._with_representative, still)
            self._keeping[still] = replace(self, given=made, name=name)
        return self._keeping[still]

    def _with_representative(self, still: frozenset[Any]) -> Formulas:
        made = representative(self.dag, self.layout, still)
        return replace(self.formulas, representative=made)

    @functools.cached_property
    def _keeping(self) -> dict[frozenset[Any], Lowered]:
        return {}

    def cut(self) -> Node:
        """Return where a state is not expanded because of a constraint."""
        within, error = self.formulas.within, self.formulas.within_error
        if within is None or error is None:
            return self.dag.false
        return self.dag.negate(self.dag.either(within, error))

    def masked(self, prop: Property, form: Form) -> Form:
        """Return what a property is where some states are not expanded: these break it nowhere."""
        if self.within is None or not (prop.temporal or prop.of_ends):
            return form
        dag, cut = self.dag, self.cut()
        holds = dag.either(form.holds, cut)
        trigger = dag.both(form.trigger, dag.negate(cut)) if prop.of_ends else form.trigger
        return Form(holds, trigger, form.error, form.trigger_error)

    def form_on(self, prop: str, case: int) -> Form:
        """Return what a property is of one way an action can happen."""
        number = self._numbers[prop]
        return self.of_cases[number].get(case, self.forms[number])

    def form_of(self, prop: str, instance: int) -> Form:
        """Return what a property promises for one choice of its own parameters."""
        return self.instances[self._numbers[prop]][instance]

    def forms_of(self, number: int) -> list[Form]:
        """Return every form in which a property is asked, each once."""
        forms = [self.forms[number], *self.instances[number], *self.of_cases[number].values()]
        return list({id(form): form for form in forms}.values())

    def add_assertions(self, failed: Sequence[Node], about: Sequence[bool]) -> None:
        """Add the form of the next property: no assertion fails, which in a case is where it says.

        ``about`` tells which actions have assertions.
        """
        dag, no = self.dag, self.dag.false
        of_cases = {
            number: Form(dag.negate(failing), dag.true, no, no)
            for number, (case, failing) in enumerate(zip(self.cases, failed, strict=True))
            if about[case.action]
        }
        self.forms.append(form_of_all(dag, list(of_cases.values())))
        self.instances.append([])
        self.of_cases.append(of_cases)

    @functools.cached_property
    def _numbers(self) -> dict[str, int]:
        return {prop.name: number for number, prop in enumerate(self.properties)}
