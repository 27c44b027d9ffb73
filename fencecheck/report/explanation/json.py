"""Explanations as JSON, schema fencecheck/explanation/1: what programs read.

In: explanations. Out: one JSON object for one, an array for several. Everything that an
explanation knows is in it, traces included; an answer that is missing is null or under ``gaps``.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from fencecheck.analysis.explain.adversaries import Breaking
from fencecheck.analysis.explain.any_number.any_lattice import AnyLattice
from fencecheck.analysis.explain.any_number.unlimited import AtAnyNumber
from fencecheck.analysis.explain.explanation import Designs, Explanation, Order, VariantExplanation
from fencecheck.analysis.explain.growth import Growth, Pass
from fencecheck.analysis.explain.repairs import Guard, Repairs
from fencecheck.report.results.json import outcome_object
from fencecheck.report.words.visible import json_text
from fencecheck.runs.trace_json import trace_or_none

SCHEMA = "fencecheck/explanation/1"
Object = dict[str, Any]


def render_explanations_json(explanations: Sequence[Explanation], *, array: bool = False) -> str:
    """Return one object, or an array where ``array`` is set or there are several."""
    told = [_explanation(explanation) for explanation in explanations]
    shown: Any = told if array or len(told) != 1 else told[0]
    return json_text(shown)


def _explanation(explanation: Explanation) -> Object:
    head = outcome_object(explanation.result)
    results = {variant["name"]: variant for variant in head.pop("variants")}
    head.pop("scenarios", None)
    return {
        **head,
        "schema": SCHEMA,
        "required": list(explanation.required),
        "asked": list(explanation.asked),
        "exit_code": explanation.exit_code,
        "gaps": list(explanation.gaps()),
        "faults": explanation.faults,
        "variants": [{**results[v.name], **_variant(v)} for v in explanation.variants],
        "designs": [_designs(designs) for designs in explanation.designs],
        "event_orders": [
            {
                "scenario": v.scenario,
                "variant": v.variant,
                "verdict": v.verdict,
                "outcome": v.outcome,
            }
            for v in explanation.verdicts
        ],
        "explored": explanation.explored,
        "seconds": explanation.seconds,
    }


def _variant(variant: VariantExplanation) -> Object:
    answers = {(o.breaking.name, id(o.adversary)): o for o in variant.orders}
    return {
        "sound": variant.is_sound,
        "vacuous": variant.vacuous,
        "unending": variant.unending,
        "interference": None
        if variant.breakings is None
        else [_breaking(breaking, answers) for breaking in variant.breakings],
        "repairs": None if variant.repairs is None else _repairs(variant.repairs),
        "sound_design": None if variant.sound is None else variant.sound.mechanisms,
        "guards": None if variant.guards is None else [_guard(g) for g in variant.guards],
        "any_number": None if variant.unlimited is None else _unlimited(variant.unlimited),
        "growth": None if variant.growth is None else _growth(variant.growth),
    }


def _breaking(breaking: Breaking, answers: dict[tuple[str, int], Order]) -> Object:
    return {
        "property": breaking.name,
        "minimal": [
            {
                "budgets": adversary.budgets,
                "events": adversary.events,
                "certain": adversary.certain,
                "trace": trace_or_none(adversary.trace),
                "answer": _answer(answers.get((breaking.name, id(adversary)))),
            }
            for adversary in breaking.adversaries
        ],
        "undetermined": breaking.open,
        "stopped_by": sorted(breaking.stops),
        "wrong": breaking.wrong,
    }


def _answer(order: Order | None) -> Object | None:
    if order is None or order.answer is None:
        return None
    answer = order.answer
    return {
        "verdict": answer.verdict,
        "does": answer.does,
        "event": answer.event,
        "instead_of": answer.instead_of or None,
        "trace": trace_or_none(answer.trace),
    }


def _repairs(repairs: Repairs) -> Object:
    return {
        "changes": repairs.changes,
        "certain": repairs.certain,
        "by_construction": [
            {"changes": found.changes, "at_once": found.at_once, "vacuous": found.vacuous}
            for found in repairs.hollow
        ],
    }


def _guard(guard: Guard) -> Object:
    told = asdict(guard)
    told["off"] = told.pop("plain")
    return told


def _unlimited(found: AtAnyNumber) -> Object:
    return {
        "bounds": found.bounds,
        "holding": list(found.holding),
        "broken": [_breaking(breaking, {}) for breaking in found.broken],
        "states": found.states,
        "stopped_by": found.cut,
        "wrong": found.wrong,
    }


def _at_any(told: AnyLattice) -> Object:
    return {
        "bounds": told.bounds,
        "sound": told.count(True),
        "broken": told.count(False),
        "undetermined": told.count(None),
        "impossible": sum(group.count for group in told.impossible),
        "alike": [
            {
                "sound": group.sound,
                "designs": group.count,
                "least": [dict(sorted(added)) for added in group.least],
                "impossible": group.impossible,
                "any_number": None if group.found is None else _unlimited(group.found),
            }
            for group in told.groups
        ],
        "minimal": [
            {"mechanisms": dict(sorted(one.added)), "certain": one.certain} for one in told.minimal
        ],
    }


def _growth(growth: Growth) -> Object:
    return {
        "grown": growth.grown,
        "left_at_zero": growth.kept,
        "holding": _pass(growth.holding),
        "all": None if growth.all is None else _pass(growth.all),
    }


def _pass(found: Pass) -> Object:
    return {
        "bounds": found.bounds,
        "stopped_by": found.stopped_by,
        "undetermined_at": found.cut,
        "wrong": found.wrong,
        "searches": found.searched,
        "states": found.states,
        "news": [
            {"bounds": step.bounds, "raised": step.raised, "broken": step.broken}
            for step in found.news
        ],
    }


def _designs(designs: Designs) -> Object:
    land, lattice = designs.land, designs.land.lattice
    return {
        "variants": designs.variants,
        "bounds": lattice.bounds,
        "kept": lattice.kept,
        "plain": lattice.plain(),
        "designs": lattice.count,
        "kinds": lattice.classes,
        "sound": land.count(True),
        "broken": land.count(False),
        "nothing_to_do": land.count_hollow(),
        "undetermined": land.count(None),
        "not_gone_through": lattice.missing,
        "gone_wrong": land.gone_wrong(),
        "minimal": [
            {
                "mechanisms": dict(sorted(s.added)),
                "certain": s.certain,
                "vacuous": s.vacuous,
                "costs": costs,
                "any_number": None if beyond is None else _unlimited(beyond),
            }
            for s, costs, beyond in itertools.zip_longest(
                designs.minimal, designs.costs, designs.beyond
            )
        ],
        "by_construction": [dict(sorted(s.added)) for s in designs.hollow],
        "mechanisms": [
            {
                "switch": e.switch,
                "value": e.value,
                "read": e.read,
                "repairs": e.repairs,
                "breaks": e.breaks,
                "undetermined": e.open,
                "changes_nothing": e.changes_nothing,
                "harm": e.harm
                and {
                    "mechanisms": dict(sorted(lattice.added(e.harm.design.mechanisms))),
                    "broken": e.harm.broken,
                },
            }
            for e in designs.effects
        ],
        "any_number": None if designs.at_any is None else _at_any(designs.at_any),
        "seconds": designs.seconds,
    }
