"""Part `executor`: checks a request, writes and replies.

It asks the journal first, then compares the revision, then the hash.
"""

from fencecheck.model import Each, Part, replace
from fencecheck.models.fence.identity import identity_of, renew
from fencecheck.models.fence.state import NO_WORK, Phase, Reply, is_idle, state, works_on
from fencecheck.models.parts import stamps
from fencecheck.models.parts.workspace import file_of, write

executor_part = Part("executor")
executor_part.include(state)
executor = executor_part.actor("executor")


def stamped(s, request):
    """The request as the executor checks it: stamped just now where the stamp is that late."""
    if not stamps.is_stamped_at(s, "exec"):
        return request
    new = s.precondition == "restamped"
    return replace(request, base=s.rev, pre=identity_of(s, request.step) if new else request.pre)


def key_of(s, request):
    return stamps.key_of_work(s, request.step, request.id, request.base)


def is_recorded(s, request):
    return stamps.is_recorded_as(s, key_of(s, stamped(s, request)))


def is_stale(s, request):
    return stamps.misses_revision(s, stamped(s, request).base)


def is_changed(s, request):
    found = identity_of(s, request.step)
    return stamps.misses_content(s, stamped(s, request).pre, found)


def take(s, request, phase):
    s.work = stamped(s, request)
    s.requests.remove(request)
    s.phase = phase


def record(s):
    s.keys.add(key_of(s, s.work))


def write_work(s):
    """The write itself; a journal that is atomic or in memory records it in the same event."""
    write(s, s.work.step)
    renew(s, file_of(s, s.work.step))
    if s.journal == "atomic" or s.journal == "memory":
        record(s)
    s.phase = Phase.written if s.journal == "separate" else Phase.answering("applied")


@executor_part.cleanup()
def forget_work(s):
    """An idle executor has no work."""
    if is_idle(s):
        s.work = NO_WORK


# -- a request is taken -------------------------------------------------------------------------
taking = executor.first_of(request=Each("requests", "step"), when=lambda s, request: is_idle(s))


@taking.action(when=is_recorded, verdict="replay", outcome_words="deduped")
def replay(s, request):
    """The executor finds the key in the journal and prepares the stored result."""
    take(s, request, Phase.answering("replayed"))
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
    take(s, request, Phase.answering(why))
    return why


@taking.action(when=lambda s, request: s.check == "split")
def check(s, request):
    """The executor checks; the write is an event of its own."""
    take(s, request, Phase.checked)


@taking.otherwise(verdict="accept")
def apply(s, request):
    """The executor checks and writes in one event."""
    take(s, request, Phase.checked)
    write_work(s)
    return "applied"


# -- what follows -------------------------------------------------------------------------------
@executor.action(
    name="write", when=lambda s, step: works_on(s, step) and s.phase == Phase.checked,
    verdict="accept",
)  # fmt: skip
def write_checked(s, step):
    """The executor writes what it checked before."""
    write_work(s)
    return "applied"


@executor.action(
    name="journal", when=lambda s, step: works_on(s, step) and s.phase == Phase.written
)
def journal_written(s, step):
    """The executor records what it wrote before."""
    record(s)
    s.phase = Phase.answering("applied")


@executor.action(quiet=True, when=lambda s, step: works_on(s, step) and s.phase.tag == "answering")
def reply(s, step):
    """The executor answers and is idle again."""
    answer = s.phase.answering
    s.replies.add(Reply(step=step, current=s.work.current, answer=answer))
    s.phase = Phase.idle
    return answer


# -- words for the diagram ----------------------------------------------------------------------
def why_in_words(s, request):
    found = stamped(s, request)
    pre, held = (stamps.content(s, c) for c in (found.pre, identity_of(s, request.step)))
    return stamps.misfit_in_words(s, found.base, pre, held)
