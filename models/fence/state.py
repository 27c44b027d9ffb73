"""Part `state`: how the steps of family fence travel, and what everybody holds of them.

The messages, what client and executor keep between events, the words that guards and properties
are told in, and the switches that are neither the fence's nor the workspace's. Which events there
are is in planner.py, client.py, executor.py and interference.py, what must hold in properties.py.
"""

from fencecheck.model import Array, Bag, Bool, Enum, Ghost, OneOf, Part, Record, replace
from fencecheck.models.fence.identity import PRE, identity, keeps_aim
from fencecheck.models.parts import workspace
from fencecheck.models.parts.stamps import has_new_pre, is_stamped_at
from fencecheck.models.parts.workspace import BASE, CONTENTS, ID, ORIGINAL, STEP, Content

state = Part("state", includes=[identity])
state.bound("in_flight", 4, "requests, and replies, that the network has room for")
state.budget("truncations", "times the journal is truncated")
state.budget("preemptions", "times the executor is preempted")
state.budget("lost_replies", "replies that the network loses")
state.mechanisms(
    retention="keep* | truncate | checkpoint: what maintenance may drop of the journal: nothing, "
    "everything, keys nothing can need",
    ids="stable* | fresh, environment: whether a re-planned step keeps its step_id",
    retry="off | same* | restamp: what a client that hears nothing sends: nothing, the same "
    "message, one stamped anew",
    silence="retry* | ask | clean_up, environment: what a client that hears nothing does: sends "
    "again, as `retry` says; looks first whether the file holds what the step leaves; puts back "
    "what the step was planned against, and has it planned anew",
    admission="off* | overlap: overlap: a plan in which two steps were planned against the same "
    "state of a file is refused",
    overlap="off* | on, environment: on: the steps of a plan were planned side by side, each "
    "against the snapshot",
)


# -- messages and state -------------------------------------------------------------------------
def stamp_in_words(m, k):
    """What is stamped before the executor gets it, and compared then."""
    words, last = [], is_stamped_at(k, "exec")
    if k.fence != "none" and not last and m.base is not None:
        words.append(f"base {m.base}")
    if k.precondition != "off" and not (last and has_new_pre(k)):
        words.append(f"pre {PRE.resolve(k).show(m.pre)}")
    return " ".join(words) or "nothing"


def request_in_words(m, k):
    return f"{workspace.id_in_words(m, k)} {stamp_in_words(m, k)}".removesuffix(" nothing")


# What a message was planned against is kept beside ``pre`` only where that may differ.
AGAINST = Content.only(lambda k: CONTENTS if keeps_aim(k) else "original")
ANSWER = Enum("applied", "replayed", "stale_rev", "pre_hash")
Phase = OneOf("Phase", idle=None, checked=None, written=None, answering=ANSWER)
# fmt: off
Stamp = Record("Stamp", stamp_in_words, base=BASE, pre=PRE, against=Ghost(AGAINST))
Request = Record("Request", request_in_words, step=STEP, id=ID, current=Bool(),
                 base=BASE, pre=PRE, against=Ghost(AGAINST))
NO_STAMP = Stamp(base=None, pre=ORIGINAL, against=ORIGINAL)
NO_WORK = Request(step=0, id=None, current=False, base=None, pre=ORIGINAL, against=ORIGINAL)
Reply = Record("Reply", lambda r, k: r.answer, step=STEP, current=Bool(), answer=ANSWER)

state.variable("view", Array(STEP, Enum("todo", "sent", "done", "rejected")), owner="client",
               doc="what the client believes of each step")
state.variable("stamp_of", Array(STEP, Stamp), owner="planner", doc="the stamps a step has by now")
state.variable("plans_made", workspace.PLAN, owner="planner", told=False,
               doc="plans made anew, where their steps get new ids")
state.variable("id_of", Array(STEP, ID), owner="planner", doc="the step_id, where it is not stable")
state.variable("refused", Bool(), owner="planner", doc="whether admission refused the newest plan")
state.messages("requests", Bag(Request, "in_flight"), doc="requests in flight")
state.messages("replies", Bag(Reply, "in_flight"), back=True, doc="replies in flight")
state.variable("phase", Phase, owner="executor", doc="how far it is, and what it will answer")
state.variable("work", Request, owner="executor", doc="the request the executor works on")
# fmt: on


# -- words used below ---------------------------------------------------------------------------
def is_current(s, step):
    """The first step not done."""
    return s.view[step] != "done" and all(s.view[j] == "done" for j in range(step))


def is_idle(s):
    return s.phase == Phase.idle


def works_on(s, step):
    return s.phase != Phase.idle and s.work.step == step


def request_travels(s, step):
    return any(m.step == step for m in s.requests) or works_on(s, step)


def is_out(s, step):
    """A request or reply of the step, of any generation, is in flight or in the executor."""
    return request_travels(s, step) or any(r.step == step for r in s.replies)


def bare(message):
    """The message without what only the model knows of it."""
    return replace(message, against=ORIGINAL)


def aim_of(s, message):
    """The content that a message was planned against."""
    return message.against if keeps_aim(s) else message.pre


@state.admission
def is_refused(s):
    """Nothing of a plan that admission refuses is dispatched."""
    return s.refused


def finished(s):
    return s.refused or all(v == "done" for v in s.view)
