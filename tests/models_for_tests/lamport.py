"""Lamport's fast mutual exclusion: seven accesses to shared memory where nobody else wants in.

The steps are those of lamport in the BEEM benchmark. KNOWN has distinct states and transitions by
processes; those of four are BEEM's, and SPIN and Rumur find all of them.
"""

from fencecheck.model import Array, Bool, Enum, Index, Int, Maybe, Model

KNOWN = {(2,): (748, 1_388), (3,): (29_242, 77_286), (4,): (1_066_800, 3_630_664)}
BOUNDS = ("processes",)

model = Model("lamport", "Fast mutual exclusion")
model.bound("processes", 3, "processes that want to get in, as often as they like")

PROCESS = Index("processes", "p")
NOBODY = Maybe(PROCESS, "nobody")
AT = Enum(
    "away", "wanting", "first", "waits", "free", "second", "looks", "looked", "inside", "leaving"
)  # fmt: skip

process = model.actor("process")
model.variable("at", Array(PROCESS, AT), owner=process)
model.variable("asked", Array(PROCESS, Int(0, lambda k: k.processes)), owner=process)
model.variable("wants", Array(PROCESS, Bool()))
model.variable("x", NOBODY, doc="who came last")
model.variable("y", NOBODY, doc="who holds the gate")


@process.action(p=PROCESS, when=lambda s, p: s.at[p] == "away")
def want(s, p):
    """A process says that it wants to get in."""
    s.wants[p] = True
    s.at[p] = "wanting"


@process.action(p=PROCESS, when=lambda s, p: s.at[p] == "wanting")
def come_last(s, p):
    """It puts its name down as the last one."""
    s.x = p
    s.at[p] = "first"


@process.action(p=PROCESS, when=lambda s, p: s.at[p] == "first" and s.y is not None)
def stand_back(s, p):
    """Somebody holds the gate."""
    s.wants[p] = False
    s.at[p] = "waits"


@process.action(p=PROCESS, when=lambda s, p: s.at[p] == "waits" and s.y is None)
def start_again(s, p):
    """The gate is free again."""
    s.at[p] = "away"


@process.action(p=PROCESS, when=lambda s, p: s.at[p] == "first" and s.y is None)
def find_free(s, p):
    """Nobody holds the gate."""
    s.at[p] = "free"


@process.action(p=PROCESS, when=lambda s, p: s.at[p] == "free")
def hold(s, p):
    """It holds the gate."""
    s.y = p
    s.at[p] = "second"


@process.action(p=PROCESS, when=lambda s, p: s.at[p] == "second" and s.x == p)
def enter(s, p):
    """Nobody came after it."""
    s.at[p] = "inside"


@process.action(p=PROCESS, when=lambda s, p: s.at[p] == "second" and s.x != p)
def yield_gate(s, p):
    """Somebody came after it: it looks whether anybody still wants to get in."""
    s.wants[p] = False
    s.asked[p] = 0
    s.at[p] = "looks"


@process.action(
    p=PROCESS,
    when=lambda s, p: s.at[p] == "looks" and s.asked[p] < s.processes and not s.wants[s.asked[p]],
)
def pass_by(s, p):
    """One more does not want to get in."""
    s.asked[p] += 1


@process.action(p=PROCESS, when=lambda s, p: s.at[p] == "looks" and s.asked[p] == s.processes)
def look_back(s, p):
    """It has looked at everybody."""
    s.at[p] = "looked"


@process.action(p=PROCESS, when=lambda s, p: s.at[p] == "looked" and s.y == p)
def enter_late(s, p):
    """It still holds the gate."""
    s.at[p] = "inside"


@process.action(p=PROCESS, when=lambda s, p: s.at[p] == "looked" and s.y is None)
def give_up(s, p):
    """The gate was given back meanwhile."""
    s.at[p] = "away"


@process.action(p=PROCESS, when=lambda s, p: s.at[p] == "inside")
def give_back(s, p):
    """It gives the gate back."""
    s.y = None
    s.at[p] = "leaving"


@process.action(p=PROCESS, when=lambda s, p: s.at[p] == "leaving")
def leave(s, p):
    """It gets out."""
    s.wants[p] = False
    s.at[p] = "away"


@model.invariant(trigger=lambda s: any(at == "inside" for at in s.at))
def alone(s):
    """There is never more than one inside."""
    return sum(1 for at in s.at if at == "inside") <= 1
