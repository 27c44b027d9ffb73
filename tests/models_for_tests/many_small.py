"""Models of many small actions over many words: much for a kernel to lay out, little to compute.

``actions`` stand one by one in the text, each with a guard and one or two assignments; besides them
one action has a way for each pair of a cell and a value. By chance, but the same for the same
numbers. Few states are far away: every variable counts in a small circle, however wide it is.
"""

from __future__ import annotations

import random

NARROW, WIDE = 2**30 - 1, 2**40


def many_small(actions: int, variables: int, *, ways: int = 0, high: int = NARROW) -> str:
    """Return the text of a model; variables are two a word, or one where they are ``WIDE``.

    With ``ways`` there are so many cells, of two values each, that one action writes.
    """
    chance = random.Random(f"{actions} {variables} {ways}")
    lines = [
        '"""Many small actions."""\n\nfrom fencecheck.model import *\n',
        'model = Model("many", "Many small actions")',
        f'model.bound("cells", {max(ways, 1)}, "cells that one action writes")',
        'CELL = Index("cells", "c")',
        'one = model.actor("one")',
        'two = model.actor("two", "interference")',
        'model.budget("spills", "times that something is spilt")',
        'model.variable("cell", Array(CELL, Int(0, 1)))',
        *(f'model.variable("x{i}", Int(0, {high}))' for i in range(variables)),
        '@model.invariant()\ndef low(s):\n    """It stays low."""',
        f"    return s.x0 + s.x{variables - 1} < 4\n",
    ]
    for number in range(actions):
        lines += _action(number, variables, chance)
    lines += [
        '@two.interference("spills", when=lambda s: s.x0 > 0)',
        'def spill(s):\n    """It is spilt."""\n    s.x0 = 0\n',
    ]
    if ways:
        lines += [
            "@one.action(c=CELL, v=Int(0, 1), when=lambda s, c, v: s.cell[c] != v and s.x0 == v)",
            'def put(s, c, v):\n    """A cell gets another value."""\n    s.cell[c] = v\n',
        ]
    return "\n".join(lines) + "\n"


def _action(number: int, variables: int, chance: random.Random) -> list[str]:
    """Return the text of one action, which moves one variable on and may set another back."""
    this, other, third = (chance.randrange(variables) for _ in range(3))
    lines = [
        f"@one.action(when=lambda s: s.x{this} == {number % 3} and s.x{other} < 2)",
        f'def step{number}(s):\n    """Something small happens."""',
        f"    s.x{this} = (s.x{this} + 1 + s.x{third} // 2) % 3",
    ]
    if chance.random() < 0.5:
        lines.append(f"    s.x{third} = 1 if s.x{other} > s.x{this} else s.x{third}")
    return [*lines, ""]
