"""Part `effects`: a worker lets the effect of a step show at the sink, and records it.

One call has three outcomes, an effect, a key seen before, a token that is too old; after the
first two comes the commit, in an event of its own or in the same one.

Readings where the description leaves room: with an atomic commit the ledger is asked first, and
a commit that it refuses means that no effect shows.
"""

from fencecheck.model import Part
from fencecheck.models.execution import (
    acknowledge,
    execution,
    is_poisoned,
    ledger_refuses,
    may_call,
    stale_in_words,
)
from fencecheck.models.leases import (
    STEP,
    WORKER,
    advance,
    by_worker,
    is_at,
    let_go,
    show_token,
    worker,
)
from fencecheck.models.outside import LEDGER, commit_row, knows_key, show_effect

effects = Part("effects")
effects.include(execution)


# -- the call, and what comes of it -------------------------------------------------------------
def reaches_sink(s, step, worker):
    """An atomic commit that the ledger refuses takes the effect with it."""
    refused = s.commit == "atomic" and ledger_refuses(s, step, worker)
    return may_call(s, step, worker) and not refused and not is_poisoned(s, step, "effect")


def sink_refuses(s, step, worker):
    return s.token_check == "sink" and s.holds[worker].token < s.seen[step]


def is_known(s, step, worker):
    return knows_key(s, step, s.holds[worker].payload)


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


@worker.action(
    step=STEP,
    worker=WORKER,
    when=lambda s, step, worker: (
        reaches_sink(s, step, worker)
        and not is_known(s, step, worker)
        and not sink_refuses(s, step, worker)
    ),
    label=by_worker("shows effect of"),
)
def effect(s, step, worker):
    """The sink shows an effect."""
    show_effect(s, step, s.holds[worker].payload)
    go_on(s, step, worker)
    show_token(s, worker)
    return "applied"


@worker.action(
    step=STEP,
    worker=WORKER,
    when=lambda s, step, worker: reaches_sink(s, step, worker) and is_known(s, step, worker),
    label=by_worker("is deduplicated on"),
)
def deduped(s, step, worker):
    """The sink knows the key and shows nothing; the worker goes on as after an effect."""
    go_on(s, step, worker)
    show_token(s, worker)
    return "deduped"


@worker.action(
    step=STEP,
    worker=WORKER,
    when=lambda s, step, worker: (
        reaches_sink(s, step, worker)
        and not is_known(s, step, worker)
        and sink_refuses(s, step, worker)
    ),
    label=by_worker("is fenced off"),
    remark=lambda s, step, worker: fenced_in_words(s, step, worker),
)
def fenced(s, step, worker):
    """The sink has seen a newer token and shows nothing."""
    let_go(s, worker)
    return "fenced"


# -- the commit ---------------------------------------------------------------------------------
@worker.action(
    step=STEP,
    worker=WORKER,
    when=lambda s, step, worker: (
        is_at(s, step, worker, "acted") and not ledger_refuses(s, step, worker)
    ),
    label=by_worker("commits"),
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
    when=lambda s, step, worker: must_commit(s, step, worker) and ledger_refuses(s, step, worker),
    label=by_worker("may not commit"),
    remark=lambda s, step, worker: stale_in_words(s, step, worker),
)
def commit_refused(s, step, worker):
    """The ledger refuses the commit of a stale worker."""
    let_go(s, worker)
    return "refused: stale_token"


@LEDGER.interference(
    "failed_commits",
    step=STEP,
    worker=WORKER,
    when=lambda s, step, worker: is_at(s, step, worker, "acted"),
    label=by_worker("cannot commit"),
)
def fail_commit(s, step, worker):
    """The commit does not take, and the worker gives up."""
    let_go(s, worker)


# -- words for the diagram ----------------------------------------------------------------------
def fenced_in_words(s, step, worker):
    return f"token {s.holds[worker].token} < seen {s.seen[step]}"
