"""Family `ledger`: steps with an effect outside, on a server that can vanish.

A scheduler hands a step to a worker on a borrowed server; the worker records an intent in the
ledger, lets the effect show at the sink, records that, and acknowledges. Delivery is at least
once; exactly once is reached at the effect, by what the ledger and the sink remember.

Readings where the description leaves room: with no effect key the sink knows no key, so an open
intent is resolved without effect; a switch that nothing could ask is refused rather than ignored,
but a budget that nothing can spend is not. The parts it is made of say theirs.
"""

from fencecheck.model import Model
from fencecheck.models.ledger.drill import drill
from fencecheck.models.ledger.properties import properties
from fencecheck.models.ledger.sink_call import sink_call
from fencecheck.models.ledger.steps import steps
from fencecheck.models.parts.effect_properties import ended, finished

model = Model("ledger", "Steps with an effect outside, on a server that can vanish")
model.index("step", "steps in the scheduler's queue", bound="steps", size=1, prefix="s")
model.budget("edits", "times an operator edits a step's payload")
model.budget("duplicates", "assignments that the network delivers once more")
model.include(sink_call, steps, properties)
model.goal = finished
model.end = ended
model.drill = drill
model.lane_order = (
    "operator", "clock", "quota", "substrate", "network", "scheduler", "worker", "ledger", "sink",
)  # fmt: skip
model.one_lane_each = {"worker": "workers"}


@model.rule
def endless_requeues_need_cap(k):
    again = f"poison = {k.poison}" if k.poison != "off" else f"claim = {k.claim}"
    is_endless = (k.poison != "off" or k.claim != "off") and k.attempts == "none"
    if is_endless and k.duplicates > 0:
        return f"{again} with duplicates > 0 needs a cap on attempts: a step is requeued for ever"
    return None
