"""An agent writes a file, finds its tests red, and puts back what it had kept; people edit."""

from fencecheck.model import Enum, Model
from fencecheck.models.library import Cell, Checkpoint, Edits

model = Model("restorer", "A write that is taken back")
model.mechanism("fence", ("off", "on"), "off", "whether a file that others changed is left alone")
file = Cell("file", "counter")
checkpoint = Checkpoint(file)
model.include(file, Edits(file), checkpoint)
agent = model.actor("agent")
model.variable("at", Enum("start", "written", "restored", "left"), owner=agent)
model.variable("found", file.Version, owner=agent)
model.variable("written", file.Version, owner=agent)


@agent.action(when=lambda s: s.at == "start")
def write(s):
    """The agent keeps what is there, and writes."""
    checkpoint.take(s)
    s.found = file.read(s)
    file.write(s, s.found)
    s.written = file.read(s)
    s.at = "written"


@agent.action(when=lambda s: s.at == "written")
def restore(s):
    """The agent's tests are red, and it puts back what it had kept."""
    if s.fence == "on" and not file.fits(s, s.written):
        s.at = "left"
        return "left alone"
    checkpoint.restore(s, s.written)
    s.at = "restored"
    return "restored"


@model.transition("agent.restore")
def as_it_was(before, after):
    """What is put back is what the agent had found."""
    return after.at != "restored" or after.file.content == before.found.content
