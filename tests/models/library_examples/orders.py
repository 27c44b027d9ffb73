"""A shop books orders; its outbox tells the store house, which packs them."""

from fencecheck.model import Each, Index, Model, Record, Set
from fencecheck.models.library import Inbox, Mailbox, Outbox, Window

model = Model("orders", "Orders by way of an outbox")
model.bound("orders", 1, "orders")
model.mechanism("dedupe", ("off", "on"), "off", "whether the store house looks at keys")
ORDER = Index("orders", "o")
Booked = Record("Booked", key=ORDER)
model.bound("in_flight", 2, "messages at once")
news = Mailbox("news", Booked, "in_flight")
outbox = Outbox("outbox", ORDER, news)
packed = Inbox("packed", ORDER)
model.include(news, outbox, packed, Window(packed))
shop = model.actor("shop")
house = model.actor("house")
model.variable("booked", Set(ORDER), owner=shop)


@shop.action(order=ORDER, when=lambda s, order: order not in s.booked)
def book(s, order):
    """An order is booked, and its message written down with it."""
    s.booked.add(order)
    outbox.record(s, order)


@house.action(m=Each("news"))
def pack(s, m):
    """The store house packs an order, unless it knows it."""
    news.take(s, m)
    if s.dedupe == "on" and packed.is_done(s, m.key):
        return "known"
    packed.handle(s, m.key)
    return "packed"


model.goal = lambda s: len(s.booked) == s.orders and len(s.news) == 0
