"""Family `agent`: leased steps of a plan, recorded in a ledger, written to a fenced workspace.

The workspace of family fence stands where family ledger has its sink: a step's effect is its
write. A scheduler hands out the plan's steps in order; what a step was planned against is its
payload; a worker records its intent, and the workspace checks journal, token, revision and hash.

Readings: `dispatch` is the assignment; a step that is rejected waits for a new plan; a plan made
anew does not end a lease; a `full` compensation opens its step again. The parts say theirs.
"""

from fencecheck.model import Model
from fencecheck.models.agent.properties import properties
from fencecheck.models.agent.steps import steps
from fencecheck.models.agent.workspace_call import workspace_call
from fencecheck.models.parts.effect_properties import ended, finished

model = Model("agent", "Leased steps against a fenced workspace and a ledger")
model.include(workspace_call, steps, properties)
model.goal = finished
model.end = ended
model.lane_order = (
    "human", "tests", "router", "clock", "quota", "substrate", "network",
    "planner", "scheduler", "worker", "workspace", "journal", "ledger", "sink",
)  # fmt: skip
model.one_lane_each = {"worker": "workers"}


@model.rule
def endless_attempts(k):
    if k.attempts == "none" and (k.duplicates > 0 or k.poison != "off"):
        what = "duplicates > 0" if k.duplicates > 0 else f"poison = {k.poison}"
        return f"{what} needs a cap on attempts: a step can be rejected or crash for ever"
