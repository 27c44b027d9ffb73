"""Part `properties`: what must hold of the steps of family fence, and what a design costs.

P1 to P3 look at stamps only, and a stamp can be made true by stamping late; the others look at
what happened, through ghosts that no mechanism may read.
"""

from fencecheck.model import Part
from fencecheck.models.fence.state import aim_of, finished, is_idle, request_travels, state
from fencecheck.models.parts import stamps
from fencecheck.models.parts.workspace import STEP, is_durable

properties = Part("properties", includes=[state])
WRITES = ("executor.apply", "executor.write")
TAKES = ("executor.apply", "executor.check", "executor.replay", "executor.reject")


# -- of stamps ----------------------------------------------------------------------------------
stamped_in_words = properties.says(
    "{after.work.step} was stamped with base {after.work.base}, and written at revision "
    "{before.rev}",
    {"base of the step": "{after.work.base}", "revision at the write": "{before.rev}"},
)


@stamped_in_words
@properties.transition(*WRITES, relevant=["rev"])
def fresh_apply(before, after):
    """The base_rev a step is stamped with equals the revision at its write (P1)."""
    return after.work.base == before.rev


@stamped_in_words
@properties.transition(*WRITES, relevant=["rev"])
def no_future_base(before, after):
    """The base_rev a step is stamped with is not above the revision at its write (P3)."""
    return after.work.base <= before.rev


# -- of the journal -----------------------------------------------------------------------------
kept_in_words = properties.says(
    "of the keys {before.keys} the journal remembers {after.keys}",
    {"keys before": "{before.keys}", "keys after": "{after.keys}"},
)


@kept_in_words
@properties.transition(trigger=lambda before, after: len(before.keys) > 0, relevant=["keys"])
def journal_append_only(before, after):
    """No recorded key disappears (P2)."""
    return before.keys <= after.keys


def still_needed(before, after, key):
    """By a step not done or work under way; a compensation's step only by a request in flight."""
    if stamps.is_undone(before, after):
        return any(m.step == key.step for m in after.requests)
    return after.view[key.step] != "done" or request_travels(after, key.step)


def may_lose_keys(before, after):
    """Keys are there as an executor vanishes or tests fail, or while maintenance can come."""
    vanished = not is_idle(before) and is_idle(after) and len(after.replies) == len(before.replies)
    lost = vanished or stamps.is_undone(before, after) or not before.keys <= after.keys
    return len(before.keys) > 0 and (lost or before.truncations > 0)


@kept_in_words
@properties.transition(trigger=may_lose_keys, relevant=["keys"])
def journal_covers(before, after):
    """No key disappears that a step not done or a request under way could still need."""
    return all(k in after.keys or not still_needed(before, after, k) for k in before.keys)


# -- of writes ----------------------------------------------------------------------------------
def is_written_or_refused(s):
    """Something was written, or the plan is one that admission refuses."""
    return s.refused or any(s.effect_in)


def is_cleaned_up(before, after, step):
    """The event that is asked about is the client's, and puts the file of this step back."""
    return before.view[step] == "sent" and after.view[step] == "rejected"


@properties.transition(
    *WRITES, "client.clean_up", "tests.fail", trigger=is_written_or_refused, relevant=["content"]
)
def no_lost_update(before, after):
    """A write replaces only what its message was planned against, or the step's own result."""
    if after.rev == before.rev:
        return True
    if stamps.is_undone(before, after):
        return stamps.undoes_only(before)
    for step in range(before.steps):
        if is_cleaned_up(before, after, step):
            return stamps.replaces_only(before, step, before.stamp_of[step].pre)
    return stamps.replaces_only(before, after.work.step, aim_of(after, after.work))


@no_lost_update.says
def replaced_in_words(before, after):
    cleaned = [step for step in range(after.steps) if is_cleaned_up(before, after, step)]
    if stamps.is_undone(before, after):
        cleaned = [before.checkpoint.step]
    if cleaned:
        return stamps.discarded_in_words(before, cleaned[0])
    return stamps.lost_in_words(before, after.work.step, aim_of(after, after.work))


@properties.says(
    "{after.work.step} was applied again, while its effect was in",
    {"effect before the write": "in", "effect it may be applied on": "not in"},
)
@properties.once
@properties.transition(*WRITES, relevant=["content", "keys"])
def at_most_once(before, after):
    """A step is written only while its effect is not in."""
    return not before.effect_in[after.work.step]


# -- of what is answered, and believed ----------------------------------------------------------
def comes_again(before, after):
    """The request taken is of the current generation, and the step's effect is in."""
    return after.work.current and before.effect_in[after.work.step]


@properties.says(
    "{after.work.step} was rejected ({after.phase.answering}), although its effect is in",
    {"the reply says": "{after.phase.answering}", "effect of the step": "in"},
)
@properties.transition(
    "executor.reject", trigger=comes_again, trigger_on=TAKES, relevant=["content", "keys"]
)
def truthful_reply(before, after):
    """A request of the current generation is not rejected while the step's effect is in."""
    return not comes_again(before, after)


def fits(before, after):
    """The request taken is of a step not applied, and its file has what it expects."""
    return stamps.is_untouched(before, after.work.step, aim_of(after, after.work))


@properties.says(
    "{after.work.step} was rejected ({after.phase.answering}), although its file holds what it "
    "was planned against",
    {"the reply says": "{after.phase.answering}", "the file holds": "what the step expects"},
)
@properties.transition(
    "executor.reject", trigger=fits, trigger_on=TAKES, relevant=["rev", "content"]
)
def no_spurious_rejection(before, after):
    """A step not applied is not rejected while its file holds what it was planned against."""
    return not fits(before, after)


@properties.says(
    "the client holds {step} done, but the effect is not in",
    {"the client holds it": "done", "its effect": "not in"},
)
@properties.invariant(step=STEP, trigger=lambda s, step: s.view[step] == "done")
def truthful_ack(s, step):
    """A step that the client holds done has its effect in."""
    return s.view[step] != "done" or s.effect_in[step]


# -- of the steps as a whole --------------------------------------------------------------------
@properties.says(
    "nothing more can happen, and the client holds its steps {s.view}",
    {"the client holds": "{s.view}", "it should hold": "every step done"},
)
@properties.deadlock()
def no_stuck(s):
    """Wherever the system can do nothing more, every step is done or refused at admission."""
    return finished(s)


@properties.possibility()
def can_finish(s):
    """The system can always still get every step done or refused, by its own events alone."""
    return finished(s)


@properties.liveness()
def finishes(s):
    """Every weakly fair behaviour gets every step done or refused."""
    return finished(s)


# -- what a design costs ------------------------------------------------------------------------
@properties.cost("durable writes per step", per="steps")
def durable_writes(before, event, after):
    """A patch, and a journal record unless it is written in the same event."""
    recorded = is_durable(before) and before.keys != after.keys
    return 1 if before.rev != after.rev or recorded else 0


@properties.cost("stamps per step", per="steps")
def late_stamps(before, event, after):
    """A step's base_rev is read from the workspace as it is sent or executed, not with the plan."""
    late = {"dispatch": ("client.dispatch", "client.retry"), "exec": ("executor.apply",)}
    return 1 if before.fence == "step" and event in late.get(before.stamp, ()) else 0


@properties.cost("re-plans of an undisturbed run")
def replans(before, event, after):
    """A plan made again although nothing came in between."""
    return 1 if event == "planner.replan" else 0
