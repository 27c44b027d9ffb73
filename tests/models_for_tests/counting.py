"""A counter: as many levels as states, one in each. The deepest graph there is of its size."""

from fencecheck.model import Int, Model

model = Model("counting", "A counter")
model.bound("last", 1_000, "how far it counts")
model.variable("n", Int(0, lambda k: k.last))
counter = model.actor("counter")


@counter.action(when=lambda s: s.n < s.last)
def count(s):
    """It counts."""
    s.n += 1


@model.invariant()
def in_bounds(s):
    """It counts no farther than asked."""
    return s.n <= s.last
