"""Part `effect_properties`: what a design of leases and ledger promises of effects and records.

Safety properties over parts `leases` and `ledger_rows`, each with the words for a violation: of the
event `worker.effect` of a step and a worker, and of what ledger, sink and scheduler hold.
When all work is done, and whether it always gets there, is the family's to say.
"""

from fencecheck.model import Part
from fencecheck.models.parts.leases import has_tokens, is_held, leases
from fencecheck.models.parts.ledger_rows import has_row, is_committed, ledger_rows
from fencecheck.models.parts.payloads import payload_in_words

effect_properties = Part("effect_properties")
effect_properties.include(leases, ledger_rows)


def payload(s, value):
    return payload_in_words(value, s.k)


def in_words(steps):
    return ", ".join(f"s{step + 1}" for step in steps)


@effect_properties.once
@effect_properties.invariant(relevant=["effects"])
def one_effect(s):
    """No step shows more than one effect at the sink."""
    return all(count <= 1 for count in s.effects)


@one_effect.says
def shown_twice_in_words(before, after):
    names = in_words(i for i in range(after.steps) if after.effects[i] > 1)
    return (
        f"the sink shows more than one effect of {names}",
        [["effects shown", "2 or more"], ["effects wanted", "at most 1"]],
    )


@effect_properties.transition("worker.effect", relevant=["rows"])
def intent_first(before, after, step):
    """A row of the step exists in the ledger when its effect shows."""
    return has_row(before, step)


@intent_first.says
def unannounced_in_words(before, after, step, worker):
    carried = payload(before, before.holds[worker].payload)
    return (
        f"the effect of s{step + 1} shows, and the ledger holds no row of it",
        [["the ledger holds", "no row"], ["the sink shows", carried]],
    )


@effect_properties.transition("worker.effect", relevant=["payload"])
def same_payload(before, after, step, worker):
    """Every effect of a step carries the payload that its first intent or effect recorded."""
    return before.holds[worker].payload == after.promised[step]


@same_payload.says
def other_payload_in_words(before, after, step, worker):
    carried = payload(after, before.holds[worker].payload)
    recorded = payload(after, after.promised[step])
    return (
        f"the effect of s{step + 1} carries {carried}, but {recorded} was recorded first",
        [["the effect carries", carried], ["recorded first", recorded]],
    )


def lease_word(s):
    """What orders the leases of a step: their tokens, else the assignments themselves."""
    return "token" if has_tokens(s) else "assignment"


def order_in_words(s, held, what, other):
    word = lease_word(s)
    return [[f"the worker's {word}", held], [f"{what} {word}", other]]


@effect_properties.transition("worker.effect", relevant=["leased"])
def single_owner(before, after, step, worker):
    """No effect shows from a worker whose lease has been handed on."""
    return before.holds[worker].token == before.newest[step]


@single_owner.says
def handed_on_in_words(before, after, step, worker):
    return (
        f"the effect of s{step + 1} shows from a worker whose lease was handed on",
        order_in_words(before, before.holds[worker].token, "newest", before.newest[step]),
    )


@effect_properties.transition("worker.effect", relevant=["seen"])
def sink_order(before, after, step, worker):
    """No effect shows with a token lower than one the sink has seen."""
    return before.holds[worker].token >= before.seen[step]


@sink_order.says
def out_of_order_in_words(before, after, step, worker):
    token = before.holds[worker].token
    return (
        f"the effect of s{step + 1} shows after the sink has seen a newer {lease_word(before)}",
        order_in_words(before, token, "the sink has seen", before.seen[step]),
    )


def is_settled(s, step):
    """Closed, and in nobody's hands."""
    return s.status[step] != "open" and not is_held(s, step)


@effect_properties.invariant(
    trigger=lambda s: any(is_settled(s, i) and s.effects[i] > 0 for i in range(s.steps)),
    relevant=["rows"],
)
def recorded(s):
    """Wherever a step is closed and no worker holds it, an effect shown has its committed row."""
    return all(
        not is_settled(s, i) or s.effects[i] == 0 or is_committed(s, i) for i in range(s.steps)
    )


@recorded.says
def unrecorded_in_words(before, after):
    steps = [i for i in range(after.steps) if is_settled(after, i) and after.effects[i] > 0]
    lost = next(i for i in steps if not is_committed(after, i))
    row = after.rows[lost].state
    return (
        f"s{lost + 1} is closed and shows an effect, which the ledger does not hold as committed",
        [["the ledger holds", "no row" if row == "none" else row], ["the sink shows", "an effect"]],
    )


@effect_properties.invariant(
    trigger=lambda s: any(is_committed(s, i) and s.effects[i] > 0 for i in range(s.steps)),
    relevant=["rows", "shown"],
)
def true_record(s):
    """The committed row names the payload that the sink shows."""
    return all(
        not is_committed(s, i) or s.effects[i] == 0 or s.rows[i].payload == s.shown[i]
        for i in range(s.steps)
    )


@true_record.says
def misrecorded_in_words(before, after):
    steps = [i for i in range(after.steps) if is_committed(after, i) and after.effects[i] > 0]
    step = next(i for i in steps if after.rows[i].payload != after.shown[i])
    row, seen = payload(after, after.rows[step].payload), payload(after, after.shown[step])
    return (
        f"the committed row of s{step + 1} names {row}, but the sink shows {seen}",
        [["the row names", row], ["the sink shows", seen]],
    )


def comes_with_another(s, hold):
    """A worker has just been given a step with a payload that is not the one recorded."""
    row = s.rows[hold.step]
    return hold.phase == "assigned" and row.state != "none" and row.payload != hold.payload


@effect_properties.invariant(
    trigger=lambda s: (
        any(status == "rejected" for status in s.status)
        or any(comes_with_another(s, hold) and s.effects[hold.step] > 0 for hold in s.holds)
    ),
    relevant=["status"],
)
def truthful_reject(s):
    """No step whose effect shows is closed as rejected."""
    return all(s.status[i] != "rejected" or s.effects[i] == 0 for i in range(s.steps))


@truthful_reject.says
def wrongly_rejected_in_words(before, after):
    steps = [i for i in range(after.steps) if after.status[i] == "rejected"]
    names = in_words(i for i in steps if after.effects[i] > 0)
    return (
        f"{names} is closed as rejected, although its effect shows",
        [["the scheduler says", "rejected"], ["the sink shows", "an effect"]],
    )
