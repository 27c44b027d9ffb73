"""Peterson's algorithm for any number of processes: levels to climb, one left behind at each.

The steps are those of peterson in the BEEM benchmark: the processes that stand higher are looked
for one by one. KNOWN has distinct states and transitions by processes; those of three and four are
BEEM's, and SPIN and Rumur find all of them.
"""

from fencecheck.model import Array, Enum, Index, Int, Model

KNOWN = {(2,): (196, 371), (3,): (12_498, 33_369), (4,): (1_119_560, 3_864_896)}
BOUNDS = ("processes",)

model = Model("peterson", "Mutual exclusion by levels")
model.bound("processes", 3, "processes that want to get in, as often as they like")

PROCESS = Index("processes", "p")
LEVEL = Int(0, lambda k: k.processes)
AT = Enum("away", "climbs", "announced", "looks", "inside")

process = model.actor("process")
model.variable("at", Array(PROCESS, AT), owner=process)
model.variable("level", Array(PROCESS, LEVEL), owner=process, doc="the one it wants to leave")
model.variable("asked", Array(PROCESS, LEVEL), owner=process, doc="how many it has looked at")
model.variable("pos", Array(PROCESS, LEVEL), doc="the level that a process is known to be at")
model.variable("last", Array(PROCESS, PROCESS), doc="who came last, for each level")


@process.action(p=PROCESS, when=lambda s, p: s.at[p] == "away")
def want(s, p):
    """A process wants to get in."""
    s.at[p] = "climbs"
    s.level[p] = 1


@process.action(p=PROCESS, when=lambda s, p: s.at[p] == "climbs" and s.level[p] < s.processes)
def announce(s, p):
    """It says which level it is at."""
    s.pos[p] = s.level[p]
    s.at[p] = "announced"


@process.action(p=PROCESS, when=lambda s, p: s.at[p] == "announced")
def come_last(s, p):
    """It says that it came last."""
    s.last[s.level[p] - 1] = p
    s.asked[p] = 0
    s.at[p] = "looks"


def is_no_higher(s, p, other):
    return other == p or s.pos[other] < s.level[p]


@process.action(
    p=PROCESS,
    when=lambda s, p: (
        s.at[p] == "looks" and s.asked[p] < s.processes and is_no_higher(s, p, s.asked[p])
    ),
)
def pass_by(s, p):
    """It finds one more that is not as high as itself."""
    s.asked[p] += 1


@process.action(
    p=PROCESS,
    when=lambda s, p: (
        s.at[p] == "looks" and (s.last[s.level[p] - 1] != p or s.asked[p] == s.processes)
    ),
)
def climb(s, p):
    """Nobody is as high, or another came later."""
    s.level[p] += 1
    s.at[p] = "climbs"


@process.action(p=PROCESS, when=lambda s, p: s.at[p] == "climbs" and s.level[p] == s.processes)
def enter(s, p):
    """It is above all levels, and gets in."""
    s.at[p] = "inside"


@process.action(p=PROCESS, when=lambda s, p: s.at[p] == "inside")
def leave(s, p):
    """It gets out."""
    s.at[p] = "away"
    s.pos[p] = 0


@model.invariant(trigger=lambda s: any(at == "inside" for at in s.at))
def alone(s):
    """There is never more than one inside."""
    return sum(1 for at in s.at if at == "inside") <= 1
