"""An edit compares the file with what was read; the write that it falls back to does not."""

from fencecheck.model import Enum, Model
from fencecheck.models.library import Cell, Edits

model = Model("fallback_route", "An edit that falls back to a write")
model.mechanism("fence", ("edit_only", "every_route"), "edit_only", "which routes compare the file")
file = Cell("file")
model.include(file, Edits(file))
agent = model.actor("agent")
model.variable("at", Enum("reads", "edits", "writes", "done"), owner=agent)
model.variable("seen", file.Version, owner=agent, doc="what the agent has read")


@agent.action(when=lambda s: s.at == "reads")
def read(s):
    """The agent reads the file."""
    s.seen = file.read(s)
    s.at = "edits"


@agent.action(when=lambda s: s.at == "edits")
def edit(s):
    """The agent edits the file; where it changed, it is told to write instead."""
    if not file.fits(s, s.seen):
        s.at = "writes"
        return "refused"
    file.write(s, s.seen)
    s.at = "done"
    return "edited"


@agent.action(when=lambda s: s.at == "writes")
def write(s):
    """The agent writes the whole file."""
    if s.fence == "every_route" and not file.fits(s, s.seen):
        s.at = "reads"
        return "refused"
    file.write(s, s.seen)
    s.at = "done"
    return "written"


@model.liveness()
def finishes(s):
    """The agent's change gets into the file in the end."""
    return s.at == "done"
