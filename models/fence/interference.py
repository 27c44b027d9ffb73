"""Part `interference`: what family fence has to stand.

Executors vanish, the network loses and copies, other models take over, maintenance drops keys,
and tests fail after a step was applied. People at their editors are in part `identity`.
"""

from fencecheck.model import Each, Part
from fencecheck.models.fence.executor import executor_part, rest
from fencecheck.models.fence.identity import renew
from fencecheck.models.fence.planner import plan_anew, planner_part
from fencecheck.models.fence.state import bare, is_idle, request_travels
from fencecheck.models.parts.stamps import undone_in_words
from fencecheck.models.parts.workspace import file_of, has_checkpoint, is_durable, restore

interference = Part("interference", includes=[planner_part, executor_part])
network = interference.actor("network", "interference")
substrate = interference.actor("substrate", "interference")
router = interference.actor("router", "interference")
maintenance = interference.actor("maintenance", "interference")
tests = interference.actor("tests", "interference")


@substrate.interference(
    "preemptions", when=lambda s: not is_idle(s) or (s.journal == "memory" and len(s.keys) > 0)
)
def preempt(s):
    """The executor vanishes with its work in progress and its memory."""
    rest(s)
    if s.journal == "memory":
        s.keys.clear()


@network.interference("lost_replies", reply=Each("replies", "step"))
def lose_reply(s, reply):
    """A reply vanishes."""
    s.replies.remove(reply)


@network.interference(
    "duplicates",
    request=Each("requests", "step"),
    when=lambda s, request: sum(bare(m) == bare(request) for m in s.requests) == 1,
)
def duplicate(s, request):
    """A second copy of a request is in flight; a third can as well be made once one is taken."""
    s.requests.add(request)


@router.interference("swaps", when=lambda s: any(v != "done" for v in s.view))
def swap_model(s):
    """Another model takes over and plans from the workspace as it is now."""
    plan_anew(s)


@router.interference("drifts", when=lambda s: any(v != "done" for v in s.view))
def swap_model_drifted(s):
    """Another model takes over and plans from what the workspace was at first."""
    plan_anew(s, drifted=True)


@maintenance.interference(
    "truncations", when=lambda s: s.retention != "keep" and is_durable(s) and len(s.keys) > 0
)
def truncate_journal(s):
    """Maintenance drops keys: all, or those whose step is done and has nothing under way."""
    if s.retention == "truncate":
        s.keys.clear()
    else:
        s.keys = {k for k in s.keys if s.view[k.step] != "done" or request_travels(s, k.step)}


@tests.interference(
    "test_failures",
    when=lambda s: s.compensation != "none" and has_checkpoint(s) and is_idle(s),
    verdict=undone_in_words,
)
def fail(s):
    """The tests of the last applied step fail, and its write is undone."""
    if s.compensation == "checkpoint" or s.rev == s.checkpoint.rev:
        step = s.checkpoint.step
        restore(s)
        renew(s, file_of(s, step))
        if s.compensation == "full":
            s.keys = {k for k in s.keys if k.step != step}
            s.view[step] = "todo"
            plan_anew(s)
