"""Part `sink_call`: a worker lets the effect of a step show at the sink.

One call has three outcomes, a key seen before, a token that is too old, an effect; after the
first and the last comes the commit. A sink that has forgotten a key may show its effect again,
and forgets only what it knows.
"""

from fencecheck.model import Part, Record, Set
from fencecheck.models.parts.leases import STEP, Payload, let_go, payload_in_words, window
from fencecheck.models.parts.ledger_rows import show_effect
from fencecheck.models.parts.worker import REJECT, go_on, reaches_sink, sink_refuses, worker_part

sink_call = Part("sink_call", includes=[worker_part])
worker = sink_call.actor("worker", fair_by="step")
sink = sink_call.actor("sink", "store")
sink_call.budget("forgotten_keys", "times the sink's idempotency window passes for a step")
sink_call.mechanisms(
    effect_key="none | step* | step+payload: what the sink deduplicates by: nothing, the step, the "
    "step and its payload",
)


# -- the keys by which it deduplicates ----------------------------------------------------------
def names_payload(k):
    return k.effect_key == "step+payload"


def key_in_words(key, k):
    name = f"s{key.step + 1}"
    return f"{name} {payload_in_words(key.payload, k)}" if names_payload(k) else name


def most_keys(k):
    """As many payloads can come to the sink again, and one is new."""
    places = 2 * k.steps + k.workers + window(k) + 1
    return places if names_payload(k) else k.steps


KEYED = Payload.only(lambda k: ("none", "original", "edit") if names_payload(k) else "none")
SinkKey = Record("SinkKey", key_in_words, step=STEP, payload=KEYED)
sink_call.variable("sink_keys", Set(SinkKey, most_keys), owner=sink,
                   doc="keys the sink deduplicates by")  # fmt: skip


def key_of(s, step, payload):
    return SinkKey(step=step, payload=payload if names_payload(s) else Payload.none)


def may_come(s, key):
    """Tell whether somebody has the payload of a key, or may yet get it."""
    is_known = s.payload[key.step] == key.payload or s.rows[key.step].payload == key.payload
    is_held = any(h.step == key.step and h.payload == key.payload for h in s.holds)
    is_given = any(a.step == key.step and a.payload == key.payload for a in s.handed_out)
    return is_known or is_held or is_given


@sink_call.cleanup()
def drop_keys(s):
    """A key is kept while a call under it can come."""
    if names_payload(s):
        s.sink_keys = {key for key in s.sink_keys if may_come(s, key)}


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
    go_on(s, step, worker)
    return "applied"
