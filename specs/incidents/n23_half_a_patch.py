"""A patch changes two files, one after the other; somebody edits the second one meanwhile."""

from fencecheck.model import Enum, Model
from fencecheck.models.library import Cell, Checkpoint, Edits

model = Model("half_a_patch", "A patch of two files")
model.mechanism("guard", ("each", "all_first", "checkpoint"), "each", "what keeps a patch whole")
first, second = Cell("first"), Cell("second")
tool, kept = model.actor("tool"), Checkpoint(first)
model.include(kept, Edits(second))
model.variable("at", Enum("reads", "first", "second", "undoes", "failed", "done"), owner=tool)
model.variable("seen", second.Version, owner=tool, doc="the second as it was read")


@tool.action(when=lambda s: s.at == "reads" or s.at == "failed")
def read(s):
    """The tool reads both files, for the first time or after a failure."""
    s.seen = second.read(s)
    s.at = "first"


@tool.action(when=lambda s: s.at == "first")
def patch_first(s):
    """The tool patches the first file; if it compares all files first, that may fail."""
    s.at = "failed" if s.guard == "all_first" and not second.fits(s, s.seen) else "second"
    if s.at == "second":
        first.write(s, first.read(s))


@tool.action(when=lambda s: s.at == "second")
def patch_second(s):
    """The tool patches the second file, unless it changed."""
    s.at = "done" if second.fits(s, s.seen) else "undoes" if s.guard == "checkpoint" else "failed"
    if s.at == "done":
        second.write(s, s.seen)


@tool.action(when=lambda s: s.at == "undoes")
def restore(s):
    """The tool puts back the first file and says that the patch failed."""
    kept.restore(s, first.read(s))
    s.at = "failed"


@model.invariant()
def failed_changes_nothing(s):
    """Where the patch is said to have failed, none of it is applied."""
    return s.at != "failed" or s.first == s.first_kept


@model.liveness()
def finishes(s):
    """Both files are patched in the end."""
    return s.at == "done"
