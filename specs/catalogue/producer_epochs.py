"""A producer sends one record for its input; a second instance may take its place."""

from fencecheck.model import Array, Bool, Enum, Index, Int, Model

model = Model("producer_epochs", "A producer with epochs and sequence numbers")
model.budget("lost_acks", "acknowledgements that do not arrive")
model.budget("takeovers", "times a second instance starts, while the first may live on")
model.mechanism("sequence", ("off", "on"), "off", "whether the broker knows a record sent again by its producer id and number")  # fmt: skip  # noqa: E501
model.mechanism("epoch", ("off", "on"), "off", "whether instances share an id, and the broker refuses older epochs")  # fmt: skip  # noqa: E501
model.mechanism("transaction", ("off", "on"), "off", "whether the record and the input's offset are committed at once")  # fmt: skip  # noqa: E501

INSTANCE = Index(2, "p")
producer, broker = model.actor("producer"), model.store("broker")
network, operator = model.actor("network", "interference"), model.actor("operator", "interference")
PHASE = Enum("off", "ready", "sent", "done", "fenced")
model.variable("phase", Array(INSTANCE, PHASE), ("ready", "off"), owner=producer)
model.variable("newest", INSTANCE, owner=broker, doc="the instance of the newest epoch")
model.variable("seen", Array(INSTANCE, Bool()), owner=broker, doc="numbers that the broker knows")
model.variable("copies", Int(0, 3), owner=broker, doc="copies that readers see")
model.variable("read", Bool(), owner=broker, doc="whether the input's offset is committed")


@model.rule
def transactions_have_epochs(k):
    if k.transaction == "on" and (k.epoch == "off" or k.sequence == "off"):
        return "transaction = on needs epoch = on and sequence = on"
    return None


def is_fenced(s, p):
    return s.epoch == "on" and p < s.newest


@producer.action(p=INSTANCE, when=lambda s, p: s.phase[p] == "ready")
def send(s, p):
    """The broker appends the record; one of a transaction is seen when that commits."""
    if is_fenced(s, p):
        s.phase[p] = "fenced"
        return "fenced"
    s.phase[p] = "sent"
    if s.sequence == "on" and s.seen[p]:
        return "known"
    s.seen[p] = True
    if s.transaction == "off":
        s.copies += 1


@producer.action(p=INSTANCE, when=lambda s, p: s.phase[p] == "sent")
def commit(s, p):
    """The instance is told, and commits the offset of its input, with its transaction if any."""
    if is_fenced(s, p):
        s.phase[p] = "fenced"
        return "fenced"
    s.phase[p] = "done"
    s.read = True
    if s.transaction == "on":
        s.copies += 1


@network.interference("lost_acks", p=INSTANCE, when=lambda s, p: s.phase[p] == "sent")
def lose_ack(s, p):
    """The instance hears nothing, and sends again with the same number."""
    s.phase[p] = "ready"


@operator.interference("takeovers", when=lambda s: s.phase[1] == "off")
def start_second(s):
    """A second instance starts from the committed offset, in a new epoch."""
    s.phase[1] = "done" if s.read else "ready"
    s.newest = 1


@model.invariant(relevant=["copies"])
def one_copy(s):
    """Readers see the record once at most."""
    return s.copies <= 1


@model.transition("producer.send", "producer.commit", relevant=["newest"])
def no_old_write(before, after, p):
    """Nothing of an instance gets to readers once a newer one has started."""
    return after.copies == before.copies or p >= before.newest


@model.invariant(trigger=lambda s: s.read)
def nothing_lost(s):
    """Where the input counts as read, readers see its record."""
    return not s.read or s.copies > 0


@model.liveness()
def finishes(s):
    """The input gets read."""
    return s.read
