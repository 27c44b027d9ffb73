"""Part: how a model is written down; a model is a part that includes others.

A part collects declarations; ``include`` adds another part's, so that two models share a
workspace or a ledger without copying it. Names are flat: variables, bounds and mechanisms of all
parts of a model are read as attributes of the one state argument of every function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from fencecheck.errors import ModelError, nearest
from fencecheck.model.checks.arguments import check_argument, declaration
from fencecheck.model.declare import (
    NETWORK,
    Bound,
    Cost,
    Declared,
    Forgetting,
    Lane,
    LaneKind,
    Parameter,
    Rule,
    Variable,
)
from fencecheck.model.declaring.actors import Actor, meaning_of
from fencecheck.model.declaring.any_number import how_many
from fencecheck.model.declaring.beginnings import Beginnings
from fencecheck.model.declaring.inclusion import Inclusion, Need, Needed
from fencecheck.model.declaring.promises import Promises
from fencecheck.model.declaring.switches import DesignSwitches
from fencecheck.model.domains import Bag, Domain, Left, Subset
from fencecheck.model.drills import DrillPlan
from fencecheck.model.forgetting import forgetful
from fencecheck.model.mistakes.refused import RefusedDeclaration, refused
from fencecheck.model.ordinary import place_of_call, shown
from fencecheck.model.property import (
    Function,
)

_OWN = ("declared", "parts", "inclusions", "needed", "_places")


class Part(Promises, Beginnings, DesignSwitches):
    """A named collection of declarations, and of those of the parts that it ``includes``.

    ``goal`` (a function of one state) says when all work is done; ``end`` says so more strictly
    where the goal counts work that was given up: ``explain`` takes no design for sound that gives
    up what another one gets done. ``lane_order`` names lanes in
    the order in which a diagram shows them. ``one_lane_each`` gives, for an actor that is several
    of a kind, the bound that says how many: each of them has a lane.
    """

    name: str
    title: str
    declared: Declared
    parts: list[Part]
    goal: Function | None = None
    end: Function | None = None
    refuses: Function | None = None
    drill: DrillPlan | None = None
    lane_order: Sequence[str] = ()
    one_lane_each: Mapping[str, str] = MappingProxyType({})
    inclusions: list[Inclusion]
    needed: list[Needed]
    _places: dict[str, str]

    def __init__(self, name: str, title: str = "", *, includes: Iterable[Part] = ()) -> None:
        self._places = {}
        self.name, self.title = name, title
        self.declared = Declared()
        self.parts, self.inclusions, self.needed = [], [], []
        self.include(*includes)

    def __setattr__(self, attribute: str, value: Any) -> None:
        """Set what a part has; raises ModelError for any other name, which would say nothing."""
        try:
            self._set(attribute, value)
        except ModelError as error:
            refused(error)

    def _set(self, attribute: str, value: Any) -> None:
        known: dict[str, str] = {}
        for cls in type(self).__mro__:
            noted = vars(cls).get("__annotations__", {})
            known |= {name: getattr(kind, "__name__", str(kind)) for name, kind in noted.items()}
        if attribute not in known:
            names = [name for name in known if name not in _OWN]
            raise ModelError(
                f"{self.name}: a model has no attribute {attribute!r}; "
                f"it has {', '.join(names)}{nearest(attribute, names)}"
            )
        if isinstance(value, RefusedDeclaration):
            return
        check_argument(attribute, known[attribute], value)
        if attribute in ("goal", "end", "drill", "lane_order", "one_lane_each"):
            self._places[attribute] = place_of_call()
        object.__setattr__(self, attribute, value)

    def place(self, attribute: str) -> str:
        """Return ``file:line: `` of where an attribute was set, or nothing."""
        return self._places.get(attribute, "")

    @declaration
    def include(
        self,
        *parts: Part,
        without: Iterable[str] = (),
        guard: Mapping[str, Function] | None = None,
    ) -> None:
        """Make ``parts`` belong to this one; a part that is included twice counts once.

        Events ``without`` which they are included do not happen, and budgets that were for these
        alone are not there; properties without which they are included are not judged. A
        ``guard``, by the name of its event, must be true besides the event's own:
        ``function(s, ...)`` with the parameters of the event. Both are said of one part.
        """
        if (names := tuple(without)) or guard:
            if len(parts) != 1:
                raise ModelError(
                    f"{place_of_call()}{self.name}: include: without= and guard= are said of one "
                    "part; include the others by themselves"
                )
            _check_guards(self.name, guard)
            self.inclusions.append(Inclusion(parts[0], names, guard or {}, place_of_call()))
        for part in parts:
            if not isinstance(part, Part):
                raise ModelError(f"{self.name}: include: {shown(part)} is no part of a model")
            if self in part.and_included():
                raise ModelError(f"{self.name}: include: {part.name} is or has {self.name} itself")
        self.parts.extend(parts)

    @declaration
    def needs(self, kind: Need, *names: str) -> None:
        """Say what this part expects others to declare; a model that does not is refused."""
        self.needed.extend(Needed(kind, name, place_of_call()) for name in names)

    def and_included(self) -> list[Part]:
        """Return all parts that belong to this one, each once, those it includes before it."""
        found: dict[int, Part] = {}
        for part in self.parts:
            found |= {id(inner): inner for inner in part.and_included()}
        return [*found.values(), self]

    # -- what acts and what is kept -------------------------------------------------------------
    @declaration
    def actor(
        self,
        name: str,
        kind: LaneKind = "system",
        *,
        fair_by: str | Iterable[str] | None = None,
    ) -> Actor:
        """Declare who acts, and with it a lane of the diagram.

        ``fair_by`` is what its actions have that do not say otherwise.
        """
        self.declared.lanes.append(Lane(name, kind))
        return Actor(self.declared, name, fair_by)

    @declaration
    def store(self, name: str) -> str:
        """Declare something durable that does not act, and with it a lane of the diagram."""
        self.declared.lanes.append(Lane(name, "store"))
        return name

    @declaration
    def variable(
        self,
        name: str,
        domain: Domain,
        initial: Any = None,
        *,
        owner: str | Actor = "",
        doc: str = "",
        told: bool = True,
    ) -> str:
        """Declare a state variable; ``initial`` is a value or a function of the sizes.

        With ``told`` false its changes are not told beside events: what the events say of it is
        enough.
        """
        self._variable(Variable(name, domain, initial, _lane(owner) or self.name, doc, told=told))
        return name

    @declaration
    def ghost(
        self,
        name: str,
        domain: Domain,
        initial: Any = None,
        *,
        owner: str | Actor = "",
        doc: str = "",
    ) -> str:
        """Declare a variable that effects and properties may use and mechanisms may not read."""
        self._variable(Variable(name, domain, initial, _lane(owner) or self.name, doc, ghost=True))
        return name

    @declaration
    def messages(
        self,
        name: str,
        domain: Bag,
        *,
        back: bool = False,
        owner: str | Actor = NETWORK,
        doc: str = "",
    ) -> str:
        """Declare a bag of messages in flight: a diagram draws its elements as arrows.

        ``back`` says that they go back to who asked, as replies do.
        """
        self._variable(Variable(name, domain, None, _lane(owner), doc, messages=True, back=back))
        return name

    def _note_place(self, name: str) -> None:
        """Remember where a name is declared; of several places the last."""
        self._places[f"declared {name}"] = place_of_call()

    def _variable(self, variable: Variable) -> None:
        if isinstance(variable.domain, Subset):
            raise ModelError(
                f"{self.name}: variable {variable.name}: a Subset is for parameters; write Set(...)"
            )
        if not isinstance(variable.domain, Domain):
            raise ModelError(
                f"{self.name}: variable {variable.name}: {variable.domain!r} is not a domain; "
                "write Bool(), Int(low, high), Enum(...), Array(...), Set(...), Bag(...)"
            )
        self._note_place(variable.name)
        self.declared.variables.append(variable)

    @declaration
    def forgets(self, **params: Parameter) -> Callable[[Function], Function]:
        """Declare that ``function(s, ...)`` only puts away what nobody can ask for any more.

        It sets values back or renumbers them so that states stay few, and gives nothing back.
        Called after any event, for any values of ``params``, it changes nothing of what can
        happen; people are told of runs as they are without it.
        """

        def register(function: Function) -> Function:
            self.declared.forgets.append(Forgetting(function, dict(params)))
            return forgetful(function)

        return register

    def cleanup(self, **params: Parameter) -> Callable[[Function], Function]:
        """Declare a clean-up: what ``function(s, ...)`` puts away after every event by itself.

        It is as ``forgets`` says, and called after each event, interference included, for all
        values of ``params``, ascending, so that the protocol is told apart from it. Clean-ups
        follow one another in the order in which they are declared.
        """

        def register(function: Function) -> Function:
            self.declared.forgets.append(Forgetting(function, dict(params), always=True))
            return forgetful(function)

        return register

    # -- what a run can set ---------------------------------------------------------------------
    @declaration
    def bound(self, name: str, default: int, doc: str, *, least: int = 1) -> str:
        """Declare a size that shapes the state (steps, files, workers)."""
        if default < least:
            raise ModelError(
                f"{place_of_call()}{self.name}: bound {name}: default {default} is below {least}, "
                "the least it can be; write a larger default, or least=..."
            )
        self._note_place(name)
        self.declared.bounds.append(Bound(name, default, doc, least))
        return name

    @declaration
    def budget(self, name: str, doc: str) -> str:
        """Declare how often an interference may happen (0 unless a run says otherwise).

        What is left of it is a state variable of the same name. Where that could be confused:
        in guards, effects and properties ``s.NAME_left`` is what is left and ``s.NAME_used`` what
        was used so far (in the effect of an interference, itself included); in sizes, rules and
        initial values ``k.NAME`` is the whole budget.
        """
        self.declared.bounds.append(Bound(name, 0, doc, 0, budget=True))
        self._variable(
            Variable(
                name, Left(name), lambda k: how_many(getattr(k, name)), "budget", doc, budget=True
            )
        )
        return name

    @declaration
    def rule(self, function: Function) -> Function:
        """Declare a configuration rule: ``function(k)`` returns what is wrong, or None."""
        self.declared.rules.append(Rule(function.__name__, function))
        return function

    @declaration
    def admission(self, function: Function) -> Function:
        """Declare when the plan as a whole is refused: ``function(s)``; nothing is sent then."""
        self.refuses = function
        return function

    @declaration
    def cost(self, name: str, *, per: str = "") -> Callable[[Function], Function]:
        """Declare a counter over an undisturbed run: ``function(before, event, after)``.

        ``per`` names a bound to divide by (``steps``: durable writes per step).
        """

        def register(count: Function) -> Function:
            self.declared.costs.append(Cost(name, count, per, meaning_of(count)))
            return count

        return register


def declared_places(parts: Iterable[Part]) -> dict[str, str]:
    """Return where each name of a model is declared: of several places the last."""
    return {
        what.removeprefix("declared "): place
        for part in parts
        for what, place in part._places.items()
        if what.startswith("declared ")
    }


def _check_guards(name: str, guard: Any) -> None:
    """Refuse what is not a function for each of some events."""
    if guard is None:
        return
    if not (isinstance(guard, Mapping) and all(callable(value) for value in guard.values())):
        raise ModelError(
            f"{place_of_call()}{name}: include: guard is {shown(guard)}; "
            'write {"actor.verb": function}'
        )


def _lane(owner: str | Actor) -> str:
    """Return the name of the lane that an owner is; whether there is one is checked later."""
    if not isinstance(owner, Actor | str):
        raise ModelError(
            f"{place_of_call()}owner is {shown(owner)}; write an actor, or its name in quotes"
        )
    return owner.name if isinstance(owner, Actor) else owner


class Model(Part):
    """A part that can be run: ``goal`` (a function of one state) says when all work is done."""
