"""Designs: which sets of mechanisms are enough, what each mechanism does, what repairs a design.

Takes a lattice and a Judge, explores one design of each class, and answers from the verdicts.
Nothing here assumes that a mechanism can only help: a set is minimal where no smaller set inside
it is sound, whatever larger sets are. Where a search was cut or time was up, an answer says that
it may not be the last word.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from fencecheck.analysis.explain.lattice import Lattice, Leaf, Refused, Settings
from fencecheck.checking.judge import Judge, Judgement
from fencecheck.model.family import Design

Additions = frozenset[tuple[str, str]]


@dataclass(frozen=True)
class SoundSet:
    """A minimal set of mechanisms under which everything required holds.

    ``certain`` is false where a smaller set inside it stayed undetermined.
    """

    added: Additions
    design: Design
    certain: bool


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
    which one is undetermined.
    """

    switch: str
    value: str
    read: bool
    repairs: int = 0
    breaks: int = 0
    open: int = 0
    harm: Harm | None = None

    @property
    def changes_nothing(self) -> bool:
        """Tell whether it is known never to decide whether everything required holds."""
        return not (self.repairs or self.breaks or self.open)


@dataclass(frozen=True)
class Repairs:
    """The fewest changes that make a design sound, all ties; empty where there are none."""

    changes: list[Settings]
    certain: bool


@dataclass
class Landscape:
    """A lattice with a verdict on each class of designs that was reached in time."""

    lattice: Lattice
    judgements: dict[int, Judgement] = field(default_factory=dict)

    def sound(self, leaf: Leaf) -> bool | None:
        """Tell whether the designs of a leaf are sound; None where that is not known."""
        judgement = self.judgements.get(leaf.number)
        return None if judgement is None else judgement.sound

    def least(self, leaf: Leaf) -> Additions:
        """Return the smallest of the sets that a leaf's designs are."""
        return self.lattice.added(leaf.known)

    def sound_leaves(self) -> list[Leaf]:
        """Return the leaves that are sound, smaller sets first."""
        found = [leaf for leaf in self.lattice.leaves if self.sound(leaf)]
        return sorted(found, key=lambda leaf: _by_size(self.least(leaf)))

    def open_leaves(self) -> list[Leaf]:
        """Return the leaves on which there is no verdict."""
        return [leaf for leaf in self.lattice.leaves if self.sound(leaf) is None]

    def count(self, verdict: bool | None) -> int:
        """Return how many designs are sound, are not, or are undetermined."""
        return sum(leaf.count for leaf in self.lattice.leaves if self.sound(leaf) is verdict)


def survey(lattice: Lattice, judge: Judge) -> Landscape:
    """Judge one design of each class, smaller sets first, until time is up."""
    found = Landscape(lattice)
    for leaf in sorted(lattice.leaves, key=lambda leaf: _by_size(found.least(leaf))):
        if judge.deadline.left() <= 0:
            break
        if leaf.number not in found.judgements:
            found.judgements[leaf.number] = judge.is_sound(lattice.design(leaf.known))
    return found


def minimal_sets(land: Landscape) -> list[SoundSet]:
    """Return the sets of mechanisms that are sound and contain no smaller set that is."""
    minimal: list[SoundSet] = []
    unknown = [land.least(leaf) for leaf in land.open_leaves()]
    for leaf in land.sound_leaves():
        added = land.least(leaf)
        if not any(smaller.added <= added for smaller in minimal):
            certain = not any(smaller < added for smaller in unknown)
            minimal.append(SoundSet(added, land.lattice.design(dict(added)), certain))
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


def repairs(land: Landscape, settings: Mapping[str, str]) -> Repairs:
    """Return the least changes of a complete choice that make it sound."""
    changes = [_change(leaf, settings) for leaf in land.sound_leaves()]
    fewest = min(map(len, changes), default=0)
    least: list[Settings] = []
    for change in changes:
        if len(change) == fewest and change not in least:
            least.append(change)
    closer = (len(_change(leaf, settings)) for leaf in land.open_leaves())
    return Repairs(least, not any(not changes or number <= fewest for number in closer))


def _change(leaf: Leaf, settings: Mapping[str, str]) -> Settings:
    return {n: v for n, v in leaf.known.items() if settings[n] != v}


@dataclass(frozen=True)
class Guard:
    """A mechanism of a sound design, switched off: what breaks, or why it cannot be alone.

    ``undetermined`` says which limit kept the answer from being known.
    """

    switch: str
    value: str
    plain: str
    broken: dict[str, int]
    refused: str | None = None
    undetermined: str | None = None


def guards(lattice: Lattice, judge: Judge, design: Design) -> list[Guard]:
    """Switch each mechanism of a design off in turn, and say what breaks in how many events."""
    found = []
    for mechanism in lattice.switches:
        value, plain = design.mechanisms[mechanism.name], mechanism.weakest
        if value == plain:
            continue
        without = {**lattice.complete(design.mechanisms), mechanism.name: plain}
        place = lattice.at(without)
        if isinstance(place, Refused):
            found.append(Guard(mechanism.name, value, plain, {}, refused=place.why))
            continue
        judged = judge.judge(lattice.design(without))
        cut = None if judged.whole else judged.cut
        found.append(Guard(mechanism.name, value, plain, judged.broken, undetermined=cut))
    return found


def _by_size(added: Additions) -> tuple[int, list[tuple[str, str]]]:
    return len(added), sorted(added)
