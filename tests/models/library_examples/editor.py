"""An agent reads a file, waits for approval, and writes what it made; people edit meanwhile."""

from fencecheck.model import Bool, Enum, Model
from fencecheck.models.library import Cell, Edits, Refusals, Reverts, Touches

model = Model("editor", "An edit that waits for approval")
model.mechanism("fence", ("off", "on"), "off", "whether a write compares what it was made from")
file = Cell("file", "time")
refusals = Refusals(file)
model.include(file, Edits(file), Touches(file), Reverts(file), refusals)
agent = model.actor("agent")
model.variable("at", Enum("start", "waits", "done"), owner=agent)
model.variable("seen", file.Version, owner=agent)
model.variable("again", Bool(), owner=agent)


@agent.action(when=lambda s: s.at == "start")
def read(s):
    """The agent reads the file."""
    s.seen = file.read(s)
    s.at = "waits"


@agent.action(when=lambda s: s.at == "waits")
def write(s):
    """The agent writes, if it may, or has to read again."""
    if s.fence == "on" and not file.fits(s, s.seen):
        refusals.note(s, s.seen)
        s.at = "start"
        return "refused: stale"
    file.write(s, s.seen)
    s.at = "done"
    return "written"


model.goal = lambda s: s.at == "done"
