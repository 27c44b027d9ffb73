"""Part `sink_keys`: the keys by which a sink deduplicates, and the window after which they go.

Needs parts `leases` and `ledger_rows`. A sink that has forgotten a key may show its effect again,
and forgets only what it knows. Who calls the sink, and what a known key leads to, is part
`sink_call`.
"""

from fencecheck.model import Int, Part, Record, Set
from fencecheck.models.parts.leases import STEP
from fencecheck.models.parts.payloads import NONE, PAYLOAD, last_payload

sink_keys = Part("sink_keys")
sink_keys.budget("forgotten_keys", "times the sink's idempotency window passes for a step")
sink_keys.mechanism(
    "effect_key",
    ("none", "step", "step+payload"),
    "step",
    "what the sink deduplicates by: nothing, the step, the step and its payload",
)
sink = sink_keys.actor("sink", "store")


# -- domains and state --------------------------------------------------------------------------
def key_in_words(key, k):
    name = f"s{key.step + 1}"
    return name if key.payload == NONE else f"{name} {PAYLOAD.resolve(k).show(key.payload)}"


SinkKey = Record(
    "SinkKey",
    key_in_words,
    step=STEP,
    payload=Int(0, lambda k: last_payload(k) if k.effect_key == "step+payload" else NONE),
)

sink_keys.variable("sink_keys", Set(SinkKey), owner=sink, doc="keys the sink deduplicates by")


def key_of(s, step, payload):
    return SinkKey(step=step, payload=payload if s.effect_key == "step+payload" else NONE)


def knows_key(s, step, payload):
    return s.effect_key != "none" and key_of(s, step, payload) in s.sink_keys


def remember_key(s, step, payload):
    if s.effect_key != "none":
        s.sink_keys.add(key_of(s, step, payload))


# -- the window ---------------------------------------------------------------------------------
@sink.interference(
    "forgotten_keys",
    step=STEP,
    when=lambda s, step: any(k.step == step for k in s.sink_keys),
    label=lambda s, step: f"forget the keys of s{step + 1}",
)
def forget_keys(s, step):
    """The sink's idempotency window for the step has passed."""
    s.sink_keys = {k for k in s.sink_keys if k.step != step}
