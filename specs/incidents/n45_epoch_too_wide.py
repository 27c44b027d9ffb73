"""A producer sends a batch to one partition and takes a new epoch for an error on another."""

from fencecheck.model import Bool, Each, Int, Model, Set

model = Model("epoch_too_wide", "A producer with one epoch for all partitions")
model.budget("errors", "errors on the other partition, for which a new epoch is taken")
model.mechanism("epoch", ("of_all", "of_each", "drained"), "of_all", "whose it is; when it changes")
producer, broker = model.actor("producer"), model.actor("broker")
trouble = model.actor("trouble", "interference")
model.variable("current", Int(1, 2), owner=producer)
model.variable("failed", Bool(), owner=producer, doc="whether the other partition had an error")
model.variable("flying", Set(Int(1, 2)), owner=broker, doc="the epochs under which the batch comes")
model.variable("appended", Set(Int(1, 2)), owner=broker, doc="the epochs under which it is kept")


@producer.action(when=lambda s: len(s.flying) + len(s.appended) == 0)
def send(s):
    """The producer sends the batch."""
    s.flying.add(s.current)


@trouble.interference("errors")
def fail(s):
    """The other partition answers with an error."""
    s.failed = True


@producer.action(when=lambda s: s.failed and (s.epoch != "drained" or len(s.flying) == 0))
def bump(s):
    """The producer takes a new epoch, and sends again under it what is not acknowledged."""
    s.failed = False
    s.current = 1 if s.epoch == "of_each" else 2
    if s.epoch == "of_all" and len(s.flying) + len(s.appended) > 0:
        s.flying.add(2)


@broker.action(epoch_of=Each("flying"))
def append(s, epoch_of):
    """The broker appends the batch, unless it has it from this epoch."""
    s.flying.discard(epoch_of)
    s.appended.add(epoch_of)


@model.invariant()
def at_most_once(s):
    """The batch is in its partition once at most."""
    return len(s.appended) <= 1


@model.liveness()
def finishes(s):
    """The batch is in its partition, and the error is dealt with."""
    return len(s.appended) > 0 and not s.failed
