"""Plan a kernel: what is computed for each state, from a model's intermediate form.

Takes the lowered model and the properties to watch. Each transition property is specialised for
each way an action can happen: what it reads after the event is replaced by what the event
writes, and simplified, so that a property costs nothing where it cannot be touched. Gives the
bits in which the kernel reports what it saw.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from fencecheck.explore.compiled.kernel.signs import KernelSigns
from fencecheck.model.declare import Action
from fencecheck.model.lower.dag import Dag, Node, unknown_of
from fencecheck.model.lower.declared.asked import OnEvent, error_at_end, error_in_state
from fencecheck.model.lower.lowered import Case, Lowered
from fencecheck.model.property import Property

Marks = list[tuple[int, int, Node]]

STATE_ERROR, GUARD_ERROR, EFFECT_ERROR = 29, 30, 31  # bits of flag word 0
_FIRST, _FULL = 29, 32


@dataclass
class CasePlan:
    """One way an action can happen: when, what it writes, what it breaks, what it triggers.

    It ``happens`` where it is ``enabled`` and no error prevents it; everything else that is said
    of it matters only where it is enabled.
    """

    action: int
    enabled: Node
    happens: Node
    writes: dict[int, Node]
    flags: Marks = field(default_factory=list)
    seen: Marks = field(default_factory=list)
    label: Node | None = None

    def nodes(self) -> list[Node]:
        """Return every node that the case needs."""
        found = [self.happens, *self.writes.values()]
        found += [node for _, _, node in (*self.flags, *self.seen)]
        return found if self.label is None else [*found, self.label]


@dataclass
class KernelPlan:
    """Everything a kernel computes. ``bits`` gives each property's (flag word, bit).

    ``representative`` are the fields of what is kept of a successor, over reads of it (state 1).
    ``held`` gives the bit in ``seen`` that tells that a bound held back an action, for each pair
    of which that can be.
    """

    switches: list[str]
    bits: dict[str, tuple[int, int]]
    representative: dict[int, Node] | None = None
    cases: list[CasePlan] = field(default_factory=list)
    state_flags: Marks = field(default_factory=list)
    state_seen: Marks = field(default_factory=list)
    stops: Node | None = None
    cut: tuple[int, int] | None = None  # the bit of states that a constraint keeps from expansion
    held: dict[tuple[int, str], tuple[int, int]] = field(default_factory=dict)

    def signs(self) -> KernelSigns:
        """Return what the kernel reports, and where."""
        actions = tuple(case.action for case in self.cases)
        return KernelSigns(tuple(self.switches), self.bits, self.cut, self.held, actions)

    @property
    def flag_words(self) -> int:
        """Return how many 32-bit words of flags there are for a state."""
        return self.signs().flag_words

    def nodes(self) -> list[Node]:
        """Return every node that the kernel needs, for the choice of a width."""
        roots = [node for _, _, node in (*self.state_flags, *self.state_seen)]
        roots += [self.stops] if self.stops is not None else []
        for case in self.cases:
            roots += case.nodes()
        return [*roots, *(self.representative or {}).values()]


def _bit(number: int) -> tuple[int, int]:
    if number < _FIRST:
        return 0, number
    return 1 + (number - _FIRST) // _FULL, (number - _FIRST) % _FULL


class Substitution:
    """Rebuilds nodes with the state after an event expressed by the state before it.

    What is written lies in its field's domain in every event that happens, and is taken to: the
    intervals of what reads it are those with which it was lowered.
    """

    def __init__(self, dag: Dag, case: Case) -> None:
        self.dag, self.case = dag, case
        self.known: dict[int, Node] = {}

    def apply(self, root: Node) -> Node:
        """Return ``root`` without reads of the state after."""
        for node in unknown_of(root, self.known):
            self.known[node.number] = self._rebuilt(node)
        return self.known[root.number]

    def _rebuilt(self, node: Node) -> Node:
        if node.op == "read":
            state, number = int(node.extra[0]), int(node.extra[1])
            if state == 0:
                return node
            written = self.case.writes.get(number)
            if written is not None:
                return self._bounded(written, node)
            return self.dag.read(0, number, (node.low, node.high), truth=node.truth)
        return self._on_other_arguments(node)

    def _bounded(self, written: Node, read: Node) -> Node:
        dag = self.dag
        if written.low < read.low:
            written = dag.maximum(written, dag.const(read.low))
        if written.high > read.high:
            written = dag.minimum(written, dag.const(read.high))
        return written

    def _on_other_arguments(self, node: Node) -> Node:
        args = [self.known[a.number] for a in node.args]
        if all(new is old for new, old in zip(args, node.args, strict=True)):
            return node
        return self.dag.rebuild(node, args)


def plan_kernel(
    lowered: Lowered, actions: Sequence[Action], watched: Sequence[Property]
) -> KernelPlan:
    """Plan the kernel of a model for the properties ``watched``, in the order of declaration."""
    dag = lowered.dag
    forms = {p.name: lowered.forms[i] for i, p in enumerate(lowered.properties)}
    bits = {p.name: _bit(i) for i, p in enumerate(watched)}
    plan = KernelPlan(sorted(lowered.switches), bits, lowered.representative)
    guard_error = stops = dag.any_of(case.guard_error for case in lowered.cases)
    system = [c for c in lowered.cases if not actions[c.action].interference]
    quiet = dag.negate(dag.any_of(case.enabled for case in system))
    state_error = dag.false
    for prop in watched:
        form = forms[prop.name]
        if prop.of_states:
            broken = dag.both(dag.negate(form.holds), dag.negate(form.error))
            _mark(plan.state_flags, plan.bits[prop.name], broken)
            _mark(plan.state_seen, plan.bits[prop.name], form.trigger)
        elif prop.of_ends:
            _mark(plan.state_flags, plan.bits[prop.name], dag.both(quiet, dag.negate(form.holds)))
            _mark(plan.state_seen, plan.bits[prop.name], dag.both(quiet, form.trigger))
            guard_error = dag.either(guard_error, dag.both(quiet, error_at_end(dag, form)))
        elif prop.of_events and prop.triggered_by_states:
            _mark(plan.state_seen, plan.bits[prop.name], form.trigger)
        state_error = dag.either(state_error, error_in_state(dag, prop, form))
    if lowered.within is not None:
        plan.cut = _bit(len(watched))
        _mark(plan.state_flags, plan.cut, lowered.cut())
    _mark(plan.state_flags, (0, STATE_ERROR), state_error)
    _mark(plan.state_flags, (0, GUARD_ERROR), guard_error)
    plan.stops = None if stops is dag.false else stops
    pairs = dict.fromkeys((case.action, bound) for case in lowered.cases for bound in case.held)
    plan.held = {pair: _bit(len(plan.bits) + i) for i, pair in enumerate(pairs)}
    for number, case in enumerate(lowered.cases):
        name = actions[case.action].name
        asked = [
            (plan.bits[p.name], OnEvent(dag, p, lowered.form_on(p.name, number), name))
            for p in watched
        ]
        made = _case(dag, case, [(bit, truth) for bit, truth in asked if truth.any])
        for bound, node in case.held.items():
            _mark(made.seen, plan.held[case.action, bound], node)
        plan.cases.append(made)
    return plan


def plan_edges(
    lowered: Lowered, first_label: Sequence[int], predicates: Sequence[Node]
) -> KernelPlan:
    """Plan the kernel that tells edges apart: a label each, and predicates as flags of states.

    The label of an edge is its action's ``first_label`` plus the rank of its fairness class.
    Bit i of a state's flags, 32 to a word, says whether predicate i holds.
    """
    dag = lowered.dag
    bits = {str(i): divmod(i, _FULL) for i in range(len(predicates))}
    plan = KernelPlan(sorted(lowered.switches), bits, lowered.representative)
    for place, predicate in zip(bits.values(), predicates, strict=True):
        _mark(plan.state_flags, place, predicate)
    for case in lowered.cases:
        label = dag.add(dag.const(first_label[case.action]), case.fair)
        happens = dag.both(case.possible(dag), dag.negate(case.effect_error))
        plan.cases.append(CasePlan(case.action, case.enabled, happens, case.writes, label=label))
    return plan


def _mark(marks: Marks, bit: tuple[int, int], node: Node) -> None:
    if node.constant != 0:
        marks.append((*bit, node))


def _case(dag: Dag, case: Case, asked: list[tuple[tuple[int, int], OnEvent]]) -> CasePlan:
    error, possible = case.effect_error, case.possible(dag)
    after = Substitution(dag, case)
    result = CasePlan(case.action, case.enabled, possible, case.writes)
    for _, truth in asked:
        error = dag.either(error, dag.both(possible, after.apply(truth.error)))
    result.happens = dag.both(possible, dag.negate(error))
    for bit, truth in asked:
        _mark(result.flags, bit, dag.both(result.happens, after.apply(truth.broken)))
        _mark(result.seen, bit, dag.both(result.happens, after.apply(truth.seen)))
    _mark(result.flags, (0, EFFECT_ERROR), error)
    return result
