"""Part `effect_properties`: what a design of leases and ledger promises of effects and records.

Of the event `worker.effect` of a step and a worker, of what ledger, sink and scheduler hold of a
step, and that every step gets closed; each with the words for a violation.
"""

from fencecheck.model import Part
from fencecheck.models.parts.leases import STEP, has_tokens, is_held, is_late
from fencecheck.models.parts.ledger_rows import has_row, is_committed
from fencecheck.models.parts.worker import worker_part

effect_properties = Part("effect_properties", includes=[worker_part])


# -- of an effect, as it shows ------------------------------------------------------------------
@effect_properties.says(
    "the effect of {step} shows, and the ledger holds no row of it",
    {"the ledger holds": "no row", "the sink shows": "{before.holds[worker].payload}"},
)
@effect_properties.transition("worker.effect", relevant=["rows"])
def intent_first(before, after, step):
    """A row of the step exists in the ledger when its effect shows."""
    return has_row(before, step)


@effect_properties.says(
    "the effect of {step} carries {before.holds[worker].payload}, but {after.promised[step]} was "
    "recorded first",
    {
        "the effect carries": "{before.holds[worker].payload}",
        "recorded first": "{after.promised[step]}",
    },
)
@effect_properties.transition("worker.effect", relevant=["payload"])
def same_payload(before, after, step, worker):
    """Every effect of a step carries the payload that its first intent or effect recorded."""
    return before.holds[worker].payload == after.promised[step]


def overtaken(how, whose, newest):
    """Say that an effect shows although a newer lease than the worker's is known."""

    def in_words(before, after, step, worker):
        word = "token" if has_tokens(before) else "assignment"  # what orders the leases of a step
        held = before.holds[worker].token
        return (
            f"the effect of s{step + 1} shows {how.format(word)}",
            [[f"the worker's {word}", held], [f"{whose} {word}", before[newest][step]]],
        )

    return in_words


@effect_properties.says(overtaken("from a worker whose lease was handed on", "newest", "newest"))
@effect_properties.transition("worker.effect", relevant=["leased"])
def single_owner(before, after, step, worker):
    """No effect shows from a worker whose lease has been handed on."""
    return before.holds[worker].token == before.newest[step]


@effect_properties.says(
    overtaken("after the sink has seen a newer {}", "the sink has seen", "seen")
)
@effect_properties.transition("worker.effect", relevant=["seen"])
def sink_order(before, after, step, worker):
    """No effect shows with a token lower than one the sink has seen."""
    return not is_late(before, step, worker)


# -- of what is held of a step ------------------------------------------------------------------
@effect_properties.says(
    "the sink shows more than one effect",
    {"effects shown": "{s.effects[step]}", "effects wanted": "at most 1"},
)
@effect_properties.once
@effect_properties.invariant(step=STEP, relevant=["rows", "effects"])
def one_effect(s, step):
    """No step shows more than one effect at the sink."""
    return s.effects[step] <= 1


def is_settled(s, step):
    """Closed, in nobody's hands, and its effect shows."""
    return s.status[step] != "open" and not is_held(s, step) and s.effects[step] > 0


@effect_properties.says(
    "it is closed and shows an effect, which the ledger does not hold as committed",
    {"the ledger holds": "{s.rows[step]}", "the sink shows": "an effect"},
)
@effect_properties.invariant(step=STEP, trigger=is_settled, relevant=["rows"])
def recorded(s, step):
    """Wherever a step is closed and no worker holds it, an effect shown has its committed row."""
    return not is_settled(s, step) or is_committed(s, step)


def is_compared(s, step):
    """The ledger has committed what the sink shows."""
    return is_committed(s, step) and s.effects[step] > 0


@effect_properties.says(
    "the committed row names {s.rows[step].payload}, but the sink shows {s.shown[step]}",
    {"the row names": "{s.rows[step].payload}", "the sink shows": "{s.shown[step]}"},
)
@effect_properties.invariant(step=STEP, trigger=is_compared, relevant=["rows", "shown"])
def true_record(s, step):
    """The committed row names the payload that the sink shows."""
    return not is_compared(s, step) or s.rows[step].payload == s.shown[step]


def may_be_rejected(s, step):
    """It is rejected, or its effect shows and a worker was just given it with another payload."""
    comes_with_another = has_row(s, step) and any(
        h.step == step and h.phase == "assigned" and h.payload != s.rows[step].payload
        for h in s.holds
    )
    return s.status[step] == "rejected" or (comes_with_another and s.effects[step] > 0)


@effect_properties.says(
    "it is closed as rejected, although its effect shows",
    {"the scheduler says": "rejected", "the sink shows": "an effect"},
)
@effect_properties.invariant(step=STEP, trigger=may_be_rejected, relevant=["status"])
def truthful_reject(s, step):
    """No step whose effect shows is closed as rejected."""
    return s.status[step] != "rejected" or s.effects[step] == 0


# -- of an end ----------------------------------------------------------------------------------
def finished(s):
    return all(status != "open" for status in s.status)


def ended(s):
    """Every step is closed, and parked only where no attempt could get it done."""
    is_lost = s.poison != "off"
    return finished(s) and all(
        s.status[i] != "parked" or (is_lost and i == 0) for i in range(s.steps)
    )


@effect_properties.deadlock(relevant=["status"])
def no_stuck(s):
    """Wherever the system can do nothing more, every step is done, rejected or parked."""
    return finished(s)


@effect_properties.possibility(relevant=["status"])
def can_finish(s):
    """The system can always still get every step closed, by its own events alone."""
    return finished(s)


@effect_properties.liveness(relevant=["status"])
def finishes(s):
    """Every weakly fair behaviour gets every step closed."""
    return finished(s)


@no_stuck.says
@can_finish.says
@finishes.says
def still_open(before, after):
    steps = ", ".join(f"s{i + 1}" for i in range(after.steps) if after.status[i] == "open")
    return (
        f"{steps} is still open, and nothing closes it.",
        [["the scheduler says", ", ".join(after.status)], ["it should become", "closed"]],
    )
