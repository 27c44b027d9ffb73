"""Part `ledger_rows`: the ledger of intents and effects, and what the sink has shown.

What must be true of a step whose effect lies outside, whoever carries it out: a row in the
ledger (an intent, committed, or resolved without effect) and the effects that show. Which events
read and write them is the family's.

Readings where the description leaves room: a row's payload is that of its first intent, else
that of its commit, and stays.
"""

from fencecheck.model import Array, Bool, Count, Enum, Part, Record
from fencecheck.models.parts.leases import PAYLOAD, STEP, Payload, payload_in_words, sink

ledger_rows = Part("ledger_rows")
ledger_rows.budget("failed_commits", "commits that do not take")
ledger_rows.mechanisms(
    intent="off | on*: on: an intent is recorded in the ledger before the effect",
    claim="off* | kept | expires: whether an intent claims its step, so that others are turned "
    "away: no, until it is committed, or until its worker is gone",
    intent_hash="off | on*: on: a later intent whose payload differs from the recorded one is "
    "noticed",
    on_drift="reject* | pin: what follows when it differs: the step is rejected, or goes on with "
    "the recorded payload",
    replay="off | on*: on: a step that the ledger says is committed is not done again",
    look="atomic* | split: when the ledger is asked whether a step is committed: as the worker "
    "acts, or only as it records its intent",
    commit="atomic | separate*, plain separate: whether the effect is recorded in one event with "
    "it, or in the next one",
    ledger="outside* | substrate, plain substrate: where the ledger is kept: outside the borrowed "
    "server, or on it and lost with it",
)


@ledger_rows.rule
def intents_are_there(k):
    if k.intent_hash == "on" and k.intent == "off":
        return "intent_hash = on needs intent = on: there is no recorded hash to compare with"
    if k.on_drift == "pin" and k.intent_hash == "off":
        return "on_drift = pin needs intent_hash = on: nothing notices that a payload has drifted"
    if k.look == "split" and (k.replay == "off" or k.intent == "off"):
        return "look = split needs intent = on and replay = on: it looks with the intent, to replay"
    if k.claim != "off" and k.intent == "off":
        return "claim needs intent = on: it is the intent that claims"


# -- domains and state --------------------------------------------------------------------------
def row_in_words(row, k):
    return "no row" if row == NO_ROW else f"{row.state} {payload_in_words(row.payload, k)}"


Row = Record("Row", row_in_words, state=Enum("none", "intent", "committed", "resolved"),
             payload=PAYLOAD)  # fmt: skip
NO_ROW = Row(state="none", payload=Payload.none)
EFFECTS = Count(2, lambda n, k: n if n < 2 else "2 or more")
LEDGER = ledger_rows.actor("ledger", "store")
ledger_rows.variable("rows", Array(STEP, Row), owner=LEDGER, doc="the ledger's row of each step")
# fmt: off
ledger_rows.variable("claimed", Array(STEP, Bool()), owner=LEDGER,
                     doc="whether an open intent claims its step")
ledger_rows.variable("effects", Array(STEP, EFFECTS), owner=sink,
                     doc="how many effects of a step show; nobody can ask")
ledger_rows.variable("shown", Array(STEP, PAYLOAD), owner=sink,
                     doc="the payload of the first effect shown; nobody can ask")
ledger_rows.ghost("promised", Array(STEP, PAYLOAD), owner=LEDGER,
                  doc="the payload of the first intent, else of the first effect")
# fmt: on


# -- ledger -------------------------------------------------------------------------------------
def has_row(s, step):
    return s.rows[step].state != "none"


def has_intent(s, step):
    """The row is an open intent."""
    return s.rows[step].state == "intent"


def is_committed(s, step):
    return s.rows[step].state == "committed"


def record_intent(s, step, payload):
    """The first intent makes the row; a later one changes nothing, but claims the step anew."""
    if not has_row(s, step):
        s.rows[step] = Row(state="intent", payload=payload)
        promise(s, step, payload)
    s.claimed[step] = s.claim != "off" and has_intent(s, step)


def commit_row(s, step, payload):
    """The row is committed and keeps the payload of its intent, if there was one."""
    if not has_row(s, step):
        s.rows[step].payload = payload
    s.rows[step].state = "committed"
    s.claimed[step] = False


def drop_row(s, step):
    s.rows[step] = NO_ROW
    s.claimed[step] = False


def promise(s, step, payload):
    """What is promised first stays."""
    if s.promised[step] == Payload.none:
        s.promised[step] = payload


# -- sink ---------------------------------------------------------------------------------------
def show_effect(s, step, payload):
    """The effect shows, for everybody to see."""
    s.effects[step] += 1
    if s.shown[step] == Payload.none:
        s.shown[step] = payload
    promise(s, step, payload)
