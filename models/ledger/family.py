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
from fencecheck.models.ledger.effects import effects
from fencecheck.models.parts.effect_properties import guarantees
from fencecheck.models.parts.leases import STEP, WORKER, is_open, with_step
from fencecheck.models.parts.parking import may_resolve, parking, settle
from fencecheck.models.parts.scheduling import hand_out, may_assign
from fencecheck.models.parts.sink_keys import knows_key

model = Model("ledger", "Steps with an effect outside, on a server that can vanish")
model.bound("steps", 1, "steps in the scheduler's queue")
model.budget("edits", "times an operator edits a step's payload")
model.budget("duplicates", "assignments that the network delivers once more")
model.include(effects, parking, guarantees)
model.lane_order = (
    "operator", "clock", "quota", "substrate", "network", "scheduler", "worker", "ledger", "sink",
)  # fmt: skip
model.one_lane_each = {"worker": "workers"}
scheduler = model.actor("scheduler")
worker = model.actor("worker")
operator = model.actor("operator", "interference")


# -- combinations that make no sense ------------------------------------------------------------
@model.rule
def hash_needs_intent(k):
    if k.intent_hash == "on" and k.intent == "off":
        return "intent_hash = on needs intent = on: there is no recorded hash to compare with"
    return None


@model.rule
def pin_needs_hash(k):
    if k.on_drift == "pin" and k.intent_hash == "off":
        return "on_drift = pin needs intent_hash = on: nothing notices that a payload has drifted"
    return None


@model.rule
def split_look_needs_intent(k):
    if k.look == "split" and (k.replay == "off" or k.intent == "off"):
        return (
            "look = split needs intent = on and replay = on: the ledger is looked at with the "
            "intent, for a replay"
        )
    return None


@model.rule
def token_check_needs_tokens(k):
    if k.token_check != "none" and k.lease != "token":
        return f"token_check = {k.token_check} needs lease = token: there is no token to check"
    return None


@model.rule
def poison_needs_cap(k):
    if k.poison != "off" and k.duplicates > 0 and k.attempts == "none":
        return (
            f"poison = {k.poison} with duplicates > 0 needs a cap on attempts: a step requeued for "
            "ever would leave ever more assignments to duplicate"
        )
    return None


# -- scheduler and operator ---------------------------------------------------------------------
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


# -- what must hold; the rest is in part guarantees --------------------------------------------
def finished(s):
    return all(status != "open" for status in s.status)


model.goal = finished
model.drill = drill


@model.invariant(
    trigger=lambda s: any(status == "done" for status in s.status), relevant=["status", "effects"]
)
def truthful_ack(s):
    """A step closed as done shows its effect."""
    return all(s.status[i] != "done" or s.effects[i] > 0 for i in range(s.steps))


@model.deadlock()
def no_stuck(s):
    """Wherever the system can do nothing more, every step is done, rejected or parked."""
    return finished(s)


def open_steps(s):
    return ", ".join(f"s{i + 1}" for i in range(s.steps) if s.status[i] == "open")


@no_stuck.says
def stuck_in_words(before, after):
    leases = ", ".join(after.leased)
    return (
        f"nothing more can happen, and {open_steps(after)} is still open",
        [["the scheduler holds it", leases], ["it should be", "closed"]],
    )


@model.possibility(relevant=["status"])
def can_finish(s):
    """The system can always still get every step closed, by its own events alone."""
    return finished(s)


@model.liveness(relevant=["status"])
def finishes(s):
    """Every weakly fair behaviour gets every step closed."""
    return finished(s)


@model.recurrence("scheduler.requeue", relevant=["leased"])
def bounded_retries(s):
    """No step is requeued for ever."""
    return finished(s)


@can_finish.says
@finishes.says
@bounded_retries.says
def unfinished_in_words(before, after):
    names, status = open_steps(after), ", ".join(after.status)
    return f"{names} never gets closed.", [["status", status], ["it should become", "closed"]]


# -- what a design costs ------------------------------------------------------------------------
@model.cost("ledger writes per step", per="steps")
def ledger_writes(before, event, after):
    """An intent, and the commit unless it is written in the same event with the effect."""
    return 1 if before.rows != after.rows else 0


@model.cost("keys kept at the sink per step", per="steps")
def sink_keys(before, event, after):
    """An idempotency key that the sink has to keep for its window."""
    return len(after.sink_keys) - len(before.sink_keys)
