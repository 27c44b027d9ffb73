"""A cache of digests knows a changed file by its size and its time."""

from fencecheck.model import Bool, Enum, Maybe, Model
from fencecheck.models.library import Cell, Edits

model = Model("same_clock_tick", "A digest cache that goes by size and time")
model.mechanism("racily_clean", ("off", "on"), "off", "a file as new as its digest is hashed")
file = Cell("file", "time")
SAME_TICK = "human.edit_file_in_the_same_tick"
model.include(Edits(file), guard={SAME_TICK: lambda s: s.over != s.file.mark})
tool, clock = model.actor("tool"), model.actor("clock")
model.variable("over", Maybe(file.Mark, "none"), owner=clock, doc="the last tick to end")
model.variable("at", Enum("reads", "applies", "done"), owner=tool)
model.variable("digest", file.Version, owner=tool, doc="of which version it is")
model.variable("settled", Bool(), owner=tool, doc="whether the file was older than its digest")


@clock.action(when=lambda s: s.over != s.file.mark and s.at != "done")
def tick(s):
    """The tick of the file's last change is over."""
    s.over = s.file.mark


@tool.action(when=lambda s: s.at == "reads")
def read(s):
    """The tool reads the file and keeps its digest."""
    s.digest = file.read(s)
    s.settled = s.file.mark == s.over
    s.at = "applies"


@tool.action(when=lambda s: s.at == "applies")
def apply(s):
    """The tool applies its change if the digest, from the cache or computed, is the old one."""
    cached = file.fits(s, s.digest) and (s.racily_clean == "off" or s.settled)
    if not cached and s.file.content != s.digest.content:
        s.at = "reads"
        return "stale"
    file.write(s, s.digest)
    s.at = "done"
    return "applied"


@model.liveness()
def finishes(s):
    """The change is applied in the end."""
    return s.at == "done"
