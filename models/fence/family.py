"""Family `fence`: the steps of a plan as fenced commands against a workspace.

A planner stamps ordered steps from a snapshot; a client sends them one after another and
retries; an executor checks each request (journal first, then revision, then hash), writes and
replies. People edit, replies get lost, requests arrive twice, executors and models are replaced.

Readings where the description leaves room: a step's stamps are forgotten once it is done or
rejected, since nothing can send them again; a re-plan marks what is in flight of the steps it
covers as no longer current, which is all that generations decide; `journal_covers` asks what
could still need a key after the event.
"""

from fencecheck.model import Model
from fencecheck.models.fence.client import client_part
from fencecheck.models.fence.executor import executor_part
from fencecheck.models.fence.identity import identity
from fencecheck.models.fence.interference import interference
from fencecheck.models.fence.planner import planner_part
from fencecheck.models.fence.properties import properties
from fencecheck.models.fence.state import finished, state

model = Model("fence", "Steps of a plan against a workspace")
model.include(identity, state, planner_part, client_part, executor_part, interference, properties)
model.goal = finished
model.lane_order = (
    "human", "tests", "maintenance", "router", "substrate",
    "planner", "client", "network", "executor", "workspace", "journal",
)  # fmt: skip
