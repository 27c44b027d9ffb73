"""A producer sends a batch to one partition and takes a new epoch for an error on another."""

from fencecheck.model import Bool, Each, Model, Record, Version
from fencecheck.models.library import Inbox, Mailbox

model = Model("epoch_too_wide", "A producer with one epoch for all partitions")
model.bound("queued", 3, "batches on their way at once")
model.budget("errors", "errors on the other partition, for which a new epoch is taken")
model.mechanism("epoch", ("of_all", "of_each", "drained"), "of_all", "whose it is; when it changes")
producer, EPOCH = model.actor("producer"), Version("current")
sends, appended = Mailbox("sends", Record("Batch", epoch=EPOCH), "queued"), Inbox("appended", EPOCH)
model.include(sends, appended)
model.variable("current", EPOCH, owner=producer)
model.variable("failed", Bool(), owner=producer, doc="whether the other partition had an error")


@producer.action(when=lambda s: len(s.sends) + len(s.appended) == 0)
def send(s):
    """The producer sends the batch."""
    sends.send(s, sends.message(epoch=s.current))


@model.actor("trouble", "interference").interference("errors", when=lambda s: not s.failed)
def fail(s):
    """The other partition answers with an error."""
    s.failed = True


@producer.action(when=lambda s: s.failed and (s.epoch != "drained" or sends.none_left(s)))
def bump(s):
    """The producer takes a new epoch, and sends again under it what is not acknowledged."""
    s.failed, s.current = False, s.current + (0 if s.epoch == "of_each" else 1)
    if s.epoch == "of_all" and len(s.sends) + len(s.appended) > 0:
        sends.send(s, sends.message(epoch=s.current))


@model.actor("broker").action(batch=Each("sends", "epoch"))
def append(s, batch):
    """The broker appends the batch, unless it has it from this epoch."""
    sends.take(s, batch)
    if not appended.is_done(s, batch.epoch):
        appended.handle(s, batch.epoch)


@model.invariant()
def at_most_once(s):
    """The batch is in its partition once at most."""
    return len(s.appended) <= 1


@model.liveness()
def finishes(s):
    """The batch is in its partition, and the error is dealt with."""
    return len(s.appended) > 0 and not s.failed
