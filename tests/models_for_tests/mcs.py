"""The queue lock of Mellor-Crummey and Scott: each waits for a flag of its own.

The steps are those of mcs in the BEEM benchmark. KNOWN has distinct states and transitions by
processes; those of three and four are BEEM's, and SPIN and Rumur find all of them.
"""

from fencecheck.model import Array, Bool, Enum, Index, Maybe, Model

KNOWN = {(2,): (173, 314), (3,): (7_963, 21_503), (4,): (571_459, 2_077_384)}
BOUNDS = ("processes",)

model = Model("mcs", "A queue lock")
model.bound("processes", 3, "processes that want to get in, as often as they like")

PROCESS = Index("processes", "p")
NOBODY = Maybe(PROCESS, "nobody")
AT = Enum(
    "away", "ready", "queued", "behind", "blocked", "waits", "inside", "last", "followed", "stays"
)  # fmt: skip

process = model.actor("process")
model.variable("at", Array(PROCESS, AT), owner=process)
model.variable(
    "ahead", Array(PROCESS, NOBODY), lambda k: (0,) * k.processes, owner=process,
    doc="who was at the end of the queue",
)  # fmt: skip
model.variable("next", Array(PROCESS, NOBODY), doc="who is told when a process leaves")
model.variable("locked", Array(PROCESS, Bool()), doc="the flag that a process waits for")
model.variable("tail", NOBODY, doc="the end of the queue")


@process.action(p=PROCESS, when=lambda s, p: s.at[p] == "away")
def prepare(s, p):
    """A process knows of nobody behind it."""
    s.next[p] = None
    s.at[p] = "ready"


@process.action(p=PROCESS, when=lambda s, p: s.at[p] == "ready")
def swap(s, p):
    """It is the end of the queue, and learns who was it before."""
    s.ahead[p] = s.tail
    s.tail = p
    s.at[p] = "queued"


@process.action(p=PROCESS, when=lambda s, p: s.at[p] == "queued" and s.ahead[p] is None)
def enter(s, p):
    """There was nobody."""
    s.at[p] = "inside"


@process.action(p=PROCESS, when=lambda s, p: s.at[p] == "queued" and s.ahead[p] is not None)
def fall_in(s, p):
    """There was somebody."""
    s.at[p] = "behind"


@process.action(p=PROCESS, when=lambda s, p: s.at[p] == "behind")
def block(s, p):
    """It sets its flag."""
    s.locked[p] = True
    s.at[p] = "blocked"


@process.action(p=PROCESS, when=lambda s, p: s.at[p] == "blocked")
def tell(s, p):
    """It tells who is ahead that it waits."""
    s.next[s.ahead[p]] = p
    s.at[p] = "waits"


@process.action(p=PROCESS, when=lambda s, p: s.at[p] == "waits" and not s.locked[p])
def enter_in_turn(s, p):
    """Its flag was taken away."""
    s.at[p] = "inside"


@process.action(p=PROCESS, when=lambda s, p: s.at[p] == "inside" and s.next[p] is None)
def find_nobody(s, p):
    """It is done, and knows of nobody behind it."""
    s.at[p] = "last"


@process.action(p=PROCESS, when=lambda s, p: s.at[p] == "inside" and s.next[p] is not None)
def find_follower(s, p):
    """It is done, and knows who is behind it."""
    s.at[p] = "followed"


@process.action(p=PROCESS, when=lambda s, p: s.at[p] == "last" and s.tail == p)
def leave_empty(s, p):
    """Nobody is behind it."""
    s.tail = None
    s.at[p] = "away"


@process.action(p=PROCESS, when=lambda s, p: s.at[p] == "last" and s.tail != p)
def stay(s, p):
    """Somebody is behind it and has yet to say so."""
    s.at[p] = "stays"


@process.action(p=PROCESS, when=lambda s, p: s.at[p] == "stays" and s.next[p] is not None)
def hear(s, p):
    """It is told who."""
    s.at[p] = "followed"


@process.action(p=PROCESS, when=lambda s, p: s.at[p] == "followed")
def hand_over(s, p):
    """It takes away the flag of the one behind it."""
    s.locked[s.next[p]] = False
    s.at[p] = "away"


@model.invariant(trigger=lambda s: any(at == "inside" for at in s.at))
def alone(s):
    """There is never more than one inside."""
    return sum(1 for at in s.at if at == "inside") <= 1
