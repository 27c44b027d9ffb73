"""Two operators change a shared state: each takes a copy, changes it, and pushes it."""

from fencecheck.model import Array, Bool, Enum, Index, Int, Model, Set

model = Model("state_serial", "A shared state with serial and lineage")
model.budget("strangers", "operators that begin with a new, empty state")
model.mechanism("compare", ("nothing", "order", "taken"), "nothing", "what must hold of serials")
model.mechanism("lineage", ("off", "on"), "off", "whether the origin has to be the same")
model.mechanism("lock", ("off", "on"), "off", "whether the state is locked from copy to push")
OPERATOR, SERIAL = Index(2, "o"), Int(0, 8)
operator, mistake = model.actor("operator"), model.actor("mistake", "interference")
model.variable("serial", SERIAL, owner=model.store("backend"))
model.variable("state", Set(OPERATOR), owner="backend", doc="whose changes the state holds")
model.variable("at", Array(OPERATOR, Enum("idle", "changes", "done")), owner=operator)
model.variable("taken", Array(OPERATOR, SERIAL), owner=operator, doc="the serial that was taken")
model.variable("own", Array(OPERATOR, SERIAL), owner=operator, doc="the serial of the copy")
model.variable("copy", Array(OPERATOR, Set(OPERATOR)), owner=operator)
model.variable("foreign", Array(OPERATOR, Bool()), owner=operator, doc="a copy of another origin")


def may_begin(s, o):
    return s.at[o] == "idle" and (s.lock == "off" or all(at != "changes" for at in s.at))


def begin(s, o, serial, foreign):
    s.taken[o], s.own[o], s.foreign[o] = serial, serial + 1, foreign
    s.copy[o] = {o} if foreign else s.state | {o}
    s.at[o] = "changes"


@operator.action(o=OPERATOR, when=may_begin)
def take(s, o):
    """An operator takes a copy and changes it."""
    begin(s, o, s.serial, False)


@mistake.interference("strangers", o=OPERATOR, when=may_begin)
def begin_anew(s, o):
    """An operator begins with a new state, and knows nothing of the one that is there."""
    begin(s, o, 0, True)


@operator.action(o=OPERATOR, when=lambda s, o: s.at[o] == "changes" and s.own[o] < s.taken[o] + 2)
def change_again(s, o):
    """An operator saves the copy once more, which moves its serial on."""
    s.own[o] += 1


def is_accepted(s, o):
    """The serial is higher, or the one taken is there still; the origin is that of the state."""
    fits = s.taken[o] == s.serial if s.compare == "taken" else s.own[o] > s.serial
    strange = s.lineage == "on" and s.foreign[o] and len(s.state) > 0
    return not strange and (s.compare == "nothing" or fits)


@operator.action(o=OPERATOR, when=lambda s, o: s.at[o] == "changes")
def push(s, o):
    """The backend replaces its state, or refuses; then the operator begins anew."""
    if not is_accepted(s, o):
        s.at[o] = "idle"
        return "refused"
    s.state = s.copy[o].copy()
    s.serial, s.at[o] = s.own[o], "done"
    return "replaced"


@model.transition("operator.push", relevant=["state"])
def no_lost_update(before, after):
    """A push keeps the changes that the state holds."""
    return before.state <= after.state


@model.liveness()
def finishes(s):
    """Every operator gets a state pushed."""
    return all(at == "done" for at in s.at)
