"""A model with a variable of every kind, to which a test adds the few lines it is about.

``effect`` and ``guard`` wrap a function's body into an action ``A.act``; ``written`` makes the
model out of them.
"""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

from fencecheck.model.family import Family
from fencecheck.model.system import System
from tests.models_for_tests import HEADER, load

BASE = (
    HEADER
    + '''
model = Model("snippet", "One of everything")
model.bound("n", 3, "how many indices")
model.budget("faults", "things that go wrong")
model.mechanism("mode", ("wide", "narrow"), "wide", "a switch")
I = Index("n", "i")
P = Record("P", i=I, x=Int(-1, 2))
M = Record("M", i=I, seen=Ghost(Bool()))
model.variable("a", Array(I, Int(-2, 3)), (0, 1, 2))
model.variable("x", Int(-2, 3), 0)
model.variable("y", Int(0, 3), 1)
model.variable("b", Bool())
model.variable("e", Enum("zed", "alpha", "mid"))
model.variable("st", Set(I))
model.variable("ps", Set(P))
model.variable("ms", Set(M))
model.variable("q", Seq(P, 2))
model.variable("pb", Bag(P, 2))
model.variable("mb", Bag(M, 2))
model.variable("r", P)
model.variable("ar", Array(I, P))
model.variable("am", Array(I, M))
model.variable("sets", Array(I, Set(I)))
model.ghost("g", Bool())
model.ghost("gi", Int(0, 3))
model.ghost("gset", Set(I))
model.ghost("gbag", Bag(P, 2))
model.ghost("gq", Seq(P, 2))
A = model.actor("A")


@A.action(i=I, x=Int(-1, 0))
def fill(s, i, x):
    """Put something into every container that has room."""
    s.st.add(i)
    s.sets[i].add(i)
    if len(s.q) < 2:
        s.q.append(P(i=i, x=x))
    if len(s.pb) < 2:
        s.pb.add(P(i=i, x=x))
        s.ps.add(P(i=i, x=x))


@A.action(x=Int(-2, 3), when=lambda s, x: x != s.x)
def set_x(s, x):
    """Give x any other value."""
    s.x = x


@A.action()
def flip(s):
    """Turn the truths round."""
    s.b = not s.b
    s.g = not s.g
'''
)


def _indented(body: str) -> str:
    return textwrap.indent(textwrap.dedent(body).strip(), "    ") + "\n"


def effect(body: str, more: str = "") -> str:
    """Return the text of an action whose effect is ``body``."""
    head = '@A.action()\ndef act(s):\n    """Act."""\n'
    return head + _indented(body) + textwrap.dedent(more)


def guard(body: str, more: str = "") -> str:
    """Return the text of an action whose guard is ``body``."""
    head = "def guard_of_act(s):\n" + _indented(body)
    action = '\n@A.action(when=guard_of_act)\ndef act(s):\n    """Act."""\n    s.y = 2\n'
    return head + action + textwrap.dedent(more)


def written(folder: Path, code: str, mechanisms: dict[str, Any] | None = None) -> System:
    """Return the model of everything with ``code`` added, ready to run."""
    family = Family(load(folder, BASE + code).model)
    return System(family, family.design(mechanisms, {"faults": 1}))
