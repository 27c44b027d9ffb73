"""The lattice at any number: which designs that are sound with a spec's numbers break with more.

Takes the verdicts on a lattice; makes it once more around the sound designs with every budget above
0 as any, as a rule or a size may ask for a budget, and judges one design of each class there.
Every class is asked: nothing is concluded from a set about those inside it or around it. What
breaks is brought down to the least numbers. Designs of which the same came out stand together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from fencecheck.analysis.explain.any_number.unlimited import AnyNumberAsker, AtAnyNumber
from fencecheck.analysis.explain.building import lattice_within
from fencecheck.analysis.explain.designs import Additions, Landscape, SoundSet
from fencecheck.analysis.explain.lattice import Lattice, Leaf, Refused, Settings
from fencecheck.checking.judge import Deadline, Judgement
from fencecheck.model.declaring.any_number import HowMany
from fencecheck.model.family import Design

MOST = 0.25  # of the time that is left goes to one search: most take little, and one may be endless


@dataclass(frozen=True)
class AlikeAtAny:
    """Designs that are sound with numbers, and of which the same came out at any number.

    The same breaks in all, with the same least numbers; ``least`` are the sets among them that
    contain no other of them. ``found`` is what came out for the first of those, None where time was
    up; ``impossible`` says why their model cannot take any number.
    """

    count: int
    least: tuple[Additions, ...]
    found: AtAnyNumber | None
    impossible: str | None = None

    @property
    def sound(self) -> bool | None:
        """Tell whether they stay sound; None where that is not known."""
        if self.found is None or self.impossible is not None:
            return None
        if self.found.broken:
            return False
        return True if self.found.cut is None else None


@dataclass
class AnyLattice:
    """What came out, at which ``bounds``. ``minimal`` are the sets that stay sound.

    Of those, one is certain where no smaller set inside it was left without an answer. ``lattice``
    is the one at any number, None where no budget is a number above 0.
    """

    bounds: dict[str, HowMany]
    lattice: Lattice | None = None
    groups: list[AlikeAtAny] = field(default_factory=list)
    minimal: list[SoundSet] = field(default_factory=list)
    of_class: dict[int, AtAnyNumber] = field(default_factory=dict)

    def found(self, design: Design) -> AtAnyNumber | None:
        """Return what came out for a design; None where it was not asked."""
        if self.lattice is None:
            return None
        place = self.lattice.at(self.lattice.complete(design.mechanisms))
        return self.of_class.get(place.number) if isinstance(place, Leaf) else None

    @property
    def impossible(self) -> list[AlikeAtAny]:
        """Return the designs whose model cannot take any number."""
        return [group for group in self.groups if group.impossible is not None]

    def of(self, sound: bool | None) -> list[AlikeAtAny]:
        """Return the designs that stay sound, break, or are undetermined."""
        possible = (group for group in self.groups if group.impossible is None)
        return [group for group in possible if group.sound is sound]

    def count(self, sound: bool | None) -> int:
        """Return how many those are."""
        return sum(group.count for group in self.of(sound))


@dataclass(frozen=True)
class _Some:
    """Designs that are sound with numbers, at one place of the lattice at any number."""

    added: Additions
    count: int
    place: object


def lattice_at_any(
    land: Landscape,
    asker: AnyNumberAsker,
    deadline: Deadline,
    say: Callable[[str], None] = lambda text: None,
) -> AnyLattice:
    """Ask all designs of a landscape that are sound with its numbers, smaller sets first."""
    if not asker.asks:
        return AnyLattice(asker.bounds)
    leaves, names = land.sound_leaves(), list(asker.judge.names)
    part = deadline.share(0.3)
    lattice = lattice_within(land.lattice, leaves, asker.bounds, names, part)
    some = sorted(_some(land, lattice), key=lambda one: (len(one.added), sorted(one.added)))
    told = AnyLattice(asker.bounds, lattice)
    told.of_class = _asked(some, asker, lattice, deadline, say)
    told.groups = _grouped(some, told)
    told.minimal = _minimal(land, some, told)
    return told


def _some(land: Landscape, lattice: Lattice) -> Iterator[_Some]:
    """Yield the sound designs by where they are in the lattice at any number."""
    for leaf in land.sound_leaves():
        for place in lattice.near(leaf.known):
            known: Settings = {**leaf.known, **place.known}
            rest = (m for m in lattice.switches if m.name not in known)
            count = math.prod(len(m.values) for m in rest)
            yield _Some(lattice.added(known), count, place)


def _asked(
    some: list[_Some],
    asker: AnyNumberAsker,
    lattice: Lattice,
    deadline: Deadline,
    say: Callable[[str], None],
) -> dict[int, AtAnyNumber]:
    """Return what came out for each class that there was time for."""
    first: dict[int, Additions] = {}
    for one in some:
        if isinstance(one.place, Leaf) and one.place.number not in lattice.wrong:
            first.setdefault(one.place.number, one.added)
    names, judged = list(asker.judge.names), dict[int, Judgement]()
    judging = deadline.share(0.8)
    for at, (number, added) in enumerate(first.items()):
        share = judging.share(max(MOST, 1 / (len(first) - at)))
        if share.left() <= 0:
            break
        say(f"any number: {at + 1} of {len(first)} kinds of sound designs ...")
        design = lattice.design(dict(added))
        judged[number] = asker.judged(design.mechanisms, names, share)
    found = dict[int, AtAnyNumber]()
    left = sum(bool(judgement.broken) for judgement in judged.values())
    for number, judgement in judged.items():
        share = deadline.share(1 / max(1, left))
        left -= bool(judgement.broken)
        found[number] = asker.brought_down(judgement, names, share)
    return found


def _grouped(some: list[_Some], told: AnyLattice) -> list[AlikeAtAny]:
    groups: dict[object, list[_Some]] = {}
    for one in some:
        groups.setdefault(_what_came_out(one, told), []).append(one)
    return [
        AlikeAtAny(
            sum(one.count for one in group),
            _least(one.added for one in group),
            _found(group[0], told),
            _impossible(group[0], told),
        )
        for group in groups.values()
    ]


def _found(one: _Some, told: AnyLattice) -> AtAnyNumber | None:
    return told.of_class.get(one.place.number) if isinstance(one.place, Leaf) else None


def _impossible(one: _Some, told: AnyLattice) -> str | None:
    """Return why the model of some designs cannot take any number."""
    if isinstance(one.place, Refused):
        return one.place.why
    found = _found(one, told)
    if found is not None and found.wrong is not None:
        return found.wrong
    assert told.lattice is not None
    return told.lattice.wrong.get(one.place.number) if isinstance(one.place, Leaf) else None


def _what_came_out(one: _Some, told: AnyLattice) -> object:
    """Return what designs have alike that stand together."""
    found, impossible = _found(one, told), _impossible(one, told)
    if found is None or impossible is not None:
        return impossible
    broken = tuple(
        (
            breaking.name,
            bool(breaking.open),
            tuple(tuple(least.budgets.items()) for least in breaking.adversaries),
        )
        for breaking in found.broken
    )
    return broken, found.cut


def _least(sets: Iterable[Additions]) -> tuple[Additions, ...]:
    """Return the sets that contain no other; they come smaller ones first."""
    least: list[Additions] = []
    for added in sets:
        if not any(smaller <= added for smaller in least):
            least.append(added)
    return tuple(least)


def _minimal(land: Landscape, some: list[_Some], told: AnyLattice) -> list[SoundSet]:
    """Return the sets that stay sound and contain no smaller one that does.

    A set that breaks with the numbers breaks with more: only one without an answer leaves doubt.
    """
    assert told.lattice is not None
    unknown = [land.least(place) for place in land.open_places()]
    sound = list[Additions]()
    for one in some:
        found = _found(one, told)
        if found is not None and not found.broken and found.cut is None and found.wrong is None:
            sound.append(one.added)
        elif found is None or not found.broken:
            unknown.append(one.added)
    return [
        SoundSet(
            added,
            told.lattice.design(dict(added)),
            not any(smaller < added for smaller in unknown),
        )
        for added in _least(sound)
    ]
