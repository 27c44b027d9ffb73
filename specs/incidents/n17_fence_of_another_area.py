"""A document has a header and a body; who writes the header sends the version that was read."""

from fencecheck.model import Enum, Model
from fencecheck.models.library import Cell, Edits, Refusals

model = Model("fence_of_another_area", "A header whose fence guards the body")
model.mechanism("fence", ("header", "body"), "header", "which area a write of the header compares")
header, body = Cell("header"), Cell("body")
refusals = Refusals(header)
model.include(Edits(header), Edits(body), refusals)
client = model.actor("client")
model.variable("at", Enum("reads", "writes", "done"), owner=client)
model.variable("seen", header.Version, owner=client, doc="the header that was read")
model.variable("seen_body", body.Version, owner=client)


@client.action(when=lambda s: s.at == "reads")
def read(s):
    """The client reads the document."""
    s.seen = header.read(s)
    s.seen_body = body.read(s)
    s.at = "writes"


@client.action(when=lambda s: s.at == "writes")
def write(s):
    """The client writes the header, unless the area that is compared has changed."""
    if not (header.fits(s, s.seen) if s.fence == "header" else body.fits(s, s.seen_body)):
        refusals.note(s, s.seen)
        s.at = "reads"
        return "refused"
    header.write(s, s.seen)
    s.at = "done"
    return "written"


@model.liveness()
def finishes(s):
    """The client's header is written in the end."""
    return s.at == "done"
