"""Part `state`: how the steps of family fence travel, and what everybody holds of them.

The messages, what client and executor keep between events, the words that guards and properties
are told in, and the switches that are neither the fence's nor the workspace's. Which events there
are is in planner.py, client.py, executor.py and interference.py, what must hold in properties.py.
"""

from fencecheck.model import Array, Bag, Bool, Enum, Ghost, Int, Part, Record
from fencecheck.models.fence.identity import (
    PRE,
    first_aim,
    identity,
    keeps_aim,
    planned_identity,
)
from fencecheck.models.parts.stamps import has_new_pre, is_stamped_at, is_stamped_late
from fencecheck.models.parts.workspace import BASE, ID, ORIGINAL, STEP, content_in_words

state = Part("state")
state.include(identity)

# -- budgets and mechanisms ---------------------------------------------------------------------
state.budget("truncations", "times the journal is truncated")
state.budget("preemptions", "times the executor is preempted")
state.budget("lost_replies", "replies that the network loses")
state.mechanism(
    "retention",
    ("keep", "truncate", "checkpoint"),
    "keep",
    "what maintenance may drop of the journal: nothing, everything, keys nothing can need",
)
state.mechanism(
    "ids",
    ("stable", "fresh"),
    "stable",
    "whether a re-planned step keeps its step_id",
    environment=True,
)
state.mechanism(
    "retry",
    ("off", "same", "restamp"),
    "same",
    "what a client that hears nothing sends: nothing, the same message, one stamped anew",
)
state.mechanism(
    "silence",
    ("retry", "ask", "clean_up"),
    "retry",
    "what a client that hears nothing does: sends again, as `retry` says; looks first whether the "
    "file holds what the step leaves; puts back what the step was planned against, and has it "
    "planned anew",
    environment=True,
)
state.mechanism(
    "admission",
    ("off", "overlap"),
    "off",
    "overlap: a plan in which two steps were planned against the same state of a file is refused",
)
state.mechanism(
    "overlap",
    ("off", "on"),
    "off",
    "on: the steps of a plan were planned side by side, each against the snapshot",
    environment=True,
)

# -- messages and state -------------------------------------------------------------------------


def stamps_of(m, k):
    """What is stamped before the executor gets it, and compared then, in words."""
    words, last = [], is_stamped_at(k, "exec")
    if k.fence != "none" and not last:
        words.append(f"base {m.base}")
    if k.precondition != "off" and not (last and has_new_pre(k)):
        words.append(f"pre {PRE.resolve(k).show(m.pre)}")
    return words


def stamp_in_words(m, k):
    return " ".join(stamps_of(m, k)) or "nothing"


def request_in_words(m, k):
    name = f"s{m.step + 1}"
    if k.ids == "fresh":
        name += f".{m.id}"
    return " ".join([name, *stamps_of(m, k)])


def last_against(k):
    """What a message was planned against is kept beside ``pre`` only where that may differ."""
    return k.steps + k.edits if keeps_aim(k) else ORIGINAL


def in_flight(k):
    """One request or reply at a time, one more for each copy and for each plan made anew.

    A lost reply or a preempted executor adds none: a retry waits until nothing is under way.
    """
    return 1 + k.duplicates + k.swaps + k.drifts + k.test_failures


AGAINST = Int(0, last_against, content_in_words)
Stamp = Record(
    "Stamp",
    stamp_in_words,
    base=BASE,
    pre=PRE,
    against=Ghost(AGAINST),
)
Request = Record(
    "Request",
    request_in_words,
    step=STEP,
    id=ID,
    current=Bool(),
    base=BASE,
    pre=PRE,
    against=Ghost(AGAINST),
)
ANSWER = Enum("applied", "replayed", "stale_rev", "pre_hash")
Reply = Record("Reply", lambda r, k: r.answer, step=STEP, current=Bool(), answer=ANSWER)


def planned_stamps(k):
    """The first plan is made at revision 0, from original contents."""
    stamps = []
    for step in range(k.steps):
        before = first_aim(k, step)
        offset = step if k.fence != "plan" and k.overlap == "off" else 0
        base = 0 if is_stamped_late(k) else offset
        pre = ORIGINAL if has_new_pre(k) else planned_identity(k, step, before)
        against = before if keeps_aim(k) else ORIGINAL
        stamps.append(Stamp(base=base, pre=pre, against=against))
    return tuple(stamps)


def refused_at_first(k):
    return k.admission == "overlap" and k.overlap == "on" and k.steps > k.files


state.variable("view", Array(STEP, Enum("todo", "sent", "done", "rejected")), owner="client",
                  doc="what the client believes of each step")  # fmt: skip
state.variable("stamp_of", Array(STEP, Stamp), planned_stamps, owner="planner",
                  doc="the stamps a step has by now")  # fmt: skip
state.variable("id_of", Array(STEP, ID), owner="planner", doc="the step_id, where it is not stable")
state.variable("refused", Bool(), refused_at_first, owner="planner",
                  doc="whether admission refused the newest plan")  # fmt: skip
state.messages("requests", Bag(Request, in_flight), doc="requests in flight")
state.messages("replies", Bag(Reply, in_flight), back=True, doc="replies in flight")
state.variable("phase", Enum("idle", "checked", "written", "answering"), owner="executor")
state.variable("work", Request, owner="executor", doc="the request the executor works on")
state.variable("answer", ANSWER, owner="executor", doc="what it will reply")


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


def aim_of(s, message):
    """The content that a message was planned against."""
    return message.against if keeps_aim(s) else message.pre


@state.admission
def is_refused(s):
    """Nothing of a plan that admission refuses is dispatched."""
    return s.refused


def finished(s):
    return s.refused or all(v == "done" for v in s.view)
