"""Part `executor`: checks a request, writes and replies.

It asks the journal first, then compares the revision, then the hash.
"""

from fencecheck.model import Each, Part, replace
from fencecheck.models.fence.identity import identity_of, renew
from fencecheck.models.fence.state import NO_WORK, Phase, Reply, is_idle, state, works_on
from fencecheck.models.parts import stamps
from fencecheck.models.parts.workspace import file_of, write

executor_part = Part("executor", includes=[state])
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


def is_misfit(s, request):
    found = stamped(s, request)
    return stamps.misfits(s, found.base, found.pre, identity_of(s, request.step))


def misfit_in_words(s, request):
    found = stamped(s, request)
    return stamps.misfit_in_words(s, found.base, found.pre, identity_of(s, request.step))


def take(s, request, phase):
    s.work = stamped(s, request)
    s.requests.remove(request)
    s.phase = phase


def write_work(s):
    """The write itself; a journal that is atomic or in memory records it in the same event."""
    write(s, s.work.step)
    renew(s, file_of(s, s.work.step))
    if s.journal == "atomic" or s.journal == "memory":
        s.keys.add(key_of(s, s.work))
    s.phase = Phase.written if s.journal == "separate" else Phase.answering("applied")


def rest(s):
    """The executor keeps nothing of what it did."""
    s.phase = Phase.idle
    forget_work(s)


@executor_part.forgets()
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
    when=is_misfit,
    remark=misfit_in_words,
    verdict="reject: {why}",
    outcome_words="rejected: {outcome}",
)
def reject(s, request):
    """The executor refuses a request whose revision or hash does not match."""
    is_stale = stamps.misses_revision(s, stamped(s, request).base)
    why = "stale_rev" if is_stale else "pre_hash"
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
working = executor.first_of(when=works_on)


@working.action(name="write", when=lambda s, step: s.phase == Phase.checked, verdict="accept")
def write_checked(s, step):
    """The executor writes what it checked before."""
    write_work(s)
    return "applied"


@working.action(name="journal", when=lambda s, step: s.phase == Phase.written)
def journal_written(s, step):
    """The executor records what it wrote before."""
    s.keys.add(key_of(s, s.work))
    s.phase = Phase.answering("applied")


@working.otherwise(quiet=True)
def reply(s, step):
    """The executor answers and is idle again."""
    answer = s.phase.answering
    s.replies.add(Reply(step=step, current=s.work.current, answer=answer))
    rest(s)
    return answer
