"""Part `steps`: the steps in the scheduler's queue, their payloads, and what becomes of an intent.

The family declares the bound and the budgets that it reads, since other parts share them.
"""

from fencecheck.model import Part
from fencecheck.models.ledger.sink_call import sink_call
from fencecheck.models.parts.leases import STEP, WORKER, is_open, with_step
from fencecheck.models.parts.parking import may_resolve, parking, settle
from fencecheck.models.parts.scheduling import hand_out, may_assign
from fencecheck.models.parts.sink_keys import knows_key

steps = Part("steps")
steps.include(sink_call, parking)
scheduler = steps.actor("scheduler")
worker = steps.actor("worker")
operator = steps.actor("operator", "interference")


@scheduler.action(
    step=STEP,
    worker=WORKER,
    fair_by="step",
    when=may_assign,
    label=lambda s, step, worker: f"assign s{step + 1} to w{worker + 1}",
)
def assign(s, step, worker):
    """A worker gets the step with its current payload and the next token."""
    hand_out(s, step, worker, 0)


@operator.interference(
    "edits",
    step=STEP,
    when=is_open,
    label=lambda s, step: f"edit the payload of s{step + 1}",
)
def edit_payload(s, step):
    """The step's payload changes; what was handed out keeps the old one."""
    s.payload[step] = s.edits + 2


@worker.action(
    step=STEP, worker=WORKER, fair_by="step", when=may_resolve, label=with_step("resolves")
)
def resolve(s, step, worker):
    """An idle worker asks the sink by key what became of an open intent."""
    known = knows_key(s, step, s.rows[step].payload)
    settle(s, step, known)
    return "committed" if known else "without effect"
