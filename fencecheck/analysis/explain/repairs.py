"""Repairs: which changes make a design sound, and what each mechanism of a sound one is needed for.

Takes a landscape of designs with verdicts, and a complete choice of switches. A change is told
where no part of it is enough; one after which nothing can break by construction stands apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fencecheck.analysis.explain.designs import Landscape
from fencecheck.analysis.explain.lattice import Lattice, Leaf, Settings, Unbuilt
from fencecheck.checking.judge import Judge
from fencecheck.model.family import Design


@dataclass(frozen=True)
class Hollow:
    """Changes after which a design breaks nothing by construction.

    Nothing is left to do there (``at_once``), or nothing puts ``vacuous`` to the test, which broke
    before.
    """

    changes: Settings
    at_once: bool
    vacuous: tuple[str, ...]


@dataclass(frozen=True)
class Repairs:
    """The changes that make a design sound of which no part is enough, the fewest first.

    ``certain`` tells that there are no others.
    """

    changes: list[Settings]
    hollow: list[Hollow]
    certain: bool


def repairs(land: Landscape, settings: Mapping[str, str], broken: Sequence[str] = ()) -> Repairs:
    """Return the changes of a complete choice that make it sound and have no part that does.

    ``broken`` are the properties that it breaks: one that is vacuous afterwards was not repaired.
    """
    kept: dict[bool, list[tuple[Settings, Leaf]]] = {True: [], False: []}
    for leaf in [*land.sound_leaves(), *land.hollow_leaves()]:
        untested = set(broken) & set(land.vacuous(leaf))
        is_hollow = land.hollow(leaf) or bool(untested)
        kept[is_hollow].append((_change(leaf, settings), leaf))
    real = [change for change, _ in _least(kept[False])]
    hollow = [
        Hollow(change, land.hollow(leaf), tuple(n for n in broken if n in land.vacuous(leaf)))
        for change, leaf in _least(kept[True])
    ]
    changes = (_change(place, settings) for place in land.open_places())
    certain = all(any(_inside(known, change) for known in real) for change in changes)
    return Repairs(real, hollow, certain)


def _least(found: list[tuple[Settings, Leaf]]) -> list[tuple[Settings, Leaf]]:
    """Return the changes with no other one inside, the fewest first."""
    least: list[tuple[Settings, Leaf]] = []
    for change, leaf in sorted(found, key=lambda item: len(item[0])):
        if not any(_inside(smaller, change) for smaller, _ in least):
            least.append((change, leaf))
    return least


def _inside(smaller: Settings, larger: Settings) -> bool:
    return smaller.items() <= larger.items()


def _change(leaf: Leaf | Unbuilt, settings: Mapping[str, str]) -> Settings:
    return {n: v for n, v in leaf.known.items() if settings[n] != v}


@dataclass(frozen=True)
class Guard:
    """A mechanism of a sound design, switched off: what breaks, or why it cannot be alone.

    ``undetermined`` says which limit kept the answer from being known, ``wrong`` how the model
    without it goes wrong.
    """

    switch: str
    value: str
    plain: str
    broken: dict[str, int]
    refused: str | None = None
    undetermined: str | None = None
    wrong: str | None = None


def guards(lattice: Lattice, judge: Judge, design: Design) -> list[Guard]:
    """Switch each mechanism of a design off in turn, and say what breaks in how many events."""
    found = []
    for mechanism in lattice.switches:
        value, plain = design.mechanisms[mechanism.name], mechanism.weakest
        if value == plain:
            continue
        without = {**lattice.complete(design.mechanisms), mechanism.name: plain}
        why = lattice.refusal(without)
        if why is not None:
            found.append(Guard(mechanism.name, value, plain, {}, refused=why))
            continue
        judged = judge.judge(lattice.design(without))
        cut = None if judged.whole or judged.wrong else judged.cut
        found.append(
            Guard(mechanism.name, value, plain, judged.broken, undetermined=cut, wrong=judged.wrong)
        )
    return found
