"""A client asks for a payment, again where it hears nothing; a server pays under a key."""

from fencecheck.model import Each, Enum, Index, Int, Model, Record
from fencecheck.models.library import Duplication, KeyRecord, Loss, Mailbox, Window

model = Model("payments", "Payments under a key")
model.bound("keys", 1, "keys")
model.bound("tries", 2, "times that the client asks")
model.mechanism("journal", ("off", "late", "atomic"), "off", "when a payment is written down")
KEY = Index("keys", "k")
Ask = Record("Ask", key=KEY)
asks, answers = Mailbox("asks", Ask, capacity=3), Mailbox("answers", Ask, back=True)
paid = KeyRecord("paid", KEY)
model.include(asks, Loss(asks), Duplication(asks), answers, Loss(answers), paid, Window(paid))
client = model.actor("client")
server = model.actor("server")
model.variable("state", Enum("starts", "waits", "knows"), owner=client)
model.variable("tried", Int(0, lambda k: k.tries), owner=client)


@client.action(when=lambda s: s.state == "starts" or (s.state == "waits" and s.tried < s.tries))
def ask(s):
    """The client asks, or asks again."""
    if asks.has_room(s):
        asks.send(s, Ask(key=0))
    s.tried += 1
    s.state = "waits"


@server.action(m=Each("asks"), when=lambda s, m: answers.has_room(s))
def pay(s, m):
    """The server pays, unless it has it in writing."""
    asks.take(s, m)
    answers.send(s, m)
    if s.journal != "off" and paid.is_done(s, m.key):
        return "known"
    paid.act(s, m.key)
    if s.journal == "atomic":
        paid.complete(s, m.key)
    if s.journal == "late":
        paid.claim(s, m.key)
    return "paid"


@server.action(key=KEY, when=lambda s, key: paid.is_in_progress(s, key))
def note(s, key):
    """The server writes down that it has paid."""
    paid.complete(s, key)


@client.action(m=Each("answers"))
def hear(s, m):
    """The client hears that it is paid."""
    answers.take(s, m)
    s.state = "knows"


model.goal = lambda s: s.state == "knows"


@model.deadlock()
def client_hears(s):
    """The client hears in the end."""
    return s.state == "knows"
