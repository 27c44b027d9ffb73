"""Part `workspace_call`: a worker lets the effect of a step show by a write to a fenced workspace.

In place of part `sink_call` and its sink. One call has four outcomes: a write, a key that the
journal knows, a token that is too old, a stamp or a content that does not fit; after the first two
comes the commit (part `commits`). Where check and write are two events the checks come first, and
nothing is asked again.

Readings: what a step was planned against is its payload; a rejection under an older token than
the newest changes nothing.
"""

from fencecheck.model import Array, Bool, Part, replace
from fencecheck.models.parts.commits import commits, go_on, reaches_sink
from fencecheck.models.parts.leases import (
    STEP,
    WORKER,
    is_at,
    is_open,
    is_stale,
    let_go,
    show_token,
    with_step,
)
from fencecheck.models.parts.ledger_rows import drop_row, show_effect
from fencecheck.models.parts.payloads import NONE, ORIGINAL
from fencecheck.models.parts.stamps import (
    content,
    is_recorded_as,
    is_stamped_at,
    key_of_work,
    misfit_in_words,
    misses_content,
    misses_revision,
    stamps,
)
from fencecheck.models.parts.worker import sink_refuses
from fencecheck.models.parts.workspace import file_of, write

workspace_call = Part("workspace_call")
workspace_call.include(stamps, commits)
worker = workspace_call.actor("worker")
workspace_call.mechanism(
    "refusal",
    ("keep", "withdraw"),
    "withdraw",
    "what becomes of an open intent when the workspace rejects its step: it stays, or is withdrawn "
    "so that the next plan can be recorded",
)
workspace_call.variable("turned_down", Array(STEP, Bool()), owner="scheduler",
               doc="whether the workspace rejected a step as it is planned")  # fmt: skip


# -- combinations that make no sense ------------------------------------------------------------
@workspace_call.rule
def journal_is_durable(k):
    if k.journal in ("memory", "separate"):
        return (
            f"journal = {k.journal} has no place here: what is recorded in an event of its own is "
            "the ledger; write none or atomic"
        )
    return None


@workspace_call.rule
def precondition_is_planned(k):
    if k.precondition == "restamped":
        return (
            "precondition = restamped has no place here: what a step was planned against is the "
            "payload that its intent records; write off or planned"
        )
    return None


@workspace_call.rule
def split_check_needs_separate_commit(k):
    if k.check == "split" and k.commit == "atomic":
        return "check = split needs commit = separate: one transaction checks and writes at once"
    return None


# -- worker: the call to the workspace ----------------------------------------------------------
def key_in_hand(s, step, worker):
    return key_of_work(s, step, 0, base_in_hand(s, worker))


def base_in_hand(s, worker):
    return s.rev if is_stamped_at(s, "exec") else s.holds[worker].base


def against(hold):
    """The content that a worker's payload was planned against."""
    return hold.payload - ORIGINAL


def is_known(s, step, worker):
    return is_recorded_as(s, key_in_hand(s, step, worker))


def is_misfit(s, step, worker):
    stale = misses_revision(s, base_in_hand(s, worker))
    found = s.content[file_of(s, step)]
    return stale or misses_content(s, against(s.holds[worker]), found)


call = worker.first_of(
    step=STEP,
    worker=WORKER,
    when=lambda s, step, worker: is_at(s, step, worker, "checked") or reaches_sink(s, step, worker),
)


def is_asked(s, step, worker):
    """The workspace compares now; what has been checked is not asked again."""
    return not is_at(s, step, worker, "checked")


@call.action(
    when=lambda s, step, worker: is_asked(s, step, worker) and is_known(s, step, worker),
    fair_by="step",
    label=with_step("is deduplicated on"),
    verdict="replay",
)
def deduped(s, step, worker):
    """The journal holds the key: nothing is written, and the worker goes on as after a write."""
    go_on(s, step, worker)
    show_token(s, worker)
    return "deduped"


@call.action(
    when=lambda s, step, worker: is_asked(s, step, worker) and sink_refuses(s, step, worker),
    fair_by="step",
    label=with_step("is fenced off"),
    verdict="reject: {why}",
)
def fenced(s, step, worker):
    """The workspace has seen a newer token and takes nothing."""
    let_go(s, worker)
    return "fenced"


@call.action(
    when=lambda s, step, worker: is_asked(s, step, worker) and is_misfit(s, step, worker),
    fair_by="step",
    label=with_step("is rejected on"),
    remark=lambda s, step, worker: why_in_words(s, step, worker),
    verdict="reject: {why}",
)
def reject(s, step, worker):
    """The workspace refuses; under the newest token the step waits for a new plan."""
    stale = misses_revision(s, base_in_hand(s, worker))
    if not is_stale(s, step, worker) and is_open(s, step):
        s.turned_down[step] = True
        s.leased[step] = "unleased"
        if s.refusal == "withdraw" and s.rows[step].state == "intent":
            withdraw(s, step)
    let_go(s, worker)
    return "rejected: stale_rev" if stale else "rejected: pre_hash"


@call.action(
    when=lambda s, step, worker: is_asked(s, step, worker) and s.check == "split",
    fair_by="step",
    label=with_step("has checked"),
)
def check(s, step, worker):
    """The workspace is checked; the write is an event of its own."""
    s.holds[worker] = replace(s.holds[worker], phase="checked", base=base_in_hand(s, worker))


@call.otherwise(fair_by="step", label=with_step("writes"), verdict="accept")
def effect(s, step, worker):
    """The step's patch is written, and its key with it."""
    if s.journal == "atomic":
        s.keys.add(key_in_hand(s, step, worker))
    write(s, step)
    show_effect(s, step, s.holds[worker].payload)
    go_on(s, step, worker)
    show_token(s, worker)
    return "applied"


def why_in_words(s, step, worker):
    pre, found = content(s, against(s.holds[worker])), content(s, s.content[file_of(s, step)])
    return misfit_in_words(s, base_in_hand(s, worker), pre, found)


def withdraw(s, step):
    """The row goes; what it promised binds nobody unless it came about."""
    drop_row(s, step)
    if s.effects[step] == 0:
        s.promised[step] = NONE
