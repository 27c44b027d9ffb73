"""Designs: which sets of mechanisms are enough, what each mechanism does, what repairs a design.

Takes a lattice and a Judge, explores one design of each class, and answers from the verdicts.
Nothing here assumes that a mechanism can only help: a set is minimal where no smaller set inside
it is sound, whatever larger sets are. A design in which nothing is left to do before any event, a
plan refused as a whole say, is hollow: it keeps everything by construction and is no sound one.
Where a search was cut or time was up, an answer says that it may not be the last word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from fencecheck.analysis.explain.lattice import Lattice, Leaf, Settings, Unbuilt
from fencecheck.checking.judge import Judge, Judgement
from fencecheck.model.family import Design

Additions = frozenset[tuple[str, str]]


@dataclass(frozen=True)
class SoundSet:
    """A minimal set of mechanisms under which everything required holds.

    ``certain`` is false where a smaller set inside it stayed undetermined. ``vacuous`` are the
    properties that nothing puts to the test there.
    """

    added: Additions
    design: Design
    certain: bool
    vacuous: tuple[str, ...] = ()


@dataclass(frozen=True)
class Harm:
    """A sound design, and what breaks in how many events once a mechanism is added."""

    design: Design
    broken: dict[str, int]


@dataclass
class Effect:
    """What a value of a switch does to designs that do not have the mechanism.

    ``read`` is false where nothing that can happen reads the switch. ``repairs`` and ``breaks``
    count the pairs of designs that differ in it alone and part in being sound; ``open`` those of
    which one is undetermined, ``hollow`` those of which one is hollow.
    """

    switch: str
    value: str
    read: bool
    repairs: int = 0
    breaks: int = 0
    open: int = 0
    hollow: int = 0
    harm: Harm | None = None

    @property
    def changes_nothing(self) -> bool:
        """Tell whether it is known never to decide whether everything required holds."""
        return not (self.repairs or self.breaks or self.open or self.hollow)


@dataclass
class Landscape:
    """A lattice with a verdict on each class of designs that was reached in time."""

    lattice: Lattice
    judgements: dict[int, Judgement] = field(default_factory=dict)

    def sound(self, leaf: Leaf) -> bool | None:
        """Tell whether the designs of a leaf are sound; None where that is not known."""
        judgement = self.judgements.get(leaf.number)
        return None if judgement is None else judgement.sound and not judgement.at_once

    def hollow(self, leaf: Leaf) -> bool:
        """Tell whether the designs of a leaf break nothing, there being nothing to do."""
        judgement = self.judgements.get(leaf.number)
        return judgement is not None and bool(judgement.sound) and judgement.at_once

    def wrong(self, leaf: Leaf) -> str | None:
        """Return how the model of a leaf's designs goes wrong; None where it does not."""
        judgement = self.judgements.get(leaf.number)
        own = None if judgement is None else judgement.wrong
        return self.lattice.wrong.get(leaf.number) or own

    def gone_wrong(self) -> dict[str, int]:
        """Return how many designs go wrong in which way."""
        found: dict[str, int] = {}
        for leaf in self._by_size(leaf for leaf in self.lattice.leaves if self.wrong(leaf)):
            why = str(self.wrong(leaf))
            found[why] = found.get(why, 0) + leaf.count
        return found

    def vacuous(self, leaf: Leaf) -> tuple[str, ...]:
        """Return the properties that nothing puts to the test in the designs of a leaf."""
        judgement = self.judgements.get(leaf.number)
        return () if judgement is None else judgement.vacuous

    def broken(self, settings: Settings) -> dict[str, int]:
        """Return what is known to break in the design of a complete choice of switches."""
        place = self.lattice.at(settings)
        judgement = self.judgements.get(place.number) if isinstance(place, Leaf) else None
        return {} if judgement is None else judgement.broken

    def least(self, leaf: Leaf | Unbuilt) -> Additions:
        """Return the smallest of the sets that a leaf's designs are."""
        return self.lattice.added(leaf.known)

    def sound_leaves(self) -> list[Leaf]:
        """Return the leaves that are sound, smaller sets first."""
        return self._by_size(leaf for leaf in self.lattice.leaves if self.sound(leaf))

    def hollow_leaves(self) -> list[Leaf]:
        """Return the leaves that are hollow, smaller sets first."""
        return self._by_size(leaf for leaf in self.lattice.leaves if self.hollow(leaf))

    def open_places(self) -> list[Leaf | Unbuilt]:
        """Return where there is no verdict: leaves, and what the lattice does not have."""
        open_leaves = [leaf for leaf in self.lattice.leaves if self.sound(leaf) is None]
        return [*open_leaves, *self.lattice.unbuilt]

    def _by_size(self, leaves: Iterable[Leaf]) -> list[Leaf]:
        return sorted(leaves, key=lambda leaf: _by_size(self.least(leaf)))

    def count(self, verdict: bool | None) -> int:
        """Return how many designs are sound, break something, or are undetermined."""
        every = self.lattice.leaves
        leaves = (leaf for leaf in every if not self.hollow(leaf) and not self.wrong(leaf))
        return sum(leaf.count for leaf in leaves if self.sound(leaf) is verdict)

    def count_hollow(self) -> int:
        """Return how many designs break nothing, there being nothing to do."""
        return sum(leaf.count for leaf in self.hollow_leaves())


def survey(lattice: Lattice, judge: Judge) -> Landscape:
    """Judge one design of each class, smaller sets first, until time is up."""
    found = Landscape(lattice)
    first = dict[int, Design]()
    for leaf in sorted(lattice.leaves, key=lambda leaf: _by_size(found.least(leaf))):
        if leaf.number not in first and leaf.number not in lattice.wrong:
            first[leaf.number] = lattice.design(leaf.known)
    found.judgements.update(zip(first, judge.sound_each(list(first.values())), strict=False))
    return found


def minimal_sets(land: Landscape) -> list[SoundSet]:
    """Return the sets of mechanisms that are sound and contain no smaller set that is."""
    return _minimal(land, land.sound_leaves())


def hollow_sets(land: Landscape) -> list[SoundSet]:
    """Return likewise the sets of mechanisms that leave nothing to do."""
    return _minimal(land, land.hollow_leaves())


def _minimal(land: Landscape, leaves: list[Leaf]) -> list[SoundSet]:
    minimal: list[SoundSet] = []
    unknown = [land.least(place) for place in land.open_places()]
    for leaf in leaves:
        added = land.least(leaf)
        if not any(smaller.added <= added for smaller in minimal):
            certain = not any(smaller < added for smaller in unknown)
            design = land.lattice.design(dict(added))
            minimal.append(SoundSet(added, design, certain, land.vacuous(leaf)))
    return minimal


def effects(land: Landscape) -> list[Effect]:
    """Return what each value of each switch does when it takes the place of the plain one."""
    lattice, found = land.lattice, list[Effect]()
    idle = set(lattice.idle)
    for mechanism in lattice.switches:
        for value in mechanism.values:
            if value == mechanism.weakest:
                continue
            effect = Effect(mechanism.name, value, mechanism.name not in idle)
            effect.open += len(lattice.unbuilt)
            for without, with_ in _pairs(lattice, mechanism.name, mechanism.weakest, value):
                _compare(land, effect, without, with_)
            found.append(effect)
    return found


def _pairs(lattice: Lattice, switch: str, plain: str, value: str) -> Iterator[tuple[Leaf, Leaf]]:
    """Yield leaves whose designs differ in one switch alone, where it can make a difference."""
    for leaf in lattice.leaves:
        if leaf.known.get(switch) == plain:
            for other in lattice.near({**leaf.known, switch: value}):
                if isinstance(other, Leaf) and other.number != leaf.number:
                    yield leaf, other


def _compare(land: Landscape, effect: Effect, without: Leaf, with_: Leaf) -> None:
    if land.hollow(without) or land.hollow(with_):
        effect.hollow += 1
        return
    before, after = land.sound(without), land.sound(with_)
    if before is None or after is None:
        effect.open += 1
    elif after and not before:
        effect.repairs += 1
    elif before and not after:
        effect.breaks += 1
        harm = Harm(
            land.lattice.design({**with_.known, **without.known}),
            land.judgements[with_.number].broken,
        )
        if effect.harm is None or _size(land, harm) < _size(land, effect.harm):
            effect.harm = harm


def _size(land: Landscape, harm: Harm) -> tuple[int, list[tuple[str, str]]]:
    return _by_size(land.lattice.added(harm.design.mechanisms))


def _by_size(added: Additions) -> tuple[int, list[tuple[str, str]]]:
    return len(added), sorted(added)
