"""Two agents work in one checkout: one edits and commits, the other begins from a clean tree."""

from fencecheck.model import Bool, Enum, Index, Model
from fencecheck.models.library import Cell, Checkpoint, Lock

model = Model("shared_checkout", "A checkout that two agents share")
model.mechanism("lease", ("off", "on"), "off", "whether who works in the tree holds a lease")
EDITOR = 0
tree, lease = Cell("tree"), Lock("lease", Index(2, "agent "))
commits = Checkpoint(tree)
model.include(tree, commits, lease)
editor, resetter = model.actor("editor"), model.actor("resetter")
model.variable("at", Enum("edits", "commits", "done"), owner=editor)
model.variable("clean", Bool(), owner=resetter, doc="whether it has the clean tree that it wanted")


@editor.action(when=lambda s: s.at == "edits")
def edit(s):
    """The first agent edits files, under a lease until they are committed."""
    if s.lease == "on":
        lease.take(s, EDITOR)
    tree.write(s, tree.read(s))
    s.at = "commits"


@editor.action(when=lambda s: s.at == "commits")
def commit(s):
    """The first agent commits its edits, or finds none and makes them again."""
    s.at = "edits" if s.tree == s.tree_kept else "done"
    commits.take(s)
    lease.release(s, EDITOR)


@resetter.action(when=lambda s: not s.clean and lease.is_free(s))
def reset(s):
    """The second agent resets the tree to the last commit, which is all that it knows."""
    commits.restore(s, s.tree_kept)
    s.clean = True


@model.liveness()
def finishes(s):
    """The edits are committed and the second agent has its clean tree."""
    return s.at == "done" and s.clean
