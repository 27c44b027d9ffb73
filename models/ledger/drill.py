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

# With every control its property holds for any number of the failure that it is for.
KEPT = "holds"
CONTROLS = (
    Control(
        "intent hash",
        {"intent_hash": "off", "on_drift": "reject"},
        {"on_drift": "reject"},
        {"edits": "any", "revocations": "any"},
        "same_payload",
        "worker.reject_drift",
        "reject",
        KEPT,
    ),
    Control(
        "effect key",
        NO_KEY,
        {},
        {"revocations": "any"},
        "one_effect",
        "worker.deduped",
        "replay",
        KEPT,
    ),
    Control(
        "lease fencing",
        NO_KEY,
        {**NO_KEY, "lease": "token", "token_check": "sink"},
        {"expiries": "any"},
        "sink_order",
        "worker.fenced",
        "reject",
        KEPT,
    ),
    Control(
        "reaper",
        {"reaper": "off"},
        {},
        {"revocations": "any"},
        "no_stuck",
        "scheduler.requeue",
        "requeue",
        KEPT,
    ),
    Control(
        "replay",
        {**NO_KEY, "replay": "off"},
        NO_KEY,
        {"lost_acks": "any"},
        "one_effect",
        "worker.replay",
        "replay",
        KEPT,
    ),
    Control(
        "ledger placement",
        {**NO_KEY, "commit": "atomic", "ledger": "substrate"},
        {**NO_KEY, "commit": "atomic"},
        {"revocations": "any"},
        "one_effect",
        "worker.replay",
        "replay",
        KEPT,
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


# Each comes any number of times, and what is said of it holds for that.
FAILURES = (
    InjectedFailure(
        "server gone before the intent",
        "substrate.revoke",
        {"revocations": "any"},
        when=_at("assigned"),
        expect="recovers",
    ),
    InjectedFailure(
        "server gone before the effect",
        "substrate.revoke",
        {"revocations": "any"},
        when=_at("intended"),
        expect="recovers",
    ),
    InjectedFailure(
        "server gone between effect and commit",
        "substrate.revoke",
        {"revocations": "any"},
        when=_at("acted"),
        expect="recovers",
    ),
    InjectedFailure(
        "server gone after the commit",
        "substrate.revoke",
        {"revocations": "any"},
        when=_at("acking"),
        expect="recovers",
    ),
    InjectedFailure(
        "ledger lost with the server",
        "substrate.revoke",
        {"revocations": "any"},
        {"ledger": "substrate"},
        _loses_row,
        "none",
    ),
    InjectedFailure(
        "payload edited between attempts",
        "operator.edit_payload",
        {"edits": "any", "revocations": "any"},
        when=_after_attempt,
        expect={"reject on drift": "none", "pin on drift": "recovers"},
    ),
    InjectedFailure("lease expired", "clock.expire_lease", {"expiries": "any"}, expect="recovers"),
    InjectedFailure("quota exhausted", "quota.exhaust", {"exhaustions": "any"}, expect="recovers"),
    InjectedFailure(
        "the sink's key window passed",
        "sink.forget_keys",
        {"forgotten_keys": "any", "revocations": "any"},
        when=_after_attempt,
        expect="none",
    ),
    InjectedFailure(
        "commit failed", "ledger.fail_commit", {"failed_commits": "any"}, expect="recovers"
    ),
    InjectedFailure(
        "acknowledgement lost", "network.lose_ack", {"lost_acks": "any"}, expect="recovers"
    ),
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
