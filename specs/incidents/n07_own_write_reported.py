"""A watcher reports every change of a file; who made it, it does not know."""

from fencecheck.model import Bool, Enum, Model
from fencecheck.models.library import Cell, Copy, Edits, Refusals

model = Model("own_write_reported", "A watcher that reports the agent's own write")
model.mechanism("own_version", ("unknown", "recorded"), "unknown", "which is the agent's own")
file = Cell("file")
known, refusals = Copy("known", file), Refusals(file)
model.include(Edits(file), guard={"human.edit_file": lambda s: s.at != "writes"})
model.include(known, refusals)
agent, watcher, harness = model.actor("agent"), model.actor("watcher"), model.actor("harness")
model.variable("at", Enum("writes", "waits", "prompted"), owner=agent)
model.variable("own", file.Version, owner=agent, doc="what the agent wrote")
model.variable("stale", Bool(), owner=watcher, doc="whether the agent must read again")


@agent.action(when=lambda s: s.at == "writes")
def write(s):
    """The agent writes the file."""
    file.write(s, file.read(s))
    s.own = file.read(s)
    s.at = "waits"
    if s.own_version == "recorded":
        known.refresh(s)


@watcher.action(when=lambda s: not s.stale and known.lags(s))
def report(s):
    """The watcher finds another version than the one that is known."""
    s.stale = True


@harness.action(when=lambda s: s.at == "waits")
def prompt(s):
    """The next turn begins; of a stale file it is told to read it again before it writes."""
    s.at = "prompted"
    if s.stale:
        refusals.note(s, s.own)
        return "read it again"
    return "write"


@model.liveness()
def finishes(s):
    """The next turn begins, and a change by others is reported in the end."""
    return s.at == "prompted" and (s.stale or not known.lags(s))
