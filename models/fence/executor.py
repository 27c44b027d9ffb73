"""Part `executor`: checks a request, writes and replies.

It asks the journal first, then compares the revision, then the hash.
"""

from fencecheck.model import Each, Part, replace
from fencecheck.models.fence.identity import (
    identity_of,
    misfit_of_identity,
    misses_identity,
    renew,
)
from fencecheck.models.fence.state import Reply, Request, is_idle, state, works_on
from fencecheck.models.parts.stamps import (
    is_recorded_as,
    is_stamped_at,
    key_of_work,
    misfit_in_words,
    misses_revision,
)
from fencecheck.models.parts.workspace import ORIGINAL, STEP, file_of, write

executor_part = Part("executor")
executor_part.include(state)
executor = executor_part.actor("executor")


def stamped(s, request):
    """The request as the executor checks it: stamped just now where the stamp is that late."""
    if is_stamped_at(s, "exec"):
        pre = request.pre
        if s.precondition == "restamped":
            pre = identity_of(s, file_of(s, request.step))
        return replace(request, base=s.rev, pre=pre)
    return request


def key_of(s, request):
    return key_of_work(s, request.step, request.id, request.base)


def is_recorded(s, request):
    return is_recorded_as(s, key_of(s, stamped(s, request)))


def is_stale(s, request):
    return misses_revision(s, stamped(s, request).base)


def is_changed(s, request):
    return misses_identity(s, request.step, stamped(s, request).pre)


def take(s, request):
    s.work = stamped(s, request)
    s.requests.remove(request)


def record(s):
    s.keys.add(key_of(s, s.work))


def write_work(s):
    """The write itself; a journal that is atomic or in memory records it in the same event."""
    write(s, s.work.step)
    renew(s, file_of(s, s.work.step))
    s.answer = "applied"
    s.phase = "answering"
    if s.journal == "atomic" or s.journal == "memory":
        record(s)
    if s.journal == "separate":
        s.phase = "written"


def rest(s):
    """The executor keeps nothing of what it did."""
    s.phase = "idle"
    forget_work(s)


@executor_part.forgets()
def forget_work(s):
    """An idle executor has no work, and one that has not written yet no answer."""
    if s.phase == "idle":
        s.work = Request(step=0, id=0, current=False, base=0, pre=ORIGINAL, against=ORIGINAL)
    if s.phase == "idle" or s.phase == "checked":
        s.answer = "applied"


# -- a request is taken -------------------------------------------------------------------------
taking = executor.first_of(request=Each("requests", "step"), when=lambda s, request: is_idle(s))


@taking.action(when=is_recorded, verdict="replay", outcome_words="deduped")
def replay(s, request):
    """The executor finds the key in the journal and prepares the stored result."""
    take(s, request)
    s.phase = "answering"
    s.answer = "replayed"
    return "replayed"


@taking.action(
    when=lambda s, request: is_stale(s, request) or is_changed(s, request),
    remark=lambda s, request: why_in_words(s, request),
    verdict="reject: {why}",
    outcome_words="rejected: {outcome}",
)
def reject(s, request):
    """The executor refuses a request whose revision or hash does not match."""
    why = "stale_rev" if is_stale(s, request) else "pre_hash"
    take(s, request)
    s.phase = "answering"
    s.answer = why
    return why


@taking.action(when=lambda s, request: s.check == "split")
def check(s, request):
    """The executor checks; the write is an event of its own."""
    take(s, request)
    s.phase = "checked"


@taking.otherwise(verdict="accept")
def apply(s, request):
    """The executor checks and writes in one event."""
    take(s, request)
    write_work(s)
    return "applied"


# -- what follows -------------------------------------------------------------------------------
@executor.action(
    step=STEP,
    name="write",
    when=lambda s, step: works_on(s, step) and s.phase == "checked",
    verdict="accept",
)
def write_checked(s, step):
    """The executor writes what it checked before."""
    write_work(s)
    return "applied"


@executor.action(
    step=STEP, name="journal", when=lambda s, step: works_on(s, step) and s.phase == "written"
)
def journal_written(s, step):
    """The executor records what it wrote before."""
    record(s)
    s.phase = "answering"


@executor.action(
    step=STEP, quiet=True, when=lambda s, step: works_on(s, step) and s.phase == "answering"
)
def reply(s, step):
    """The executor answers and is idle again."""
    answer = s.answer
    s.replies.add(Reply(step=step, current=s.work.current, answer=answer))
    rest(s)
    return answer


# -- words for the diagram ----------------------------------------------------------------------
def why_in_words(s, request):
    found = stamped(s, request)
    if is_stale(s, request):
        return misfit_in_words(s, request.step, found.base, found.pre)
    return misfit_of_identity(s, request.step, found.pre)
