"""Part `sink_call`: a worker lets the effect of a step show at the sink.

One call has three outcomes, a key seen before, a token that is too old, an effect; after the
first and the last comes the commit (part `commits`).
"""

from fencecheck.model import Part
from fencecheck.models.parts.commits import commits, go_on, reaches_sink
from fencecheck.models.parts.leases import STEP, WORKER, let_go, show_token, with_step
from fencecheck.models.parts.ledger_rows import show_effect
from fencecheck.models.parts.sink_keys import knows_key, remember_key, sink_keys
from fencecheck.models.parts.worker import sink_refuses

sink_call = Part("sink_call")
sink_call.include(commits, sink_keys)
worker = sink_call.actor("worker")


# -- the call, and what comes of it -------------------------------------------------------------
call = worker.first_of(step=STEP, worker=WORKER, when=reaches_sink)


@call.action(
    when=lambda s, step, worker: knows_key(s, step, s.holds[worker].payload),
    fair_by="step",
    label=with_step("is deduplicated on"),
    verdict="replay",
)
def deduped(s, step, worker):
    """The sink knows the key and shows nothing; the worker goes on as after an effect."""
    go_on(s, step, worker)
    show_token(s, worker)
    return "deduped"


@call.action(
    when=sink_refuses,
    fair_by="step",
    label=with_step("is fenced off"),
    remark=lambda s, step, worker: fenced_in_words(s, step, worker),
    verdict="reject: {why}",
)
def fenced(s, step, worker):
    """The sink has seen a newer token and shows nothing."""
    let_go(s, worker)
    return "fenced"


@call.otherwise(fair_by="step", label=with_step("shows effect of"), verdict="accept")
def effect(s, step, worker):
    """The sink shows an effect."""
    show_effect(s, step, s.holds[worker].payload)
    remember_key(s, step, s.holds[worker].payload)
    go_on(s, step, worker)
    show_token(s, worker)
    return "applied"


# -- words for the diagram ----------------------------------------------------------------------
def fenced_in_words(s, step, worker):
    return f"token {s.holds[worker].token} < seen {s.seen[step]}"
