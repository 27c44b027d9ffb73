"""Part `workspace_call`: a worker lets the effect of a step show by a write to a fenced workspace.

In place of part `sink_call` and its sink. One call has four outcomes: a write, a key that the
journal knows, a token that is too old, a stamp or a content that does not fit; after the first two
comes the commit. Where check and write are two events the checks come first, and nothing is asked
again.

Readings: what a step was planned against is its payload; a rejection under an older token than
the newest changes nothing.
"""

from fencecheck.model import Array, Bool, Part
from fencecheck.models.parts import leases, stamps
from fencecheck.models.parts.ledger_rows import drop_row, has_intent, show_effect
from fencecheck.models.parts.worker import REJECT, go_on, reaches_sink, sink_refuses, worker_part
from fencecheck.models.parts.workspace import file_of, write

workspace_call = Part("workspace_call", includes=[stamps.stamps, worker_part])
worker = workspace_call.actor("worker", fair_by="step")
workspace_call.mechanisms(
    refusal="keep | withdraw*: what becomes of an open intent when the workspace rejects its step: "
    "it stays, or is withdrawn so that the next plan can be recorded",
)
workspace_call.variable("turned_down", Array(leases.STEP, Bool()), owner="scheduler",
                        doc="whether the workspace rejected a step as it is planned")  # fmt: skip


@workspace_call.rule
def switches_have_a_place(k):
    if k.journal in ("memory", "separate"):
        return f"journal = {k.journal} has no place here beside a ledger; write none or atomic"
    if k.precondition == "restamped":
        return "precondition = restamped has no place here: intents record it; write off or planned"
    if k.check == "split" and k.commit == "atomic":
        return "check = split needs commit = separate: one transaction checks and writes at once"


# -- what the workspace compares ----------------------------------------------------------------
def base_in_hand(s, worker):
    return s.rev if stamps.is_stamped_at(s, "exec") else s.holds[worker].base


def key_in_hand(s, step, worker):
    return stamps.key_of_work(s, step, None, base_in_hand(s, worker))


def is_misfit(s, step, worker):
    found, pre = s.content[file_of(s, step)], s.holds[worker].payload.against
    return stamps.misfits(s, base_in_hand(s, worker), pre, found)


def misfit_in_words(s, step, worker):
    found, pre = s.content[file_of(s, step)], s.holds[worker].payload.against
    return stamps.misfit_in_words(s, base_in_hand(s, worker), pre, found)


# -- the call: where it checks first, what has been checked is not asked again -------------------
call = worker.first_of(
    when=lambda s, step, worker: (
        leases.is_at(s, step, worker, "checked") or reaches_sink(s, step, worker)
    )
)
asked = call.first_of(when=reaches_sink)


@asked.action(
    when=lambda s, step, worker: stamps.is_recorded_as(s, key_in_hand(s, step, worker)),
    label="is deduplicated on {step}",
    verdict="replay",
)
def deduped(s, step, worker):
    """The journal holds the key: nothing is written, and the worker goes on as after a write."""
    go_on(s, step, worker)
    return "deduped"


@asked.action(when=sink_refuses, label="is fenced off {step}", verdict=REJECT)
def fenced(s, step, worker):
    """The workspace has seen a newer token and takes nothing."""
    leases.let_go(s, worker)
    return "fenced"


@asked.action(when=is_misfit, label="is rejected on {step}", remark=misfit_in_words, verdict=REJECT)
def reject(s, step, worker):
    """The workspace refuses; under the newest token the step waits for a new plan."""
    stale = stamps.misses_revision(s, base_in_hand(s, worker))
    if leases.is_open(s, step) and not leases.is_stale(s, step, worker):
        s.turned_down[step] = True
        s.leased[step] = "unleased"
        if s.refusal == "withdraw" and has_intent(s, step):
            withdraw(s, step)
    leases.let_go(s, worker)
    return "rejected: stale_rev" if stale else "rejected: pre_hash"


@asked.action(when=lambda s, step, worker: s.check == "split", label="has checked {step}")
def check(s, step, worker):
    """The workspace is checked; the write is an event of its own."""
    s.holds[worker].base = base_in_hand(s, worker)
    s.holds[worker].phase = "checked"


@call.otherwise(label="writes {step}", verdict="accept")
def effect(s, step, worker):
    """The step's patch is written, and its key with it."""
    if s.journal == "atomic":
        s.keys.add(key_in_hand(s, step, worker))
    write(s, step)
    show_effect(s, step, s.holds[worker].payload)
    go_on(s, step, worker)
    return "applied"


def withdraw(s, step):
    """The row goes; what it promised binds nobody unless it came about."""
    drop_row(s, step)
    if s.effects[step] == 0:
        s.promised[step] = leases.Payload.none
