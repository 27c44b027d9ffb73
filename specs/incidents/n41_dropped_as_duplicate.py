"""A receiver keeps the id of a message before it handles it, and drops what it knows."""

from fencecheck.model import Bool, Enum, Model

model = Model("dropped_as_duplicate", "A receiver that drops duplicates")
model.budget("failures", "times that handling the message fails")
model.mechanism("record", ("seen", "claim_and_complete"), "seen", "what is kept of a message's id")
sender, receiver = model.actor("sender"), model.actor("receiver")
trouble = model.actor("trouble", "interference")
model.variable("message", Enum("unsent", "sent", "taken", "gone"), owner=sender)
model.variable("known", Bool(), owner=receiver, doc="whether the receiver keeps the message's id")
model.variable("handled", Bool(), owner=receiver, doc="whether the message had its effect")


@sender.action(when=lambda s: s.message == "unsent")
def send(s):
    """The message is sent, for the first time or after a failure."""
    s.message = "sent"


@receiver.action(when=lambda s: s.message == "sent")
def take(s):
    """The receiver drops a message that it knows; else it keeps the id."""
    s.message = "gone" if s.known else "taken"
    s.known = True


@receiver.action(when=lambda s: s.message == "taken")
def handle(s):
    """The message has its effect."""
    s.message = "gone"
    s.handled = True


@trouble.interference("failures", when=lambda s: s.message == "taken")
def fail(s):
    """Handling fails, and the sender is told; a claim that is not completed is given back."""
    s.message = "unsent"
    s.known = s.record == "seen"


@model.invariant()
def drops_only_duplicates(s):
    """A message is dropped only if it had its effect before."""
    return s.message != "gone" or s.handled


@model.liveness()
def finishes(s):
    """The message has its effect in the end."""
    return s.handled
