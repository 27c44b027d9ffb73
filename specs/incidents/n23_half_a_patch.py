"""A patch changes two files, one after the other; somebody edits the second one meanwhile."""

from fencecheck.model import Bool, Enum, Model

model = Model("half_a_patch", "A patch of two files")
model.budget("edits", "edits of the second file by somebody else")
model.mechanism("guard", ("each", "all_first", "checkpoint"), "each", "what keeps a patch whole")
tool, other = model.actor("tool"), model.actor("other", "interference")
model.variable("phase", Enum("reads", "first", "second", "restores", "failed", "done"), owner=tool)
model.variable("changed", Bool(), owner=model.store("files"), doc="the second, since it was read")
model.variable("applied", Bool(), owner="files", doc="whether the first file is patched")


@other.interference("edits")
def edit(s):
    """Somebody else edits the second file."""
    s.changed = True


@tool.action(when=lambda s: s.phase == "reads" or s.phase == "failed")
def read(s):
    """The tool reads both files, for the first time or after a failure."""
    s.changed = False
    s.phase = "first"


@tool.action(when=lambda s: s.phase == "first")
def patch_first(s):
    """The tool patches the first file; if it compares all files first, that may fail."""
    s.phase = "failed" if s.guard == "all_first" and s.changed else "second"
    s.applied = s.applied or s.phase == "second"


@tool.action(when=lambda s: s.phase == "second")
def patch_second(s):
    """The tool patches the second file, unless it changed."""
    s.phase = ("restores" if s.guard == "checkpoint" else "failed") if s.changed else "done"


@tool.action(when=lambda s: s.phase == "restores")
def restore(s):
    """The tool puts back the first file and says that the patch failed."""
    s.applied = False
    s.phase = "failed"


@model.invariant()
def failed_changes_nothing(s):
    """Where the patch is said to have failed, none of it is applied."""
    return s.phase != "failed" or not s.applied


@model.liveness()
def finishes(s):
    """Both files are patched in the end."""
    return s.phase == "done"
