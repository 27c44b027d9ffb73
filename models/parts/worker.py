"""Part `worker`: what a worker does with a step besides letting its effect show.

Before the effect it records an intent, or replays what the ledger says is committed; after it,
it acknowledges. A payload that has drifted and a stale token are events of their own. Its server
can go at any moment.

Readings where the description leaves room: a stale token is refused before anything else is
asked, and a committed row counts before a hash that differs; a stale intent is refused as
`worker.intend_refused`; a crash stands in place of every outcome of its call, and an
acknowledgement that is never sent cannot be lost.
"""

from fencecheck.model import Part, replace
from fencecheck.models.parts.leases import (
    STEP,
    WORKER,
    advance,
    close,
    is_at,
    is_idle,
    is_stale,
    let_go,
    with_step,
)
from fencecheck.models.parts.ledger_rows import (
    has_row,
    is_committed,
    ledger_rows,
    lose_rows,
    record_intent,
)
from fencecheck.models.parts.payloads import NONE, payload_in_words
from fencecheck.models.parts.scheduling import scheduling

worker_part = Part("worker")
worker_part.include(scheduling, ledger_rows)
worker = worker_part.actor("worker")
network = worker_part.actor("network", "interference")
substrate = worker_part.actor("substrate", "interference")
worker_part.mechanism(
    "token_check",
    ("none", "ledger", "sink"),
    "none",
    "who refuses a token that is out of date: nobody, the ledger, the sink",
)
worker_part.mechanism(
    "poison",
    ("off", "ack", "effect"),
    "off",
    "whether step 1 always crashes its worker, in place of its ack or of its effect",
    environment=True,
)


# -- combinations that make no sense ------------------------------------------------------------
@worker_part.rule
def announcements_are_heard(k):
    if k.takeover == "announced" and k.token_check != "sink":
        return "takeover = announced needs token_check = sink: nobody else asks for tokens seen"
    return None


@worker_part.rule
def claims_are_intents(k):
    if k.claim != "off" and k.intent == "off":
        return "claim needs intent = on: it is the intent that claims"
    return None


@worker_part.rule
def token_check_needs_tokens(k):
    if k.token_check != "none" and k.lease != "token":
        return f"token_check = {k.token_check} needs lease = token: there is no token to check"
    return None


# -- words used below ---------------------------------------------------------------------------
def can_replay(s, step, worker):
    """The ledger says, or said with the intent, that the step is committed."""
    if s.look == "split":
        return is_at(s, step, worker, "told")
    before_call = is_at(s, step, worker, "assigned") or is_at(s, step, worker, "intended")
    return s.replay == "on" and is_committed(s, step) and before_call


def must_intend(s, step, worker):
    assigned = is_at(s, step, worker, "assigned")
    return s.intent == "on" and assigned and not can_replay(s, step, worker)


def may_call(s, step, worker):
    """The worker's next event is the effect, whatever comes of it."""
    ready = is_at(s, step, worker, "intended" if s.intent == "on" else "assigned")
    return ready and not can_replay(s, step, worker)


def is_poisoned(s, step, moment):
    return s.poison == moment and step == 0


def ended(s):
    """Every step is closed, and parked only where no attempt could get it done."""
    return all(
        s.status[i] != "open" and (s.status[i] != "parked" or (s.poison != "off" and i == 0))
        for i in range(s.steps)
    )


def ledger_refuses(s, step, worker):
    return s.token_check == "ledger" and is_stale(s, step, worker)


def sink_refuses(s, step, worker):
    return s.token_check == "sink" and s.holds[worker].token < s.seen[step]


def tells_committed(s, step):
    """A split look finds the row committed; that counts before any hash."""
    return s.look == "split" and is_committed(s, step)


def has_drifted(s, step, worker):
    """The payload in hand is not the one recorded, and the design notices."""
    differs = has_row(s, step) and s.rows[step].payload != s.holds[worker].payload
    return s.intent_hash == "on" and differs and not tells_committed(s, step)


# -- worker: intend -----------------------------------------------------------------------------
announce = worker.first_of(step=STEP, worker=WORKER, when=must_intend)


@announce.action(
    when=ledger_refuses,
    fair_by="step",
    label=with_step("may not intend"),
    remark=lambda s, step, worker: stale_in_words(s, step, worker),
    verdict="reject: {why}",
)
def intend_refused(s, step, worker):
    """The ledger refuses the intent of a stale worker."""
    let_go(s, worker)
    return "refused: stale_token"


@announce.action(
    when=lambda s, step, worker: s.claimed[step],
    fair_by="step",
    label=with_step("is turned away from"),
    verdict="reject: {why}",
)
def turned_away(s, step, worker):
    """Another worker has claimed the step."""
    let_go(s, worker)
    return "refused: claimed"


@announce.action(
    when=lambda s, step, worker: s.on_drift == "reject" and has_drifted(s, step, worker),
    fair_by="step",
    label=with_step("finds drift in"),
    remark=lambda s, step, worker: drift_in_words(s, step, worker),
    verdict="reject: {why}",
)
def reject_drift(s, step, worker):
    """The payload is not the one recorded; under the newest token that closes the step."""
    if not is_stale(s, step, worker):
        close(s, step, "rejected")
    let_go(s, worker)
    return "rejected: intent_hash"


@announce.otherwise(fair_by="step", label=with_step("intends"))
def intend(s, step, worker):
    """The worker records its intent; a pinned one goes on with the payload recorded first."""
    drifted = has_drifted(s, step, worker)
    if drifted:
        s.holds[worker] = replace(s.holds[worker], payload=s.rows[step].payload)
    record_intent(s, step, s.holds[worker].payload)
    advance(s, worker, "told" if tells_committed(s, step) else "intended")
    return "pinned" if drifted else None


# -- worker: replay, acknowledge, crash ---------------------------------------------------------
def acknowledge(s, worker):
    s.holds[worker] = replace(s.holds[worker], phase="acking", payload=NONE)


@worker.action(
    step=STEP,
    worker=WORKER,
    fair_by="step",
    when=can_replay,
    label=with_step("replays"),
    verdict="replay",
)
def replay(s, step, worker):
    """The step is committed: the worker takes the stored result."""
    acknowledge(s, worker)
    return "replayed"


def can_ack(s, step, worker):
    return is_at(s, step, worker, "acking") and not is_poisoned(s, step, "ack")


@worker.action(
    step=STEP,
    worker=WORKER,
    fair_by="step",
    when=can_ack,
    label=with_step("acks"),
)
def ack(s, step, worker):
    """The scheduler closes the step as done."""
    close(s, step, "done")
    let_go(s, worker)


@worker.action(
    step=STEP,
    worker=WORKER,
    fair_by="step",
    when=lambda s, step, worker: (
        (is_poisoned(s, step, "effect") and may_call(s, step, worker))
        or (is_poisoned(s, step, "ack") and is_at(s, step, worker, "acking"))
    ),
    label=with_step("crashes on"),
)
def crash(s, step, worker):
    """The step takes its worker down, as it always does."""
    let_go(s, worker)


@network.interference(
    "lost_acks",
    step=STEP,
    worker=WORKER,
    when=can_ack,
    label=lambda s, step, worker: f"lose w{worker + 1}'s ack of s{step + 1}",
)
def lose_ack(s, step, worker):
    """The acknowledgement vanishes; the worker is done, the scheduler learns nothing."""
    let_go(s, worker)


@substrate.interference(
    "revocations",
    worker=WORKER,
    when=lambda s, worker: not is_idle(s, worker) or loses_rows(s),
    label=lambda s, worker: f"revoke w{worker + 1}",
)
def revoke(s, worker):
    """The server goes, with the work in progress and with a ledger kept on it."""
    if s.ledger == "substrate":
        lose_rows(s)
    let_go(s, worker)


def loses_rows(s):
    return s.ledger == "substrate" and any(row.state != "none" for row in s.rows)


# -- words for the diagram ----------------------------------------------------------------------
def stale_in_words(s, step, worker):
    return f"token {s.holds[worker].token} < newest {s.newest[step]}"


def drift_in_words(s, step, worker):
    found, kept = s.holds[worker].payload, s.rows[step].payload
    return f"{payload_in_words(found, s.k)} ≠ {payload_in_words(kept, s.k)}"
