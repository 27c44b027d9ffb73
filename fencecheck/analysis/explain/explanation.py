"""What an explanation of a spec consists of: plain values, for reports.

An explanation grows part by part; ``parts`` says in which order they were ready. Each part says
what it answers and, where a search was cut or time was up, that it is not the whole answer.
Nothing here explores.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from fencecheck.analysis.explain.adversaries import Adversary, Breaking
from fencecheck.analysis.explain.any_number.any_lattice import AnyLattice
from fencecheck.analysis.explain.any_number.unlimited import AtAnyNumber
from fencecheck.analysis.explain.designs import Effect, Landscape, SoundSet
from fencecheck.analysis.explain.growth import Growth
from fencecheck.analysis.explain.repairs import Guard, Repairs
from fencecheck.analysis.explain.responses import Response, Verdict
from fencecheck.checking.results import Result, VariantResult
from fencecheck.model.family import Design

PartName = Literal[
    "head",
    "standing",
    "breakings",
    "repairs",
    "orders",
    "guards",
    "designs",
    "scripted",
    "at_any",
    "growth",
    "beyond",
    "end",
]


@dataclass(frozen=True)
class Order:
    """An event order that breaks a property, with what a sound design does about it.

    ``answer`` is None where there is no sound design near, where it cannot follow the order, or
    where it is ``late``: time was up.
    """

    breaking: Breaking
    adversary: Adversary
    answer: Response | None
    late: bool = False


@dataclass
class Designs:
    """What came out for a lattice of designs, and for which variants it is the one.

    ``costs`` stand beside ``minimal``, None where time was up, and so does ``beyond``, what becomes
    of them at any number, where that was asked for; ``at_any`` is what becomes of all its sound
    designs. It is not ``shown`` where its designs were not asked for and none of them was judged.
    """

    land: Landscape
    minimal: list[SoundSet]
    hollow: list[SoundSet]
    costs: list[dict[str, float] | None]
    effects: list[Effect]
    variants: list[str] = field(default_factory=list)
    seconds: float = 0.0
    shown: bool = True
    beyond: list[AtAnyNumber | None] = field(default_factory=list)
    at_any: AnyLattice | None = None

    @property
    def complete(self) -> bool:
        """Tell whether every design has a verdict."""
        return not self.land.open_places()


@dataclass
class VariantExplanation:
    """What came out for one variant. ``sound`` is the sound design that orders are put to.

    It is the variant's own where that is sound. ``unending`` tells that what is required holds, but
    that the work may never get done.
    """

    result: VariantResult
    breakings: list[Breaking] | None = None
    repairs: Repairs | None = None
    sound: Design | None = None
    orders: list[Order] = field(default_factory=list)
    guards: list[Guard] | None = None
    growth: Growth | None = None
    unlimited: AtAnyNumber | None = None
    unending: bool = False

    @property
    def name(self) -> str:
        """Return the variant's name."""
        return self.result.name

    @property
    def is_sound(self) -> bool | None:
        """Tell whether every required property holds at the variant's bounds.

        None where that is not known, or none is required.
        """
        verdicts = [f.verdict for f in self.result.findings if f.required]
        if "violated" in verdicts:
            return False
        return None if "undetermined" in verdicts or not verdicts else True

    @property
    def broken(self) -> list[str]:
        """Return the required properties that break."""
        return [f.name for f in self.result.findings if f.required and f.verdict == "violated"]

    @property
    def vacuous(self) -> list[str]:
        """Return the properties that nothing puts to the test."""
        return [f.name for f in self.result.findings if f.vacuous]


@dataclass(frozen=True)
class ExplanationPart:
    """A part that is ready; ``about`` is the variant or the lattice that it is about."""

    name: PartName
    about: VariantExplanation | Designs | None = None


@dataclass
class Explanation:
    """Everything ``explain`` has to say about one spec. ``result`` has the plain verdicts.

    ``asked`` are the properties that a design must keep to be sound: those required, and the end.
    ``faults`` are what went wrong with the model beside its variants and the designs around them.
    """

    result: Result
    required: tuple[str, ...]
    asked: tuple[str, ...] = ()
    variants: list[VariantExplanation] = field(default_factory=list)
    designs: list[Designs] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    unscripted: int = 0
    faults: list[str] = field(default_factory=list)
    parts: list[ExplanationPart] = field(default_factory=list)
    explored: int = 0
    seconds: float = 0.0

    def gaps(self) -> Iterator[str]:
        """Yield, in words, what a limit or the time kept from being answered."""
        for variant in self.variants:
            stops = {s for b in variant.breakings or () if b.open for s in b.stops} - {"error"}
            if stops:
                yield f"{variant.name}: minimal interference ({', '.join(sorted(stops))})"
            for guard in variant.guards or ():
                if guard.undetermined and not guard.broken:
                    yield f"{variant.name}: {guard.switch} off ({guard.undetermined})"
            if any(order.late for order in variant.orders):
                yield f"{variant.name}: verdicts on event orders (time)"
        for designs in self.designs:
            number, missing = designs.land.count(None), designs.land.lattice.missing
            if number:
                yield f"{number:,} of {designs.land.lattice.count:,} designs"
            if missing:
                yield f"{missing:,} combinations of switches that were not gone through"
            open_ = designs.at_any.count(None) if designs.at_any else 0
            if open_:
                yield f"{open_:,} of {designs.land.count(True):,} sound designs at any number"
        if self.unscripted:
            yield f"{self.unscripted} runs of scripted event orders (time)"

    @property
    def exit_code(self) -> int:
        """Return that of the plain verdicts; 3 in the place of 0 where an answer is missing.

        It is 2 where the model of a design that was looked at goes wrong, except for larger bounds:
        how far those go is a matter of time.
        """
        if self.faults or any(designs.land.gone_wrong() for designs in self.designs):
            return 2
        if any(g.wrong for v in self.variants for g in v.guards or ()):
            return 2
        if any(b.wrong for v in self.variants for b in v.breakings or ()):
            return 2
        code = self.result.exit_code
        return 3 if code == 0 and any(self.gaps()) else code
