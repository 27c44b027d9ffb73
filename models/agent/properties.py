"""Part `properties`: what a fenced workspace behind leases promises of writes and rejections.

The transition properties of family fence, asked of whichever worker acts in the event, and when
the work is done. What the ledger and the leases promise is part `effect_properties`.
"""

from fencecheck.model import Part
from fencecheck.models.agent.workspace_call import against, base_in_hand, workspace_call
from fencecheck.models.parts.effect_properties import caller, has_called
from fencecheck.models.parts.payloads import ORIGINAL
from fencecheck.models.parts.stamps import (
    base_in_words,
    discarded_in_words,
    is_untouched,
    lost_in_words,
    name,
    replaces_only,
    spurious_in_words,
    undoes_only,
    untrue_in_words,
)

properties = Part("properties")
properties.include(workspace_call)
CALLS = ("worker.check", "worker.effect", "worker.deduped", "worker.fenced", "worker.reject")


@properties.transition("worker.effect", relevant=["rev"])
def fresh_apply(before, after):
    """The base_rev a step is stamped with equals the revision at its write (P1)."""
    return all(
        not has_called(before, after, w) or base_in_hand(before, w) == before.rev
        for w in range(before.workers)
    )


@fresh_apply.says
def stale_base_in_words(before, after):
    hold = caller(before, after)
    return base_in_words(hold.step, hold.base, before.rev)


@properties.transition("worker.effect", "tests.fail", relevant=["content"])
def no_lost_update(before, after):
    """A write replaces only what its message was planned against, or the step's own result."""
    if after.test_failures < before.test_failures:
        return undoes_only(before, after)
    return all(
        not has_called(before, after, w)
        or replaces_only(before, before.holds[w].step, before.holds[w].payload - ORIGINAL)
        for w in range(before.workers)
    )


@no_lost_update.says
def replaced_in_words(before, after):
    if after.test_failures < before.test_failures:
        return discarded_in_words(before, before.checkpoint.step)
    hold = caller(before, after)
    return lost_in_words(before, hold.step, against(hold))


def comes_again(before, after, worker):
    """The worker calls under the newest token of a step whose effect is in."""
    step = before.holds[worker].step
    newest = before.holds[worker].token == before.newest[step]
    return has_called(before, after, worker) and newest and before.effect_in[step]


@properties.transition(
    "worker.reject",
    trigger=lambda before, after: any(comes_again(before, after, w) for w in range(before.workers)),
    trigger_on=CALLS,
)
def truthful_reply(before, after):
    """A step is not rejected under its newest token while its effect is in."""
    return not any(comes_again(before, after, w) for w in range(before.workers))


@truthful_reply.says
def answered_in_words(before, after):
    return untrue_in_words(caller(before, after).step, "by the workspace")


def fits(before, after, worker):
    """The worker calls for a step not applied, and its file holds what it expects."""
    hold = before.holds[worker]
    untouched = is_untouched(before, hold.step, hold.payload - ORIGINAL)
    return has_called(before, after, worker) and untouched


@properties.transition(
    "worker.reject",
    trigger=lambda before, after: any(fits(before, after, w) for w in range(before.workers)),
    trigger_on=CALLS,
    relevant=["rev", "content"],
)
def no_spurious_rejection(before, after):
    """A step not applied is not rejected while its file holds what it was planned against."""
    return not any(fits(before, after, w) for w in range(before.workers))


@no_spurious_rejection.says
def needless_in_words(before, after):
    return spurious_in_words(before, caller(before, after).step, "by the workspace")


# -- of the steps as a whole --------------------------------------------------------------------
def finished(s):
    return all(status != "open" for status in s.status)


@properties.invariant(
    trigger=lambda s: any(status == "done" for status in s.status), relevant=["status"]
)
def truthful_ack(s):
    """A step closed as done has its effect in."""
    return all(s.status[i] != "done" or s.effect_in[i] for i in range(s.steps))


@truthful_ack.says
def unfounded_in_words(before, after):
    steps = [i for i in range(after.steps) if after.status[i] == "done" and not after.effect_in[i]]
    names = ", ".join(name(i) for i in steps)
    return (
        f"the scheduler holds {names} done, but the effect is not in",
        [["the scheduler says", "done"], ["its effect", "not in"]],
    )


@properties.deadlock(relevant=["status"])
def no_stuck(s):
    """Wherever the system can do nothing more, every step is done, rejected or parked."""
    return finished(s)


@properties.possibility(relevant=["status"])
def can_finish(s):
    """The system can always still get every step closed, by its own events alone."""
    return finished(s)


@properties.liveness(relevant=["status"])
def finishes(s):
    """Every weakly fair behaviour gets every step closed."""
    return finished(s)


@properties.recurrence("planner.replan", "scheduler.requeue", relevant=["status"])
def bounded_retries(s):
    """No step is requeued or planned again for ever."""
    return finished(s)


@no_stuck.says
@can_finish.says
@finishes.says
@bounded_retries.says
def unfinished_in_words(before, after):
    steps = ", ".join(name(i) for i in range(after.steps) if after.status[i] == "open")
    return (
        f"{steps} is still open, and nothing closes it.",
        [["the scheduler says", ", ".join(after.status)], ["it should become", "closed"]],
    )
