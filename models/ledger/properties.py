"""Part `properties`: what family ledger promises of its steps as a whole, and what a design costs.

What it promises of effects and records is part `effect_properties`.
"""

from fencecheck.model import Part
from fencecheck.models.parts.effect_properties import effect_properties

properties = Part("properties")
properties.include(effect_properties)


def finished(s):
    return all(status != "open" for status in s.status)


@properties.invariant(
    trigger=lambda s: any(status == "done" for status in s.status), relevant=["status", "effects"]
)
def truthful_ack(s):
    """A step closed as done shows its effect."""
    return all(s.status[i] != "done" or s.effects[i] > 0 for i in range(s.steps))


@properties.deadlock()
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


@properties.possibility(relevant=["status"])
def can_finish(s):
    """The system can always still get every step closed, by its own events alone."""
    return finished(s)


@properties.liveness(relevant=["status"])
def finishes(s):
    """Every weakly fair behaviour gets every step closed."""
    return finished(s)


@properties.recurrence("scheduler.requeue", relevant=["leased"])
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
@properties.cost("ledger writes per step", per="steps")
def ledger_writes(before, event, after):
    """An intent, and the commit unless it is written in the same event with the effect."""
    return 1 if before.rows != after.rows else 0


@properties.cost("keys kept at the sink per step", per="steps")
def sink_keys(before, event, after):
    """An idempotency key that the sink has to keep for its window."""
    return len(after.sink_keys) - len(before.sink_keys)
