"""Compare the designs of a spec: verdicts, what each costs undisturbed, scripted orders.

Takes a Spec, gives a Result with costs and cells filled in. A cost is counted by the model's own
counters over the shortest run to the goal with every budget at zero.
"""

from __future__ import annotations

from dataclasses import replace

from fencecheck.analysis.compare.claims import decide_claims
from fencecheck.analysis.compare.scenario import run_scenario
from fencecheck.checking.check import check_spec, fault_of
from fencecheck.checking.question import Options
from fencecheck.checking.results import ModelFault, Result, alike_variants
from fencecheck.errors import ModelError
from fencecheck.explore import interrupt
from fencecheck.explore.engine import Explorer
from fencecheck.explore.graph import Broken, Limits
from fencecheck.explore.shortest import shortest_run
from fencecheck.explore.watch import Watch
from fencecheck.model.family import Design, Family
from fencecheck.model.ordinary import noting_faults
from fencecheck.model.system import System
from fencecheck.spec.values import Spec

_ENOUGH = 20_000  # states: an undisturbed run is a thin graph


def compare_spec(spec: Spec, options: Options | None = None) -> Result:
    """Check every variant of a spec, count its costs and run its scripted orders."""
    options = options or Options()
    result = check_spec(spec, options)
    explorer = options.explorer(shared=True)
    for variant, checked in zip(spec.variants, result.variants, strict=True):
        if interrupt.heard():
            break
        with noting_faults() as faults:
            try:
                checked.costs = undisturbed_costs(
                    spec.family, variant.design, explorer, options.limits
                )
                for scenario in spec.scenarios:
                    if scenario.is_for(variant):
                        result.cells.append(run_scenario(spec, variant, scenario))
            except ModelError as error:
                checked.error = checked.error or fault_of(error)
        if faults and checked.error is None:
            checked.error = ModelFault("\n".join(faults))
    result.alike = alike_variants(result)
    result.claims = decide_claims(spec, result)
    return result


def undisturbed_costs(
    family: Family, design: Design, explorer: Explorer, limits: Limits
) -> dict[str, float]:
    """Return what the model's counters add up to over a shortest undisturbed run.

    Empty where the model has no counters, or no undisturbed run of the design reaches the goal
    within the limits.
    """
    counters = family.declared.costs
    if not counters or family.goal is None:
        return {}
    quiet = {b.name: 0 for b in family.declared.bounds if b.budget}
    system = System(family, Design(design.mechanisms, {**design.bounds, **quiet}), design)
    limits = replace(limits, states=min(limits.states or _ENOUGH, _ENOUGH))
    graph = explorer.explore(system, Watch(system, []), limits)
    search = graph.search
    for depth, first in enumerate(search.levels[:-1]):
        level = range(first, search.levels[depth + 1])
        reached = [n for n in level if family.is_goal(system.view(graph.state(n)))]
        if reached:
            run = shortest_run(system, graph, Broken(depth, reached, in_event=False), None)
            break
    else:
        return {}
    totals = dict.fromkeys((c.name for c in counters), 0.0)
    for event in run:
        before, after = system.view(event.before), system.view(event.after)
        name = system.actions[event.action].name
        for counter in counters:
            totals[counter.name] += counter.of(before, name, after)
    for counter in counters:
        if counter.per:
            totals[counter.name] /= getattr(system.sizes, counter.per)
    return totals
