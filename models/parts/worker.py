"""Part `worker`: what a worker does with a step besides letting its effect show.

Before the effect it records an intent, or replays what the ledger says is committed; after it,
it records the effect, in an event of its own or in the same one, and acknowledges. A payload that
has drifted and a stale token are events of their own. Its server can go at any moment. Which calls
to the outside there are, and what comes of them, is the family's.

Readings where the description leaves room: a stale token is refused before anything else is
asked, and a committed row counts before a hash that differs; a stale intent is refused as
`worker.intend_refused`; with an atomic commit the ledger is asked first, and a commit that it
refuses means that no effect shows; a crash stands in place of every outcome of its call, and an
acknowledgement that is never sent cannot be lost.
"""

from fencecheck.model import Part
from fencecheck.models.parts import ledger_rows as rows
from fencecheck.models.parts.leases import Payload, close, is_at, is_idle, is_late, is_stale, let_go
from fencecheck.models.parts.scheduling import scheduling

worker_part = Part("worker", includes=[scheduling])
worker = worker_part.actor("worker", fair_by="step")
network = worker_part.actor("network", "interference")
substrate = worker_part.actor("substrate", "interference")
ledger = worker_part.actor("ledger", "store")
worker_part.mechanisms(
    token_check="none* | ledger | sink: who refuses a token that is out of date: nobody, the "
    "ledger, the sink",
    poison="off* | ack | effect, environment: whether step 1 always crashes its worker, in place "
    "of its ack or of its effect",
)


@worker_part.rule
def tokens_are_there(k):
    if k.takeover == "announced" and k.token_check != "sink":
        return "takeover = announced needs token_check = sink: nobody else asks for tokens seen"
    if k.token_check != "none" and k.lease != "token":
        return f"token_check = {k.token_check} needs lease = token: there is no token to check"


# -- what may come next -------------------------------------------------------------------------
def can_replay(s, step, worker):
    """The ledger says, or said with the intent, that the step is committed."""
    if s.look == "split":
        return is_at(s, step, worker, "told")
    before_call = is_at(s, step, worker, "assigned") or is_at(s, step, worker, "intended")
    return s.replay == "on" and rows.is_committed(s, step) and before_call


def must_intend(s, step, worker):
    assigned = is_at(s, step, worker, "assigned")
    return s.intent == "on" and assigned and not can_replay(s, step, worker)


def is_claimed(s, step, worker):
    return s.claimed[step]


def may_call(s, step, worker):
    """The worker's next event is the effect, whatever comes of it."""
    ready = is_at(s, step, worker, "intended" if s.intent == "on" else "assigned")
    return ready and not can_replay(s, step, worker)


def must_crash(s, step, worker):
    """The first step is poisoned and takes its worker down, as it always does."""
    if s.poison == "ack":
        return step == 0 and is_at(s, step, worker, "acking")
    return s.poison == "effect" and step == 0 and may_call(s, step, worker)


def reaches_sink(s, step, worker):
    """An atomic commit that the ledger refuses takes the effect with it."""
    refused = s.commit == "atomic" and ledger_refuses(s, step, worker)
    return may_call(s, step, worker) and not refused and not must_crash(s, step, worker)


def is_unrecorded(s, step, worker):
    """The effect shows, and its commit is an event of its own."""
    return is_at(s, step, worker, "acted")


def can_ack(s, step, worker):
    return is_at(s, step, worker, "acking") and not must_crash(s, step, worker)


def ledger_refuses(s, step, worker):
    return s.token_check == "ledger" and is_stale(s, step, worker)


def sink_refuses(s, step, worker):
    return s.token_check == "sink" and is_late(s, step, worker)


def tells_committed(s, step):
    """A split look finds the row committed; that counts before any hash."""
    return s.look == "split" and rows.is_committed(s, step)


def has_drifted(s, step, worker):
    """The payload in hand is not the one recorded, and the design notices."""
    differs = rows.has_row(s, step) and s.rows[step].payload != s.holds[worker].payload
    return s.intent_hash == "on" and differs and not tells_committed(s, step)


# -- before the effect --------------------------------------------------------------------------
REJECT = "reject: {why}"
STALE = "token {s.holds[worker].token} < newest {s.newest[step]}"
announce = worker.first_of(when=must_intend)


@announce.action(when=ledger_refuses, label="may not intend {step}", remark=STALE, verdict=REJECT)
def intend_refused(s, step, worker):
    """The ledger refuses the intent of a stale worker."""
    let_go(s, worker)
    return "refused: stale_token"


@announce.action(when=is_claimed, label="is turned away from {step}", verdict=REJECT)
def turned_away(s, step, worker):
    """Another worker has claimed the step."""
    let_go(s, worker)
    return "refused: claimed"


@announce.action(
    when=lambda s, step, worker: s.on_drift == "reject" and has_drifted(s, step, worker),
    label="finds drift in {step}",
    remark="{s.holds[worker].payload} ≠ {s.rows[step].payload}",
    verdict=REJECT,
)
def reject_drift(s, step, worker):
    """The payload is not the one recorded; under the newest token that closes the step."""
    if not is_stale(s, step, worker):
        close(s, step, "rejected")
    let_go(s, worker)
    return "rejected: intent_hash"


@announce.otherwise(label="intends {step}")
def intend(s, step, worker):
    """The worker records its intent; a pinned one goes on with the payload recorded first."""
    drifted = has_drifted(s, step, worker)
    if drifted:
        s.holds[worker].payload = s.rows[step].payload
    rows.record_intent(s, step, s.holds[worker].payload)
    s.holds[worker].phase = "told" if tells_committed(s, step) else "intended"
    return "pinned" if drifted else None


@worker.action(when=can_replay, label="replays {step}", verdict="replay")
def replay(s, step, worker):
    """The step is committed: the worker takes the stored result."""
    acknowledge(s, worker)
    return "replayed"


# -- after the effect ---------------------------------------------------------------------------
def go_on(s, step, worker):
    """The sink sees the token; then comes the commit, in the same event if it is atomic."""
    if not is_late(s, step, worker):
        s.seen[step] = s.holds[worker].token
    if s.commit == "atomic":
        record_effect(s, step, worker)
    else:
        s.holds[worker].phase = "acted"


def record_effect(s, step, worker):
    """The ledger records the effect, and the worker has nothing left but to acknowledge."""
    rows.commit_row(s, step, s.holds[worker].payload)
    acknowledge(s, worker)


def acknowledge(s, worker):
    s.holds[worker].phase = "acking"
    s.holds[worker].payload = Payload.none


def must_commit(s, step, worker):
    """The worker's next event writes a committed row."""
    called = may_call(s, step, worker) and not must_crash(s, step, worker)
    return is_unrecorded(s, step, worker) or (s.commit == "atomic" and called)


record = worker.first_of(when=must_commit)


@record.action(when=ledger_refuses, label="may not commit {step}", remark=STALE, verdict=REJECT)
def commit_refused(s, step, worker):
    """The ledger refuses the commit of a stale worker."""
    let_go(s, worker)
    return "refused: stale_token"


@record.action(when=is_unrecorded, label="commits {step}")
def commit(s, step, worker):
    """The ledger records the effect."""
    record_effect(s, step, worker)


@worker.action(when=can_ack, label="acks {step}")
def ack(s, step, worker):
    """The scheduler closes the step as done."""
    close(s, step, "done")
    let_go(s, worker)


# -- what gets in between -----------------------------------------------------------------------
@worker.action(when=must_crash, label="crashes on {step}")
def crash(s, step, worker):
    """The step takes its worker down, as it always does."""
    let_go(s, worker)


@ledger.interference("failed_commits", when=is_unrecorded, label="fail {worker}'s commit of {step}")
def fail_commit(s, step, worker):
    """The commit does not take, and the worker gives up."""
    let_go(s, worker)


@network.interference("lost_acks", when=can_ack, label="lose {worker}'s ack of {step}")
def lose_ack(s, step, worker):
    """The acknowledgement vanishes; the worker is done, the scheduler learns nothing."""
    let_go(s, worker)


def loses_rows(s):
    """The ledger is on a borrowed server, and holds something."""
    return s.ledger == "substrate" and any(row.state != "none" for row in s.rows)


@substrate.interference(
    "revocations",
    when=lambda s, worker: not is_idle(s, worker) or loses_rows(s),
    label="revoke {worker}",
)
def revoke(s, worker):
    """The server goes, with the work in progress and with a ledger kept on it."""
    if s.ledger == "substrate":
        for step in range(s.steps):
            rows.drop_row(s, step)
    let_go(s, worker)
