"""A receiver keeps the id of a message before it handles it, and drops what it knows."""

from fencecheck.model import Enum, Index, Model
from fencecheck.models.library import KeyRecord

model = Model("dropped_as_duplicate", "A receiver that drops duplicates")
model.budget("failures", "times that handling the message fails")
model.mechanism("record", ("seen", "claim_and_complete"), "seen", "what is kept of a message's id")
ids = KeyRecord("ids", Index(1, "message "))
model.include(ids)
sender, receiver = model.actor("sender"), model.actor("receiver")
trouble = model.actor("trouble", "interference")
model.variable("message", Enum("unsent", "sent", "taken", "dropped"), owner=sender)


@sender.action(when=lambda s: s.message == "unsent")
def send(s):
    """The message is sent, for the first time or after a failure."""
    s.message = "sent"


@receiver.action(when=lambda s: s.message == "sent")
def take(s):
    """The receiver drops a message that it knows; else it keeps the id."""
    s.message = "taken" if ids.is_absent(s, 0) else "dropped"
    if s.message == "taken":
        ids.claim(s, 0)


@receiver.action(when=lambda s: s.message == "taken" and ids.is_in_progress(s, 0))
def handle(s):
    """The message has its effect."""
    ids.act(s, 0)
    ids.complete(s, 0)


@trouble.interference("failures", when=lambda s: s.message == "taken" and not ids.is_done(s, 0))
def fail(s):
    """Handling fails, and the sender is told; a claim that is not completed is given back."""
    s.message = "unsent"
    if s.record == "claim_and_complete":
        ids.forget(s, 0)


@model.invariant()
def drops_only_duplicates(s):
    """A message is dropped only if it had its effect before."""
    return s.message != "dropped" or s.ids[0].effects > 0


@model.liveness()
def finishes(s):
    """The message has its effect in the end."""
    return s.ids[0].effects > 0
