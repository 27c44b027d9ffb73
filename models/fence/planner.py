"""Part `planner`: plans every step not done, at first and again after a rejection.

A plan stamps every step not done, from the workspace as it is now or, where the planner's context
is stale, as it was at first.
"""

from fencecheck.model import Part, bag, replace
from fencecheck.models.fence.identity import expected_identity, keeps_aim
from fencecheck.models.fence.state import Stamp, is_current, is_idle, state
from fencecheck.models.parts.stamps import has_new_pre, planned_base
from fencecheck.models.parts.workspace import ORIGINAL, Content, file_of

planner_part = Part("planner", includes=[state])
planner = planner_part.actor("planner")


@planner_part.initial()
def plan(s, drifted=False):
    """Plan every step not done, from the workspace as it is now or as it was at first."""
    overlapping = False
    for step in range(s.steps):
        if s.view[step] != "done":
            before = ORIGINAL if drifted else s.content[file_of(s, step)]
            offset, writes = 0, 0
            for earlier in range(step):
                if s.view[earlier] != "done":
                    if s.overlap == "off":
                        offset += 1
                    if file_of(s, earlier) == file_of(s, step):
                        overlapping = True
                        if s.overlap == "off":
                            before, writes = Content.result_of(earlier), offset
            pre = expected_identity(s, step, before, writes, drifted)
            s.stamp_of[step] = Stamp(
                base=planned_base(s, offset, drifted),
                pre=ORIGINAL if has_new_pre(s) else pre,
                against=before if keeps_aim(s) else ORIGINAL,
            )
            s.view[step] = "todo"
    s.refused = s.admission == "overlap" and s.overlap == "on" and overlapping


def plan_anew(s, drifted=False):
    """What is in flight of the steps planned anew is of an older generation from now on."""
    s.requests = bag(replace(m, current=m.current and s.view[m.step] == "done") for m in s.requests)
    s.replies = bag(replace(r, current=r.current and s.view[r.step] == "done") for r in s.replies)
    if not is_idle(s) and s.view[s.work.step] != "done":
        s.work.current = False
    if s.ids == "fresh":
        s.plans_made += 1
        for step in range(s.steps):
            if s.view[step] != "done":
                s.id_of[step] = s.plans_made
    plan(s, drifted)


@planner.action(
    when=lambda s: (
        s.replan == "on_reject"
        and any(is_current(s, i) and s.view[i] == "rejected" for i in range(s.steps))
    )
)
def replan(s):
    """The planner plans again from the workspace as it is now."""
    plan_anew(s)
