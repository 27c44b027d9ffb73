"""A system as flat variables and guarded commands, whatever the language they are printed in.

Takes a System; gives its fields by name, one rule for each way an action can happen, what is asked
of states and events, and the states in which runs begin: all from the intermediate form, with the
design's switches filled in. Shares with the compiled engine the lowering and nothing else. Where a
state stands for others that are alike, ``representative`` says which, as formulas.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from fencecheck.errors import UsageError
from fencecheck.export.formulas import AfterEvent, Given, KnownFields
from fencecheck.export.names import Names, comment_text
from fencecheck.model.declaring.assertions import Assertions
from fencecheck.model.domains import Enum
from fencecheck.model.lower.dag import Dag, Node, nodes_of
from fencecheck.model.lower.declared.asked import OnEvent, error_at_end, error_in_state
from fencecheck.model.lower.layout import Field
from fencecheck.model.ordinary import place_of
from fencecheck.model.system import System


@dataclass(frozen=True)
class FlatField:
    """A variable: the field ``number`` of the layout, by a name that every language takes."""

    number: int
    name: str
    low: int
    high: int
    truth: bool
    comment: str

    @property
    def new(self) -> str:
        """Return the name of what an event leaves in it, before it is written."""
        return f"new_{self.name}"


@dataclass(frozen=True)
class Truths:
    """Where a property is broken, and where it is put to the test; None: nowhere."""

    broken: Node | None
    tested: Node | None

    @property
    def nodes(self) -> list[Node]:
        """Return what is said."""
        return [node for node in (self.broken, self.tested) if node is not None]


@dataclass(frozen=True)
class FlatRule:
    """One way an action can happen: ``label`` is an identifier, ``name`` what people read.

    What goes wrong where the guard holds is ``error``. What is ``asked`` of the event reads the
    state after it as state 1.
    """

    name: str
    label: str
    interference: bool
    guard: Node
    error: Node
    writes: dict[int, Node]
    asked: dict[str, Truths]

    @property
    def event(self) -> str:
        """Return the name of its event: every way an action can happen has the same."""
        return self.name.partition(" #")[0]

    @property
    def effect(self) -> list[Node]:
        """Return every formula but the guard."""
        asked = [node for one in self.asked.values() for node in one.nodes]
        return [*self.writes.values(), self.error, *asked]


@dataclass
class FlatModel:
    """A model of one design, ready to be printed.

    ``of_states`` and the rules' ``asked`` are by property. ``wrong`` is where a state itself makes
    the model go wrong.
    """

    dag: Dag
    fields: list[FlatField]
    rules: list[FlatRule]
    of_states: dict[str, Truths]
    wrong: Node
    representative: dict[int, Node] = field(default_factory=dict)
    starts: list[list[int]] = field(default_factory=list)

    @property
    def said(self) -> list[tuple[str, Truths]]:
        """Return what is asked of states, and of each event, with the property's name."""
        return [*self.of_states.items(), *(i for rule in self.rules for i in rule.asked.items())]

    def roots(self) -> Iterator[Node]:
        """Yield every formula of it."""
        yield from (self.wrong, *self.representative.values())
        for rule in self.rules:
            yield from (rule.guard, *rule.effect)
        for asked in self.of_states.values():
            yield from asked.nodes


def flat_model(system: System, names: Sequence[str]) -> FlatModel:
    """Return a system's model with the properties ``names``; raises UsageError, see _carried."""
    return _Flattening(system, names).model()


class _Flattening:
    def __init__(self, system: System, names: Sequence[str]) -> None:
        self.system, self.lowered = system, system.lowered
        self.properties = [p for p in system.properties() if p.name in names]
        self.known = KnownFields(system)
        self.dag, self.fold = self.known.dag, self.known.fold
        self.names = Names()

    def model(self) -> FlatModel:
        lowered = self.lowered
        rules = list(self._rules())
        of_states, wrong = self._of_states()
        fields = [
            FlatField(i, self.names.field(f.path), f.low, f.high, f.truth, _comment(f))
            for i, f in enumerate(lowered.layout.fields)
            if f.low < f.high
        ]
        there = {f.number for f in fields}
        kept = lowered.representative or {}
        made = FlatModel(
            self.dag, fields, rules, of_states, wrong,
            {i: self.fold(node) for i, node in kept.items() if i in there},
            [lowered.layout.numbers(state) for state in self.system.beginnings],
        )  # fmt: skip
        _check_carried(made, self.system)
        return made

    def _rules(self) -> Iterator[FlatRule]:
        counted: dict[str, int] = {}
        for number, case in enumerate(self.lowered.cases):
            guard = self.fold(case.possible(self.lowered.dag))
            action = self.system.actions[case.action]
            counted[action.name] = counted.get(action.name, 0) + 1
            if guard is self.dag.false:
                continue
            yield self._rule(number, guard, f"{action.name} #{counted[action.name]}")

    def _rule(self, number: int, guard: Node, name: str) -> FlatRule:
        case = self.lowered.cases[number]
        action = self.system.actions[case.action]
        writes = {i: self.fold(node) for i, node in case.writes.items() if self._is_there(i)}
        writes = {i: node for i, node in writes.items() if not _stays(node, i)}
        after, given = AfterEvent(self.known, self.system, writes), Given(self.dag, guard)
        error, asked = self.fold(case.effect_error), dict[str, Truths]()
        for prop in self.properties:
            form = self.lowered.form_on(prop.name, number)
            event = OnEvent(self.lowered.dag, prop, form, action.name)
            if event.any:
                error = self.dag.either(error, after.fold(event.error))
                broken, seen = (given.fold(after.fold(n)) for n in (event.broken, event.seen))
                asked[prop.name] = _asked(broken, seen)
        return FlatRule(
            name, self.names.rule(name.replace(" #", "_")), action.interference,
            guard, given.fold(error), {i: given.fold(n) for i, n in writes.items()}, asked,
        )  # fmt: skip

    def _is_there(self, number: int) -> bool:
        there = self.lowered.layout.fields[number]
        return there.low < there.high

    def _of_states(self) -> tuple[dict[str, Truths], Node]:
        """Return what is asked of states, and where a state makes the model go wrong."""
        dag, lowered, actions = self.lowered.dag, self.lowered, self.system.actions
        system = [c.enabled for c in lowered.cases if not actions[c.action].interference]
        quiet = dag.negate(dag.any_of(system))
        wrong, found = dag.any_of(case.guard_error for case in lowered.cases), dict[str, Truths]()
        numbers = {prop.name: number for number, prop in enumerate(lowered.properties)}
        for prop in self.properties:
            form = lowered.forms[numbers[prop.name]]
            broken = tested = dag.false
            if prop.of_states:
                broken = dag.both(dag.negate(form.holds), dag.negate(form.error))
            elif prop.of_ends:
                broken = dag.both(quiet, dag.negate(form.holds))
                wrong = dag.either(wrong, dag.both(quiet, error_at_end(dag, form)))
            if prop.of_ends:
                tested = dag.both(quiet, form.trigger)
            elif prop.triggered_by_states and not prop.temporal:
                tested = form.trigger
            wrong = dag.either(wrong, error_in_state(dag, prop, form))
            if not prop.temporal:
                found[prop.name] = _asked(self.fold(broken), self.fold(tested))
        return found, self.fold(wrong)


def _stays(node: Node, number: int) -> bool:
    """Tell whether what is written to a field is what it was before."""
    return node.op == "read" and node.extra == (0, number)


def _asked(broken: Node, tested: Node) -> Truths:
    """Return what is asked of a state or an event, without what can never be."""
    kept = [None if node.constant == 0 else node for node in (broken, tested)]
    return Truths(kept[0], kept[1])


def _comment(known: Field) -> str:
    """Return what a field holds, in words for a comment of one line."""
    holds = known.holds
    said = holds.describe() if holds is not None else ""
    if isinstance(holds, Enum) and known.path == known.group:
        said = ", ".join(f"{rank} is {holds.value(rank)}" for rank in range(holds.count))
    packed = f"; {known.high} is none" if "#" in known.path else ""
    return comment_text(f"{known.path}: {said}{packed}")


def _check_carried(model: FlatModel, system: System) -> None:
    """Refuse what no flat form carries: divisions of negative numbers, told apart by languages."""
    said = {rule.name: [rule.guard, rule.error, *rule.writes.values()] for rule in model.rules}
    for name, asked in model.said:
        said[name] = [*said.get(name, []), *asked.nodes]
    said["a guard or a property"] = [model.wrong]
    for what, roots in said.items():
        for node in nodes_of(roots):
            if node.op in ("floordiv", "mod") and min(arg.low for arg in node.args) < 0:
                word = "division" if node.op == "floordiv" else "remainder"
                raise UsageError(
                    f"{_place(system, what)}{what}: a {word} of numbers that can be negative "
                    f"({node.args[0].low} to {node.args[0].high} by {node.args[1].low} to "
                    f"{node.args[1].high}) cannot be exported: checkers round it in different "
                    "ways; divide by a constant, or add what makes both sides 0 or more"
                )


def _place(system: System, what: str) -> str:
    """Return file and line of the event or property that is meant."""
    event = what.partition(" #")[0]
    for action in system.actions:
        if action.name == event:
            return place_of(action.effect)
    named = [p for p in system.family.declared.properties if p.name == what]
    known = [p for p in named if not isinstance(p, Assertions)]
    return place_of(known[0].holds) if known else ""
