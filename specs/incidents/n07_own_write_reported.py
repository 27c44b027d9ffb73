"""A watcher reports every change of a file; who made it, it does not know."""

from fencecheck.model import Bool, Enum, Int, Model

model = Model("own_write_reported", "A watcher that reports the agent's own write")
model.budget("other_writes", "writes of the file by somebody else")
model.mechanism("own_version", ("unknown", "recorded"), "unknown", "which is the agent's own")
VERSION = Int(0, lambda k: k.other_writes + 1)
agent, watcher, harness = model.actor("agent"), model.actor("watcher"), model.actor("harness")
other = model.actor("other", "interference")
model.variable("version", VERSION, owner=model.store("file"))
model.variable("known", VERSION, owner=watcher, doc="the version that the agent has seen")
model.variable("stale", Bool(), owner=watcher)
model.variable("phase", Enum("writes", "waits", "prompted"), owner=agent)
model.ghost("foreign", Bool(), owner=agent, doc="whether somebody else changed what the agent saw")


@other.interference("other_writes", when=lambda s: s.phase != "writes")
def save(s):
    """Somebody else writes the file after the agent did."""
    s.version += 1
    s.foreign = True


@agent.action(when=lambda s: s.phase == "writes")
def write(s):
    """The agent writes the file."""
    s.version += 1
    s.phase = "waits"
    s.known = s.version if s.own_version == "recorded" else s.known


@watcher.action(when=lambda s: not s.stale and s.version != s.known)
def report(s):
    """The watcher finds another version than the one that was seen."""
    s.stale = True


@harness.action(when=lambda s: s.phase == "waits")
def prompt(s):
    """The next turn begins; a stale file must be read again first."""
    s.phase = "prompted"


@model.transition("harness.prompt")
def no_false_rejection(before, after):
    """Only a file that somebody else changed must be read again."""
    return before.foreign or not before.stale


@model.liveness()
def finishes(s):
    """The next turn begins, and a change by others is reported in the end."""
    return s.phase == "prompted" and (s.stale or s.version == s.known)
