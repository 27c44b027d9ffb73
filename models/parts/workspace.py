"""Part `workspace`: files with a revision counter, the journal beside them, a checkpoint.

What survives a preempted executor. Contents are abstract: equal content is equal hash. A step's
patch replaces a file's whole content with that step's own result; a human edit leaves content
that nobody has seen. The n-th step works on file (n-1) mod files + 1. Used by families fence and
agent, which decide who reads and writes it and when.
"""

from fencecheck.model import Array, Bool, Fresh, Int, OneOf, Part, Record, Set

workspace = Part("workspace")

# -- bounds, budgets and mechanisms -------------------------------------------------------------
STEP = workspace.index("step", "steps of the plan", bound="steps", size=2, prefix="s")
FILE = workspace.index("file", "files of the workspace", bound="files", size=1, prefix="file ")
workspace.budget("edits", "edits by a human")
workspace.budget("test_failures", "times the tests of the last applied step fail")
workspace.budget("duplicates", "requests that the network delivers twice")
workspace.budget("swaps", "times another model takes over and plans anew")
workspace.budget("drifts", "times another model plans anew from a stale context")
# fmt: off
workspace.mechanism(
    "journal", ("none", "memory", "separate", "atomic"), "none",
    "where work done is recorded: nowhere, in the executor's process, durably in an event of its "
    "own, durably with the patch")
workspace.mechanism(
    "journal_key", ("step+base", "step"), "step",
    "what identifies work done: the step and the base it was stamped with, or the step alone")
workspace.mechanism(
    "compensation", ("none", "checkpoint", "fenced", "full"), "none",
    "what failing tests undo: nothing; the last step's write; that unless the revision moved; "
    "that, its key and its place in the plan as well")
workspace.mechanism(
    "edits_bump_rev", ("on", "off"), "on",
    "off: human edits reach the files without passing the revision counter", environment=True)
# fmt: on

# -- domains ------------------------------------------------------------------------------------
ONCE_MORE = (
    "lost_replies", "duplicates", "preemptions", "swaps", "drifts", "test_failures",
    "revocations", "expiries", "lost_acks", "failed_commits",
)  # fmt: skip


def disturbances(k):
    """Count the interference that can make a request travel, or a step be planned, once more."""
    return sum(getattr(k, name, 0) for name in ONCE_MORE)


def last_rev(k):
    """Bound the revisions: each write, edit and compensation is one.

    Each step is written once, and once more for each disturbance: a lost request or reply is what
    a retry waits for, a copy is written itself, and a plan made anew sends again the one step
    that is under way. A full compensation opens a second step, and is a revision itself. What is
    rejected is not written, so plans made after a rejection add nothing. A silent client puts a
    file back once for each silence; each attempt that crashes after its write is followed by one.
    """
    cleaned = disturbances(k) if getattr(k, "silence", "retry") == "clean_up" else 0
    crashed = int(k.attempts) - 1 if getattr(k, "poison", "off") == "ack" else 0
    moved = k.edits + getattr(k, "touches", 0) + cleaned
    return k.steps + moved + disturbances(k) + 2 * k.test_failures + crashed


def last_version(k):
    """Bound what counts the changes of a file, where family fence recognizes it by a number."""
    numbered = getattr(k, "identity", "content") in ("counter", "time")
    return last_rev(k) + k.steps if numbered else -1


def has_fresh_ids(k):
    """Tell whether a re-planned step gets a new step_id; only family fence has the choice."""
    return getattr(k, "ids", "stable") == "fresh"


def last_id(k):
    """Bound how often a step is planned anew: by another model, a compensation, a rejection.

    Of a fresh plan the first step fits until something moves the revision or the content, and a
    later one comes first as the one before gets done; a drifted plan may not fit from the start.
    """
    rejections = last_rev(k) + k.steps + k.test_failures + k.drifts
    anew = k.swaps + k.drifts + k.test_failures + rejections
    return anew if has_fresh_ids(k) else 0


def has_checkpoints(k):
    """Tell whether checkpoints are kept; else there is no room for one in a state."""
    return k.test_failures > 0


def key_in_words(key, k):
    name = f"s{key.step + 1}.{key.id}" if has_fresh_ids(k) else f"s{key.step + 1}"
    return f"{name} at base {key.base}" if k.journal_key == "step+base" else name


def content_in_words(content, k):
    if content.tag == "result_of":
        return f"s{content.result_of + 1}"
    return " ".join(str(part) for part in content if part is not None).replace("_", " ")


EDIT = Fresh("edits_made")
CONTENTS = ("original", "result_of", "human_edit")
Content = OneOf(
    "Content",
    content_in_words,
    original=None,
    result_of=STEP,
    human_edit=Int(1, lambda k: k.edits),
    version=Int(0, last_version),  # stands for whatever the file holds by then
)
CONTENT = Content.only(*CONTENTS)
ORIGINAL = Content.original
REV = Int(0, last_rev)
BASE = Int(0, lambda k: last_rev(k) + k.steps)
ID = Int(0, last_id)
KEY_BASE = Int(0, lambda k: last_rev(k) + k.steps if k.journal_key == "step+base" else 0)

Key = Record("Key", key_in_words, step=STEP, id=ID, base=KEY_BASE)
Checkpoint = Record(
    "Checkpoint",
    lambda c, k: f"before s{c.step + 1} at rev {c.rev}" if c.rev else "none",
    step=Int(0, lambda k: k.steps - 1 if has_checkpoints(k) else 0),
    before=Content.only(lambda k: CONTENTS if has_checkpoints(k) else "original"),
    rev=Int(0, lambda k: last_rev(k) if has_checkpoints(k) else 0),
)

# -- state --------------------------------------------------------------------------------------
FILES = workspace.store("workspace")
JOURNAL = workspace.store("journal")
workspace.variable("rev", REV, owner=FILES, doc="the revision of the whole workspace")
workspace.variable("content", Array(FILE, CONTENT), owner=FILES, doc="what each file holds")
workspace.variable("checkpoint", Checkpoint, owner=FILES, doc="how to undo the last applied step")
workspace.variable("edits_made", EDIT, owner=FILES, told=False,
                   doc="contents that nobody had seen before")  # fmt: skip
workspace.variable("keys", Set(Key), owner=JOURNAL, doc="keys of work done")
workspace.ghost("effect_in", Array(STEP, Bool()), owner=FILES,
                doc="whether the step was applied and has not been compensated")  # fmt: skip


# -- what everybody may ask ---------------------------------------------------------------------
def file_of(s, step):
    return step % s.files


def has_checkpoint(s):
    """A write was remembered, at the revision that it made, and has not been undone."""
    return s.checkpoint.rev > 0


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
    s.checkpoint = Checkpoint(step=0, before=ORIGINAL, rev=0)


def edit_file(s, file):
    """Content that nobody has seen; called in the event of the edit."""
    s.content[file] = Content.human_edit(s.edits_used)
    move_on(s)


def move_on(s):
    """The revision moves on with what people do, where that passes its counter."""
    if s.edits_bump_rev == "on":
        s.rev += 1
