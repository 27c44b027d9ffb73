"""Explain a spec: what is enough to break it, what is enough to keep it, and what to do about it.

Takes a Spec and how much time there is; gives an Explanation. The verdicts come first, then the
minimal interference of each variant, the lattice of designs, the guards of a sound design, the
verdict on each event order, and, with the time that is left, the bounds up to which it all holds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from fencecheck.analysis.compare.compare import undisturbed_costs
from fencecheck.analysis.explain.adversaries import minimal_adversaries
from fencecheck.analysis.explain.branching import lattice_of
from fencecheck.analysis.explain.designs import (
    Landscape,
    effects,
    guards,
    minimal_sets,
    repairs,
    survey,
)
from fencecheck.analysis.explain.explanation import Designs, Explanation, Order, VariantExplanation
from fencecheck.analysis.explain.growth import grow
from fencecheck.analysis.explain.plain_verdicts import (
    scripted_verdicts,
    variant_result,
    whole_result,
)
from fencecheck.analysis.explain.responses import answer
from fencecheck.checking.check import Options
from fencecheck.checking.judge import Deadline, Judge
from fencecheck.model.family import Design
from fencecheck.runs.trace import Origin
from fencecheck.spec.values import Spec, Variant

PARTS = ("adversaries", "designs", "guards", "orders", "bounds")
SECONDS = 60.0


@dataclass(frozen=True)
class Plan:
    """What to explain (of PARTS), in how many seconds, with which switches left as they are."""

    parts: tuple[str, ...] = PARTS
    seconds: float | None = SECONDS
    keep: tuple[str, ...] = ()
    say: Callable[[str], None] = field(default=lambda text: None)


def explain_spec(
    spec: Spec, options: Options | None = None, plan: Plan | None = None
) -> Explanation:
    """Explain every variant of a spec.

    Raises StateError, with the trace that leads there, where the model itself goes wrong.
    """
    return _Explainer(spec, options or Options(), plan or Plan()).run()


class _Explainer:
    """One explanation under way."""

    def __init__(self, spec: Spec, options: Options, plan: Plan) -> None:
        self.spec, self.options, self.plan = spec, options, plan
        self.deadline = self.deadline_of_one = Deadline.after(plan.seconds)
        self.names = [*spec.required, *spec.reported]
        self.capacity = {
            name: max(v.design.bounds[name] for v in spec.variants) for name in spec.family.bounds
        }
        self.judges: dict[tuple[str, ...], Judge] = {}
        self.designs: dict[object, Designs] = {}

    def run(self) -> Explanation:
        started = time.monotonic()
        told = [self._verdicts(variant) for variant in self.spec.variants]
        if self._wants("adversaries", "orders"):
            for variant, one in self._each(told, 0.35, "minimal interference"):
                origin = Origin(self.spec.path, variant.name, self.spec.title)
                judge = self._judge(self.names, variant)
                one.breakings = minimal_adversaries(judge, variant.design, origin)
        if self._wants("designs", "guards", "orders"):
            self._survey_all(told)
            for variant, one in zip(self.spec.variants, told, strict=True):
                self._place(variant, one)
        if self._wants("guards"):
            for variant, one in self._each(told, 0.5, "guards"):
                self._guards(variant, one)
        if self._wants("orders"):
            for variant, one in self._each(told, 1.0, "event orders"):
                self._orders(variant, one)
        if self._wants("bounds"):
            for variant, one in self._each(told, 1.0, "bounds"):
                judge = self._judge(self.names, variant)
                broken = any(f.verdict != "holds" for f in one.result.findings)
                one.growth = grow(judge, variant.design, self.deadline_of_one, broken=broken)
        return Explanation(
            whole_result(self.spec, told),
            self.spec.required,
            told,
            [designs for designs in self.designs.values() if designs.shown],
            scripted_verdicts(self.spec) if self._wants("orders") else [],
            sum(judge.explored for judge in self.judges.values()),
            time.monotonic() - started,
        )

    # -- time -----------------------------------------------------------------------------------
    def _wants(self, *parts: str) -> bool:
        return any(part in self.plan.parts for part in parts)

    def _each(
        self, told: list[VariantExplanation], share: float, what: str
    ) -> Iterable[tuple[Variant, VariantExplanation]]:
        """Yield each variant, with an even part of a share of the time that is left."""
        until = self.deadline.share(share)
        for number, (variant, one) in enumerate(zip(self.spec.variants, told, strict=True)):
            self._share(until.share(1 / (len(told) - number)))
            self.plan.say(f"{what}: {variant.name} ...")
            yield variant, one

    def _share(self, deadline: Deadline) -> None:
        self.deadline_of_one = deadline
        for judge in self.judges.values():
            judge.deadline = deadline

    def _judge(self, names: Iterable[str], variant: Variant) -> Judge:
        """Return the judge of some properties at the variant's sizes."""
        declared = self.spec.family.declared.bounds
        sizes = {b.name: variant.design.bounds[b.name] for b in declared if not b.budget}
        key = (*names, *map(str, sizes.values()))
        if key not in self.judges:
            capacity = {**self.capacity, **sizes}
            family = self.spec.family
            self.judges[key] = Judge(family, list(names), capacity, self.options)
            self.judges[key].deadline = self.deadline_of_one
        return self.judges[key]

    # -- parts ----------------------------------------------------------------------------------
    def _verdicts(self, variant: Variant) -> VariantExplanation:
        self.plan.say(f"verdicts: {variant.name} ...")
        judged = self._judge(self.names, variant).judge(variant.design)
        result = variant_result(self.spec, variant, judged, self.options.threads)
        return VariantExplanation(result)

    def _surroundings(self, variant: Variant) -> object:
        """Return what decides which lattice a variant is in: its bounds, and what stays."""
        kept = [
            variant.design.mechanisms[m.name]
            for m in self.spec.family.declared.mechanisms
            if m.environment or m.name in self.plan.keep
        ]
        return tuple(kept), tuple(variant.design.bounds.items())

    def _survey_all(self, told: list[VariantExplanation]) -> None:
        """Survey each lattice that a variant is in, once, with even parts of the time.

        If the designs are not asked for themselves, those around a broken variant are enough.
        """
        broken = {one.name for one in told if not one.is_sound}
        until = self.deadline.share(0.7)
        first = {self._surroundings(v): v for v in reversed(self.spec.variants)}
        for number, (key, variant) in enumerate(reversed(first.items())):
            self._share(until.share(1 / (len(first) - number)))
            self.plan.say(f"designs around {variant.name} ...")
            near = [v.name for v in self.spec.variants if self._surroundings(v) == key]
            whole = self._wants("designs") or not broken.isdisjoint(near)
            self.designs[key] = self._survey(variant, whole=whole)

    def _place(self, variant: Variant, one: VariantExplanation) -> None:
        """Find what of a variant's lattice is sound and nearest to it."""
        found = self.designs[self._surroundings(variant)]
        found.variants.append(variant.name)
        if one.is_sound:
            one.sound = variant.design
            return
        one.repairs = repairs(found.land, variant.design.mechanisms)
        if one.repairs.changes:
            mechanisms = {**variant.design.mechanisms, **one.repairs.changes[0]}
            one.sound = Design(mechanisms, variant.design.bounds)

    def _survey(self, variant: Variant, *, whole: bool) -> Designs:
        started = time.monotonic()
        family, required = self.spec.family, list(self.spec.required)
        lattice = lattice_of(family, variant.design, required, self.plan.keep)
        if not whole:
            return Designs(Landscape(lattice), [], [], [], shown=False)
        land = survey(lattice, self._judge(required, variant))
        minimal = minimal_sets(land)
        costs = [undisturbed_costs(family, found.design) for found in minimal]
        seconds = time.monotonic() - started
        return Designs(land, minimal, costs, effects(land), seconds=seconds)

    def _guards(self, variant: Variant, one: VariantExplanation) -> None:
        if one.sound is not None:
            found = next(d for d in self.designs.values() if variant.name in d.variants)
            judge = self._judge(self.spec.required, variant)
            one.guards = guards(found.land.lattice, judge, one.sound)

    def _orders(self, variant: Variant, one: VariantExplanation) -> None:
        judge = self._judge(self.names, variant)
        for breaking in one.breakings or ():
            for adversary in breaking.adversaries:
                said = None
                if one.sound is not None:
                    bounds = {**variant.design.bounds, **adversary.trace.bounds}
                    system = judge.system(Design(one.sound.mechanisms, bounds))
                    title = f"{variant.name}, made sound: {breaking.name}"
                    said = answer(system, adversary.trace, Origin(self.spec.path, None, title))
                one.orders.append(Order(breaking, adversary, said))
