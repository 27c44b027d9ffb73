"""Explain a spec: what is enough to break it, what is enough to keep it, and what to do about it.

Takes a Spec and how much time there is; gives an Explanation, and each part of it as soon as that
is ready. The verdicts come first; then, for each variant, its minimal interference, the lattice
of designs around it, repairs, the verdict on each event order and the guards of a sound design;
last, and only where or as long as is asked, the sound designs at any number and the bounds up to
which it all holds. Everything, the making of the lattice too, ends when its share of the time is
up.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace

from fencecheck.analysis.compare.compare import undisturbed_costs
from fencecheck.analysis.explain.adversaries import minimal_adversaries
from fencecheck.analysis.explain.any_number.any_lattice import lattice_at_any
from fencecheck.analysis.explain.any_number.unlimited import AnyNumberAsker
from fencecheck.analysis.explain.building import lattice_of
from fencecheck.analysis.explain.designs import (
    Landscape,
    effects,
    hollow_sets,
    minimal_sets,
    survey,
)
from fencecheck.analysis.explain.ending import END, asked_beside, with_end
from fencecheck.analysis.explain.explanation import (
    Designs,
    Explanation,
    ExplanationPart,
    Order,
    VariantExplanation,
)
from fencecheck.analysis.explain.growth import grow
from fencecheck.analysis.explain.plan import ALL_PARTS, PARTS, SECONDS, ExplainPlan
from fencecheck.analysis.explain.repairs import guards, repairs
from fencecheck.analysis.explain.responses import answer, scripted_verdicts
from fencecheck.checking.check import variant_gone_wrong
from fencecheck.checking.judge import Deadline, Judge
from fencecheck.checking.question import Options, Question
from fencecheck.checking.results import Result
from fencecheck.errors import ModelError
from fencecheck.explore import interrupt
from fencecheck.explore.engine import Explorer
from fencecheck.model.family import Design
from fencecheck.model.files.identity import model_hash
from fencecheck.model.ordinary import noted, noting_faults
from fencecheck.model.time_limit import time_limit
from fencecheck.runs.trace import Origin
from fencecheck.spec.values import Spec, Variant


def explain_spec(
    spec: Spec, options: Options | None = None, plan: ExplainPlan | None = None
) -> Explanation:
    """Explain every variant of a spec; one whose model goes wrong is told among them.

    Raises ModelError for a model that cannot even be set up.
    """
    return _Explainer(spec, options or Options(), plan or ExplainPlan()).run()


class _Explainer:
    """One explanation under way."""

    def __init__(self, spec: Spec, options: Options, plan: ExplainPlan) -> None:
        if not spec.required:  # nothing says then which design is sound
            plan = replace(plan, parts=tuple(p for p in plan.parts if p == "adversaries"))
        self.spec, self.options, self.plan = spec, options, plan
        self.family = with_end(spec.family)
        self.deadline = self.deadline_of_one = Deadline.after(plan.seconds)
        self.names = [*spec.required, *spec.reported]
        with time_limit(plan.seconds):
            beside = asked_beside(self.family, spec.variants[0].design, spec.required)
            digest = model_hash(spec.family)
        self.asked = [*spec.required, *beside]
        self.capacity = {
            name: max(v.design.bounds[name] for v in spec.variants) for name in spec.family.bounds
        }
        self.judges: dict[tuple[str, ...], Judge] = {}
        self.designs: dict[object, Designs] = {}
        result = Result(
            spec.path,
            spec.family.reference,
            digest,
            spec.title,
            spec.note,
            [],
            spec.has_expectations,
        )
        self.explanation = Explanation(result, spec.required, tuple(self.asked))

    def run(self) -> Explanation:
        started = time.monotonic()
        told = self.explanation
        with noting_faults() as faults:
            try:
                self._parts()
            except KeyboardInterrupt:
                if not interrupt.heard():
                    raise
        said = {v.result.error.message for v in told.variants if v.result.error is not None}
        told.faults += [fault for fault in faults if not any(fault in text for text in said)]
        told.explored = sum(judge.explored for judge in self.judges.values())
        told.seconds = time.monotonic() - started
        self._ready("end")
        return told

    def _parts(self) -> None:
        """Make what is asked for ready, part by part."""
        told = self.explanation
        self._ready("head")
        for number, variant in enumerate(self.spec.variants):
            self._share(self.deadline.share(0.6 / (len(self.spec.variants) - number)))
            self._verdicts(variant)
        later = 0.5 if self._wants("any") else 0.2 if self._wants("bounds") else 0.0
        pairs = self._pairs()
        for number, (variant, one) in enumerate(pairs):
            part = self._sharers(pairs[number:]) / len(pairs[number:])
            if one.result.went_wrong:
                continue
            self._variant(variant, one, self.deadline.share(part * (1.0 - later)))
        if self._wants("orders"):
            wrong = [one.name for one in told.variants if one.result.went_wrong]
            found = scripted_verdicts(self.spec, self.deadline, wrong)
            told.verdicts, told.unscripted = found
            self._ready("scripted")
        if self._wants("any"):
            self._at_any(self.deadline.share(0.7 if self._wants("bounds") else 1.0))
        if self._wants("bounds"):
            self._growth()

    def _ready(self, name: str, about: VariantExplanation | Designs | None = None) -> None:
        part = ExplanationPart(name, about)  # type: ignore[arg-type]
        self.explanation.parts.append(part)
        self.plan.ready(self.explanation, part)

    # -- time -----------------------------------------------------------------------------------
    def _wants(self, *parts: str) -> bool:
        return any(part in self.plan.parts for part in parts)

    def _pairs(self) -> list[tuple[Variant, VariantExplanation]]:
        return list(zip(self.spec.variants, self.explanation.variants, strict=True))

    def _sharers(self, pairs: list[tuple[Variant, VariantExplanation]]) -> int:
        """Return how many of some variants a lattice around the first of them would be for."""
        key = self._surroundings(pairs[0][0])
        if key in self.designs:
            return 1
        return sum(self._surroundings(variant) == key for variant, _ in pairs)

    def _share(self, deadline: Deadline) -> None:
        self.deadline_of_one = deadline
        for judge in self.judges.values():
            judge.deadline = deadline

    def _judge(self, names: Iterable[str], variant: Variant) -> Judge:
        """Return the judge of some properties at the variant's sizes."""
        declared = self.family.declared.bounds
        sizes = {b.name: variant.design.bounds[b.name] for b in declared if not b.budget}
        key = (*names, *map(str, sizes.values()))
        if key not in self.judges:
            capacity = {**self.capacity, **sizes}
            self.judges[key] = Judge(self.family, list(names), capacity, self.options)
            self.judges[key].deadline = self.deadline_of_one
        return self.judges[key]

    # -- a variant ------------------------------------------------------------------------------
    def _verdicts(self, variant: Variant) -> None:
        self.plan.say(f"verdicts: {variant.name} ...")
        origin = Origin(self.spec.path, variant.name, variant.name)
        question = Question(self.spec.required, self.spec.reported, variant.expect, origin)
        try:
            result = self._judge(self.names, variant).check(variant.design, question)
        except ModelError as error:
            result = variant_gone_wrong(self.spec, variant, question, self.options, error)
        self.explanation.result.variants.append(result)
        one = VariantExplanation(result)
        self.explanation.variants.append(one)
        self._ready("standing", one)

    def _variant(self, variant: Variant, one: VariantExplanation, until: Deadline) -> None:
        """Explain one variant, in the time until ``until``."""
        if self._wants("adversaries", "orders"):
            self._share(until.share(0.35))
            self.plan.say(f"minimal interference: {variant.name} ...")
            origin = Origin(self.spec.path, variant.name, self.spec.title)
            judge = self._judge(self.names, variant)
            some_hold = any(finding.verdict == "holds" for finding in one.result.findings)
            one.breakings = minimal_adversaries(judge, variant.design, origin, some_hold=some_hold)
            self._ready("breakings", one)
        if not self._wants("designs", "guards", "orders", "any"):
            return
        key, is_new = self._surveyed(variant, one, until.share(0.8))
        self._place(variant, one, self.designs[key])
        self._ready("repairs", one)
        self._share(until)
        if self._wants("orders"):
            self.plan.say(f"event orders: {variant.name} ...")
            self._orders(variant, one)
            self._ready("orders", one)
        if self._wants("guards") and one.sound is not None:
            self.plan.say(f"guards: {variant.name} ...")
            judge = self._judge(self.asked, variant)
            one.guards = guards(self.designs[key].land.lattice, judge, one.sound)
            self._ready("guards", one)
        if is_new and self.designs[key].shown:
            self.explanation.designs.append(self.designs[key])
            self._ready("designs", self.designs[key])

    def _growth(self) -> None:
        """Raise the bounds of each variant, for as long as is asked."""
        until = self.deadline
        if self.plan.growing is not None:
            until = Deadline(min(until.at, Deadline.after(self.plan.growing).at))
        pairs, lattices = self._pairs(), self.explanation.designs
        for number, (variant, one) in enumerate(pairs):
            if one.result.went_wrong:
                continue
            self._share(until.share(1 / (len(pairs) - number + len(lattices))))
            self.plan.say(f"bounds: {variant.name} ...")
            judge = self._judge(self.names, variant)
            open_ = [f.name for f in one.result.findings if f.verdict != "holds"]
            first = self.deadline_of_one.share(0.4)
            one.unlimited = AnyNumberAsker(judge, variant.design.bounds).ask(
                variant.design, first, open_
            )
            one.growth = grow(judge, variant.design, self.deadline_of_one, broken=bool(open_))
            self._ready("growth", one)
        for number, designs in enumerate(lattices):
            self._beyond(designs, until.share(1 / (len(lattices) - number)))

    def _beyond(self, designs: Designs, until: Deadline) -> None:
        """Ask what becomes of the minimal sets around some variants at any number."""
        if designs.at_any is not None:
            return
        asker, left = self._asker(designs), len(designs.minimal)
        for number, found in enumerate(designs.minimal):
            self.plan.say(f"any number: {number + 1} of {left} minimal sets ...")
            share = until.share(1 / (left - number))
            designs.beyond.append(asker.ask(found.design, share))
        if any(designs.beyond):
            self._ready("beyond", designs)

    def _at_any(self, until: Deadline) -> None:
        """Ask what becomes of all designs that are sound with their numbers at any number."""
        lattices = self.explanation.designs
        for number, designs in enumerate(lattices):
            share = until.share(1 / (len(lattices) - number))
            told = lattice_at_any(designs.land, self._asker(designs), share, self.plan.say)
            designs.at_any = told
            designs.beyond = [told.found(minimal.design) for minimal in designs.minimal]
            self._ready("at_any", designs)

    def _asker(self, designs: Designs) -> AnyNumberAsker:
        variant = next(v for v in self.spec.variants if v.name == designs.variants[0])
        return AnyNumberAsker(self._judge(self.asked, variant), variant.design.bounds)

    # -- designs --------------------------------------------------------------------------------
    def _surroundings(self, variant: Variant) -> object:
        """Return what decides which lattice a variant is in: its bounds, and what stays."""
        kept = [
            variant.design.mechanisms[m.name]
            for m in self.family.declared.mechanisms
            if m.environment or m.name in self.plan.keep
        ]
        return tuple(kept), tuple(variant.design.bounds.items())

    def _surveyed(
        self, variant: Variant, one: VariantExplanation, until: Deadline
    ) -> tuple[object, bool]:
        """Survey the lattice around a variant once; return its key, and whether it is new.

        If the designs are not asked for themselves, those around a broken variant are enough.
        """
        key = self._surroundings(variant)
        near = [t for v, t in self._pairs() if self._surroundings(v) == key]
        if key in self.designs:
            return key, False
        self._share(until)
        self.plan.say(f"designs around {variant.name} ...")
        whole = self._wants("designs", "any") or any(not t.is_sound for t in near)
        self.designs[key] = self._survey(variant, whole=whole)
        self.designs[key].variants = [t.name for t in near]
        return key, True

    def _place(self, variant: Variant, one: VariantExplanation, found: Designs) -> None:
        """Find what of a variant's lattice is sound and nearest to it."""
        mechanisms = variant.design.mechanisms
        if one.is_sound:
            one.sound = variant.design
            one.unending = END in found.land.broken(mechanisms)
            if not one.unending:
                return
        one.repairs = repairs(found.land, mechanisms, one.broken)
        changes = [*one.repairs.changes, *(hollow.changes for hollow in one.repairs.hollow)]
        if changes:
            one.sound = Design({**mechanisms, **changes[0]}, variant.design.bounds)

    def _survey(self, variant: Variant, *, whole: bool) -> Designs:
        started = time.monotonic()
        until = self.deadline_of_one
        lattice = lattice_of(
            self.family, variant.design, self.asked, self.plan.keep, until.share(0.4)
        )
        if not whole:
            return Designs(Landscape(lattice), [], [], [], [], shown=False)
        land = survey(lattice, self._judge(self.asked, variant))
        minimal = minimal_sets(land)
        explorer = self.options.explorer(shared=True)
        costs = [self._costs(found.design, explorer, until) for found in minimal]
        seconds = time.monotonic() - started
        return Designs(land, minimal, hollow_sets(land), costs, effects(land), seconds=seconds)

    def _costs(
        self, design: Design, explorer: Explorer, until: Deadline
    ) -> dict[str, float] | None:
        """Return what an undisturbed run of a design costs, None where time was up."""
        left = until.left()
        if left <= 0:
            return None
        seconds = None if left == float("inf") else left
        limits = replace(self.options.limits, seconds=seconds)
        try:
            costs = undisturbed_costs(self.spec.family, design, explorer, limits)
        except ModelError as error:
            noted(error)
            return {}
        return costs if costs or until.left() > 0 else None

    def _orders(self, variant: Variant, one: VariantExplanation) -> None:
        judge = self._judge(self.names, variant)
        for breaking in one.breakings or ():
            for adversary in breaking.adversaries:
                said, late = None, judge.deadline.left() <= 0
                if one.sound is not None and not late:
                    bounds = {**variant.design.bounds, **adversary.trace.bounds}
                    system = judge.system(Design(one.sound.mechanisms, bounds))
                    origin = Origin(
                        self.spec.path, None, f"{variant.name}, made sound: {breaking.name}"
                    )
                    try:
                        said = answer(system, adversary.trace, origin, judge.deadline)
                    except ModelError as error:
                        noted(error)
                    late = said is None and judge.deadline.left() <= 0
                one.orders.append(Order(breaking, adversary, said, late))


__all__ = ["ALL_PARTS", "PARTS", "SECONDS", "ExplainPlan", "explain_spec"]
