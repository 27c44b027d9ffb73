"""The drills of family ledger: its controls, its failures, its failure domains.

The domains are the scripted orders of ``specs/ledger/failure_domains.toml``.
"""

from fencecheck.model import Control, DrillPlan, InjectedFailure

BASE = {
    "intent": "on",
    "intent_hash": "on",
    "on_drift": "pin",
    "replay": "on",
    "effect_key": "step",
    "commit": "separate",
    "lease": "timestamp",
    "reaper": "on",
    "ledger": "outside",
}
REJECTING = {"on_drift": "reject"}
NO_KEY = {"effect_key": "none"}
FENCED = {**NO_KEY, "lease": "token", "token_check": "sink"}
ATOMIC = {**NO_KEY, "commit": "atomic"}
ON_SERVER = {**ATOMIC, "ledger": "substrate"}
REVOKED = {"revocations": "any"}
KEPT = "holds"  # its property, with the control, for any number of the failure that it is for
CONTROLS = (
    Control(
        "intent hash",
        {"intent_hash": "off", **REJECTING},
        "same_payload",
        "worker.reject_drift",
        "reject",
        {"edits": "any", **REVOKED},
        REJECTING,
        KEPT,
    ),
    Control("effect key", NO_KEY, "one_effect", "worker.deduped", "replay", REVOKED, expect=KEPT),
    Control(
        "lease fencing",
        NO_KEY,
        "sink_order",
        "worker.fenced",
        "reject",
        {"expiries": "any"},
        FENCED,
        KEPT,
    ),
    Control(
        "reaper",
        {"reaper": "off"},
        "no_stuck",
        "scheduler.requeue",
        "requeue",
        REVOKED,
        expect=KEPT,
    ),
    Control(
        "replay",
        {**NO_KEY, "replay": "off"},
        "one_effect",
        "worker.replay",
        "replay",
        {"lost_acks": "any"},
        NO_KEY,
        KEPT,
    ),
    Control(
        "ledger placement",
        ON_SERVER,
        "one_effect",
        "worker.replay",
        "replay",
        REVOKED,
        ATOMIC,
        KEPT,
    ),
)

# Two designs: what the second review calls for, and the one of whose switches each is needed.
DESIGNS = {"reject on drift": {**BASE, **REJECTING}, "pin on drift": BASE}

# Who answers for an event (with its outcome) that settles a failure; the most decisive one first.
OWNERS = {
    "worker.intend: pinned": "ledger: the payload recorded first",
    "worker.replay": "ledger: replay",
    "worker.deduped": "sink: effect key",
    "worker.fenced": "sink: fencing token",
    "worker.commit_refused": "ledger: fencing token",
    "worker.intend_refused": "ledger: fencing token",
    "worker.reject_drift": "scheduler: reject, do not retry",
    "scheduler.requeue": "scheduler: re-queue with the same step_id",
    "quota.refill": "quota: wait for the refill",
}


def _at(phase):
    """Return whether the worker that an event is about is in ``phase``; it comes last."""
    return lambda before, args: before.holds[args[-1]].phase == phase


def _after_attempt(before, args):
    """Tell whether an attempt recorded its intent and nobody holds the step any more."""
    held = any(hold.phase != "idle" for hold in before.holds)
    return before.rows[args[0]].state == "intent" and not held


# Each comes any number of times, and what is expected of it holds for that.
FAILURES = (
    InjectedFailure(
        "server gone before the intent", "substrate.revoke", when=_at("assigned"), expect="recovers"
    ),
    InjectedFailure(
        "server gone before the effect", "substrate.revoke", when=_at("intended"), expect="recovers"
    ),
    InjectedFailure(
        "server gone between effect and commit",
        "substrate.revoke",
        when=_at("acted"),
        expect="recovers",
    ),
    InjectedFailure(
        "server gone after the commit", "substrate.revoke", when=_at("acking"), expect="recovers"
    ),
    InjectedFailure(
        "ledger lost with the server",
        "substrate.revoke",
        mechanisms={"ledger": "substrate"},
        when=lambda before, args: any(row.state != "none" for row in before.rows),
        expect="none",
    ),
    InjectedFailure(
        "payload edited between attempts",
        "operator.edit_payload",
        REVOKED,
        when=_after_attempt,
        expect={"reject on drift": "none", "pin on drift": "recovers"},
    ),
    InjectedFailure("lease expired", "clock.expire_lease", expect="recovers"),
    InjectedFailure("quota exhausted", "quota.exhaust", expect="recovers"),
    InjectedFailure(
        "the sink's key window passed",
        "sink.forget_keys",
        REVOKED,
        when=_after_attempt,
        expect="none",
    ),
    InjectedFailure("commit failed", "ledger.fail_commit", expect="recovers"),
    InjectedFailure("acknowledgement lost", "network.lose_ack", expect="recovers"),
)

# By what a failure of each domain is detected, and whose the recovery is.
NO_REPLY = ("intent committed, no reply", "ledger replay, dedupe by effect key")
DOMAINS = {
    "step identity": ("intent hash mismatch", "scheduler: reject, do not retry"),
    "effect, killed after the commit": NO_REPLY,
    "effect, killed before the commit": NO_REPLY,
    "clock": ("monotonic gap against the lease", "fencing token, never a timestamp"),
    "substrate": ("missing heartbeat, open intent", "re-queue with the same step_id"),
}
DOMAIN_SPEC = "ledger/failure_domains"
drill = DrillPlan(BASE, CONTROLS, DESIGNS, FAILURES, OWNERS, DOMAIN_SPEC, DOMAINS)
