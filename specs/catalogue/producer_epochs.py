"""A producer sends one record for its input; a second instance may take its place."""

from fencecheck.model import Array, Bool, Enum, Index, Model, Version

model = Model("producer_epochs", "A producer with epochs and sequence numbers")
model.budget("lost_acks", "acknowledgements that do not arrive")
model.budget("takeovers", "times a second instance starts, while the first may live on")
model.mechanism("sequence", ("off", "on"), "off", "whether the broker knows a record sent again")
model.mechanism("epoch", ("off", "on"), "off", "whether the broker refuses older epochs")
model.mechanism("transaction", ("off", "on"), "off", "whether record and offset commit at once")
INSTANCE, PHASE = Index(2, "p"), Enum("off", "ready", "sent", "done", "fenced")
COPY = Version("copies")
producer, network = model.actor("producer"), model.actor("network", "interference")
operator, broker = model.actor("operator", "interference"), model.store("broker")
model.variable("phase", Array(INSTANCE, PHASE), ("ready", "off"), owner=producer)
model.variable("seen", Array(INSTANCE, Bool()), owner=broker, doc="numbers that the broker knows")
model.variable("copies", COPY, owner=broker, doc="copies that readers see")
model.variable("none", COPY, owner=broker, told=False, doc="how many they see at first")


@model.rule
def transactions_have_epochs(k):
    lacks = k.transaction == "on" and "off" in (k.epoch, k.sequence)
    return "transaction = on needs epoch = on and sequence = on" if lacks else None


call = producer.first_of(p=INSTANCE, when=lambda s, p: s.phase[p] in ("ready", "sent"))


@call.action(when=lambda s, p: s.epoch == "on" and p == 0 and s.phase[1] != "off")
def get_fenced(s, p):
    """The broker refuses an instance of an older epoch."""
    s.phase[p] = "fenced"


@call.action(when=lambda s, p: s.phase[p] == "ready")
def send(s, p):
    """The broker appends the record; one of a transaction is seen when that commits."""
    s.phase[p] = "sent"
    if s.sequence == "on" and s.seen[p]:
        return "known"
    s.seen[p], s.copies = True, s.copies + (1 if s.transaction == "off" else 0)


@call.otherwise()
def commit(s, p):
    """The instance is told, and commits the offset of its input, with its transaction if any."""
    s.phase[p], s.copies = "done", s.copies + (1 if s.transaction == "on" else 0)


@network.interference("lost_acks", p=INSTANCE, when=lambda s, p: s.phase[p] == "sent")
def lose_ack(s, p):
    """The instance hears nothing, and sends again with the same number."""
    s.phase[p] = "ready"


@operator.interference("takeovers", when=lambda s: s.phase[1] == "off")
def start_second(s):
    """A second instance starts from the committed offset, in a new epoch."""
    s.phase[1] = "done" if s.phase[0] == "done" else "ready"


@model.transition(relevant=["copies"])
def one_copy(before, after):
    """Readers see the record once at most."""
    return before.copies == before.none or after.copies == before.copies


@model.transition("producer.send", "producer.commit", relevant=["phase"])
def no_old_write(before, after, p):
    """Nothing of an instance gets to readers once a newer one has started."""
    return after.copies == before.copies or p == 1 or before.phase[1] == "off"


@model.invariant(trigger=lambda s: "done" in s.phase)
def nothing_lost(s):
    """Where the input counts as read, readers see its record."""
    return "done" not in s.phase or s.copies > s.none


@model.liveness()
def finishes(s):
    """The input gets read."""
    return "done" in s.phase
