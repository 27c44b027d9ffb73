"""Family `fence`: the steps of a plan as fenced commands against a workspace.

A planner stamps ordered steps from a snapshot; a client sends them one after another and
retries; an executor checks each request (journal first, then revision, then hash), writes and
replies. People edit, replies get lost, requests arrive twice, executors and models are replaced.

Readings where the description leaves room: a step's stamps are forgotten once it is done or
rejected, since nothing can send them again; a re-plan marks what is in flight of the steps it
covers as no longer current, which is all that generations decide; `journal_covers` asks what
could still need a key after the event.
"""

from fencecheck.model import Each, Model, bag, replace
from fencecheck.models.fence.delivery import (
    Reply,
    Request,
    Stamp,
    finished,
    is_current,
    is_idle,
    is_out,
    request_travels,
    works_on,
)
from fencecheck.models.fence.properties import step_guarantees
from fencecheck.models.parts.stamps import (
    has_new_pre,
    is_recorded_as,
    is_stamped_at,
    is_stamped_late,
    key_of_work,
    misfit_in_words,
    misses_content,
    misses_revision,
    undone_in_words,
)
from fencecheck.models.parts.workspace import (
    ORIGINAL,
    STEP,
    file_of,
    has_checkpoint,
    is_durable,
    restore,
    result_of,
    write,
)

model = Model("fence", "Steps of a plan against a workspace")
model.include(step_guarantees)
model.goal = finished
model.lane_order = (
    "human", "tests", "maintenance", "router", "substrate",
    "planner", "client", "network", "executor", "workspace", "journal",
)  # fmt: skip

planner = model.actor("planner")
client = model.actor("client")
executor = model.actor("executor")
network = model.actor("network", "interference")
substrate = model.actor("substrate", "interference")
router = model.actor("router", "interference")
maintenance = model.actor("maintenance", "interference")
tests = model.actor("tests", "interference")


# -- planner ------------------------------------------------------------------------------------
def plan(s, drifted):
    """Plan every step not done, from the workspace as it is now or as it was at first."""
    outdate(s)
    offset = 0
    overlapping = False
    for step in range(s.steps):
        if s.view[step] != "done":
            before = ORIGINAL if drifted else s.content[file_of(s, step)]
            for earlier in range(step):
                if s.view[earlier] != "done" and file_of(s, earlier) == file_of(s, step):
                    overlapping = True
                    if s.overlap == "off":
                        before = result_of(earlier)
            base = 0 if drifted and s.fence != "plan" else s.rev
            if s.fence != "plan" and s.overlap == "off":
                base += offset
            offset += 1
            set_stamp(s, step, base, before)
            if s.ids == "fresh":
                s.id_of[step] += 1
    for step in range(s.steps):
        if s.view[step] != "done":
            s.view[step] = "todo"
    s.refused = s.admission == "overlap" and s.overlap == "on" and overlapping


def set_stamp(s, step, base, before):
    """What is stamped later is left open."""
    s.stamp_of[step] = Stamp(
        base=0 if is_stamped_late(s) else base,
        pre=ORIGINAL if has_new_pre(s) else before,
        against=before if has_new_pre(s) else ORIGINAL,
    )


def outdate(s):
    """What is in flight of the steps planned anew is of an older generation from now on."""
    s.requests = bag(replace(m, current=m.current and s.view[m.step] == "done") for m in s.requests)
    s.replies = bag(replace(r, current=r.current and s.view[r.step] == "done") for r in s.replies)
    if s.phase != "idle" and s.view[s.work.step] != "done":
        s.work = replace(s.work, current=False)


@planner.action(
    when=lambda s: (
        s.replan == "on_reject"
        and any(is_current(s, i) and s.view[i] == "rejected" for i in range(s.steps))
    )
)
def replan(s):
    """The planner plans again from the workspace as it is now."""
    plan(s, False)


# -- client -------------------------------------------------------------------------------------
def send(s, step):
    """Stamp what is stamped now and put the request in flight."""
    if is_stamped_at(s, "dispatch"):
        pre = s.stamp_of[step].pre
        if s.precondition == "restamped":
            pre = s.content[file_of(s, step)]
        s.stamp_of[step] = replace(s.stamp_of[step], base=s.rev, pre=pre)
    send_again(s, step)


def send_again(s, step):
    stamp = s.stamp_of[step]
    s.requests.add(
        Request(
            step=step,
            id=s.id_of[step],
            current=True,
            base=stamp.base,
            pre=stamp.pre,
            against=stamp.against,
        )
    )


@client.action(
    step=STEP,
    when=lambda s, step: not s.refused and is_current(s, step) and s.view[step] == "todo",
)
def dispatch(s, step):
    """The client sends the first step not done."""
    send(s, step)
    s.view[step] = "sent"


@client.action(
    step=STEP,
    when=lambda s, step: s.retry != "off" and s.view[step] == "sent" and not is_out(s, step),
)
def retry(s, step):
    """The client hears nothing and sends once more."""
    if s.retry == "restamp":
        send(s, step)
    else:
        send_again(s, step)


@client.action(reply=Each("replies", "step"), quiet=True)
def receive(s, reply):
    """The client takes a reply; one of an older generation changes nothing."""
    s.replies.remove(reply)
    if reply.current and s.view[reply.step] == "sent":
        if reply.answer == "applied" or reply.answer == "replayed":
            s.view[reply.step] = "done"
        else:
            s.view[reply.step] = "rejected"
        forget_stamp(s, reply.step)
    return reply.answer


@model.forgets(step=STEP)
def forget_stamp(s, step):
    """Nothing can send a step again that is done or rejected; a new plan stamps it anew."""
    if s.view[step] == "done" or s.view[step] == "rejected":
        s.stamp_of[step] = Stamp(base=0, pre=ORIGINAL, against=ORIGINAL)


# -- executor -----------------------------------------------------------------------------------
def stamped(s, request):
    """The request as the executor checks it: stamped just now where the stamp is that late."""
    if is_stamped_at(s, "exec"):
        pre = request.pre
        if s.precondition == "restamped":
            pre = s.content[file_of(s, request.step)]
        return replace(request, base=s.rev, pre=pre)
    return request


def key_of(s, request):
    return key_of_work(s, request.step, request.id, request.base)


def is_recorded(s, request):
    return is_recorded_as(s, key_of(s, stamped(s, request)))


def is_stale(s, request):
    return misses_revision(s, stamped(s, request).base)


def is_changed(s, request):
    return misses_content(s, request.step, stamped(s, request).pre)


def is_accepted(s, request):
    return not (is_recorded(s, request) or is_stale(s, request) or is_changed(s, request))


def take(s, request):
    s.work = stamped(s, request)
    s.requests.remove(request)


def record(s):
    s.keys.add(key_of(s, s.work))


def write_work(s):
    """The write itself; a journal that is atomic or in memory records it in the same event."""
    write(s, s.work.step)
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


@model.forgets()
def forget_work(s):
    """An idle executor has no work, and one that has not written yet no answer."""
    if s.phase == "idle":
        s.work = Request(step=0, id=0, current=False, base=0, pre=ORIGINAL, against=ORIGINAL)
    if s.phase == "idle" or s.phase == "checked":
        s.answer = "applied"


@executor.action(
    request=Each("requests", "step"),
    when=lambda s, request: s.check == "atomic" and is_idle(s) and is_accepted(s, request),
    verdict="accept",
)
def apply(s, request):
    """The executor checks and writes in one event."""
    take(s, request)
    write_work(s)
    return "applied"


@executor.action(
    request=Each("requests", "step"),
    when=lambda s, request: s.check == "split" and is_idle(s) and is_accepted(s, request),
)
def check(s, request):
    """The executor checks; the write is an event of its own."""
    take(s, request)
    s.phase = "checked"


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
    request=Each("requests", "step"),
    when=lambda s, request: is_idle(s) and is_recorded(s, request),
    verdict="replay",
)
def replay(s, request):
    """The executor finds the key in the journal and prepares the stored result."""
    take(s, request)
    s.phase = "answering"
    s.answer = "replayed"
    return "replayed"


replay.outcome_words = "deduped"


@executor.action(
    request=Each("requests", "step"),
    when=lambda s, request: (
        is_idle(s)
        and not is_recorded(s, request)
        and (is_stale(s, request) or is_changed(s, request))
    ),
    remark=lambda s, request: why_in_words(s, request),
    verdict="reject: {why}",
)
def reject(s, request):
    """The executor refuses a request whose revision or hash does not match."""
    why = "stale_rev" if is_stale(s, request) else "pre_hash"
    take(s, request)
    s.phase = "answering"
    s.answer = why
    return why


reject.outcome_words = "rejected: {outcome}"


@executor.action(
    step=STEP, quiet=True, when=lambda s, step: works_on(s, step) and s.phase == "answering"
)
def reply(s, step):
    """The executor answers and is idle again."""
    answer = s.answer
    s.replies.add(Reply(step=step, current=s.work.current, answer=answer))
    rest(s)
    return answer


# -- interference -------------------------------------------------------------------------------
@substrate.interference(
    "preemptions",
    when=lambda s: not is_idle(s) or (s.journal == "memory" and len(s.keys) > 0),
)
def preempt(s):
    """The executor vanishes with its work in progress and its memory."""
    rest(s)
    if s.journal == "memory":
        s.keys.clear()


@network.interference("lost_replies", reply=Each("replies", "step"))
def lose_reply(s, reply):
    """A reply vanishes."""
    s.replies.remove(reply)


@network.interference("duplicates", request=Each("requests", "step"))
def duplicate(s, request):
    """A second copy of a request is in flight."""
    s.requests.add(request)


@router.interference("swaps", when=lambda s: any(v != "done" for v in s.view))
def swap_model(s):
    """Another model takes over and plans from the workspace as it is now."""
    plan(s, False)


@router.interference("drifts", when=lambda s: any(v != "done" for v in s.view))
def swap_model_drifted(s):
    """Another model takes over and plans from what the workspace was at first."""
    plan(s, True)


@maintenance.interference(
    "truncations",
    when=lambda s: s.retention != "keep" and is_durable(s) and len(s.keys) > 0,
)
def truncate_journal(s):
    """Maintenance drops keys: all, or those whose step is done and has nothing under way."""
    if s.retention == "truncate":
        s.keys.clear()
    else:
        s.keys = {k for k in s.keys if s.view[k.step] != "done" or request_travels(s, k.step)}


@tests.interference(
    "test_failures",
    when=lambda s: s.compensation != "none" and has_checkpoint(s) and is_idle(s),
    verdict=undone_in_words,
)
def fail(s):
    """The tests of the last applied step fail, and its write is undone."""
    if s.compensation == "checkpoint" or s.rev == s.checkpoint.rev:
        step = s.checkpoint.step
        restore(s)
        if s.compensation == "full":
            s.keys = {k for k in s.keys if k.step != step}
            s.view[step] = "todo"
            plan(s, False)


def why_in_words(s, request):
    found = stamped(s, request)
    return misfit_in_words(s, request.step, found.base, found.pre)
