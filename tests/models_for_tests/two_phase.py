"""Two-phase commit: a transaction manager and N resource managers.

Messages are never taken out of flight, so receiving one again is a transition that changes
nothing. Counts that several checkers agree on stand in KNOWN, by managers: distinct states,
transitions (None: not published).
"""

from fencecheck.model import Array, Bool, Enum, Index, Model, Set

BOUNDS = ("managers",)
KNOWN = {3: (288, None), 5: (8_832, 58_145), 7: (296_448, 2_744_705)}

model = Model("two_phase", "Two-phase commit")
model.bound("managers", 3, "resource managers")
RM = Index("managers", "rm")

coordinator = model.actor("coordinator")
manager = model.actor("manager")

model.variable("rm", Array(RM, Enum("working", "prepared", "committed", "aborted")), owner=manager)
model.variable("tm", Enum("init", "committed", "aborted"), owner=coordinator)
model.variable("heard", Set(RM), owner=coordinator, doc="managers known to be prepared")
model.variable("ready", Set(RM), doc="Prepared messages sent")
model.variable("commit_sent", Bool())
model.variable("abort_sent", Bool())


@coordinator.action(rm=RM, when=lambda s, rm: s.tm == "init" and rm in s.ready)
def hear(s, rm):
    """The coordinator takes note that a manager is prepared."""
    s.heard.add(rm)


@coordinator.action(when=lambda s: s.tm == "init" and len(s.heard) == s.managers)
def commit(s):
    """The coordinator commits once all are prepared."""
    s.tm = "committed"
    s.commit_sent = True


@coordinator.action(when=lambda s: s.tm == "init")
def abort(s):
    """The coordinator aborts."""
    s.tm = "aborted"
    s.abort_sent = True


@manager.action(rm=RM, when=lambda s, rm: s.rm[rm] == "working")
def prepare(s, rm):
    """A manager prepares and says so."""
    s.rm[rm] = "prepared"
    s.ready.add(rm)


@manager.action(rm=RM, when=lambda s, rm: s.rm[rm] == "working")
def choose_to_abort(s, rm):
    """A manager aborts by itself."""
    s.rm[rm] = "aborted"


@manager.action(rm=RM, when=lambda s, rm: s.commit_sent)
def receive_commit(s, rm):
    """A manager is told to commit."""
    s.rm[rm] = "committed"


@manager.action(rm=RM, when=lambda s, rm: s.abort_sent)
def receive_abort(s, rm):
    """A manager is told to abort."""
    s.rm[rm] = "aborted"


@model.invariant(trigger=lambda s: any(x == "committed" for x in s.rm))
def consistent(s):
    """No manager has committed while another has aborted."""
    return not (any(x == "committed" for x in s.rm) and any(x == "aborted" for x in s.rm))


model.goal = lambda s: all(x == "committed" or x == "aborted" for x in s.rm)
