"""A store whose sound designs part when there are more faults, small enough to be counted by hand.

A thief takes copies of a paper, which is lost when none is left. A spare is one more copy, enough
for one theft. A vault keeps the paper from every theft. A shelf holds three copies out of the
vault: with it the vault no longer helps, and the third theft takes the last. A count of thefts has
room for as many as may come, and a bell is made for one: neither can be had for any number.
"""

from fencecheck.model import Bool, Int, Model

model = Model("heavier", "A paper and its thieves")
model.budget("thefts", "copies that the thief takes")
model.mechanism("spare", ("off", "on"), "off", "one copy more")
model.mechanism("vault", ("off", "on"), "off", "nothing in it is taken")
model.mechanism("shelf", ("off", "on"), "off", "papers lie out of the vault")
model.mechanism("count", ("off", "on"), "off", "the thefts are counted")
model.mechanism("bell", ("off", "on"), "off", "rings for every thief that may come")

owner = model.actor("owner")
thief = model.actor("thief", "interference")


def copies_of(k):
    if k.shelf == "on":
        return 3
    return 2 if k.spare == "on" else 1


model.variable("copies", Int(0, 3), owner=owner, initial=copies_of)
model.variable("seen", Int(0, lambda k: k.thefts + 1 if k.count == "on" else 0), owner=owner)
model.variable("read", Bool(), owner=owner)


@model.rule
def bell_needs_few(k):
    if k.bell == "on" and k.thefts != 1:
        return "bell = on rings for one thief: thefts must be 1"
    return None


@thief.interference(
    "thefts", when=lambda s: s.copies > 0 and not s.read and (s.vault == "off" or s.shelf == "on")
)
def take(s):
    """A copy is gone."""
    s.copies -= 1


@owner.action(when=lambda s: s.copies > 0 and not s.read)
def look(s):
    """The paper is read."""
    s.read = True


@owner.action(when=lambda s: s.count == "on" and s.seen == 0)
def note(s):
    """A theft is noted."""
    s.seen = 1


@model.invariant()
def kept(s):
    """There is a copy."""
    return s.copies > 0


@model.liveness()
def gets_read(s):
    """The paper is read in the end."""
    return s.read
