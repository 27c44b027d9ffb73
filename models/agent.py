"""Family `agent`: leased steps of a plan, recorded in a ledger, written to a fenced workspace.

The workspace of family fence stands where family ledger has its sink: a step's effect is its
write. A scheduler hands out the plan's steps in order; what a step was planned against is its
payload; a worker records its intent, and the workspace checks journal, token, revision and hash.

Readings: `dispatch` is the assignment; a step that is rejected waits for a new plan; a plan made
anew does not end a lease; a `full` compensation opens its step again; a rejection under an older
token than the newest changes nothing.
"""

from fencecheck.model import Array, Bool, Model, replace
from fencecheck.models.commits import commits, go_on, reaches_sink
from fencecheck.models.fencing import (
    base_in_words,
    discarded_in_words,
    fencing,
    is_recorded_as,
    is_spurious,
    is_stamped_at,
    key_of_work,
    lost_in_words,
    misfit_in_words,
    misses_content,
    misses_revision,
    name,
    replaces_only,
    spurious_in_words,
    undoes_only,
    untrue_in_words,
)
from fencecheck.models.guarantees import caller, guarantees, has_called
from fencecheck.models.leases import (
    STEP,
    WORKER,
    is_at,
    is_held,
    is_open,
    is_stale,
    let_go,
    show_token,
    with_step,
)
from fencecheck.models.outside import NO_ROW, show_effect
from fencecheck.models.parking import may_resolve, parking, settle
from fencecheck.models.payloads import NONE, ORIGINAL, is_capped
from fencecheck.models.scheduling import hand_out, may_assign
from fencecheck.models.workspace import BASE, file_of, restore, result_of, write
from fencecheck.models.workspace import ORIGINAL as ORIGINAL_CONTENT

model = Model("agent", "Leased steps against a fenced workspace and a ledger")
model.include(fencing, commits, parking, guarantees)
model.lane_order = (
    "human", "tests", "router", "clock", "quota", "substrate", "network",
    "planner", "scheduler", "worker", "workspace", "journal", "ledger", "sink",
)  # fmt: skip
model.one_lane_each = {"worker": "workers"}
planner = model.actor("planner")
scheduler = model.actor("scheduler")
worker = model.actor("worker")
router = model.actor("router", "interference")
tests = model.actor("tests", "interference")

model.mechanism(
    "refusal",
    ("keep", "withdraw"),
    "withdraw",
    "what becomes of an open intent when the workspace rejects its step: it stays, or is withdrawn "
    "so that the next plan can be recorded",
)
model.mechanism(
    "undo",
    ("workspace", "both"),
    "both",
    "what a full compensation takes back: the write and its journal key; the ledger's row as well",
)
model.mechanism(
    "undo_when",
    ("any", "settled"),
    "settled",
    "when failing tests can undo a write: at any moment, or only while no worker holds its step",
)
model.variable("planned", Array(STEP, BASE), lambda k: first_bases(k), owner=planner,
               doc="the base_rev that the plan gave each step")  # fmt: skip
model.variable("turned_down", Array(STEP, Bool()), owner=scheduler,
               doc="whether the workspace rejected a step as it is planned")  # fmt: skip


# -- combinations that make no sense ------------------------------------------------------------
@model.rule
def journal_is_durable(k):
    if k.journal in ("memory", "separate"):
        return (
            f"journal = {k.journal} has no place here: what is recorded in an event of its own is "
            "the ledger; write none or atomic"
        )
    return None


@model.rule
def precondition_is_planned(k):
    if k.precondition == "restamped":
        return (
            "precondition = restamped has no place here: what a step was planned against is the "
            "payload that its intent records; write off or planned"
        )
    return None


@model.rule
def split_check_needs_separate_commit(k):
    if k.check == "split" and k.commit == "atomic":
        return "check = split needs commit = separate: one transaction checks and writes at once"
    return None


@model.rule
def endless_attempts(k):
    if not is_capped(k) and (k.duplicates > 0 or k.poison != "off"):
        what = "duplicates > 0" if k.duplicates > 0 else f"poison = {k.poison}"
        return (
            f"{what} needs a cap on attempts: a step rejected or crashed for ever would leave ever "
            "more assignments and revisions"
        )
    return None


# -- planner ------------------------------------------------------------------------------------
def first_bases(k):
    """The first plan is made at revision 0; what is stamped later is left open."""
    if k.fence == "plan" or (k.fence == "step" and k.stamp != "plan"):
        return (0,) * k.steps
    return tuple(range(k.steps))


def plan(s, drifted):
    """Plan every open step, from the workspace as it is now or as it was at first."""
    offset = 0
    for step in range(s.steps):
        if is_open(s, step):
            before = ORIGINAL_CONTENT if drifted else s.content[file_of(s, step)]
            for earlier in range(step):
                if is_open(s, earlier) and file_of(s, earlier) == file_of(s, step):
                    before = result_of(earlier)
            s.payload[step] = ORIGINAL + before
            s.planned[step] = planned_base(s, offset, drifted)
            s.turned_down[step] = False
            offset += 1


def planned_base(s, offset, drifted):
    """A drifted plan is registered now, but stamps its steps from the first snapshot."""
    if s.fence == "plan":
        return s.rev
    if is_stamped_at(s, "dispatch") or is_stamped_at(s, "exec"):
        return 0
    return offset if drifted else s.rev + offset


@planner.action(when=lambda s: s.replan == "on_reject" and any(down for down in s.turned_down))
def replan(s):
    """The planner plans again from the workspace as it is now."""
    plan(s, False)


@router.interference("swaps", when=lambda s: any(status == "open" for status in s.status))
def swap_model(s):
    """Another model takes over and plans from the workspace as it is now."""
    plan(s, False)


@router.interference("drifts", when=lambda s: any(status == "open" for status in s.status))
def swap_model_drifted(s):
    """Another model takes over and plans from what the workspace was at first."""
    plan(s, True)


# -- scheduler ----------------------------------------------------------------------------------
def is_next(s, step):
    """The first open step of the plan, and not waiting for a new one."""
    return not s.turned_down[step] and all(not is_open(s, j) for j in range(step))


@scheduler.action(
    step=STEP,
    worker=WORKER,
    when=lambda s, step, worker: may_assign(s, step, worker) and is_next(s, step),
    label=lambda s, step, worker: f"assign s{step + 1} to w{worker + 1}",
)
def assign(s, step, worker):
    """A worker gets the step as it is planned, stamped now where the stamp is that late."""
    hand_out(s, step, worker, s.rev if is_stamped_at(s, "dispatch") else s.planned[step])


# -- worker: the call to the workspace ----------------------------------------------------------
def key_in_hand(s, step, worker):
    return key_of_work(s, step, 0, base_in_hand(s, worker))


def base_in_hand(s, worker):
    return s.rev if is_stamped_at(s, "exec") else s.holds[worker].base


def against(hold):
    """The content that a worker's payload was planned against."""
    return hold.payload - ORIGINAL


def calls(s, step, worker):
    """The worker's next event is the call to the workspace, with its checks."""
    return reaches_sink(s, step, worker)


def is_known(s, step, worker):
    return is_recorded_as(s, key_in_hand(s, step, worker))


def is_fenced(s, step, worker):
    return s.token_check == "sink" and s.holds[worker].token < s.seen[step]


def is_misfit(s, step, worker):
    stale = misses_revision(s, base_in_hand(s, worker))
    return stale or misses_content(s, step, s.holds[worker].payload - ORIGINAL)


def is_accepted(s, step, worker):
    known = is_known(s, step, worker) or is_fenced(s, step, worker)
    return calls(s, step, worker) and not known and not is_misfit(s, step, worker)


@worker.action(
    step=STEP,
    worker=WORKER,
    when=lambda s, step, worker: s.check == "split" and is_accepted(s, step, worker),
    label=with_step("has checked"),
)
def check(s, step, worker):
    """The workspace is checked; the write is an event of its own."""
    s.holds[worker] = replace(s.holds[worker], phase="checked", base=base_in_hand(s, worker))


@worker.action(
    step=STEP,
    worker=WORKER,
    when=lambda s, step, worker: (
        is_at(s, step, worker, "checked") or (s.check == "atomic" and is_accepted(s, step, worker))
    ),
    label=with_step("writes"),
)
def effect(s, step, worker):
    """The step's patch is written, and its key with it."""
    if s.journal == "atomic":
        s.keys.add(key_in_hand(s, step, worker))
    write(s, step)
    show_effect(s, step, s.holds[worker].payload)
    go_on(s, step, worker)
    show_token(s, worker)
    return "applied"


@worker.action(
    step=STEP,
    worker=WORKER,
    when=lambda s, step, worker: calls(s, step, worker) and is_known(s, step, worker),
    label=with_step("is deduplicated on"),
)
def deduped(s, step, worker):
    """The journal holds the key: nothing is written, and the worker goes on as after a write."""
    go_on(s, step, worker)
    show_token(s, worker)
    return "deduped"


@worker.action(
    step=STEP,
    worker=WORKER,
    when=lambda s, step, worker: (
        calls(s, step, worker) and not is_known(s, step, worker) and is_fenced(s, step, worker)
    ),
    label=with_step("is fenced off"),
)
def fenced(s, step, worker):
    """The workspace has seen a newer token and takes nothing."""
    let_go(s, worker)
    return "fenced"


@worker.action(
    step=STEP,
    worker=WORKER,
    when=lambda s, step, worker: (
        calls(s, step, worker)
        and not is_known(s, step, worker)
        and not is_fenced(s, step, worker)
        and is_misfit(s, step, worker)
    ),
    label=with_step("is rejected on"),
    remark=lambda s, step, worker: misfit_in_words(
        s, step, base_in_hand(s, worker), against(s.holds[worker])
    ),
)
def reject(s, step, worker):
    """The workspace refuses; under the newest token the step waits for a new plan."""
    stale = misses_revision(s, base_in_hand(s, worker))
    if not is_stale(s, step, worker) and is_open(s, step):
        s.turned_down[step] = True
        s.leased[step] = "unleased"
        if s.refusal == "withdraw" and s.rows[step].state == "intent":
            withdraw(s, step)
    let_go(s, worker)
    return "rejected: stale_rev" if stale else "rejected: pre_hash"


def withdraw(s, step):
    """The row goes; what it promised binds nobody unless it came about."""
    s.rows[step] = NO_ROW
    if s.effects[step] == 0:
        s.promised[step] = NONE


@worker.action(step=STEP, worker=WORKER, when=may_resolve, label=with_step("resolves"))
def resolve(s, step, worker):
    """An idle worker asks the journal what became of an open intent."""
    known = s.journal != "none" and any(key.step == step for key in s.keys)
    settle(s, step, known)
    return "committed" if known else "without effect"


# -- a failing test run -------------------------------------------------------------------------
def may_undo(s):
    return s.checkpoint.taken and (s.undo_when == "any" or not is_held(s, s.checkpoint.step))


@tests.interference("test_failures", when=lambda s: s.compensation != "none" and may_undo(s))
def fail(s):
    """The tests of the last applied step fail, and its write is undone."""
    if s.compensation == "checkpoint" or s.rev == s.checkpoint.rev:
        step = s.checkpoint.step
        restore(s)
        s.effects[step] -= 1
        if s.effects[step] == 0:
            s.shown[step] = NONE
        if s.compensation == "full":
            s.keys = {k for k in s.keys if k.step != step}
            if s.undo == "both":
                withdraw(s, step)
            s.status[step] = "open"
            s.leased[step] = "unleased"
            plan(s, False)


# -- what must hold, beside part guarantees -----------------------------------------------------
def finished(s):
    return all(status != "open" for status in s.status)


model.goal = finished


@model.transition("worker.effect", relevant=["rev"])
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


@model.transition("worker.effect", "tests.fail", relevant=["content"])
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
        return discarded_in_words(before)
    hold = caller(before, after)
    return lost_in_words(before, hold.step, against(hold))


@model.transition("worker.reject")
def truthful_reply(before, after):
    """A step is not rejected under its newest token while its effect is in."""
    return all(
        not has_called(before, after, w)
        or before.holds[w].token < before.newest[before.holds[w].step]
        or not before.effect_in[before.holds[w].step]
        for w in range(before.workers)
    )


@truthful_reply.says
def answered_in_words(before, after):
    return untrue_in_words(caller(before, after).step, "by the workspace")


@model.transition("worker.reject", relevant=["rev", "content"])
def no_spurious_rejection(before, after):
    """A step not applied is not rejected while its file holds what it was planned against."""
    return all(
        not has_called(before, after, w)
        or not is_spurious(before, before.holds[w].step, before.holds[w].payload - ORIGINAL)
        for w in range(before.workers)
    )


@no_spurious_rejection.says
def needless_in_words(before, after):
    return spurious_in_words(before, caller(before, after).step, "by the workspace")


@model.invariant(
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


@model.deadlock(relevant=["status"])
def no_stuck(s):
    """Wherever the system can do nothing more, every step is done, rejected or parked."""
    return finished(s)


@model.possibility(relevant=["status"])
def can_finish(s):
    """The system can always still get every step closed, by its own events alone."""
    return finished(s)


@model.liveness(relevant=["status"])
def finishes(s):
    """Every weakly fair behaviour gets every step closed."""
    return finished(s)


@model.recurrence("planner.replan", "scheduler.requeue", relevant=["status"])
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
