"""A protocol whose lattice is not monotone, small enough to be gone through by brute force.

An attacker hits a job and drops its message. A guard absorbs one hit; a second needs both checks
to be one event. A log lets the sender send again. An extra seal, which needs the log, jams the
guard: with both on, a single hit does harm. A light is only for show.
"""

from fencecheck.model import Bool, Int, Model

model = Model("guarded", "A job under attack")
model.budget("hits", "times the attacker hits")
model.budget("drops", "messages that the attacker drops")
model.mechanism("guard", ("off", "on"), "off", "absorbs a hit")
model.mechanism("checks", ("one", "two"), "one", "whether both checks are one event", plain="two")
model.mechanism("log", ("none", "memory", "disk"), "none", "lets the sender send again")
model.mechanism("seal", ("off", "on"), "off", "needs a log")
model.mechanism("light", ("off", "on"), "off", "for show")

sender = model.actor("sender")
attacker = model.actor("attacker", "interference")
model.variable("flight", Bool(), owner=sender)
model.variable("sent", Bool(), owner=sender)
model.variable("done", Bool(), owner=sender)
model.variable("taken", Int(0, 9), owner=sender)
model.variable("shown", Bool(), owner=sender)
model.ghost("harmed", Bool(), owner=sender)


@model.rule
def seal_needs_log(k):
    if k.seal == "on" and k.log == "none":
        return "seal = on needs a log: there is nothing to seal"
    return None


@sender.action(when=lambda s: not s.sent)
def send(s):
    """The job's message is on its way."""
    s.sent = True
    s.flight = True
    s.shown = s.light == "on"


@sender.action(
    when=lambda s: s.sent and not s.flight and not s.done and s.log == "disk", verdict="replay"
)
def resend(s):
    """What the log holds is sent again."""
    s.flight = True
    return "replayed"


@sender.action(when=lambda s: s.flight, verdict="accept")
def finish(s):
    """The message arrives."""
    s.flight = False
    s.done = True
    return "applied"


@attacker.interference("drops", when=lambda s: s.flight)
def drop(s):
    """The message is gone."""
    s.flight = False


@attacker.interference("hits", when=lambda s: s.sent and not s.done)
def hit(s):
    """A hit does harm unless it is absorbed."""
    s.taken = min(s.taken + 1, 9)
    jammed = s.guard == "on" and s.seal == "on"
    if s.guard == "off" or jammed or (s.taken > 1 and s.checks == "two"):
        s.harmed = True


@model.invariant()
def unharmed(s):
    """Nothing ever does harm."""
    return not s.harmed


@model.deadlock()
def no_stuck(s):
    """The job is done in the end."""
    return s.done


@model.liveness()
def finishes(s):
    """The job gets done."""
    return s.done
