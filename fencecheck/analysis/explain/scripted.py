"""The verdicts on the event orders that a spec scripts, each in a word or two.

Takes a Spec; runs each order on each variant and reads the words off the run. Explores nothing.
"""

from __future__ import annotations

from fencecheck.analysis.compare.scenario import run_scenario
from fencecheck.analysis.explain.explanation import Verdict
from fencecheck.analysis.explain.responses import answer_in_words
from fencecheck.checking.judge import Deadline
from fencecheck.model.family import Design
from fencecheck.model.system import System
from fencecheck.runs.replay import replay
from fencecheck.spec.values import Spec


def scripted_verdicts(spec: Spec, deadline: Deadline) -> tuple[list[Verdict], int]:
    """Return the verdicts, in order, and how many of them time did not allow."""
    runs = [(s, v) for s in spec.scenarios for v in spec.variants if s.is_for(v)]
    found = list[Verdict]()
    for scenario, variant in runs:
        if deadline.left() <= 0:
            break
        cell = run_scenario(spec, variant, scenario)
        design = Design(variant.design.mechanisms, dict(cell.trace.bounds))
        events = replay(spec.family, cell.trace).events
        words = answer_in_words(System(spec.family, design), events, cell.outcome)
        found.append(Verdict(scenario.name, variant.name, words, cell.outcome, scenario.note))
    return found, len(runs) - len(found)
