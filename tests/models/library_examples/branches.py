"""Somebody pushes to a branch by force, sure that nothing happened since the last fetch."""

from fencecheck.model import Bool, Model
from fencecheck.models.library import Cell, Copy, Edits, Watcher

model = Model("branches", "A push by force")
model.mechanism("lease", ("none", "tracked", "noted"), "none", "what a push by force expects")
branch = Cell("branch")
tracked = Copy("tracked", branch)
model.include(branch, Edits(branch), tracked, Watcher(tracked))
writer = model.actor("writer")
model.variable("noted", branch.Version, owner=writer, doc="what the work is made from")
model.variable("pushed", Bool(), owner=writer)


@writer.action(when=lambda s: not s.pushed)
def push(s):
    """The writer pushes, and is done whether or not it is refused."""
    s.pushed = True
    if s.lease == "tracked" and not branch.fits(s, s.tracked):
        return "refused"
    if s.lease == "noted" and not branch.fits(s, s.noted):
        return "refused"
    branch.write(s, s.noted)
    return "pushed"


model.goal = lambda s: s.pushed
