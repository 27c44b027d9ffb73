"""Writers append to a log: each creates the first entry that is absent."""

from fencecheck.model import Array, Enum, Index, Maybe, Model

model = Model("conditional_create", "A log whose entries are created if they are absent")
model.bound("writers", 2, "writers with one insert each")
model.mechanism("create", ("probe_and_write", "atomic"), "probe_and_write", "how it is created")
WRITER, ENTRY = Index("writers", "w"), Index("writers", "e")
writer = model.actor("writer")
model.variable("phase", Array(WRITER, Enum("probes", "writes", "told")), owner=writer)
model.variable("found", Array(WRITER, ENTRY), owner=writer, doc="the entry that was absent")
model.variable("entry", Array(ENTRY, Maybe(WRITER, "absent")), owner=model.store("disk"))


@writer.action(w=WRITER, when=lambda s, w: s.phase[w] == "probes")
def probe(s, w):
    """A writer finds the first entry that is absent."""
    s.found[w] = sum(1 for who in s.entry if who is not None)
    s.phase[w] = "writes"


@writer.action(w=WRITER, when=lambda s, w: s.phase[w] == "writes")
def write(s, w):
    """It writes the entry and is told so; an atomic create fails where there is one by now."""
    if s.create == "atomic" and s.entry[s.found[w]] is not None:
        s.phase[w] = "probes"
        return "exists"
    s.entry[s.found[w]] = w
    s.phase[w] = "told"
    return "created"


@model.invariant(w=WRITER)
def no_lost_update(s, w):
    """An insert that was acknowledged is in the log."""
    return s.phase[w] != "told" or s.entry[s.found[w]] == w


@model.liveness()
def finishes(s):
    """Every insert is acknowledged in the end."""
    return all(phase == "told" for phase in s.phase)
