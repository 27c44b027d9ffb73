"""Part `workspace`: files with a revision counter, the journal beside them, a checkpoint.

What survives a preempted executor. Contents are abstract: equal content is equal hash. A step's
patch replaces a file's whole content with that step's own result; a human edit leaves content
that nobody has seen. The n-th step works on file (n-1) mod files + 1. Used by families fence and
agent, which decide who reads and writes it and when.
"""

from fencecheck.model import Array, Bool, Fresh, Maybe, OneOf, Part, Record, Set, Version

workspace = Part("workspace")
STEP = workspace.index("step", "steps of the plan", bound="steps", size=2, prefix="s")
FILE = workspace.index("file", "files of the workspace", bound="files", size=1, prefix="file ")
workspace.bound("kept_keys", 6, "keys that the journal has room for")
workspace.budget("edits", "edits by a human")
workspace.budget("test_failures", "times the tests of the last applied step fail")
workspace.budget("duplicates", "requests that the network delivers twice")
workspace.budget("swaps", "times another model takes over and plans anew")
workspace.budget("drifts", "times another model plans anew from a stale context")
workspace.mechanisms(
    journal="none* | memory | separate | atomic: where work done is recorded: nowhere, in the "
    "executor's process, durably in an event of its own, durably with the patch",
    journal_key="step+base | step*: what identifies work done: the step and the base it was "
    "stamped with, or the step alone",
    compensation="none* | checkpoint | fenced | full: what failing tests undo: nothing; the last "
    "step's write; that unless the revision moved; that, its key and its place in the plan as well",
    edits_bump_rev="on* | off, environment: off: human edits reach the files without passing the "
    "revision counter",
)


# -- domains ------------------------------------------------------------------------------------
def has_fresh_ids(k):
    """Tell whether a re-planned step gets a new step_id; only family fence has the choice."""
    return getattr(k, "ids", "stable") == "fresh"


def id_in_words(named, k):
    """Name a step by its step_id, where that is new with each plan."""
    return f"s{named.step + 1}" + (f".{named.id or 0}" if has_fresh_ids(k) else "")


def key_in_words(key, k):
    name = id_in_words(key, k)
    return f"{name} at base {key.base}" if k.journal_key == "step+base" else name


def content_in_words(content, k):
    if content.tag == "result_of":
        return f"s{content.result_of + 1}"
    return " ".join(str(part) for part in content if part is not None).replace("_", " ")


def checkpoint_in_words(kept, k):
    return "none" if kept.rev is None else f"before s{kept.step + 1} at rev {kept.rev}"


# A plan stamps revisions and versions that its steps before will make.
REV = Version("rev", ahead=lambda k: k.steps)
CHANGE = Version("changes", ahead=lambda k: k.steps)
EDIT = Fresh("edits_made")
PLAN = Fresh("plans_made")
CONTENTS = ("original", "result_of", "human_edit")
# fmt: off
Content = OneOf("Content", content_in_words, original=None, result_of=STEP, human_edit=EDIT,
                version=CHANGE)  # stands for whatever the file holds by then
CONTENT = Content.only(*CONTENTS)
ORIGINAL = Content.original
BASE = Maybe(REV, "none")
ID = Maybe(PLAN, "0", when=has_fresh_ids)
KEY_BASE = Maybe(REV, "none", when=lambda k: k.journal_key == "step+base")
Key = Record("Key", key_in_words, step=STEP, id=ID, base=KEY_BASE)
Checkpoint = Record("Checkpoint", checkpoint_in_words, step=STEP, before=CONTENT,
                    rev=Maybe(REV, "none", when=lambda k: k.test_failures > 0))
NO_CHECKPOINT = Checkpoint(step=0, before=ORIGINAL, rev=None)
# fmt: on

# -- state --------------------------------------------------------------------------------------
FILES = workspace.store("workspace")
JOURNAL = workspace.store("journal")
workspace.variable("rev", REV, owner=FILES, doc="the revision of the whole workspace")
workspace.variable("content", Array(FILE, CONTENT), owner=FILES, doc="what each file holds")
workspace.variable("checkpoint", Checkpoint, owner=FILES, doc="how to undo the last applied step")
workspace.variable("edits_made", EDIT, owner=FILES, told=False,
                   doc="contents that nobody had seen before")  # fmt: skip
workspace.variable("keys", Set(Key, "kept_keys"), owner=JOURNAL, doc="keys of work done")
workspace.ghost("effect_in", Array(STEP, Bool()), owner=FILES,
                doc="whether the step was applied and has not been compensated")  # fmt: skip


# -- what everybody may ask ---------------------------------------------------------------------
def file_of(s, step):
    return step % s.files


def has_checkpoint(s):
    """A write was remembered, at the revision that it made, and has not been undone."""
    return s.checkpoint.rev is not None


def is_durable(s):
    return s.journal == "separate" or s.journal == "atomic"


# -- what is done to it -------------------------------------------------------------------------
def write(s, step):
    """The patch replaces the file, and the revision moves on.

    A checkpoint remembers before, as long as failing tests can still ask for it.
    """
    file = file_of(s, step)
    before = s.content[file]
    s.content[file] = Content.result_of(step)
    s.rev += 1
    s.effect_in[step] = True
    if s.compensation != "none" and s.test_failures > 0:
        s.checkpoint = Checkpoint(step=step, before=before, rev=s.rev)


def put_back(s, step, content):
    """The step's file gets back what it held before, as a new revision."""
    s.content[file_of(s, step)] = content
    s.rev += 1
    s.effect_in[step] = False


def restore(s):
    """The file of the last applied step gets back what the checkpoint remembers."""
    put_back(s, s.checkpoint.step, s.checkpoint.before)
    s.checkpoint = NO_CHECKPOINT


def edit_file(s, file):
    """Content that nobody has seen; called in the event of the edit."""
    s.edits_made += 1
    s.content[file] = Content.human_edit(s.edits_made)
    move_on(s)


def move_on(s):
    """The revision moves on with what people do, where that passes its counter."""
    if s.edits_bump_rev == "on":
        s.rev += 1
