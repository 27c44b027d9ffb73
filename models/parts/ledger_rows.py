"""Part `ledger_rows`: the ledger of intents and effects, and what the sink has shown.

What must be true of a step whose effect lies outside, whoever carries it out: a row in the
ledger (an intent, committed, or resolved without effect) and the effects that show. Which events
read and write them is the family's; how a sink deduplicates is part `sink_keys`.

Readings where the description leaves room: a row's payload is that of its first intent, else
that of its commit, and stays.
"""

from fencecheck.model import Array, Bool, Enum, Int, Part, Record
from fencecheck.models.parts.leases import STEP, sink
from fencecheck.models.parts.payloads import NONE, PAYLOAD

ledger_rows = Part("ledger_rows")

# -- budgets and mechanisms ---------------------------------------------------------------------
ledger_rows.budget("failed_commits", "commits that do not take")
ledger_rows.mechanism(
    "intent", ("off", "on"), "on", "on: an intent is recorded in the ledger before the effect"
)
ledger_rows.mechanism(
    "claim",
    ("off", "kept", "expires"),
    "off",
    "whether an intent claims its step, so that others are turned away: no, until it is committed, "
    "or until its worker is gone",
)
ledger_rows.mechanism(
    "intent_hash",
    ("off", "on"),
    "on",
    "on: a later intent whose payload differs from the recorded one is noticed",
)
ledger_rows.mechanism(
    "on_drift",
    ("reject", "pin"),
    "reject",
    "what follows when it differs: the step is rejected, or goes on with the recorded payload",
)
ledger_rows.mechanism(
    "replay", ("off", "on"), "on", "on: a step that the ledger says is committed is not done again"
)
ledger_rows.mechanism(
    "look",
    ("atomic", "split"),
    "atomic",
    "when the ledger is asked whether a step is committed: as the worker acts, or only as it "
    "records its intent",
)
ledger_rows.mechanism(
    "commit",
    ("atomic", "separate"),
    "separate",
    "whether the effect is recorded in one event with it, or in the next one",
    plain="separate",
)
ledger_rows.mechanism(
    "ledger",
    ("outside", "substrate"),
    "outside",
    "where the ledger is kept: outside the borrowed server, or on it and lost with it",
    plain="substrate",
)


# -- combinations that make no sense ------------------------------------------------------------
@ledger_rows.rule
def hash_needs_intent(k):
    if k.intent_hash == "on" and k.intent == "off":
        return "intent_hash = on needs intent = on: there is no recorded hash to compare with"
    return None


@ledger_rows.rule
def pin_needs_hash(k):
    if k.on_drift == "pin" and k.intent_hash == "off":
        return "on_drift = pin needs intent_hash = on: nothing notices that a payload has drifted"
    return None


@ledger_rows.rule
def split_look_needs_intent(k):
    if k.look == "split" and (k.replay == "off" or k.intent == "off"):
        return (
            "look = split needs intent = on and replay = on: the ledger is looked at with the "
            "intent, for a replay"
        )
    return None


# -- domains and state --------------------------------------------------------------------------
def row_in_words(row, k):
    if row.state == "none":
        return "no row"
    return f"{row.state} {PAYLOAD.resolve(k).show(row.payload)}"


Row = Record(
    "Row",
    row_in_words,
    state=Enum("none", "intent", "committed", "resolved"),
    payload=PAYLOAD,
)
NO_ROW = Row(state="none", payload=NONE)

LEDGER = ledger_rows.actor("ledger", "store")
ledger_rows.variable("rows", Array(STEP, Row), owner=LEDGER, doc="the ledger's row of each step")
ledger_rows.variable("claimed", Array(STEP, Bool()), owner=LEDGER,
                 doc="whether an open intent claims its step")  # fmt: skip
ledger_rows.variable("effects", Array(STEP, Int(0, 2, lambda n, k: n if n < 2 else "2 or more")),
                 owner=sink, doc="how many effects of a step show; nobody can ask")  # fmt: skip
ledger_rows.variable("shown", Array(STEP, PAYLOAD), owner=sink,
                 doc="the payload of the first effect shown; nobody can ask")  # fmt: skip
ledger_rows.ghost("promised", Array(STEP, PAYLOAD), owner=LEDGER,
              doc="the payload of the first intent, else of the first effect")  # fmt: skip


# -- ledger -------------------------------------------------------------------------------------
def has_row(s, step):
    return s.rows[step].state != "none"


def is_committed(s, step):
    return s.rows[step].state == "committed"


def record_intent(s, step, payload):
    """The first intent makes the row; a later one changes nothing, but claims the step anew."""
    if not has_row(s, step):
        s.rows[step] = Row(state="intent", payload=payload)
        if s.promised[step] == NONE:
            s.promised[step] = payload
    s.claimed[step] = s.claim != "off" and s.rows[step].state == "intent"


def commit_row(s, step, payload):
    """The row is committed and keeps the payload of its intent, if there was one."""
    kept = s.rows[step].payload if has_row(s, step) else payload
    s.rows[step] = Row(state="committed", payload=kept)
    s.claimed[step] = False


def lose_rows(s):
    """A ledger on the borrowed server goes with it."""
    for step in range(s.steps):
        drop_row(s, step)


def drop_row(s, step):
    s.rows[step] = NO_ROW
    s.claimed[step] = False


# -- sink ---------------------------------------------------------------------------------------
def show_effect(s, step, payload):
    """The effect shows, for everybody to see."""
    s.effects[step] = min(s.effects[step] + 1, 2)
    if s.shown[step] == NONE:
        s.shown[step] = payload
    if s.promised[step] == NONE:
        s.promised[step] = payload
