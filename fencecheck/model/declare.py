"""What a model declares: variables, actors and their actions, mechanisms, bounds, properties.

These are plain values, filled in by ``Part`` (parts.py); nothing here runs a model. Functions
given to them (guards, effects, properties, goals) are written in the subset that both engines
run; those that only show or count (``show``, ``label``, ``says``, costs) are ordinary Python.
"""

from __future__ import annotations

import functools
from collections.abc import Container, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from fencecheck.errors import ModelError
from fencecheck.model.domains import Domain, Index, Scalar, Subset
from fencecheck.model.ordinary import ask, noted, refuse, words
from fencecheck.model.property import Function, Property
from fencecheck.model.wording.templates import Known, Template

LaneKind = Literal["interference", "system", "store"]
Fairness = Literal["weak", "strong", "none"]
Wording = str | Function


@dataclass(frozen=True)
class Variable:
    """A state variable; ``owner`` is the lane that shows it.

    ``messages`` says that it holds messages in flight, ``back`` that these go back to who asked.
    What is not ``told`` is left out where people are told of changes.
    """

    name: str
    domain: Domain
    initial: Any
    owner: str
    doc: str = ""
    ghost: bool = False
    budget: bool = False
    messages: bool = False
    back: bool = False
    told: bool = True


@dataclass(frozen=True)
class Bound:
    """A limit of a run: a size that shapes the state, or a budget of interference."""

    name: str
    default: int
    doc: str
    least: int = 0
    budget: bool = False


NETWORK = "network"  # whose messages in flight are, where nobody else is named
LEFT, USED = "_left", "_used"  # behind a budget's name: what is left of it, what was used


def part_of_budget(name: str, budgets: Container[str]) -> tuple[str, str]:
    """Split ``edits_left`` into the budget and which part of it; ("", "") for other names."""
    for part in (LEFT, USED):
        if name.endswith(part) and name.removesuffix(part) in budgets:
            return name.removesuffix(part), part
    return "", ""


@dataclass(frozen=True)
class Mechanism:
    """A switch of the design (or of its environment) and the values it can have.

    ``plain`` is the value that stands for the mechanism's absence, where that is not plain to see.
    """

    name: str
    values: tuple[str, ...]
    default: str
    doc: str
    environment: bool = False
    plain: str | None = None

    @property
    def weakest(self) -> str:
        """Return the value without the mechanism: the plain one, else none, off or the first."""
        absent = [value for value in self.values if value in ("none", "off")]
        return self.plain or (absent or list(self.values))[0]

    def rank(self, value: str) -> int:
        """Return the number that stands for a value in what the model is lowered to."""
        return sorted(self.values).index(value)

    @property
    def on_off(self) -> bool:
        """Tell whether ``true`` and ``false`` are accepted in place of on and off."""
        return set(self.values) == {"on", "off"}


@dataclass(frozen=True)
class Each:
    """A parameter that ranges over the distinct elements of a bag, sequence or set variable.

    ``args`` are the fields of the element that people see as the event's arguments.
    """

    variable: str
    args: tuple[str, ...]

    def __init__(self, variable: str, *args: str) -> None:
        object.__setattr__(self, "variable", variable)
        object.__setattr__(self, "args", args)


Parameter = Scalar | Index | Subset | Each


@dataclass(frozen=True)
class Alternative:
    """The guard of one of several alternatives, in order of priority.

    It is true where ``group`` (None: everywhere) and all of ``own`` are, and of none of ``earlier``
    all are; ``before`` are the events that those belong to. Where a model adds to the guard of a
    part's event, the event's own guard is the group.
    """

    group: Function | None
    earlier: tuple[tuple[Function, ...], ...]
    own: tuple[Function, ...]
    before: tuple[str, ...]

    def __call__(self, *args: Any) -> bool:
        """Return whether the alternative is possible, asking no more than is needed."""
        for together, wanted in self._conditions:
            holds = True
            for guard in together:
                if not guard(*args):
                    holds = False
                    break
            if holds is not wanted:
                return False
        return True

    @functools.cached_property
    def _conditions(self) -> list[tuple[tuple[Function, ...], bool]]:
        return conditions(self)


def conditions(guard: Function | None) -> list[tuple[tuple[Function, ...], bool]]:
    """Return the functions that decide a guard, in order, and whether all of each must be true."""
    if not isinstance(guard, Alternative):
        return [] if guard is None else [((guard,), True)]
    earlier = [(others, False) for others in guard.earlier]
    return [*conditions(guard.group), *earlier, *(((own,), True) for own in guard.own)]


@dataclass
class Action:
    """An atomic transition that belongs to an actor; ``budget`` makes it interference.

    ``verdict`` is what the event says of a request or of an effect, in a word (accept, reject,
    replay, compensate): a text, in which ``{why}`` stands for what the outcome says behind its
    colon, or a function of (before, after). ``outcome_words`` are what tables call the outcome.
    ``fair_by`` names the arguments that tell its fairness classes apart (model/fair.py); None:
    all that range over an Index. ``fair`` says what such a class is owed: to happen where it stays
    possible (weak), where it is possible again and again (strong), or nothing.
    """

    actor: str
    verb: str
    params: dict[str, Parameter]
    guard: Function | None
    effect: Function
    budget: str | None = None
    quiet: bool = False
    args: Function | None = None
    label: Function | Template | None = None
    remark: Function | Template | None = None
    doc: str = ""
    verdict: str | Function | None = None
    outcome_words: str = "{outcome}"
    fair_by: tuple[str, ...] | None = None
    fair: Fairness = "weak"

    def labelled(self, view: Any, args: Iterable[Any], known: Known) -> str | None:
        """Return the words for the event's box, None where the model has none for it.

        ``known`` is what a template may name: the parameters, and the state before as ``s``.
        """
        return self._told("label", self.label, (view, *args), known)

    def remarked(self, view: Any, args: Iterable[Any], known: Known) -> str | None:
        """Return the remark on what the event compared, None where there is none to make."""
        return self._told("remark", self.remark, (view, *args), known)

    def _told(
        self, kind: str, wording: Function | Template | None, args: Iterable[Any], known: Known
    ) -> str | None:
        what = f"{kind} of {self.name}"
        if wording is None:
            return None
        if isinstance(wording, Template):
            return str(words(what, wording.text, what, known))
        given = words(what, wording, *args)
        if isinstance(given, str | int | float):
            return str(given)
        if given is None and kind == "remark":
            return None
        try:
            refuse(what, wording, given, f"a {kind} is a text")
        except ModelError as error:
            return noted(error)

    @property
    def name(self) -> str:
        """Return the event's name, ``actor.verb``."""
        return f"{self.actor}.{self.verb}"

    @property
    def interference(self) -> bool:
        """Tell whether the event is interference (budgeted) rather than the system's own."""
        return self.budget is not None

    @property
    def owed(self) -> bool:
        """Tell whether fairness has it happen in the end: nothing owes interference anything."""
        return not self.interference and self.fair != "none"


@dataclass
class Cost:
    """A counter of what a design pays: ``count(before, event, after)`` summed over a run."""

    name: str
    count: Function
    per: str = ""
    doc: str = ""

    def of(self, before: Any, event: str, after: Any) -> float:
        """Return what an event costs; raises ModelError where the counter gives no number."""
        what = f"cost {self.name}"
        given = ask(what, self.count, before, event, after)
        if not isinstance(given, int | float):
            refuse(what, self.count, given, "a cost is a number")
        return given


@dataclass(frozen=True)
class Lane:
    """A column of a diagram: who acts, or what is durable."""

    name: str
    kind: LaneKind


@dataclass
class Rule:
    """A configuration rule: ``refuses(k)`` returns what is wrong with a design, or None."""

    name: str
    refuses: Function

    def objection(self, sizes: Any) -> str:
        """Return what is wrong with a design, or an empty text."""
        what = f"rule {self.name}"
        given = ask(what, self.refuses, sizes)
        if given is not None and given is not False and not isinstance(given, str):
            refuse(what, self.refuses, given, "a rule returns what is wrong in words, or None")
        return given or ""


@dataclass(frozen=True)
class Forgetting:
    """A function of effects that puts away what nobody can ask for any more.

    ``function(s, ...)`` may be called after any event for any values of ``params``: what can
    happen stays the same. With ``always`` it is: a clean-up that no effect has to call.
    """

    function: Function
    params: dict[str, Parameter]
    always: bool = False


@dataclass(frozen=True)
class Start:
    """What sets up an initial state: ``function(s, ...)`` runs once on the declared values.

    For every choice of ``params`` for which the ``guard`` is true there is an initial state.
    """

    function: Function
    params: dict[str, Parameter]
    guard: Function | None = None

    @property
    def name(self) -> str:
        """Return the function's name."""
        return self.function.__name__


@dataclass(frozen=True)
class Constraint:
    """What the search stays within: no state is expanded in which ``within(s)`` is false."""

    name: str
    within: Function
    doc: str


@dataclass
class Declared:
    """Everything one part declares, in order."""

    variables: list[Variable] = field(default_factory=list)
    bounds: list[Bound] = field(default_factory=list)
    mechanisms: list[Mechanism] = field(default_factory=list)
    actions: list[Action] = field(default_factory=list)
    properties: list[Property] = field(default_factory=list)
    costs: list[Cost] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    lanes: list[Lane] = field(default_factory=list)
    forgets: list[Forgetting] = field(default_factory=list)
    starts: list[Start] = field(default_factory=list)
    constraints: list[Constraint] = field(default_factory=list)
    indices: list[tuple[str, Index]] = field(default_factory=list)
    once: list[str] = field(default_factory=list)

    def parameters(self) -> list[Parameter]:
        """Return the parameters of all actions and of what sets up initial states, in order."""
        found = [param for action in self.actions for param in action.params.values()]
        return found + [param for start in self.starts for param in start.params.values()]
