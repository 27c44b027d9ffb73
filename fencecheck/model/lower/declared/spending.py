"""Spending: which budgets a model only ever spends, and who reads the others.

Takes a lowered model; proves for each budget with a number that
it is asked whether anything is left of it by the guards of its own interference, and by nothing
else, and that it is changed by its own decrement only. Whatever can happen with less of such a
budget can happen with more of it, in the same events, and nothing that is asked tells the two
apart: so of two states that differ only in what is left of such budgets, the one with no more of
any is superfluous where the other was found after as few events. A budget
of any is not spent at all and stays as it is. Labels and other words are no part of it: they are
told of concrete runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fencecheck.model.declare import Action
from fencecheck.model.declaring.assertions import Assertions
from fencecheck.model.domains import Left
from fencecheck.model.lower.dag import Node, unknown_of
from fencecheck.model.lower.lowered import Case, Lowered, Spending


def spending(lowered: Lowered, actions: Sequence[Action]) -> Spending:
    """Return what a lowered model does with its budgets, and all its properties with it.

    A budget that cannot be more than 0, or is any, is not among them.
    """
    proof = _Proof(lowered, actions)
    for case in lowered.cases:
        proof.look_at_case(case)
    proof.look_at_rest()
    return Spending({n: tuple(proof.readers.get(n, ())) for n in proof.places}, proof.refilled)


class _Proof:
    """Looks through a lowered model for what reads or changes budgets.

    What a node reads is a mask with two bits for each budget: whether it asks if anything is left
    of it, as guards of interference do, and whether it reads it in any other way.
    """

    def __init__(self, lowered: Lowered, actions: Sequence[Action]) -> None:
        self.lowered, self.actions = lowered, actions
        fields, place = lowered.layout.fields, lowered.layout.place
        budgets = dict.fromkeys(a.budget for a in actions if a.budget is not None)
        self.places = {
            name: place[name]
            for name in budgets
            if fields[place[name]].high > 0 and not isinstance(fields[place[name]].holds, Left)
        }
        self.readers: dict[str, dict[str, None]] = {}
        self.refilled = False
        self._bit = {name: 2 * i for i, name in enumerate(self.places)}
        self._of_field = {place: self._bit[name] for name, place in self.places.items()}
        self._masks: dict[int, int] = {}

    def _left_of(self, place: int) -> Node:
        """Return what is left of a budget before an event."""
        field = self.lowered.layout.fields[place]
        return self.lowered.dag.read(0, place, (field.low, field.high))

    def look_at_case(self, case: Case) -> None:
        """Look at one way an action can happen: its own guard may ask of its own budget."""
        action = self.actions[case.action]
        own = action.budget or ""
        guard = [case.enabled, case.guard_error, case.fair]
        told = self._note(f"the guard of {action.name}", guard, self._allowed(own))
        places = set(self.places.values())
        writes = [node for place, node in case.writes.items() if place not in places]
        effects = [*writes, case.effect_error, *case.held.values()]
        self._note(f"the effect of {action.name}", effects, self._allowed(own) | told)
        for name, place in self.places.items():
            if place in case.writes:
                self._look_at_change(place, case.writes[place], action, name)

    def _look_at_change(self, place: int, written: Node, action: Action, name: str) -> None:
        """Look at what an event leaves of a budget: one less of its own is what it should.

        Where an assertion fails it leaves what there was: then interference happens that spends
        nothing, and could go on for ever.
        """
        dag, left = self.lowered.dag, self._left_of(place)
        less = dag.maximum(dag.sub(left, dag.const(1)), dag.const(0))
        either = set(written.args[1:]) if written.op == "select" else {written}
        fits = either <= {left, less} if action.budget == name else written is left
        self.refilled |= not fits
        self._note(f"the effect of {action.name}", [written], 3 << self._bit[name])
        if not fits or (left in either and action.budget == name):
            self._found(name, f"the effect of {action.name}")

    def look_at_rest(self) -> None:
        """Look at properties, constraints, initial states and what stands for a state."""
        lowered = self.lowered
        for number, prop in enumerate(lowered.properties):
            if not isinstance(prop, Assertions):
                nodes = [node for form in lowered.forms_of(number) for node in form.nodes()]
                self._note(prop.name, nodes)
                continue
            for case, form in lowered.of_cases[number].items():
                own = self.actions[lowered.cases[case].action].budget or ""
                self._note(prop.name, form.nodes(), self._allowed(own))
        made = lowered.formulas
        within = [node for node in (made.within, made.within_error) if node is not None]
        self._note("a constraint", within)
        for start in lowered.starts:
            self._note("an initial state", [start.allowed, *start.writes.values()])
            for name, place in self.places.items():
                if place in start.writes and start.writes[place] is not self._left_of(place):
                    self._found(name, "an initial state")
                    self.refilled = True
        representative = lowered.representative or {}
        stands_for = [n for p, n in representative.items() if p not in self.places.values()]
        self._note("what stands for a state", stands_for)
        for name, place in self.places.items():
            if place in representative:
                self._found(name, "what stands for a state")

    def _allowed(self, own: str) -> int:
        """Return what the event of a budget may read: whether anything is left of that."""
        return 1 << self._bit[own] if own in self._bit else 0

    def _note(self, who: str, nodes: Iterable[Node], known: int = 0) -> int:
        """Note which budgets ``who`` reads in these nodes beyond what is ``known``; return them."""
        mask = 0
        for node in nodes:
            mask |= self._read(node)
        for name, bit in self._bit.items():
            if (mask & ~known) >> bit & 3:
                self._found(name, who)
        return mask

    def _found(self, name: str, who: str) -> None:
        self.readers.setdefault(name, {})[who] = None

    def _read(self, root: Node) -> int:
        """Return what a node reads of budgets, as a mask."""
        for node in unknown_of(root, self._masks):
            self._masks[node.number] = self._mask(node)
        return self._masks[root.number]

    def _mask(self, node: Node) -> int:
        """Return what a node reads, of whose arguments that is known."""
        if node.op == "read":
            bit = self._of_field.get(int(node.extra[1]))
            return 0 if bit is None else 2 << bit
        if node.op == "lt" and node.args[0].constant == 0 and node.args[1].op == "read":
            state, field = node.args[1].extra
            if state == 0 and field in self._of_field:
                return 1 << self._of_field[int(field)]
        mask = 0
        for arg in node.args:
            mask |= self._masks[arg.number]
        return mask
