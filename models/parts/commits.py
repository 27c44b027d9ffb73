"""Part `commits`: a worker records in the ledger what it has called the outside for.

In an event of its own after the call, or in the same one. Which calls there are, and what comes of
them, is another part's: `effects` for a sink, family agent for a workspace.

Readings where the description leaves room: with an atomic commit the ledger is asked first, and
a commit that it refuses means that no effect shows.
"""

from fencecheck.model import Part
from fencecheck.models.parts.leases import STEP, WORKER, advance, is_at, let_go, with_step
from fencecheck.models.parts.ledger_rows import commit_row
from fencecheck.models.parts.worker import (
    acknowledge,
    is_poisoned,
    ledger_refuses,
    may_call,
    stale_in_words,
    worker_part,
)

commits = Part("commits")
commits.include(worker_part)
worker = commits.actor("worker")
ledger = commits.actor("ledger", "store")


# -- the call -----------------------------------------------------------------------------------
def reaches_sink(s, step, worker):
    """An atomic commit that the ledger refuses takes the effect with it."""
    refused = s.commit == "atomic" and ledger_refuses(s, step, worker)
    return may_call(s, step, worker) and not refused and not is_poisoned(s, step, "effect")


def record_effect(s, step, worker):
    """The ledger records the effect, and the worker has nothing left but to acknowledge."""
    commit_row(s, step, s.holds[worker].payload)
    acknowledge(s, worker)


def go_on(s, step, worker):
    """After the call comes the commit, in the same event if it is atomic."""
    if s.commit == "atomic":
        record_effect(s, step, worker)
    else:
        advance(s, worker, "acted")


# -- the commit ---------------------------------------------------------------------------------
@worker.action(
    step=STEP,
    worker=WORKER,
    fair_by="step",
    when=lambda s, step, worker: (
        is_at(s, step, worker, "acted") and not ledger_refuses(s, step, worker)
    ),
    label=with_step("commits"),
)
def commit(s, step, worker):
    """The ledger records the effect."""
    record_effect(s, step, worker)


def must_commit(s, step, worker):
    """The worker's next event writes a committed row."""
    called = may_call(s, step, worker) and not is_poisoned(s, step, "effect")
    return is_at(s, step, worker, "acted") or (s.commit == "atomic" and called)


@worker.action(
    step=STEP,
    worker=WORKER,
    fair_by="step",
    when=lambda s, step, worker: must_commit(s, step, worker) and ledger_refuses(s, step, worker),
    label=with_step("may not commit"),
    remark=lambda s, step, worker: stale_in_words(s, step, worker),
    verdict="reject: {why}",
)
def commit_refused(s, step, worker):
    """The ledger refuses the commit of a stale worker."""
    let_go(s, worker)
    return "refused: stale_token"


@ledger.interference(
    "failed_commits",
    step=STEP,
    worker=WORKER,
    when=lambda s, step, worker: is_at(s, step, worker, "acted"),
    label=lambda s, step, worker: f"fail w{worker + 1}'s commit of s{step + 1}",
)
def fail_commit(s, step, worker):
    """The commit does not take, and the worker gives up."""
    let_go(s, worker)
