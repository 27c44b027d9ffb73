"""Write properties as formulas, and say of each that cannot be said why not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fencecheck.export.tla.afterwards import room
from fencecheck.export.tla.events import WrittenEvent, current, over, primed, truth_of, written_out
from fencecheck.export.tla.functions.calls import Body
from fencecheck.export.tla.parameters import Parameters
from fencecheck.export.tla.syntax.building import both, calling, either, negated
from fencecheck.export.tla.syntax.trees import (
    FALSE,
    TRUE,
    Binding,
    Infix,
    OfSteps,
    Prefix,
    Primed,
    Tree,
    Word,
)
from fencecheck.export.tla.values import NO_VALUE, KnownValue, Term, only_value
from fencecheck.model.declaring.assertions import Assertions
from fencecheck.model.fair import fair_arguments, ranged_over
from fencecheck.model.property import Property, names_taken

INVARIANT, PROPERTY, TEMPORAL = "INVARIANT", "PROPERTY", "TEMPORAL"


@dataclass(frozen=True)
class Promise:
    """A property as a formula: its name, and how TLC is asked; or why it is not said.

    ``TEMPORAL`` ones are asked of FairSpec. One that folds to TRUE is not asked: it ``holds``.
    """

    prop: Property
    name: str
    kind: str = ""
    tree: Tree = TRUE
    why_not: str = ""
    holds: bool = False


class PromiseWriter:
    """Writes the properties of a model, over its events as they are written."""

    def __init__(self, script: Any, events: Sequence[WrittenEvent], within: Tree) -> None:
        self.script, self.within = script, within
        self.events = {event.action.name: event for event in events}

    def promise(self, prop: Property) -> Promise:
        """Return a property as a formula."""
        name = self.script.promised[prop.name]
        if isinstance(prop, Assertions):
            return self._asked(prop, name, INVARIANT, self._assertions())
        write = getattr(self, f"_{prop.kind}")
        found: Promise = write(prop, name)
        return found

    def _asked(self, prop: Property, name: str, kind: str, tree: Tree) -> Promise:
        if tree == TRUE:
            return Promise(prop, name, holds=True)
        return Promise(prop, name, kind, tree)

    # -- values that a property is promised for -------------------------------------------------
    def _own(self, prop: Property, body: Body) -> tuple[list[tuple[str, Tree]], dict[str, Any]]:
        """Return the parameters of a property with what they range over, and what they are."""
        own, sizes = Parameters(), self.script.system.capacity.sizes
        for wanted, param in prop.params.items():
            own.add(body, wanted, param.resolve(sizes))
        return own.ranges, own.given

    def _of_state(self, prop: Property) -> Tree:
        """Return a truth of states for all values of the property."""
        body = Body(self.script)
        ranges, given = self._own(prop, body)
        view = current(self.script, body)
        named = names_taken(prop.holds)[1:]
        tree = written_out(body, prop.holds, [view, *(given[n] for n in named)])
        return TRUE if tree == TRUE else over(ranges, tree, "\\A")

    def _truths(self, prop: Property) -> tuple[list[tuple[str, Tree]], Tree, Tree]:
        """Return the parameters, the truth and the trigger of a property of whole runs."""
        body = Body(self.script)
        ranges, given = self._own(prop, body)
        view = current(self.script, body)
        holds = written_out(body, prop.holds, [view, *self._named(prop.holds, given)])
        trigger: Tree = TRUE
        if prop.trigger is not None:
            asked = [view, *self._named(prop.trigger, given)]
            trigger = truth_of(body, prop.trigger, asked)
        cut = TRUE if self.within == TRUE else negated(Word("Within"))
        return ranges, holds if cut == TRUE else either(holds, cut), trigger

    def _named(self, function: Any, given: dict[str, Any]) -> list[Any]:
        return [given[n] for n in names_taken(function)[1:] if n in given]

    # -- by kind --------------------------------------------------------------------------------
    def _invariant(self, prop: Property, name: str) -> Promise:
        return self._asked(prop, name, INVARIANT, self._of_state(prop))

    def _deadlock(self, prop: Property, name: str) -> Promise:
        truth = self._of_state(prop)
        if truth == TRUE:
            return Promise(prop, name, holds=True)
        found = either(Prefix("ENABLED", Word("System")), truth)
        if self.within != TRUE:
            found = Infix("=>", (Word("Within"), found))
        return Promise(prop, name, INVARIANT, found)

    def _transition(self, prop: Property, name: str) -> Promise:
        events = [self.events[n] for n in prop.events if n in self.events]
        if prop.events and not events:
            return Promise(prop, name, why_not="none of its events can happen in this design")
        if prop.takes:
            found = both(*(self._of_event(prop, event) for event in events))
        else:
            found = self._of_step(prop, events)
        if found == TRUE:
            return Promise(prop, name, holds=True)
        return Promise(prop, name, PROPERTY, Prefix("[]", OfSteps("[", found)))

    def _step_truth(self, prop: Property, body: Body, given: dict[str, Any]) -> Tree:
        ranges, own = self._own(prop, body)
        known = {**given, **own}
        views = [current(self.script, body), primed(self.script, body)]
        named = names_taken(prop.holds)[2:]
        tree = written_out(body, prop.holds, [*views, *(known[n] for n in named)])
        return TRUE if tree == TRUE else over(ranges, tree, "\\A")

    def _of_step(self, prop: Property, events: Sequence[WrittenEvent]) -> Tree:
        body = Body(self.script)
        truth = self._step_truth(prop, body, {})
        if truth == TRUE or not events:
            return truth
        return Infix("=>", (either(*(e.for_some() for e in events)), truth))

    def _of_event(self, prop: Property, event: WrittenEvent) -> Tree:
        body = Body(self.script)
        body.used |= {name for name, _ in event.ranges}
        truth = self._step_truth(prop, body, event.given)
        if truth == TRUE:
            return TRUE
        return over(event.ranges, Infix("=>", (event.called, truth)), "\\A")

    def _assertions(self) -> Tree:
        found = []
        for event in self.events.values():
            if event.asserted != TRUE:
                said = calling(f"{event.name}Asserts", *(Word(n) for n, _ in event.ranges))
                possible = both(*event.guards)
                truth = said if possible == TRUE else Infix("=>", (possible, said))
                found.append(over(event.ranges, truth, "\\A"))
        return both(*found)

    def _possibility(self, prop: Property, name: str) -> Promise:
        why = "TLA+ cannot say that something can always still be reached"
        return Promise(prop, name, why_not=why)

    def _liveness(self, prop: Property, name: str) -> Promise:
        ranges, holds, _ = self._truths(prop)
        return self._asked(prop, name, TEMPORAL, over(ranges, Prefix("<>", holds), "\\A"))

    def _leads_to(self, prop: Property, name: str) -> Promise:
        ranges, holds, trigger = self._truths(prop)
        if trigger == FALSE or holds == TRUE:
            return Promise(prop, name, holds=True)
        return Promise(prop, name, TEMPORAL, over(ranges, Infix("~>", (trigger, holds)), "\\A"))

    def _recurrence(self, prop: Property, name: str) -> Promise:
        events = [self.events[n] for n in prop.events if n in self.events]
        if not events:
            return Promise(prop, name, why_not="none of its events can happen in this design")
        ranges, holds, _ = self._truths(prop)
        happens = either(*(self._with_values(e, prop, ranges) for e in events))
        again = Prefix("~", Prefix("[]", Prefix("<>", OfSteps("<<", happens))))
        passes = Prefix("[]", Prefix("<>", holds))
        found = again if holds == FALSE else either(passes, again)
        return Promise(prop, name, TEMPORAL, over(ranges, found, "\\A"))

    def _with_values(
        self, event: WrittenEvent, prop: Property, ranges: Sequence[tuple[str, Tree]]
    ) -> Tree:
        """Return an event for some arguments, of which those that the property names are fixed."""
        own = dict(zip(prop.params, (name for name, _ in ranges), strict=False))
        kept, args = [], []
        for (name, places), wanted in zip(
            event.ranges, (n for n, v in event.given.items() if isinstance(v, Term)), strict=True
        ):
            if wanted in own:
                args.append(Word(own[wanted]))
            else:
                kept.append((name, places))
                args.append(Word(name))
        return over(kept, calling(event.name, *args), "\\E")


def fairness(script: Any, event: WrittenEvent, system: Any) -> Tree:
    """Return what fairness owes an event: of each class that it steps apart."""
    domains = dict(zip(system.names, system.domains, strict=True))
    action = event.action
    resolved = dict(system.params[system.actions.index(action)])

    def domain_of(name: str, _: Any) -> Any:
        return ranged_over(resolved[name], domains)

    classes = fair_arguments(action, domain_of)
    outer: list[tuple[str, Tree]] = []
    inner = dict(event.ranges)
    used = set(inner)
    for argument in classes:
        value = list(event.given.values())[argument.param]
        if isinstance(value, KnownValue) or only_value(argument.domain) is not NO_VALUE:
            continue
        name = value.tree.text
        places = script.values_of(argument.domain)
        if argument.field is None:
            outer.append((name, places))
            inner.pop(name, None)
            continue
        own = script.names.free(argument.field, used)
        used.add(own)
        outer.append((own, places))
        test: Tree = Infix("=", (Word(f"{name}.{argument.field}"), Word(own)))
        held = inner[name]
        if isinstance(held, Binding) and held.kind == "{":
            test, held = both(held.body, test), held.places
        inner[name] = Binding("{", name, held, test)
    owed = "SF_vars" if action.fair == "strong" else "WF_vars"
    happens = over(list(inner.items()), event.called, "\\E")
    if room(script) != TRUE:
        happens = both(happens, Primed(Word("Room")))
    return over(outer, calling(owed, happens), "\\A")
