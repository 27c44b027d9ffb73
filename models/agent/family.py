"""Family `agent`: leased steps of a plan, recorded in a ledger, written to a fenced workspace.

The workspace of family fence stands where family ledger has its sink: a step's effect is its
write. A scheduler hands out the plan's steps in order; what a step was planned against is its
payload; a worker records its intent, and the workspace checks journal, token, revision and hash.
Here are the plan behind the leases, who gets its steps, and what takes them back: the planner,
another model in its place, the scheduler, a worker that asks the journal, and tests that fail.

Readings: `dispatch` is the assignment; a step that is rejected waits for a new plan; a plan made
anew does not end a lease; a `full` compensation opens its step again. The parts say theirs.
"""

from fencecheck.model import Array, Model
from fencecheck.models.agent.properties import properties
from fencecheck.models.agent.workspace_call import withdraw, workspace_call
from fencecheck.models.parts import workspace
from fencecheck.models.parts.effect_properties import ended, finished
from fencecheck.models.parts.leases import STEP, Payload, is_held, is_open
from fencecheck.models.parts.scheduling import hand_out, may_assign, may_resolve, settle
from fencecheck.models.parts.stamps import is_stamped_at, planned_base, undone_in_words

model = Model("agent", "Leased steps against a fenced workspace and a ledger")
model.include(workspace_call, properties)
model.goal, model.end = finished, ended
model.lane_order = (
    "human", "tests", "router", "clock", "quota", "substrate", "network",
    "planner", "scheduler", "worker", "workspace", "journal", "ledger", "sink",
)  # fmt: skip
model.one_lane_each = {"worker": "workers"}
planner = model.actor("planner")
scheduler = model.actor("scheduler", fair_by="step")
worker = model.actor("worker", fair_by="step")
human = model.actor("human", "interference")
router = model.actor("router", "interference")
tests = model.actor("tests", "interference")
model.mechanisms(
    undo="workspace | both*: what a full compensation takes back: the write and its journal key; "
    "the ledger's row as well",
    undo_when="any | settled*: when failing tests can undo a write: at any moment, or only while "
    "no worker holds its step",
)


@model.rule
def endless_attempts(k):
    if k.attempts == "none" and (k.duplicates > 0 or k.poison != "off"):
        what = "duplicates > 0" if k.duplicates > 0 else f"poison = {k.poison}"
        return f"{what} needs a cap on attempts: a step can be rejected or crash for ever"


# -- planner ------------------------------------------------------------------------------------
model.variable("planned", Array(STEP, workspace.BASE), owner=planner,
               doc="the base_rev that the plan gave each step")  # fmt: skip


@model.initial()
def plan(s, drifted=False):
    """Plan every open step, from the workspace as it is now or as it was at first."""
    offset = 0
    for step in range(s.steps):
        if is_open(s, step):
            file = workspace.file_of(s, step)
            before = workspace.ORIGINAL if drifted else s.content[file]
            for earlier in range(step):
                if is_open(s, earlier) and workspace.file_of(s, earlier) == file:
                    before = workspace.Content.result_of(earlier)
            s.payload[step] = Payload.against(before)
            s.planned[step] = planned_base(s, offset, drifted)
            s.turned_down[step] = False
            offset += 1


@planner.action(when=lambda s: s.replan == "on_reject" and any(down for down in s.turned_down))
def replan(s):
    """The planner plans again from the workspace as it is now."""
    plan(s)


def is_unfinished(s):
    return any(status == "open" for status in s.status)


@router.interference("swaps", when=is_unfinished)
def swap_model(s):
    """Another model takes over and plans from the workspace as it is now."""
    plan(s)


@router.interference("drifts", when=is_unfinished)
def swap_model_drifted(s):
    """Another model takes over and plans from what the workspace was at first."""
    plan(s, drifted=True)


@human.interference("edits")
def edit(s, file):
    """A human leaves content that nobody has seen."""
    workspace.edit_file(s, file)


# -- scheduler ----------------------------------------------------------------------------------
def is_next(s, step):
    """The first open step of the plan, and not waiting for a new one."""
    return not s.turned_down[step] and all(not is_open(s, j) for j in range(step))


@scheduler.action(
    when=lambda s, step, worker: may_assign(s, step, worker) and is_next(s, step),
    label="assign {step} to {worker}",
)
def assign(s, step, worker):
    """A worker gets the step as it is planned, stamped now where the stamp is that late."""
    hand_out(s, step, worker, s.rev if is_stamped_at(s, "dispatch") else s.planned[step])


@worker.action(when=may_resolve, label="resolves {step}")
def resolve(s, step, worker):
    """An idle worker asks the journal what became of an open intent."""
    known = s.journal != "none" and any(key.step == step for key in s.keys)
    settle(s, step, known)
    return "committed" if known else "without effect"


# -- a failing test run -------------------------------------------------------------------------
def may_undo(s):
    is_settled = s.undo_when == "any" or not is_held(s, s.checkpoint.step)
    return s.compensation != "none" and workspace.has_checkpoint(s) and is_settled


@tests.interference("test_failures", when=may_undo, verdict=undone_in_words)
def fail(s):
    """The tests of the last applied step fail, and its write is undone."""
    if s.compensation == "checkpoint" or s.rev == s.checkpoint.rev:
        step = s.checkpoint.step
        workspace.restore(s)
        if s.effects[step] == 1:
            s.effects[step] = 0
            s.shown[step] = Payload.none
        else:
            s.effects[step] = 1
        if s.compensation == "full":
            s.keys = {key for key in s.keys if key.step != step}
            if s.undo == "both":
                withdraw(s, step)
            s.status[step] = "open"
            s.leased[step] = "unleased"
            plan(s)
