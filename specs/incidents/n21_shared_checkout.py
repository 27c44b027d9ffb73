"""Two agents work in one checkout: one edits and commits, the other begins from a clean tree."""

from fencecheck.model import Bool, Enum, Model

model = Model("shared_checkout", "A checkout that two agents share")
model.mechanism("lease", ("off", "on"), "off", "whether who works in the tree holds a lease")
editor, resetter = model.actor("editor"), model.actor("resetter")
tree = model.store("tree")
model.variable("held", Bool(), owner=tree, doc="whether there is a lease of the tree")
model.variable("edits", Enum("none", "uncommitted", "committed"), owner=tree)
model.variable("clean", Bool(), owner=resetter, doc="whether it has the clean tree that it wanted")


@editor.action(when=lambda s: s.edits == "none")
def edit(s):
    """The first agent edits files, under a lease until they are committed."""
    s.edits = "uncommitted"
    s.held = s.lease == "on"


@editor.action(when=lambda s: s.edits == "uncommitted")
def commit(s):
    """The first agent commits its edits."""
    s.edits = "committed"
    s.held = False


@resetter.action(when=lambda s: not s.clean and not s.held)
def reset(s):
    """The second agent resets the tree to the last commit."""
    s.edits = "none" if s.edits == "uncommitted" else s.edits
    s.clean = True


@model.transition("resetter.reset")
def no_lost_update(before, after):
    """A reset throws away nobody's uncommitted edits."""
    return before.edits == after.edits


@model.liveness()
def finishes(s):
    """The edits are committed and the second agent has its clean tree."""
    return s.edits == "committed" and s.clean
