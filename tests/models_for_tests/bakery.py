"""Lamport's bakery with numbers that end: whoever would draw a larger one waits for ever.

The steps are those of bakery in the BEEM benchmark: numbers are looked at one by one. KNOWN has
distinct states and transitions by processes and the largest number; they are BEEM's, and SPIN and
Rumur find them too.
"""

from fencecheck.model import Array, Bool, Enum, Index, Int, Model

KNOWN = {
    (2, 9): (1_506, 2_697),
    (3, 4): (32_919, 85_061),
    (4, 7): (7_866_401, 27_018_304),
}
BOUNDS = ("processes", "largest")

model = Model("bakery", "Mutual exclusion by numbers that are drawn")
model.bound("processes", 3, "processes that want to get in, as often as they like")
model.bound("largest", 4, "the largest number that is drawn")

PROCESS = Index("processes", "p")
NUMBER = Int(0, lambda k: k.largest)
AT = Enum("away", "chooses", "looks", "waits", "inside")

process = model.actor("process")
model.variable("at", Array(PROCESS, AT), owner=process)
model.variable("asked", Array(PROCESS, Int(0, lambda k: k.processes)), owner=process)
model.variable("highest", Array(PROCESS, NUMBER), owner=process, doc="the largest one seen")
model.variable("choosing", Array(PROCESS, Bool()))
model.variable("number", Array(PROCESS, NUMBER), doc="0: none")


@process.action(p=PROCESS, when=lambda s, p: s.at[p] == "away")
def want(s, p):
    """A process begins to look for the largest number."""
    s.choosing[p] = True
    s.asked[p] = 0
    s.highest[p] = 0
    s.at[p] = "chooses"


@process.action(p=PROCESS, when=lambda s, p: s.at[p] == "chooses" and s.asked[p] < s.processes)
def compare(s, p):
    """It looks at the number of one more."""
    s.highest[p] = max(s.highest[p], s.number[s.asked[p]])
    s.asked[p] += 1


@process.action(
    p=PROCESS,
    when=lambda s, p: (
        s.at[p] == "chooses" and s.asked[p] == s.processes and s.highest[p] < s.largest
    ),
)
def draw(s, p):
    """Its number is above all that it saw."""
    s.number[p] = s.highest[p] + 1
    s.asked[p] = 0
    s.choosing[p] = False
    s.at[p] = "looks"


@process.action(
    p=PROCESS,
    when=lambda s, p: (
        s.at[p] == "looks" and s.asked[p] < s.processes and not s.choosing[s.asked[p]]
    ),
)
def look(s, p):
    """One more is not choosing."""
    s.at[p] = "waits"


def goes_before(s, p, other):
    """Whether a process goes before the other, which may have no number."""
    theirs, own = s.number[other], s.number[p]
    return theirs == 0 or theirs > own or (theirs == own and p <= other)


@process.action(p=PROCESS, when=lambda s, p: s.at[p] == "waits" and goes_before(s, p, s.asked[p]))
def pass_by(s, p):
    """It goes before one more."""
    s.asked[p] += 1
    s.at[p] = "looks"


@process.action(p=PROCESS, when=lambda s, p: s.at[p] == "looks" and s.asked[p] == s.processes)
def enter(s, p):
    """It goes before everybody."""
    s.at[p] = "inside"


@process.action(p=PROCESS, when=lambda s, p: s.at[p] == "inside")
def leave(s, p):
    """It gets out."""
    s.number[p] = 0
    s.at[p] = "away"


@model.invariant(trigger=lambda s: any(at == "inside" for at in s.at))
def alone(s):
    """There is never more than one inside."""
    return sum(1 for at in s.at if at == "inside") <= 1
