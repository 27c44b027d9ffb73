"""Two operators change a shared state: each takes a copy, changes it, and pushes it."""

from fencecheck.model import Array, Bool, Enum, Index, Int, Model, Set

model = Model("state_serial", "A shared state with serial and lineage")
model.budget("strangers", "operators that begin with a new, empty state")
model.mechanism("compare", ("nothing", "order", "taken"), "nothing",
                "of serials: nothing; that the pushed one is higher; that the one taken is there still")  # fmt: skip  # noqa: E501
model.mechanism("lineage", ("off", "on"), "off", "whether the origin has to be the same")
model.mechanism("lock", ("off", "on"), "off", "whether the state is locked from copy to push")

OPERATOR, SERIAL = Index(2, "o"), Int(0, 8)
operator, mistake = model.actor("operator"), model.actor("mistake", "interference")
backend = model.store("backend")
model.variable("serial", SERIAL, owner=backend)
model.variable("state", Set(OPERATOR), owner=backend, doc="whose changes the state holds")
PHASE = Enum("idle", "changes", "done")
model.variable("phase", Array(OPERATOR, PHASE), owner=operator)
model.variable("taken", Array(OPERATOR, SERIAL), owner=operator, doc="the serial that was taken")
model.variable("own", Array(OPERATOR, SERIAL), owner=operator, doc="the serial of the copy")
model.variable("copy", Array(OPERATOR, Set(OPERATOR)), owner=operator)
model.variable("foreign", Array(OPERATOR, Bool()), owner=operator, doc="a copy of another origin")


def is_locked(s):
    return s.lock == "on" and any(phase == "changes" for phase in s.phase)


@operator.action(o=OPERATOR, when=lambda s, o: s.phase[o] == "idle" and not is_locked(s))
def take(s, o):
    """An operator takes a copy and changes it."""
    s.taken[o] = s.serial
    s.own[o] = s.serial + 1
    s.copy[o] = {c for c in s.state if c != o}
    s.copy[o].add(o)
    s.foreign[o] = False
    s.phase[o] = "changes"


@operator.action(
    o=OPERATOR, when=lambda s, o: s.phase[o] == "changes" and s.own[o] < s.taken[o] + 2
)
def change_again(s, o):
    """An operator saves the copy once more, which moves its serial on."""
    s.own[o] += 1


@mistake.interference(
    "strangers", o=OPERATOR, when=lambda s, o: s.phase[o] == "idle" and not is_locked(s)
)
def begin_anew(s, o):
    """An operator begins with a new state, and knows nothing of the one that is there."""
    s.taken[o] = 0
    s.own[o] = 1
    s.copy[o].clear()
    s.copy[o].add(o)
    s.foreign[o] = True
    s.phase[o] = "changes"


def is_accepted(s, o):
    if s.lineage == "on" and s.foreign[o] and len(s.state) > 0:
        return False
    if s.compare == "taken":
        return s.taken[o] == s.serial
    return s.compare == "nothing" or s.own[o] > s.serial


@operator.action(o=OPERATOR, when=lambda s, o: s.phase[o] == "changes")
def push(s, o):
    """The backend replaces its state, or refuses; then the operator begins anew."""
    if not is_accepted(s, o):
        s.phase[o] = "idle"
        return "refused"
    s.state.clear()
    for c in s.copy[o]:
        s.state.add(c)
    s.serial = s.own[o]
    s.phase[o] = "done"
    return "replaced"


@model.transition("operator.push", relevant=["state"])
def no_lost_update(before, after):
    """A push keeps the changes that the state holds."""
    return all(c in after.state for c in before.state)


@model.liveness()
def finishes(s):
    """Every operator gets a state pushed."""
    return all(phase == "done" for phase in s.phase)
