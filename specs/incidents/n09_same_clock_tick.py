"""A cache of digests knows a changed file by its size and its time."""

from fencecheck.model import Bool, Enum, Int, Model, Record

model = Model("same_clock_tick", "A digest cache that goes by size and time")
model.budget("rewrites", "rewrites of the file with as many bytes")
model.mechanism("racily_clean", ("off", "on"), "off", "a file as new as its digest is hashed")
Digest = Record("Digest", of=Int(0, 1), taken=Int(0, 1))
tool, other = model.actor("tool"), model.actor("other", "interference")
model.variable("phase", Enum("reads", "applies", "done"), owner=tool)
model.variable("now", Int(0, 1), owner=model.store("clock"))
model.variable("mtime", Int(0, 1), owner=model.store("file"))
model.variable("changed", Bool(), owner="file", doc="whether it is another than was digested")
model.variable("digest", Digest, owner=tool, doc="of which time of the file, taken when")


@tool.action(when=lambda s: s.now == 0)
def wait(s):
    """The tool takes its time, and the clock moves on."""
    s.now = 1


@other.interference("rewrites")
def rewrite(s):
    """Somebody else rewrites the file."""
    s.mtime = s.now
    s.changed = True


@tool.action(when=lambda s: s.phase == "reads")
def read(s):
    """The tool reads the file and keeps its digest."""
    s.digest = Digest(of=s.mtime, taken=s.now)
    s.changed = False
    s.phase = "applies"


@tool.action(when=lambda s: s.phase == "applies")
def apply(s):
    """The tool applies its change if the digest, from the cache or computed, is the old one."""
    cached = s.mtime == s.digest.of and (s.racily_clean == "off" or s.mtime < s.digest.taken)
    s.phase = "done" if cached or not s.changed else "reads"


@model.transition("tool.apply")
def no_stale_apply(before, after):
    """A change is only applied to the content that was read."""
    return after.phase != "done" or not before.changed


@model.liveness()
def finishes(s):
    """The change is applied in the end."""
    return s.phase == "done"
