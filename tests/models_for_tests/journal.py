"""A journal that is written, flushed and read: thousands of levels, and few states in each.

What is counted is how far each of the three has come; ``counts`` says how many states there are,
and how deep they go.
"""

from fencecheck.model import Int, Model

BOUNDS = ("entries", "window")

model = Model("journal", "A journal that is written, flushed and read")
model.bound("entries", 20, "entries to be written")
model.bound("window", 4, "entries that may be written and not yet read")

ENTRY = Int(0, lambda k: k.entries)

writer = model.actor("writer")
disk = model.actor("disk")
reader = model.actor("reader")
model.variable("written", ENTRY, owner=writer)
model.variable("flushed", ENTRY, owner=disk)
model.variable("read", ENTRY, owner=reader)


def counts(entries: int, window: int) -> tuple[int, int]:
    """Return distinct states and depth."""
    behind = range(min(entries, window) + 1)
    return sum((entries - far + 1) * (far + 1) for far in behind), 3 * entries


@writer.action(when=lambda s: s.written < s.entries and s.written < s.read + s.window)
def write(s):
    """One entry more is written."""
    s.written += 1


@disk.action(when=lambda s: s.flushed < s.written)
def flush(s):
    """One entry more is safe."""
    s.flushed += 1


@reader.action(when=lambda s: s.read < s.flushed)
def read(s):
    """One entry more is read."""
    s.read += 1


@model.invariant()
def in_order(s):
    """What is read is safe, what is safe was written, and not too far ahead."""
    return s.read <= s.flushed <= s.written <= s.read + s.window
