"""A bit of everything: bags with repeats, sets of records, large sets, negative numbers.

It means nothing; each action uses one kind of variable as models do.
"""

from fencecheck.model import (
    Array,
    Bag,
    Bool,
    Each,
    Enum,
    Ghost,
    Index,
    Int,
    Model,
    Record,
    Set,
    bag,
    replace,
)

model = Model("features", "A bit of everything")
model.bound("slots", 2, "slots")
model.budget("faults", "faults")
SLOT = Index("slots", "slot ")
LEVEL = Int(-3, 2)
Note = Record("Note", slot=SLOT, level=LEVEL, urgent=Bool(), truth=Ghost(Int(0, 1)))
Mark = Record("Mark", kind=Enum("new", "held", "gone"), level=LEVEL)
Wide = Record("Wide", a=Int(-5, 5), b=Int(0, 11))

left = model.actor("left")
right = model.actor("right")
noise = model.actor("noise", "interference")
model.variable("level", Array(SLOT, LEVEL), (-3, 2), owner=left)
model.variable("marks", Array(SLOT, Mark), owner=left)
model.variable("notes", Bag(Note, 3), owner=left)
model.variable("history", Set(Mark), owner=right)
model.variable("wide", Set(Wide), owner=right, doc="132 possible members")
model.variable("numbers", Set(Int(-40, 40)), owner=right)
model.ghost("noted", Int(0, 3))


@left.action(slot=SLOT, when=lambda s, slot: len(s.notes) < 3)
def note(s, slot):
    """A note is written, perhaps one that is there already."""
    s.notes.add(Note(slot=slot, level=s.level[slot], urgent=slot == 0, truth=s.noted % 2))
    s.noted = min(s.noted + 1, 3)


@left.action(slot=SLOT)
def turn(s, slot):
    """Levels move by division and remainder of negative numbers."""
    s.level[slot] = (s.level[slot] * 3 + 1) // -2 % -4 + 1
    old = s.marks[slot]
    kind = "held" if old.kind == "new" else "gone" if old.kind == "held" else "new"
    s.marks[slot] = replace(old, kind=kind, level=s.level[slot])


@right.action(note=Each("notes", "slot"))
def keep(s, note):
    """A note is taken and remembered."""
    s.notes.remove(note)
    s.history.add(s.marks[note.slot])
    s.wide.add(Wide(a=note.level, b=5 * note.slot + (6 if note.urgent else 0)))
    s.numbers.add(note.level * 13)


@right.action(mark=Each("history", "level"), when=lambda s, mark: mark.kind != "gone")
def forget(s, mark):
    """A mark is taken out, and with it the notes of its level."""
    s.history.discard(mark)
    s.notes = bag(m for m in s.notes if m.level != mark.level)
    s.wide = {w for w in s.wide if w.a <= mark.level}


@noise.interference("faults", when=lambda s: len(s.numbers) > 0)
def shift(s):
    """Every number moves towards zero."""
    s.numbers = {n // 2 for n in s.numbers if n != -26}


@model.invariant(trigger=lambda s: len(s.numbers) > 1)
def bounded(s):
    """Numbers stem from levels."""
    return all(-39 <= n <= 26 for n in s.numbers) and sum(w.a for w in s.wide) < 5


@model.transition("right.keep")
def remembered(before, after):
    """Nothing is forgotten where something is kept."""
    return all(m in after.history for m in before.history)
