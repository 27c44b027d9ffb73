"""Part `sink_call`: a worker lets the effect of a step show at the sink.

One call has three outcomes, a key seen before, a token that is too old, an effect; after the
first and the last comes the commit. A sink that has forgotten a key may show its effect again,
and forgets only what it knows.
"""

from fencecheck.model import Int, Part, Record, Set
from fencecheck.models.parts.leases import STEP, let_go, show_token
from fencecheck.models.parts.ledger_rows import show_effect
from fencecheck.models.parts.worker import REJECT, go_on, reaches_sink, sink_refuses, worker_part

sink_call = Part("sink_call")
sink_call.include(worker_part)
worker = sink_call.actor("worker", fair_by="step")
sink = sink_call.actor("sink", "store")
sink_call.budget("forgotten_keys", "times the sink's idempotency window passes for a step")
# fmt: off
sink_call.mechanism(
    "effect_key", ("none", "step", "step+payload"), "step",
    "what the sink deduplicates by: nothing, the step, the step and its payload")
# fmt: on


# -- the keys by which it deduplicates ----------------------------------------------------------
def has_versions(k):
    return k.effect_key == "step+payload"


def key_in_words(key, k):
    edit = f"edit {key.version}" if key.version else "original"
    return f"s{key.step + 1} {edit}" if has_versions(k) else f"s{key.step + 1}"


SinkKey = Record("SinkKey", key_in_words, step=STEP,
                 version=Int(0, lambda k: k.edits if has_versions(k) else 0))  # fmt: skip
sink_call.variable("sink_keys", Set(SinkKey), owner=sink, doc="keys the sink deduplicates by")


def key_of(s, step, payload):
    return SinkKey(step=step, version=payload.version if s.effect_key == "step+payload" else 0)


def knows_key(s, step, payload):
    return s.effect_key != "none" and key_of(s, step, payload) in s.sink_keys


@sink.interference(
    "forgotten_keys",
    when=lambda s, step: any(key.step == step for key in s.sink_keys),
    label="forget the keys of {step}",
)
def forget_keys(s, step):
    """The sink's idempotency window for the step has passed."""
    s.sink_keys = {key for key in s.sink_keys if key.step != step}


# -- the call, and what comes of it -------------------------------------------------------------
call = worker.first_of(when=reaches_sink)


@call.action(
    when=lambda s, step, worker: knows_key(s, step, s.holds[worker].payload),
    label="is deduplicated on {step}",
    verdict="replay",
)
def deduped(s, step, worker):
    """The sink knows the key and shows nothing; the worker goes on as after an effect."""
    show_token(s, step, worker)
    go_on(s, step, worker)
    return "deduped"


@call.action(
    when=sink_refuses,
    label="is fenced off {step}",
    remark="token {s.holds[worker].token} < seen {s.seen[step]}",
    verdict=REJECT,
)
def fenced(s, step, worker):
    """The sink has seen a newer token and shows nothing."""
    let_go(s, worker)
    return "fenced"


@call.otherwise(label="shows effect of {step}", verdict="accept")
def effect(s, step, worker):
    """The sink shows an effect."""
    show_effect(s, step, s.holds[worker].payload)
    if s.effect_key != "none":
        s.sink_keys.add(key_of(s, step, s.holds[worker].payload))
    show_token(s, step, worker)
    go_on(s, step, worker)
    return "applied"
