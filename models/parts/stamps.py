"""Part `stamps`: what a request is stamped with, and what the workspace compares it with.

The switches of the fence, and the comparisons and words that families fence and agent share. Who
stamps, who checks and in which events is the family's. The order of checks: journal first, then
revision, then hash.
"""

from fencecheck.model import Array, Maybe, Part
from fencecheck.models.parts.workspace import FILES, REV, STEP, Content, Key, file_of, workspace

stamps = Part("stamps", includes=[workspace])
stamps.mechanisms(
    fence="none | plan | step*: which base_rev a request carries and is compared with: none "
    "compared, the revision of the newest plan, the step's own",
    stamp="plan | dispatch* | exec: when the step fence takes base_rev: with the plan, when the "
    "step is sent, as it is executed (under the other fences it is the plan's)",
    precondition="off | planned* | restamped: whether pre_hash is compared: not, as planned, taken "
    "again wherever the stamp is taken",
    replan="off | on_reject*: whether a rejected step is planned again",
    check="atomic* | split, plain split: whether the checks and the write are one event or two",
)


# -- when it is stamped -------------------------------------------------------------------------
def is_stamped_at(s, moment):
    return s.fence == "step" and s.stamp == moment


def is_stamped_late(k):
    """Tell whether a plan leaves the base open."""
    return k.fence == "step" and k.stamp != "plan"


def has_new_pre(k):
    """Tell whether pre is taken anew, and so may not be what the step was planned against."""
    return k.precondition == "restamped" and is_stamped_late(k)


# -- what a plan stamps -------------------------------------------------------------------------
def keeps_first_bases(k):
    """Tell whether plans can come from the first snapshot, and stamp its revisions."""
    return k.drifts > 0 and k.fence != "plan" and not is_stamped_late(k)


stamps.variable("first_bases", Array(STEP, Maybe(REV, "none", when=keeps_first_bases)),
                lambda k: (range(k.steps) if keeps_first_bases(k) else (None,) * k.steps),
                owner=FILES, told=False, doc="the revisions of the first plan")  # fmt: skip


def planned_base(s, offset, drifted):
    """A drifted plan is registered now, but stamps its steps from the first snapshot."""
    if s.fence == "plan":
        return s.rev
    if is_stamped_late(s):
        return None
    return s.first_bases[offset] if drifted else s.rev + offset


# -- what is compared ---------------------------------------------------------------------------
def key_of_work(s, step, id, base):
    return Key(step=step, id=id, base=base if s.journal_key == "step+base" else None)


def is_recorded_as(s, key):
    return s.journal != "none" and key in s.keys


def misses_revision(s, base):
    return s.fence != "none" and base != s.rev


def misfits(s, base, pre, found):
    """The revision is not the one stamped, or what is found is not what it should be."""
    return misses_revision(s, base) or (s.precondition != "off" and pre != found)


# -- what must hold of a write, a compensation, a rejection -------------------------------------
def replaces_only(before, step, against):
    """A write replaces what its message was planned against, or the step's own result."""
    replaced = before.content[file_of(before, step)]
    return replaced == against or replaced == Content.result_of(step)


def is_undone(before, after):
    """The event compensated the last applied step, and used up its checkpoint."""
    had = before.compensation != "none" and before.checkpoint.rev is not None
    return had and after.checkpoint.rev is None


def undoes_only(before):
    """A compensation never discards content that a human wrote."""
    return before.content[file_of(before, before.checkpoint.step)].tag != "human_edit"


def is_untouched(before, step, against):
    """The effect is not in, and the file holds exactly what was planned against."""
    return not before.effect_in[step] and before.content[file_of(before, step)] == against


def undone_in_words(before, after):
    """What a failing test run comes to: a compensation that finds the revision moved refuses."""
    return "compensate" if after.rev != before.rev else "refuse"


# -- words --------------------------------------------------------------------------------------
def content(s, value):
    return Content.resolve(s.k).show(value)


def misfit_in_words(s, base, pre, found):
    if misses_revision(s, base):
        return f"base {base} ≠ rev {s.rev}"
    return f"pre {content(s, pre)} ≠ {content(s, found)}"


def lost_in_words(before, step, against):
    replaced = content(before, before.content[file_of(before, step)])
    expected = content(before, against)
    return (
        f"s{step + 1} replaced {replaced}, but was planned against {expected}",
        [["the file held", replaced], [f"s{step + 1} was planned against", expected]],
    )


def discarded_in_words(before, step):
    undone, own = content(before, before.content[file_of(before, step)]), f"s{step + 1}"
    return (
        f"undoing {own} discarded {undone}",
        [["the file held", undone], [f"{own} had left", own]],
    )
