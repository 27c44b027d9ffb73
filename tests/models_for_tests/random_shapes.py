"""Models by chance of some shape: wide graphs, deep ones, long states, many small actions.

``shaped_model(shape, seed)`` returns the text of a model, the same for the same seed. What it means
is nothing. Some have a property that breaks, or a variable that leaves its domain somewhere, since
the engines must agree on those too.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.models_for_tests.many_small import NARROW, WIDE, many_small

HEAD = '''"""A model of a shape, by chance."""

from fencecheck.model import *

model = Model("shape", "A model of a shape")
model.budget("spills", "times that something is spilt")
one = model.actor("one")
two = model.actor("two", "interference")
'''


def _action(name: str, guard: str, lines: list[str], given: str = "") -> str:
    """Return an action; ``given`` declares its parameter ``i``."""
    takes, first = ("s, i", f"{given}, ") if given else ("s", "")
    body = "\n".join(f"    {line}" for line in lines)
    head = f"@one.action({first}when=lambda {takes}: {guard})"
    return f'{head}\ndef {name}({takes}):\n    """Something happens."""\n{body}\n'


def _invariant(holds: str) -> str:
    return f'@model.invariant()\ndef low(s):\n    """It stays low."""\n    return {holds}\n'


def wide(chance: Random) -> str:
    """Return nine counters that hardly wait for each other: levels of thousands of states."""
    cells = 9
    waits = chance.sample(range(cells), 2)
    parts = [HEAD + 'CELL = Index(9, "c")\nmodel.variable("x", Array(CELL, Int(0, 2)))\n']
    for cell in range(cells):
        other = chance.randrange(cells)
        guard = f"s.x[{cell}] < 2"
        if cell in waits:
            guard += f" and s.x[{other}] != {chance.choice((0, 2))}"
        lines = [f"s.x[{cell}] += 1"]
        if chance.random() < 0.1:
            lines = [f"s.x[{cell}] = {chance.choice((1, 2))} if s.x[{other}] > 0 else 2"]
        parts.append(_action(f"step{cell}", guard, lines))
    given = 'i=Index(9, "c")'
    parts.append(_action("swap", f"s.x[i] == s.x[{waits[0]}] + 1", ["s.x[i] = 0"], given))
    parts.append(_invariant(f"sum(s.x) < {chance.choice((4, 5, 19))}"))
    return "\n".join(parts)


def deep(chance: Random) -> str:
    """Return a counter to thousands, with what happens at some of its numbers on the way."""
    last = chance.randrange(2_000, 4_000)
    parts = [
        HEAD
        + f'model.variable("n", Int(0, {last}))\n'
        + "".join(f'model.variable("{name}", Int(0, {chance.choice((1, 3))}))\n' for name in "ab")
    ]
    ends = f"s.n < {last}" if chance.random() < 0.7 else "True"  # or it leaves its domain
    parts.append(_action("count", ends, ["s.n += 1"]))
    for number in range(chance.randint(1, 4)):
        name, other = chance.sample("ab", 2)
        every = chance.choice((97, 256, 1_000))
        guard = f"s.n % {every} == {chance.randrange(every)} and s.{name} == 0"
        forms = (f"s.{name} = 1", f"s.{name} = 1 if s.{other} == 0 else 0")
        back = [f"s.n = s.n - {chance.randrange(1, 50)} if s.n > 50 else s.n"]
        parts.append(
            _action(f"turn{number}", guard, [chance.choice(forms), *(back * chance.randint(0, 1))])
        )
    parts.append(_invariant(f"s.n != {chance.randrange(2 * last)} or s.a == s.b"))
    return "\n".join(parts)


def long(chance: Random) -> str:
    """Return states of many words, of which an event writes one, or a few far from each other."""
    cells, high = chance.choice(((30, 2**31 - 2), (18, 2**44), (60, 2_000)))
    parts = [
        HEAD
        + f'CELL = Index({cells}, "c")\n'
        + f'model.variable("x", Array(CELL, Int(0, {high})))\n'
        + 'model.variable("seen", Array(CELL, Bool()))\n'
    ]
    limit = chance.randint(2, 3)
    for number in range(3):
        at, far = (chance.randrange(cells) for _ in range(2))
        lines = [f"s.x[{at}] = s.x[{far}] + {chance.randint(1, 2)}"]
        if chance.random() < 0.5:
            lines.append(f"s.seen[{far}] = not s.seen[{at}]")
        parts.append(_action(f"step{number}", f"s.x[{at}] < {limit} and s.x[{far}] < 5", lines))
    most = chance.randint(2, 4)
    guard = f"s.x[i] == i % 3 and sum(1 for x in s.x if x > 0) < {most}"
    value = chance.choice((high, "i", "s.x[(i + 1) % len(s.x)] + 1", f"s.x[0] + {high}"))
    parts.append(_action("put", guard, [f"s.x[i] = {value}", "s.seen[i] = True"], "i=CELL"))
    parts.append(_invariant(f"s.x[{chance.randrange(cells)}] < {chance.choice((1, 3, high))}"))
    return "\n".join(parts)


def small(chance: Random) -> str:
    """Return dozens of small actions, or one with dozens of ways, over several words."""
    sizes = chance.randint(12, 60), chance.randint(2, 20)
    return many_small(*sizes, ways=chance.choice((0, 0, 20)), high=chance.choice((NARROW, WIDE)))


SHAPES: dict[str, Callable[[Random], str]] = {
    "wide": wide, "deep": deep, "long": long, "many small": small,
}  # fmt: skip


def shaped_model(shape: str, seed: int) -> str:
    """Return the text of a model file."""
    return SHAPES[shape](Random(f"{shape} {seed}"))
