"""Programs run one at a time: each creates a file where there is none, and deletes it later."""

from fencecheck.model import Array, Enum, Index, Model
from fencecheck.models.library import Cell

model = Model("programs", "A file that says that a program runs")
model.mechanism("create", ("always", "absent"), "always", "whether creating it needs it absent")
model.bound("programs", 2, "programs, which run once each")
PROGRAM = Index("programs", "p")
mark = Cell("mark", absent=True)
model.include(mark)
program = model.actor("program")
model.variable("at", Array(PROGRAM, Enum("starts", "saw none", "runs", "over")), owner=program)
model.variable("seen", Array(PROGRAM, mark.Version), owner=program)


@program.action(p=PROGRAM, when=lambda s, p: s.at[p] == "starts" and not mark.exists(s))
def look(s, p):
    """A program finds no file."""
    s.seen[p] = mark.read(s)
    s.at[p] = "saw none"


@program.action(p=PROGRAM, when=lambda s, p: s.at[p] == "saw none")
def create(s, p):
    """A program creates the file, or finds that another did."""
    if s.create == "absent" and not mark.fits(s, s.seen[p]):
        s.at[p] = "starts"
        return "exists"
    mark.write(s, s.seen[p])
    s.seen[p] = mark.read(s)
    s.at[p] = "runs"
    return "created"


@program.action(p=PROGRAM, when=lambda s, p: s.at[p] == "runs")
def end(s, p):
    """A program deletes its file."""
    mark.delete(s, s.seen[p])
    s.at[p] = "over"


@model.liveness()
def finishes(s):
    """All programs run in the end."""
    return all(at == "over" for at in s.at)
