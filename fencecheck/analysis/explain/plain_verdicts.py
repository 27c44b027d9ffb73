"""The plain verdicts inside an explanation: on properties, and on the orders a spec tells itself.

Takes a Spec with judgements; gives results as ``check`` has them, so that expectations count and
exit codes agree. Event orders that a spec scripts are run and answered in a word or two.
"""

from __future__ import annotations

from fencecheck.analysis.compare.scenario import run_scenario
from fencecheck.analysis.explain.explanation import VariantExplanation, Verdict
from fencecheck.analysis.explain.responses import answer_in_words
from fencecheck.checking.judge import Judgement
from fencecheck.checking.results import Exploration, Finding, Result, VariantResult
from fencecheck.model.family import Design
from fencecheck.model.system import System
from fencecheck.runs.replay import replay
from fencecheck.spec.values import Spec, Variant


def variant_result(spec: Spec, variant: Variant, judged: Judgement, threads: int) -> VariantResult:
    """Return what a judgement says of each property of a variant."""
    findings = []
    for name in [*spec.required, *spec.reported]:
        prop = spec.family.properties[name]
        finding = Finding(
            name,
            prop.kind,
            prop.doc,
            name in spec.required,
            "holds" if judged.whole else "undetermined",
            expected=variant.expect.get(name),
        )
        if name in judged.broken:
            finding.verdict, finding.events = "violated", judged.broken[name]
        findings.append(finding)
    search = Exploration(
        judged.states,
        judged.transitions,
        judged.depth,
        judged.whole,
        judged.cut,
        judged.engine,
        threads,
        judged.seconds,
    )
    return VariantResult(variant.name, variant.design, search, findings)


def whole_result(spec: Spec, told: list[VariantExplanation]) -> Result:
    """Return the verdicts of all variants as the result of a check."""
    return Result(
        spec.path,
        spec.family.reference,
        spec.family.hash,
        spec.title,
        spec.note,
        [one.result for one in told],
        spec.has_expectations,
    )


def scripted_verdicts(spec: Spec) -> list[Verdict]:
    """Return the verdicts on the event orders that the spec itself tells."""
    found = []
    for scenario in spec.scenarios:
        for variant in spec.variants:
            cell = run_scenario(spec, variant, scenario)
            design = Design(variant.design.mechanisms, dict(cell.trace.bounds))
            events = replay(spec.family, cell.trace).events
            words = answer_in_words(System(spec.family, design), events, cell.outcome)
            found.append(Verdict(scenario.name, variant.name, words, cell.outcome, scenario.note))
    return found
