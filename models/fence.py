"""Family `fence`: the steps of a plan as fenced commands against a workspace.

A planner stamps ordered steps from a snapshot; a client sends them one after another and
retries; an executor checks each request (journal first, then revision, then hash), writes and
replies. People edit, replies get lost, requests arrive twice, executors and models are replaced.

Readings where the description leaves room: a step's stamps are forgotten once it is done or
rejected, since nothing can send them again; a re-plan marks what is in flight of the steps it
covers as no longer current, which is all that generations decide; `journal_covers` asks what
could still need a key after the event.
"""

from fencecheck.model import Array, Bag, Bool, Each, Enum, Ghost, Model, Record, bag, replace
from fencecheck.models.fencing import (
    base_in_words,
    discarded_in_words,
    fencing,
    is_recorded_as,
    is_spurious,
    is_stamped_at,
    key_of_work,
    lost_in_words,
    misfit_in_words,
    misses_content,
    misses_revision,
    name,
    replaces_only,
    spurious_in_words,
    undoes_only,
    untrue_in_words,
)
from fencecheck.models.workspace import (
    BASE,
    CONTENT,
    ID,
    ORIGINAL,
    STEP,
    Key,
    file_of,
    is_durable,
    planned_against,
    restore,
    result_of,
    write,
)

model = Model("fence", "Steps of a plan against a workspace")
model.include(fencing)
model.lane_order = (
    "human", "tests", "maintenance", "router", "substrate",
    "planner", "client", "network", "executor", "workspace", "journal",
)  # fmt: skip

# -- budgets and mechanisms ---------------------------------------------------------------------
model.budget("truncations", "times the journal is truncated")
model.budget("preemptions", "times the executor is preempted")
model.budget("lost_replies", "replies that the network loses")
model.mechanism(
    "retention",
    ("keep", "truncate", "checkpoint"),
    "keep",
    "what maintenance may drop of the journal: nothing, everything, keys nothing can need",
)
model.mechanism(
    "ids",
    ("stable", "fresh"),
    "stable",
    "whether a re-planned step keeps its step_id",
    environment=True,
)
model.mechanism(
    "retry",
    ("off", "same", "restamp"),
    "same",
    "what a client that hears nothing sends: nothing, the same message, one stamped anew",
)
model.mechanism(
    "admission",
    ("off", "overlap"),
    "off",
    "overlap: a plan in which two steps were planned against the same state of a file is refused",
)
model.mechanism(
    "overlap",
    ("off", "on"),
    "off",
    "on: the steps of a plan were planned side by side, each against the snapshot",
    environment=True,
)

# -- messages and state -------------------------------------------------------------------------


def stamp_in_words(m, k):
    words = f"s{m.step + 1}"
    if k.ids == "fresh":
        words += f".{m.id}"
    if k.fence != "none" and k.stamp != "exec":
        words += f" base {m.base}"
    if k.precondition != "off" and k.stamp != "exec":
        words += f" pre {CONTENT.resolve(k).show(m.pre)}"
    return words


def in_flight(k):
    """One request or reply at a time, one more for each copy and for each plan made anew.

    A lost reply or a preempted executor adds none: a retry waits until nothing is under way.
    """
    return 1 + k.duplicates + k.swaps + k.drifts + k.test_failures


Stamp = Record(
    "Stamp",
    lambda m, k: f"base {m.base} pre {CONTENT.resolve(k).show(m.pre)}",
    base=BASE,
    pre=CONTENT,
    against=Ghost(CONTENT),
)
Request = Record(
    "Request",
    stamp_in_words,
    step=STEP,
    id=ID,
    current=Bool(),
    base=BASE,
    pre=CONTENT,
    against=Ghost(CONTENT),
)
ANSWER = Enum("applied", "replayed", "stale_rev", "pre_hash")
Reply = Record("Reply", lambda r, k: r.answer, step=STEP, current=Bool(), answer=ANSWER)

planner = model.actor("planner")
client = model.actor("client")
executor = model.actor("executor")
network = model.actor("network", "interference")
substrate = model.actor("substrate", "interference")
router = model.actor("router", "interference")
maintenance = model.actor("maintenance", "interference")
tests = model.actor("tests", "interference")


def planned_stamps(k):
    """The first plan is made at revision 0, from original contents."""
    stamps = []
    for step in range(k.steps):
        before = planned_against(k, step) if k.overlap == "off" else ORIGINAL
        offset = step if k.fence != "plan" and k.overlap == "off" else 0
        late = k.fence == "step" and k.stamp != "plan"
        pre = before if k.precondition == "planned" or not late else ORIGINAL
        pre = pre if k.precondition != "off" else ORIGINAL
        stamps.append(Stamp(base=0 if late else offset, pre=pre, against=before))
    return tuple(stamps)


def refused_at_first(k):
    return k.admission == "overlap" and k.overlap == "on" and k.steps > k.files


model.variable("view", Array(STEP, Enum("todo", "sent", "done", "rejected")), owner=client,
               doc="what the client believes of each step")  # fmt: skip
model.variable("stamp_of", Array(STEP, Stamp), planned_stamps, owner=planner,
               doc="the stamps a step has by now")  # fmt: skip
model.variable("id_of", Array(STEP, ID), owner=planner, doc="the step_id, where it is not stable")
model.variable("refused", Bool(), refused_at_first, owner=planner,
               doc="whether admission refused the newest plan")  # fmt: skip
model.messages("requests", Bag(Request, in_flight), doc="requests in flight")
model.messages("replies", Bag(Reply, in_flight), doc="replies in flight")
model.variable("phase", Enum("idle", "checked", "written", "answering"), owner=executor)
model.variable("work", Request, owner=executor, doc="the request the executor works on")
model.variable("answer", ANSWER, owner=executor, doc="what it will reply")


# -- words used below ---------------------------------------------------------------------------
def is_current(s, step):
    """The first step not done."""
    return s.view[step] != "done" and all(s.view[j] == "done" for j in range(step))


def is_idle(s):
    return s.phase == "idle"


def works_on(s, step):
    return s.phase != "idle" and s.work.step == step


def request_travels(s, step):
    return any(m.step == step for m in s.requests) or works_on(s, step)


def is_out(s, step):
    """A request or reply of the step, of any generation, is in flight or in the executor."""
    return request_travels(s, step) or any(r.step == step for r in s.replies)


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
    late = is_stamped_at(s, "dispatch") or is_stamped_at(s, "exec")
    compared = s.precondition == "planned" or (s.precondition == "restamped" and not late)
    s.stamp_of[step] = Stamp(
        base=0 if late else base, pre=before if compared else ORIGINAL, against=before
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
        s.stamp_of[reply.step] = Stamp(base=0, pre=ORIGINAL, against=ORIGINAL)
    return reply.answer


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
    s.work = Request(step=0, id=0, current=False, base=0, pre=ORIGINAL, against=ORIGINAL)
    s.answer = "applied"


@executor.action(
    request=Each("requests", "step"),
    when=lambda s, request: s.check == "atomic" and is_idle(s) and is_accepted(s, request),
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
    step=STEP, name="write", when=lambda s, step: works_on(s, step) and s.phase == "checked"
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
    request=Each("requests", "step"), when=lambda s, request: is_idle(s) and is_recorded(s, request)
)
def replay(s, request):
    """The executor finds the key in the journal and prepares the stored result."""
    take(s, request)
    s.phase = "answering"
    s.answer = "replayed"
    return "replayed"


@executor.action(
    request=Each("requests", "step"),
    when=lambda s, request: (
        is_idle(s)
        and not is_recorded(s, request)
        and (is_stale(s, request) or is_changed(s, request))
    ),
    remark=lambda s, request: why_in_words(s, request),
)
def reject(s, request):
    """The executor refuses a request whose revision or hash does not match."""
    why = "stale_rev" if is_stale(s, request) else "pre_hash"
    take(s, request)
    s.phase = "answering"
    s.answer = why
    return why


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
    when=lambda s: s.compensation != "none" and s.checkpoint.taken and is_idle(s),
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


# -- what must hold -----------------------------------------------------------------------------
WRITES = ("executor.apply", "executor.write")


def finished(s):
    return s.refused or all(v == "done" for v in s.view)


model.goal = finished


def why_in_words(s, request):
    found = stamped(s, request)
    return misfit_in_words(s, request.step, found.base, found.pre)


@model.transition(*WRITES, relevant=["rev"])
def fresh_apply(before, after):
    """The base_rev a step is stamped with equals the revision at its write (P1)."""
    return after.work.base == before.rev


@model.transition(trigger=lambda before, after: len(before.keys) > 0, relevant=["keys"])
def journal_append_only(before, after):
    """No recorded key disappears (P2)."""
    return all(k in after.keys for k in before.keys)


@model.transition(*WRITES, relevant=["rev"])
def no_future_base(before, after):
    """The base_rev a step is stamped with is not above the revision at its write (P3)."""
    return after.work.base <= before.rev


@fresh_apply.says
@no_future_base.says
def work_in_words(before, after):
    return base_in_words(after.work.step, after.work.base, before.rev)


def still_needed(before, after, key):
    """By a step not done or work under way; a compensation's step only by a request in flight."""
    if after.test_failures < before.test_failures:
        return any(m.step == key.step for m in after.requests)
    return after.view[key.step] != "done" or request_travels(after, key.step)


@model.transition(
    trigger=lambda before, after: any(k not in after.keys for k in before.keys), relevant=["keys"]
)
def journal_covers(before, after):
    """No key disappears that a step not done or a request under way could still need."""
    return all(k in after.keys or not still_needed(before, after, k) for k in before.keys)


@journal_append_only.says
@journal_covers.says
def keys_in_words(before, after):
    key = Key.resolve(before.k)
    gone = [key.show(k) for k in before.keys if k not in after.keys]
    return (
        f"the journal forgot {', '.join(gone)}",
        [["keys before", [key.show(k) for k in before.keys]],
         ["keys after", [key.show(k) for k in after.keys]]],
    )  # fmt: skip


@model.transition(*WRITES, "tests.fail", relevant=["content"])
def no_lost_update(before, after):
    """A write replaces only what its message was planned against, or the step's own result."""
    if after.test_failures < before.test_failures:
        return undoes_only(before, after)
    return replaces_only(before, after.work.step, after.work.against)


@no_lost_update.says
def replaced_in_words(before, after):
    if after.test_failures < before.test_failures:
        return discarded_in_words(before)
    return lost_in_words(before, after.work.step, after.work.against)


@model.transition(*WRITES, relevant=["content"])
def at_most_once(before, after):
    """A step is written only while its effect is not in."""
    return not before.effect_in[after.work.step]


@at_most_once.says
def twice_in_words(before, after):
    return (
        f"{name(after.work.step)} was applied again, while its effect was in",
        [["effect before the write", "in"], ["effect it may be applied on", "not in"]],
    )


@model.transition("executor.reject")
def truthful_reply(before, after):
    """A request of the current generation is not rejected while the step's effect is in."""
    return not (after.work.current and before.effect_in[after.work.step])


@truthful_reply.says
def answered_in_words(before, after):
    return untrue_in_words(after.work.step, after.answer)


@model.invariant(trigger=lambda s: any(v == "done" for v in s.view))
def truthful_ack(s):
    """A step that the client holds done has its effect in."""
    return all(s.view[i] != "done" or s.effect_in[i] for i in range(s.steps))


@truthful_ack.says
def unfounded_in_words(before, after):
    steps = [i for i in range(after.steps) if after.view[i] == "done" and not after.effect_in[i]]
    names = ", ".join(name(i) for i in steps)
    return (
        f"the client holds {names} done, but the effect is not in",
        [["the client holds it", "done"], ["its effect", "not in"]],
    )


@model.transition("executor.reject", relevant=["rev", "content"])
def no_spurious_rejection(before, after):
    """A step not applied is not rejected while its file holds what it was planned against."""
    return not is_spurious(before, after.work.step, after.work.against)


@no_spurious_rejection.says
def needless_in_words(before, after):
    return spurious_in_words(before, after.work.step, after.answer)


@model.deadlock()
def no_stuck(s):
    """Wherever the system can do nothing more, every step is done or refused at admission."""
    return finished(s)


@no_stuck.says
def stuck_in_words(before, after):
    views = [f"{name(i)} {after.view[i]}" for i in range(after.steps)]
    return (
        f"nothing more can happen, and the steps are {', '.join(views)}",
        [["the client holds", ", ".join(views)], ["it should hold", "every step done"]],
    )


@model.possibility()
def can_finish(s):
    """The system can always still get every step done or refused, by its own events alone."""
    return finished(s)


@model.liveness()
def finishes(s):
    """Every weakly fair behaviour gets every step done or refused."""
    return finished(s)


# -- what a design costs ------------------------------------------------------------------------
@model.cost("durable writes per step", per="steps")
def durable_writes(before, event, after):
    """A patch, and a journal record unless it is written in the same event."""
    recorded = is_durable(before) and before.keys != after.keys
    return 1 if before.rev != after.rev or recorded else 0


@model.cost("stamps per step", per="steps")
def stamps(before, event, after):
    """A step's base_rev is read from the workspace as it is sent or executed, not with the plan."""
    late = {"dispatch": ("client.dispatch", "client.retry"), "exec": ("executor.apply",)}
    return 1 if before.fence == "step" and event in late.get(before.stamp, ()) else 0


@model.cost("re-plans of an undisturbed run")
def replans(before, event, after):
    """A plan made again although nothing came in between."""
    return 1 if event == "planner.replan" else 0
