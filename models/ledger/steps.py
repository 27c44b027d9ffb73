"""Part `steps`: the steps in the scheduler's queue, their payloads, and what becomes of an intent.

The family declares the bound and the budgets that it reads, since other parts share them.
"""

from fencecheck.model import Part
from fencecheck.models.ledger.sink_call import knows_key, sink_call
from fencecheck.models.parts.leases import EDIT, Payload, is_open
from fencecheck.models.parts.scheduling import hand_out, may_assign, may_resolve, settle

steps = Part("steps")
steps.include(sink_call)
scheduler = steps.actor("scheduler", fair_by="step")
worker = steps.actor("worker", fair_by="step")
operator = steps.actor("operator", "interference")
steps.variable("edits_made", EDIT, owner=operator, told=False, doc="payloads not seen before")


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
