"""An edit compares the file with what was read; the write that it falls back to does not."""

from fencecheck.model import Bool, Enum, Model

model = Model("fallback_route", "An edit that falls back to a write")
model.budget("other_writes", "writes of the file by somebody else")
model.mechanism("fence", ("edit_only", "every_route"), "edit_only", "which routes compare the file")
agent = model.actor("agent")
other = model.actor("other", "interference")
model.variable("phase", Enum("reads", "edits", "writes", "done"), owner=agent)
model.variable("changed", Bool(), owner=agent, doc="whether the file is another than was read")


@other.interference("other_writes")
def save(s):
    """Somebody else writes the file."""
    s.changed = True


@agent.action(when=lambda s: s.phase == "reads")
def read(s):
    """The agent reads the file."""
    s.changed = False
    s.phase = "edits"


@agent.action(when=lambda s: s.phase == "edits")
def edit(s):
    """The agent edits; where the file changed it is told to write instead."""
    s.phase = "writes" if s.changed else "done"
    return "refused" if s.changed else "edited"


@agent.action(when=lambda s: s.phase == "writes")
def write(s):
    """The agent writes the whole file."""
    s.phase = "reads" if s.fence == "every_route" and s.changed else "done"


@model.transition("agent.edit", "agent.write")
def no_lost_update(before, after):
    """What is written over was read before."""
    return after.phase != "done" or not before.changed


@model.liveness()
def finishes(s):
    """The agent's change gets into the file in the end."""
    return s.phase == "done"
