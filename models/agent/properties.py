"""Part `properties`: what a fenced workspace behind leases promises of writes and rejections.

The transition properties of family fence, asked of whichever worker acts in the event. What the
ledger and the leases promise, and that all gets done, is part `effect_properties`.
"""

from fencecheck.model import Part
from fencecheck.models.agent.workspace_call import base_in_hand, workspace_call
from fencecheck.models.parts import stamps
from fencecheck.models.parts.effect_properties import effect_properties, finished, still_open
from fencecheck.models.parts.leases import STEP

properties = Part("properties", includes=[workspace_call, effect_properties])
CALLS = ("worker.check", "worker.effect", "worker.deduped", "worker.fenced", "worker.reject")


@properties.says(
    "{step} was stamped with base {before.holds[worker].base}, and written at {before.rev}",
    {"base of the step": "{before.holds[worker].base}", "revision at the write": "{before.rev}"},
)
@properties.transition("worker.effect", relevant=["rev"])
def fresh_apply(before, after, worker):
    """The base_rev a step is stamped with equals the revision at its write (P1)."""
    return base_in_hand(before, worker) == before.rev


@properties.transition("worker.effect", "tests.fail", relevant=["content"])
def no_lost_update(before, after):
    """A write replaces only what its message was planned against, or the step's own result."""
    if stamps.is_undone(before, after):
        return stamps.undoes_only(before)
    lost = sum(
        1
        for w in range(before.workers)
        if before.holds[w] != after.holds[w]
        and not stamps.replaces_only(before, before.holds[w].step, before.holds[w].payload.against)
    )
    return lost == 0


@no_lost_update.says
def replaced_in_words(before, after):
    if stamps.is_undone(before, after):
        return stamps.discarded_in_words(before, before.checkpoint.step)
    hold = next(h for h, then in zip(before.holds, after.holds, strict=True) if h != then)
    return stamps.lost_in_words(before, hold.step, hold.payload.against)


def comes_again(before, after, step, worker):
    """The worker calls under the newest token of a step whose effect is in."""
    return before.holds[worker].token == before.newest[step] and before.effect_in[step]


@properties.says(
    "{step} was rejected by the workspace, although its effect is in",
    {"the workspace says": "rejected", "effect of the step": "in"},
)
@properties.transition("worker.reject", trigger=comes_again, trigger_on=CALLS)
def truthful_reply(before, after, step, worker):
    """A step is not rejected under its newest token while its effect is in."""
    return not comes_again(before, after, step, worker)


def fits(before, after, step, worker):
    """The worker calls for a step not applied, and its file has what it expects."""
    return stamps.is_untouched(before, step, before.holds[worker].payload.against)


@properties.says(
    "{step} was rejected by the workspace, although its file holds what it was planned against",
    {"the workspace says": "rejected", "the file holds": "what the step expects"},
)
@properties.transition("worker.reject", trigger=fits, trigger_on=CALLS, relevant=["rev", "content"])
def no_spurious_rejection(before, after, step, worker):
    """A step not applied is not rejected while its file holds what it was planned against."""
    return not fits(before, after, step, worker)


# -- of the steps as a whole --------------------------------------------------------------------
@properties.says(
    "the scheduler holds it done, but its effect is not in",
    {"the scheduler says": "done", "its effect": "not in"},
)
@properties.invariant(
    step=STEP, trigger=lambda s, step: s.status[step] == "done", relevant=["status"]
)
def truthful_ack(s, step):
    """A step closed as done has its effect in."""
    return s.status[step] != "done" or s.effect_in[step]


@properties.says(still_open)
@properties.recurrence("planner.replan", "scheduler.requeue", relevant=["status"])
def bounded_retries(s):
    """No step is requeued or planned again for ever."""
    return finished(s)
