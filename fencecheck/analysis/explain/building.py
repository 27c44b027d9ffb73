"""Make the lattice around a design: fork at a switch only where something asks for its value.

Takes a family, bounds, and switches that stay as they are (the environment, and what the user
keeps). A rule, a domain, an initial value or the cone of influence may ask for a switch; where
nothing does any more, the switches left over make no difference, and there is a leaf. Leaves with
the same nodes in their cones and the same initial values there are one class. Small sets, and what
is near the design, come first; what time does not allow stays open. Nothing is run.
"""

from __future__ import annotations

import heapq
import math
import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fencecheck.analysis.explain.influence import Cone, Influence, Slice
from fencecheck.analysis.explain.lattice import (
    Fork,
    Lattice,
    Leaf,
    Node,
    Refused,
    Settings,
    Unbuilt,
)
from fencecheck.checking.judge import Deadline
from fencecheck.errors import ModelError
from fencecheck.model.declare import Each, Mechanism, Variable
from fencecheck.model.declaring.any_number import HowMany
from fencecheck.model.domains import Domain
from fencecheck.model.family import Design, Family
from fencecheck.model.initials import initial_value
from fencecheck.model.ordinary import Aside
from fencecheck.model.system import System
from fencecheck.model.values import freeze

LATER = 2  # switches by which what needs another lowering waits for what does not


class _OpenSwitchError(Aside):
    """A switch was read that is not known yet; its text is the switch's name."""


class _Partial:
    """The sizes of a design of which some switches are open: reading one of those raises."""

    def __init__(
        self, known: Mapping[str, str], bounds: Mapping[str, HowMany], switches: Container[str]
    ) -> None:
        self.__dict__.update(bounds)
        self.__dict__.update(known)
        self.__dict__["_switches"] = switches

    def __getattr__(self, name: str) -> Any:
        if name in self._switches:
            raise _OpenSwitchError(name)
        raise AttributeError(name)


def lattice_of(
    family: Family,
    design: Design,
    properties: list[str],
    keep: tuple[str, ...] = (),
    deadline: Deadline | None = None,
) -> Lattice:
    """Return the lattice around a design: its bounds, its environment, and what is kept of it.

    ``properties`` are those that designs are told apart by.
    """
    return _Builder(family, design, properties, keep).build(deadline or Deadline())


def lattice_within(
    own: Lattice,
    leaves: Sequence[Leaf],
    bounds: Mapping[str, HowMany],
    properties: list[str],
    deadline: Deadline,
) -> Lattice:
    """Return a lattice at other bounds, made only where the designs of some leaves are."""
    around = Design(own.design({}).mechanisms, dict(bounds))
    builder = _Builder(own.family, around, properties, tuple(own.kept))
    builder.within = [leaf.known for leaf in leaves]
    return builder.build(deadline)


@dataclass(frozen=True)
class _Part:
    """A lowered model with what is known of its switches put in, and what can still matter."""

    influence: Influence
    slice: Slice
    cone: Cone

    def know(self, mechanism: Mechanism, value: str) -> _Part:
        if mechanism.name not in self.cone.switches:
            return self
        part = self.influence.know(self.slice, mechanism.name, mechanism.rank(value))
        return _Part(self.influence, part, self.influence.cone(part))


@dataclass(frozen=True)
class _Task:
    """A place in the tree that is to be made: below ``fork`` for a value of its switch.

    ``part`` is the fork's own: the value is put in when the place is made.
    """

    known: Settings
    part: _Part | None
    fork: Fork
    value: str


class _Builder:
    def __init__(
        self, family: Family, design: Design, properties: list[str], keep: tuple[str, ...]
    ) -> None:
        self.family, self.bounds, self.properties = family, design.bounds, properties
        self.around = design.mechanisms
        declared = family.declared.mechanisms
        self.switches = [m for m in declared if not m.environment and m.name not in keep]
        varied = {m.name for m in self.switches}
        self.kept = {n: v for n, v in design.mechanisms.items() if n not in varied}
        self.by_name = {m.name: m for m in declared}
        self.idle = [b.name for b in family.declared.bounds if b.budget and not self.bounds[b.name]]
        self.influences: dict[int, Influence] = {}
        self.matter: dict[object, list[tuple[Variable, Domain]]] = {}
        self.numbers: dict[object, int] = {}
        self.leaves: list[Leaf] = []
        self.wrong: dict[int, str] = {}
        self.waiting: list[tuple[int, int, _Task]] = []
        self.made = 0
        self.within: list[Settings] | None = None  # the choices that are wanted; None: all

    def build(self, deadline: Deadline) -> Lattice:
        root = Fork("", {"": self._unbuilt({})})
        self._wait(_Task({}, None, root, ""))
        while self.waiting and deadline.left() > 0:
            task = heapq.heappop(self.waiting)[2]
            part, switch = task.part, self.by_name.get(task.fork.switch)
            if part is not None and switch is not None:
                part = part.know(switch, task.value)
            task.fork.ways[task.value] = self._node(task.known, part)
        unbuilt = [self._unbuilt(task.known) for _, _, task in sorted(self.waiting)]
        return Lattice(
            self.family,
            self.bounds,
            self.switches,
            self.kept,
            root.ways[""],
            self.leaves,
            len(self.numbers),
            unbuilt,
            self.wrong,
        )

    def _wait(self, task: _Task) -> None:
        """Put a place where it belongs: by the switches added, or changed, whichever are fewer.

        Switches that decide how large a state is come first, and each of their values costs a
        lowering: those of the design itself go ahead.
        """
        changed = added = 0
        for name, value in task.known.items():
            changed += value != self.around[name]
            added += value != self.by_name[name].weakest
        self.made += 1
        order = min(changed, added) + (LATER if changed and task.part is None else 0)
        heapq.heappush(self.waiting, (order, self.made, task))

    def _unbuilt(self, known: Settings) -> Unbuilt:
        return Unbuilt(known, self._combinations(known))

    def _combinations(self, known: Settings) -> int:
        return math.prod(len(m.values) for m in self.switches if m.name not in known)

    def _node(self, known: Settings, part: _Part | None) -> Node:
        """Return what there is at a place; what is below a fork waits to be made."""
        sizes = _Partial({**self.kept, **known}, self.bounds, self.by_name)
        try:
            for rule in self.family.declared.rules:
                why = rule.objection(sizes)
                if why:
                    return Refused(known, why)
            if part is None:
                part = self._start(known, sizes)
            for mechanism in self.switches:
                if mechanism.name in part.cone.switches:
                    raise _OpenSwitchError(mechanism.name)
            initial = self._initial(part.influence, part.cone.fields, sizes)
        except _OpenSwitchError as open_switch:
            return self._fork(str(open_switch), known, part)
        except ModelError as error:
            why = str(error).splitlines()[0]
            leaf = self._leaf(known, why)
            self.wrong[leaf.number] = why
            return leaf
        signature = part.influence.signature(part.slice, part.cone)
        return self._leaf(known, (id(part.influence), signature, initial))

    def _leaf(self, known: Settings, key: object) -> Leaf:
        """Return the designs at a place; those with the same ``key`` cannot be told apart."""
        number = self.numbers.setdefault(key, len(self.numbers))
        leaf = Leaf(known, number, self._combinations(known))
        self.leaves.append(leaf)
        return leaf

    def _fork(self, switch: str, known: Settings, part: _Part | None) -> Fork:
        mechanism, fork = self.by_name[switch], Fork(switch, {})
        for value in mechanism.values:
            below = {**known, switch: value}
            fork.ways[value] = self._unbuilt(below)
            if self._is_wanted(below):
                self._wait(_Task(below, part, fork, value))
        return fork

    def _is_wanted(self, known: Settings) -> bool:
        """Tell whether a choice that is wanted agrees with what is known."""
        return self.within is None or any(
            all(chosen.get(name, value) == value for name, value in known.items())
            for chosen in self.within
        )

    def _start(self, known: Settings, sizes: _Partial) -> _Part:
        """Return the lowered model, once the shape of its states is known, with what is known."""
        for variable in self.family.declared.variables:
            variable.domain.resolve(sizes)
        for param in self.family.declared.parameters():
            if not isinstance(param, Each):
                param.resolve(sizes)
        chosen = {**{m.name: m.weakest for m in self.switches}, **self.kept, **known}
        lowered = System(self.family, Design(chosen, self.bounds)).lowered
        influence = self.influences.get(id(lowered))
        if influence is None:
            influence = Influence(lowered, self.idle, self.properties)
            self.influences[id(lowered)] = influence
        part = _Part(influence, influence.whole, influence.cone(influence.whole))
        for name, value in {**self.kept, **known}.items():
            part = part.know(self.by_name[name], value)
        return part

    def _initial(self, influence: Influence, fields: frozenset[int], sizes: _Partial) -> object:
        """Return the declared values of the variables that matter; what is set up is a way."""
        if (influence, fields) not in self.matter:
            self.matter[influence, fields] = self._touched(influence, fields)
        found = []
        for variable, domain in self.matter[influence, fields]:
            value = initial_value(self.family.name, variable, domain, sizes)
            frozen = freeze(domain, checked=False)
            found.append(frozen(value) if frozen else value)
        return tuple(found)

    def _touched(
        self, influence: Influence, fields: frozenset[int]
    ) -> list[tuple[Variable, Domain]]:
        layout = influence.lowered.layout
        touched = {re.split(r"[.\[|#]", layout.fields[number].path)[0] for number in fields}
        domains = {name: domain for name, domain, _ in layout.variables}
        variables = self.family.declared.variables
        every = bool(self.family.declared.starts)  # what sets up initial states may read any
        return [(v, domains[v.name]) for v in variables if every or v.name in touched]
