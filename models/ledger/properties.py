"""Part `properties`: what family ledger promises of its steps as a whole, and what a design costs.

What it promises of effects and records, and that all gets done, is part `effect_properties`.
"""

from fencecheck.model import Part
from fencecheck.models.parts.effect_properties import effect_properties, finished, open_in_words
from fencecheck.models.parts.leases import STEP

properties = Part("properties")
properties.include(effect_properties)


@properties.invariant(
    step=STEP, trigger=lambda s, step: s.status[step] == "done", relevant=["status", "effects"]
)
def truthful_ack(s, step):
    """A step closed as done shows its effect."""
    return s.status[step] != "done" or s.effects[step] > 0


@properties.recurrence("scheduler.requeue", relevant=["leased"])
def bounded_retries(s):
    """No step is requeued for ever."""
    return finished(s)


bounded_retries.says(open_in_words)


# -- what a design costs ------------------------------------------------------------------------
@properties.cost("ledger writes per step", per="steps")
def ledger_writes(before, event, after):
    """An intent, and the commit unless it is written in the same event with the effect."""
    return 1 if before.rows != after.rows else 0


@properties.cost("keys kept at the sink per step", per="steps")
def sink_keys(before, event, after):
    """An idempotency key that the sink has to keep for its window."""
    return len(after.sink_keys) - len(before.sink_keys)
