"""Candidates take turns at leading by a record that they update; each trusts its own clock."""

from fencecheck.model import Array, Bool, Enum, Index, Maybe, Model, Version

model = Model("leader_election", "Leaders by a record with a version")
model.budget("fast_clocks", "times a candidate's clock says too early that the lease has run out")
model.budget("crashes", "leaders that vanish")
model.mechanism("update", ("plain", "compare"), "plain", "whether an update names the version read")
model.mechanism("fencing", ("off", "on"), "off", "whether the target refuses an older version")
CANDIDATE, VERSION = Index(2, "c"), Version("version")
candidate, clock = model.actor("candidate"), model.actor("clock", "interference")
substrate, record = model.actor("substrate", "interference"), model.store("record")
PHASE = Enum("waits", "takes", "leads", "done")
model.variable("holder", Maybe(CANDIDATE, "nobody"), owner=record)
model.variable("version", VERSION, owner=record)
model.variable("written", VERSION, owner=model.store("target"), doc="version of the last write")
model.variable("phase", Array(CANDIDATE, PHASE), owner=candidate)
model.variable("seen", Array(CANDIDATE, VERSION), owner=candidate)
model.variable("early", Array(CANDIDATE, Bool()), owner=candidate)


def is_over(s, c):
    """The holder is gone, or its lease has run out by this candidate's clock."""
    return s.holder is None or s.phase[s.holder] != "leads" or s.early[c]


@candidate.action(c=CANDIDATE, when=lambda s, c: s.phase[c] == "waits" and is_over(s, c))
def look(s, c):
    """A candidate reads the record, and finds the lease run out."""
    s.phase[c], s.seen[c] = "takes", s.version


@candidate.action(c=CANDIDATE, when=lambda s, c: s.phase[c] == "takes")
def take(s, c):
    """A candidate writes its name into the record."""
    if s.update == "compare" and s.seen[c] != s.version:
        s.phase[c] = "waits"
        return "conflict"
    s.holder, s.phase[c] = c, "leads"
    s.version += 1
    s.seen[c] = s.version


@candidate.action(c=CANDIDATE, when=lambda s, c: s.phase[c] == "leads")
def write(s, c):
    """A leader does its work."""
    s.phase[c] = "done"
    if s.fencing == "on" and s.seen[c] < s.written:
        return "refused"
    s.written = s.seen[c]


@clock.interference("fast_clocks", c=CANDIDATE, when=lambda s, c: not is_over(s, c))
def run_fast(s, c):
    """A clock runs faster than the leader's, beyond what the two durations allow for."""
    s.early[c] = True


@substrate.interference("crashes", c=CANDIDATE, when=lambda s, c: s.phase[c] == "leads")
def crash(s, c):
    """A leader vanishes, and begins again as a candidate."""
    s.phase[c] = "waits"


@model.invariant(relevant=["phase"])
def one_leader(s):
    """One candidate leads at a time."""
    return s.phase[0] != "leads" or s.phase[1] != "leads"


@model.transition("candidate.write", relevant=["seen", "written"])
def no_old_write(before, after):
    """No write comes after one of a newer leader."""
    return after.written >= before.written


@model.liveness()
def finishes(s):
    """Every candidate gets its work done."""
    return all(phase == "done" for phase in s.phase)
