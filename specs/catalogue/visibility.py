"""Part `visibility`: a queue whose message nobody else sees while one of two consumers has it."""

from fencecheck.model import Array, Bag, Bool, Enum, Index, Part

visibility = Part("visibility")
visibility.bound("copies", 3, "copies of the message that are to be seen at once")
visibility.budget("timeouts", "visibility time-outs that pass while a consumer works")
visibility.budget("crashes", "consumers that vanish")
CONSUMER, COPIES = Index(2, "c"), Bag(Index(1, "copy "), "copies")
queue, consumer = visibility.actor("queue"), visibility.actor("consumer")
clock = visibility.actor("clock", "interference")
substrate = visibility.actor("substrate", "interference")
PHASE = Enum("idle", "holds", "worked", "gone")
visibility.variable("visible", COPIES, owner=queue, doc="copies that anyone may receive")
visibility.variable("phase", Array(CONSUMER, PHASE), owner=consumer)
visibility.variable("late", Array(CONSUMER, Bool()), owner=consumer, doc="its time-out has passed")


@consumer.action(c=CONSUMER, when=lambda s, c: len(s.visible) > 0 and s.phase[c] == "idle")
def receive(s, c):
    """A consumer gets a copy, which nobody else sees for a while."""
    s.visible.remove(0)
    s.phase[c], s.late[c] = "holds", False


@consumer.action(c=CONSUMER, when=lambda s, c: s.phase[c] == "worked")
def delete(s, c):
    """A consumer deletes its copy; after its time-out the receipt is void."""
    s.phase[c] = "idle"


def is_out(s, c):
    return not s.late[c] and s.phase[c] in ("holds", "worked")


@clock.interference("timeouts", c=CONSUMER, when=is_out)
def end_visibility(s, c):
    """The copy is visible again, and its consumer works on."""
    s.visible.add(0)
    s.late[c] = True


@substrate.interference("crashes", c=CONSUMER, when=is_out)
def crash(s, c):
    """A consumer vanishes, and another comes."""
    s.phase[c] = "gone"


@queue.action(c=CONSUMER, when=lambda s, c: s.phase[c] == "gone")
def show_again(s, c):
    """The visibility time-out of a consumer that is gone passes."""
    s.visible.add(0)
    s.phase[c] = "idle"
