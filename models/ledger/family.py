"""Family `ledger`: steps with an effect outside, on a server that can vanish.

A scheduler hands a step to a worker on a borrowed server; the worker records an intent in the
ledger, lets the effect show at the sink, records that, and acknowledges. Delivery is at least
once; exactly once is reached at the effect, by what the ledger and the sink remember. Here are
the steps in the queue, what becomes of an intent, and what is promised of the steps as a whole.

Readings where the description leaves room: with no effect key the sink knows no key, so an open
intent is resolved without effect; a switch that nothing could ask is refused rather than ignored,
but a budget that nothing can spend is not. The parts it is made of say theirs.
"""

from fencecheck.model import Model
from fencecheck.models.ledger.drill import drill
from fencecheck.models.ledger.sink_call import knows_key, sink_call
from fencecheck.models.parts.effect_properties import effect_properties, ended, finished, still_open
from fencecheck.models.parts.leases import EDIT, STEP, Payload, is_open
from fencecheck.models.parts.scheduling import hand_out, may_assign, may_resolve, settle

model = Model("ledger", "Steps with an effect outside, on a server that can vanish")
model.index("step", "steps in the scheduler's queue", bound="steps", size=1, prefix="s")
model.budget("edits", "times an operator edits a step's payload")
model.budget("duplicates", "assignments that the network delivers once more")
model.include(sink_call, effect_properties)
model.goal, model.end, model.drill = finished, ended, drill
model.lane_order = (
    "operator", "clock", "quota", "substrate", "network", "scheduler", "worker", "ledger", "sink",
)  # fmt: skip
model.one_lane_each = {"worker": "workers"}
scheduler = model.actor("scheduler", fair_by="step")
worker = model.actor("worker", fair_by="step")
operator = model.actor("operator", "interference")
model.variable("edits_made", EDIT, owner=operator, told=False, doc="payloads not seen before")


@model.rule
def endless_requeues_need_cap(k):
    again = f"poison = {k.poison}" if k.poison != "off" else f"claim = {k.claim}"
    is_endless = (k.poison != "off" or k.claim != "off") and k.attempts == "none"
    if is_endless and k.duplicates > 0:
        return f"{again} with duplicates > 0 needs a cap on attempts: a step is requeued for ever"


# -- the queue, and what becomes of an intent ---------------------------------------------------
@scheduler.action(when=may_assign, label="assign {step} to {worker}")
def assign(s, step, worker):
    """A worker gets the step with its current payload and the next token."""
    hand_out(s, step, worker, None)


@operator.interference("edits", when=is_open, label="edit the payload of {step}")
def edit_payload(s, step):
    """The step's payload changes; what was handed out keeps the old one."""
    s.edits_made += 1
    s.payload[step] = Payload.edit(s.edits_made)


@worker.action(when=may_resolve, label="resolves {step}")
def resolve(s, step, worker):
    """An idle worker asks the sink by key what became of an open intent."""
    known = knows_key(s, step, s.rows[step].payload)
    settle(s, step, known)
    return "committed" if known else "without effect"


# -- what is promised of the steps, and what a design costs -------------------------------------
@model.invariant(
    step=STEP, trigger=lambda s, step: s.status[step] == "done", relevant=["status", "effects"]
)
def truthful_ack(s, step):
    """A step closed as done shows its effect."""
    return s.status[step] != "done" or s.effects[step] > 0


@model.says(still_open)
@model.recurrence("scheduler.requeue", relevant=["leased"])
def bounded_retries(s):
    """No step is requeued for ever."""
    return finished(s)


@model.cost("ledger writes per step", per="steps")
def ledger_writes(before, event, after):
    """An intent, and the commit unless it is written in the same event with the effect."""
    return 1 if before.rows != after.rows else 0


@model.cost("keys kept at the sink per step", per="steps")
def sink_keys(before, event, after):
    """An idempotency key that the sink has to keep for its window."""
    return len(after.sink_keys) - len(before.sink_keys)
