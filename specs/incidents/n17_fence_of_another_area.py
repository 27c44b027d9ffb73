"""A document has a header and a body; who writes the header sends the version that was read."""

from fencecheck.model import Array, Bool, Enum, Model

model = Model("fence_of_another_area", "A header whose fence guards the body")
model.budget("other_writes", "writes of either area by somebody else")
model.mechanism("fence", ("header", "body"), "header", "which area a write of the header compares")
AREA = Enum("header", "body")
client, other = model.actor("client"), model.actor("other", "interference")
model.variable("phase", Enum("reads", "writes", "done"), owner=client)
model.variable("changed", Array(AREA, Bool()), owner=model.store("document"), doc="since the read")


@other.interference("other_writes", area=AREA)
def change(s, area):
    """Somebody else writes the header or the body."""
    s.changed[area] = True


@client.action(when=lambda s: s.phase == "reads")
def read(s):
    """The client reads the document."""
    s.changed["header"] = False
    s.changed["body"] = False
    s.phase = "writes"


@client.action(when=lambda s: s.phase == "writes")
def write(s):
    """The client writes the header, unless the area that is compared has changed."""
    s.phase = "reads" if s.changed[s.fence] else "done"


@model.transition("client.write")
def no_lost_update(before, after):
    """A header that somebody else changed is not written over."""
    return after.phase != "done" or not before.changed["header"]


@model.transition("client.write")
def no_false_rejection(before, after):
    """A write is refused only if the header changed."""
    return after.phase == "done" or before.changed["header"]


@model.liveness()
def finishes(s):
    """The client's header is written in the end."""
    return s.phase == "done"
