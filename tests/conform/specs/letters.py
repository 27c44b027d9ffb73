"""A receiver that takes every letter once: small enough for a test of each rule of adapters."""

from fencecheck.model import Array, Bag, Bool, Each, Index, Int, Model, Record, Set

model = Model("letters", "Letters that arrive once")
model.bound("letters", 2, "letters to be sent")
model.budget("losses", "letters that are lost")
model.budget("copies", "letters that arrive twice")
model.mechanism("patience", ("off", "on"), "off", "whether the receiver may put a letter off once")

LETTER = Index("letters", "letter ")
Letter = Record("Letter", lambda m, k: f"letter {m.letter + 1}", letter=LETTER)
sender = model.actor("sender")
receiver = model.actor("receiver")
network = model.actor("network", "interference")
shelf = model.store("shelf")
model.variable("sent", Array(LETTER, Bool()), owner=sender)
model.messages("post", Bag(Letter, 4), doc="letters in flight")
model.variable("taken", Set(LETTER, 4), owner=shelf)
model.variable("count", Int(0, lambda k: k.letters), owner=shelf)
model.variable("put_off", Bool(), owner=receiver)
model.ghost("lost", Bool(), owner=shelf)


@sender.action(letter=LETTER, when=lambda s, letter: not s.sent[letter])
def send(s, letter):
    """A letter is sent."""
    s.sent[letter] = True
    s.post.add(Letter(letter=letter))


@receiver.action(
    message=Each("post", "letter"),
    when=lambda s, message: s.patience == "on" and not s.put_off,
)
def postpone(s, message):
    """The receiver looks at it later."""
    s.put_off = True
    return "later"


@receiver.action(message=Each("post", "letter"), when=lambda s, message: message.letter in s.taken)
def refuse(s, message):
    """The receiver has it already."""
    s.post.remove(message)
    return "known"


@receiver.action(
    message=Each("post", "letter"), when=lambda s, message: message.letter not in s.taken
)
def take(s, message):
    """The receiver takes a letter."""
    s.post.remove(message)
    s.taken.add(message.letter)
    s.count += 1
    return "taken"


@network.interference("losses", message=Each("post", "letter"))
def lose(s, message):
    """A letter is lost."""
    s.post.remove(message)
    s.lost = True


@network.interference("copies", message=Each("post", "letter"))
def copy(s, message):
    """A letter arrives twice."""
    s.post.add(message)


@model.invariant()
def counted(s):
    """No letter is counted twice."""
    return s.count <= s.letters
