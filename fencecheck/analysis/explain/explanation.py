"""What an explanation of a spec consists of: plain values, for reports.

Each part says what it answers and, where a search was cut or time was up, that it is not the
whole answer. Nothing here explores.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from fencecheck.analysis.explain.adversaries import Adversary, Breaking
from fencecheck.analysis.explain.designs import Effect, Guard, Landscape, Repairs, SoundSet
from fencecheck.analysis.explain.growth import Growth
from fencecheck.analysis.explain.responses import Answer
from fencecheck.checking.results import Result, VariantResult
from fencecheck.model.family import Design


@dataclass(frozen=True)
class Order:
    """An event order that breaks a property, with what a sound design does about it.

    ``answer`` is None where there is no sound design near, or where it cannot follow the order.
    """

    breaking: Breaking
    adversary: Adversary
    answer: Answer | None


@dataclass
class Designs:
    """What came out for a lattice of designs, and for which variants it is the one.

    It is not ``shown`` where its designs were not asked for and none of them was judged.
    """

    land: Landscape
    minimal: list[SoundSet]
    costs: list[dict[str, float]]
    effects: list[Effect]
    variants: list[str] = field(default_factory=list)
    seconds: float = 0.0
    shown: bool = True

    @property
    def complete(self) -> bool:
        """Tell whether every design has a verdict."""
        return self.land.count(None) == 0


@dataclass
class VariantExplanation:
    """What came out for one variant. ``sound`` is the sound design that orders are put to.

    It is the variant's own where that is sound. ``guarded`` tells whether the guards of ``sound``
    were looked at.
    """

    result: VariantResult
    breakings: list[Breaking] | None = None
    repairs: Repairs | None = None
    sound: Design | None = None
    orders: list[Order] = field(default_factory=list)
    guards: list[Guard] | None = None
    growth: Growth | None = None

    @property
    def name(self) -> str:
        """Return the variant's name."""
        return self.result.name

    @property
    def is_sound(self) -> bool | None:
        """Tell whether every required property holds at the variant's bounds."""
        verdicts = [f.verdict for f in self.result.findings if f.required]
        if "violated" in verdicts:
            return False
        return None if "undetermined" in verdicts else True


@dataclass(frozen=True)
class Verdict:
    """What a scripted event order of a spec is answered with, in one word or two."""

    scenario: str
    variant: str
    verdict: str
    outcome: str
    note: str


@dataclass
class Explanation:
    """Everything ``explain`` has to say about one spec. ``result`` has the plain verdicts."""

    result: Result
    required: tuple[str, ...]
    variants: list[VariantExplanation]
    designs: list[Designs] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    explored: int = 0
    seconds: float = 0.0

    def gaps(self) -> Iterator[str]:
        """Yield, in words, what a limit or the time kept from being answered."""
        for variant in self.variants:
            stops = {stop for b in variant.breakings or () if b.open for stop in b.stops}
            if stops:
                yield f"{variant.name}: minimal interference ({', '.join(sorted(stops))})"
            for guard in variant.guards or ():
                if guard.undetermined and not guard.broken:
                    yield f"{variant.name}: {guard.switch} off ({guard.undetermined})"
        for designs in self.designs:
            number = designs.land.count(None)
            if number:
                yield f"{number:,} of {designs.land.lattice.count:,} designs"

    @property
    def exit_code(self) -> int:
        """Return that of the plain verdicts; 3 in the place of 0 where an answer is missing."""
        code = self.result.exit_code
        return 3 if code == 0 and any(self.gaps()) else code
