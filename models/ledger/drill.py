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
NO_KEY = {"effect_key": "none"}
CONTROLS = (
    Control(
        "intent hash",
        {"intent_hash": "off", "on_drift": "reject"},
        {"on_drift": "reject"},
        {"edits": 1, "revocations": 1},
        "same_payload",
        "worker.reject_drift",
        "reject",
    ),
    Control("effect key", NO_KEY, {}, {"revocations": 1}, "one_effect", "worker.deduped", "replay"),
    Control(
        "lease fencing",
        NO_KEY,
        {**NO_KEY, "lease": "token", "token_check": "sink"},
        {"expiries": 1},
        "sink_order",
        "worker.fenced",
        "reject",
    ),
    Control(
        "reaper",
        {"reaper": "off"},
        {},
        {"revocations": 1},
        "no_stuck",
        "scheduler.requeue",
        "requeue",
    ),
    Control(
        "replay",
        {**NO_KEY, "replay": "off"},
        NO_KEY,
        {"lost_acks": 1},
        "one_effect",
        "worker.replay",
        "replay",
    ),
    Control(
        "ledger placement",
        {**NO_KEY, "commit": "atomic", "ledger": "substrate"},
        {**NO_KEY, "commit": "atomic"},
        {"revocations": 1},
        "one_effect",
        "worker.replay",
        "replay",
    ),
)

# Two designs: what the second review calls for, and the one of whose switches each is needed.
DESIGNS = {"reject on drift": {**BASE, "on_drift": "reject"}, "pin on drift": BASE}

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

    def is_there(before, args):
        return bool(before.holds[args[-1]].phase == phase)

    return is_there


def _after_attempt(before, args):
    """Tell whether an attempt recorded its intent and nobody holds the step any more."""
    held = any(hold.phase != "idle" for hold in before.holds)
    return bool(before.rows[args[0]].state == "intent") and not held


def _loses_row(before, args):
    return any(row.state != "none" for row in before.rows)


FAILURES = (
    InjectedFailure(
        "server gone before the intent",
        "substrate.revoke",
        {"revocations": 1},
        when=_at("assigned"),
    ),
    InjectedFailure(
        "server gone before the effect",
        "substrate.revoke",
        {"revocations": 1},
        when=_at("intended"),
    ),
    InjectedFailure(
        "server gone between effect and commit",
        "substrate.revoke",
        {"revocations": 1},
        when=_at("acted"),
    ),
    InjectedFailure(
        "server gone after the commit", "substrate.revoke", {"revocations": 1}, when=_at("acking")
    ),
    InjectedFailure(
        "ledger lost with the server",
        "substrate.revoke",
        {"revocations": 1},
        {"ledger": "substrate"},
        _loses_row,
    ),
    InjectedFailure(
        "payload edited between attempts",
        "operator.edit_payload",
        {"edits": 1, "revocations": 1},
        when=_after_attempt,
    ),
    InjectedFailure("lease expired", "clock.expire_lease", {"expiries": 1}),
    InjectedFailure("quota exhausted", "quota.exhaust", {"exhaustions": 1}),
    InjectedFailure(
        "the sink's key window passed",
        "sink.forget_keys",
        {"forgotten_keys": 1, "revocations": 1},
        when=_after_attempt,
    ),
    InjectedFailure("commit failed", "ledger.fail_commit", {"failed_commits": 1}),
    InjectedFailure("acknowledgement lost", "network.lose_ack", {"lost_acks": 1}),
)

# By what a failure of each domain is detected, and whose the recovery is.
DOMAINS = {
    "step identity": ("intent hash mismatch", "scheduler: reject, do not retry"),
    "effect, killed after the commit": (
        "intent committed, no reply",
        "ledger replay, dedupe by effect key",
    ),
    "effect, killed before the commit": (
        "intent committed, no reply",
        "ledger replay, dedupe by effect key",
    ),
    "clock": ("monotonic gap against the lease", "fencing token, never a timestamp"),
    "substrate": ("missing heartbeat, open intent", "re-queue with the same step_id"),
}
DOMAIN_SPEC = "ledger/failure_domains"
drill = DrillPlan(BASE, CONTROLS, DESIGNS, FAILURES, OWNERS, DOMAIN_SPEC, DOMAINS)
