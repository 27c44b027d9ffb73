"""Writers append to a log: each creates the entry behind those that it found, if it is absent."""

from fencecheck.model import Array, Enum, Index, Model
from fencecheck.models.library import Cell

model = Model("conditional_create", "A log whose entries are created if they are absent")
model.bound("writers", 2, "writers with one insert each")
model.mechanism("create", ("probe_and_write", "atomic"), "probe_and_write", "how it is created")
WRITER = Index("writers", "w")
log = Cell("log")
model.include(log)
writer = model.actor("writer")
model.variable("at", Array(WRITER, Enum("probes", "creates", "told")), owner=writer)
model.variable("found", Array(WRITER, log.Version), owner=writer)


@writer.action(w=WRITER, when=lambda s, w: s.at[w] == "probes")
def probe(s, w):
    """A writer finds the first entry that is absent, at the end of the log."""
    s.found[w] = log.read(s)
    s.at[w] = "creates"


@writer.action(w=WRITER, when=lambda s, w: s.at[w] == "creates")
def create(s, w):
    """It creates the entry and is told so; an atomic create fails where there is one by now."""
    if s.create == "atomic" and not log.fits(s, s.found[w]):
        s.at[w] = "probes"
        return "exists"
    log.write(s, s.found[w])
    s.at[w] = "told"
    return "created"


@model.liveness()
def finishes(s):
    """Every insert is acknowledged in the end."""
    return all(at == "told" for at in s.at)
