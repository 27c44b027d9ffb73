"""Part `identity`: what a file is recognized by, where a request's pre is compared with it.

By its content, which is the plain reading of pre_hash; by a counter that every write moves on; by
a time of change, whose clock is coarse; by a part of the content. Counter and time also move where
the content stays (`human.touch`), and would refuse what fits; time and part do not show every
change (`human.edit_unseen`), and would take what does not.

Readings where the description leaves room: a step's own write is known to its plan, so that the
steps behind it expect the identity that it leaves, when nothing else changes a file; one counter
numbers the changes of all files; a touch passes the revision counter as an edit does; any edit may
come within one tick of the clock.
"""

from fencecheck.model import Array, Maybe, Part
from fencecheck.models.parts import workspace
from fencecheck.models.parts.stamps import has_new_pre, stamps
from fencecheck.models.parts.workspace import CHANGE, CONTENTS, FILE, FILES, STEP, Content, file_of

identity = Part("identity", includes=[stamps])
human = identity.actor("human", "interference")
identity.budget("touches", "times a file is touched: its identity moves and its content stays")
identity.mechanisms(
    identity="content* | counter | time | part, environment: what pre is compared with: the whole "
    "content; a counter of the file's writes; its time of change, by a coarse clock; a part of the "
    "content, though the write replaces all of it",
)


@identity.rule
def whole_files_are_restored(k):
    if k.identity == "part" and k.compensation != "none":
        return "identity = part needs compensation = none: a checkpoint holds whole files"


# -- domains and state --------------------------------------------------------------------------
def has_own_identity(k):
    """Tell whether a file is recognized by something else than its content."""
    return k.precondition != "off" and k.identity != "content"


def is_numbered(k):
    """Tell whether an identity is a number that moves on with every change that it shows."""
    return has_own_identity(k) and k.identity != "part"


def keeps_aim(k):
    """Tell whether what a message was planned against is kept beside its pre."""
    return has_new_pre(k) or has_own_identity(k)


def keeps_first_changes(k):
    """Tell whether plans can come from the first snapshot, and expect its numbers."""
    return k.drifts > 0 and is_numbered(k)


PRE = Content.only(lambda k: ("original", "version") if is_numbered(k) else CONTENTS)
IDENTITY = Content.only(
    lambda k: "version" if is_numbered(k) else CONTENTS if has_own_identity(k) else "original"
)
identity.variable("changes", CHANGE, owner=FILES, told=False,
                  doc="changes of files that a number shows")  # fmt: skip
identity.variable("first_changes", Array(STEP, Maybe(CHANGE, "none", when=keeps_first_changes)),
                  lambda k: (range(k.steps) if keeps_first_changes(k) else (None,) * k.steps),
                  owner=FILES, told=False, doc="the numbers of the first plan")  # fmt: skip
identity.variable("identities", Array(FILE, IDENTITY), owner=FILES,
                  doc="what each file is recognized by, unless it is its content")  # fmt: skip


# -- what it is, what a plan expects, and how it changes ----------------------------------------
def identity_of(s, step):
    """What the pre of a step's request is compared with."""
    file = file_of(s, step)
    return s.identities[file] if has_own_identity(s) else s.content[file]


def expected_identity(s, step, before, writes, drifted):
    """The identity that a plan expects a step to find.

    The plan's last write of its file is the one with the number ``writes``; 0 is none. A drifted
    plan counts from the files as they were at first.
    """
    if is_numbered(s) and drifted:
        return Content.version(s.first_changes[writes])
    if is_numbered(s) and writes > 0:
        return Content.version(s.changes + writes)
    return before if drifted or writes > 0 else identity_of(s, step)


def renew(s, file):
    """A change that the identity shows: a number moves on, a part is what the file holds."""
    if is_numbered(s):
        s.changes += 1
        s.identities[file] = Content.version(s.changes)
    elif has_own_identity(s):
        s.identities[file] = s.content[file]


# -- a human at an editor -----------------------------------------------------------------------
@human.interference("edits")
def edit(s, file):
    """A human leaves content that nobody has seen."""
    workspace.edit_file(s, file)
    renew(s, file)


@human.interference("edits", when=lambda s, file: has_own_identity(s) and s.identity != "counter")
def edit_unseen(s, file):
    """An edit that the file's identity does not show: at the same time, or in another part."""
    workspace.edit_file(s, file)


@human.interference("touches", when=lambda s, file: is_numbered(s) or s.edits_bump_rev == "on")
def touch(s, file):
    """A file is saved as it was."""
    if is_numbered(s):
        renew(s, file)
    workspace.move_on(s)
