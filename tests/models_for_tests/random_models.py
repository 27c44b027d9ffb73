"""Models by chance: a Hypothesis strategy that writes the source text of a model file.

The text uses every kind of variable and of statement that the subset has; what it means is
nothing. Values can leave their domains, indices can be wrong and divisors zero, since both
engines must agree on errors too. What the subset refuses (ghosts in guards, changing what a loop
runs over) is not written.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

Draw = Any
NAMES = ("zed", "alpha", "mid")
HEAD = '''"""A model by chance."""

from fencecheck.model import *
from fencecheck.model import bag, replace

model = Model("chance", "A model by chance")
model.bound("n", 2, "how many indices")
model.budget("faults", "things that go wrong")
model.mechanism("mode", ("wide", "narrow"), "wide", "a switch")
I = Index("n", "i")
P = Record("P", i=I, x=Int(-1, 2), e=Enum("zed", "alpha", "mid"))
M = Record("M", b=Bool(), i=I, seen=Ghost(Int(0, 2)))
model.variable("x", Int(-2, 3))
model.variable("y", Int(0, 3), 1)
model.variable("b", Bool())
model.variable("e", Enum("zed", "alpha", "mid"))
model.variable("a", Array(I, Int(-2, 3)))
model.variable("r", P)
model.variable("ar", Array(I, P))
model.variable("st", Set(Int(-2, 3)))
model.variable("ps", Set(P))
model.variable("sets", Array(I, Set(I)))
model.variable("q", Seq(P, 2))
model.variable("pb", Bag(P, 2))
model.variable("mb", Bag(M, 2))
model.ghost("g", Bool())
model.ghost("gi", Int(0, 2))
one = model.actor("one")
two = model.actor("two")
noise = model.actor("noise", "interference")
TABLE = (2, 0, 1)


def clamp(s, value):
    if value < -2:
        return -2
    return value if value <= 3 else 3


def first(s, level):
    for p in s.pb:
        if p.x == level:
            return p
        if p.i == 1 and s.b:
            return replace(p, x=0)
    return s.r


def is_low(s, value):
    if s.mode == "narrow":
        return value < 0
    elif value == 3:
        return s.b
    return any(k > value for k in s.st)


def touch(s, value):
    if value > 1:
        return
    s.y = abs(value) % 4
    if s.b:
        s.e = "mid"


@one.action(i=I, x=Int(-1, 1))
def fill(s, i, x):
    """Put something into every container that has room."""
    s.x = x + s.y
    s.b = x > 0
    s.e = "mid" if x == 0 else "alpha"
    s.st.add(x)
    s.ps.add(P(i=i, x=x, e=s.e))
    if len(s.q) < 2:
        s.q.append(P(i=i, x=x, e="alpha"))
    if len(s.pb) < 2:
        s.pb.add(P(i=0, x=x, e="zed"))
    if len(s.mb) < 2:
        s.mb.add(M(b=s.b, i=i, seen=s.gi))
'''


@dataclass
class Writer:
    """Writes expressions and statements; ``view`` names the state, ``scope`` the locals by kind."""

    draw: Draw
    view: str = "s"
    ghosts: bool = False
    scope: dict[str, list[str]] = field(default_factory=dict)
    locked: list[str] = field(default_factory=list)
    unordered: bool = False
    loops: int = 0

    def pick(self, *options: Any) -> Any:
        """Return one of the options."""
        return self.draw(st.sampled_from(options))

    def known(self, kind: str) -> list[str]:
        """Return the locals of a kind."""
        return self.scope.get(kind, [])

    # -- expressions ----------------------------------------------------------------------------
    def number(self, depth: int) -> str:
        """Return a whole number."""
        v = self.view
        leaves = [f"{v}.x", f"{v}.y", "1", "-2", "3", f"len({v}.pb)", f"len({v}.st)", f"{v}.faults"]
        leaves += [*self.known("number"), *(f"{p}.x" for p in self.known("record"))]
        if self.ghosts:
            leaves += [f"{v}.gi"]
        if depth <= 0:
            return str(self.pick(*leaves))
        a = self.number(depth - 1)
        form = self.pick("leaf", "op", "div", "of", "if", "sum", "index", "record", "helper")
        if form == "op":
            return f"({a} {self.pick('+', '-')} {self.number(depth - 1)})"
        if form == "div":
            return f"({a} {self.pick('//', '%')} {self.pick('3', '-2', self.number(0))})"
        if form == "of":
            return f"{self.pick('min', 'max')}({a}, {self.number(depth - 1)})"
        if form == "if":
            return f"({a} if {self.truth(depth - 1)} else {self.number(depth - 1)})"
        if form == "sum":
            found = f"{self._item('p')}.x for p in {v}.pb if {self._of_item('p', depth)}"
            extreme = f"(({found}), default={self.number(0)})"
            return str(self.pick(f"sum({found})", f"min{extreme}", f"max{extreme}"))
        if form == "index":
            return str(self.pick(f"{v}.a[{self.index(depth)}]", f"TABLE[{v}.y % 3]", f"abs({a})"))
        if form == "record":
            return f"{self.record(depth - 1)}.x"
        if form == "helper":
            return f"clamp({v}, {a})"
        return str(self.pick(*leaves))

    def _item(self, name: str) -> str:
        return name

    def _of_item(self, name: str, depth: int) -> str:
        """Return a truth about a record that a generator visits."""
        old = self.known("record")
        self.scope["record"] = [*old, name]
        written = self.truth(min(depth - 1, 1))
        self.scope["record"] = old
        return written

    def index(self, depth: int) -> str:
        """Return an index, mostly a right one."""
        a = self.number(depth - 1)
        return str(self.pick(f"{a} % 2", f"{a} % 2", f"{self.view}.r.i", a))

    def truth(self, depth: int) -> str:
        """Return a truth."""
        v = self.view
        leaves = [f"{v}.b", f"{v}.x > 0", f"{v}.mode == 'wide'", f"{v}.e != 'mid'", "True"]
        leaves += [*self.known("truth"), *(f"{p}.i == 1" for p in self.known("record"))]
        if self.ghosts:
            leaves += [f"{v}.g", f"any(m.seen > 0 for m in {v}.mb)"]
        if depth <= 0:
            return str(self.pick(*leaves))
        a, less = self.truth(depth - 1), depth - 1
        form = self.pick("leaf", "compare", "and", "not", "in", "any", "record", "name", "helper")
        if form == "compare":
            first, second = self.number(less), self.number(less)
            op = self.pick("<", "<=", "==", "!=", ">", ">=")
            more = f" < {self.number(0)}" if self.pick(True, False, False) else ""
            return f"({first} {op} {second}{more})"
        if form == "and":
            return f"({a} {self.pick('and', 'or')} {self.truth(less)})"
        if form == "not":
            return f"(not {a})"
        if form == "in":
            held = self.pick(f"{v}.st", f"{v}.sets[{self.index(less)}]", "range(0, 2)", "(1, 3)")
            return f"({self.number(less)} {self.pick('in', 'not in')} {held})"
        if form == "any":
            held = self.pick(f"{v}.pb", f"{v}.q", f"{v}.ps", f"{v}.ar")
            if self.unordered and held.endswith(".ps"):
                held = f"{v}.pb"
            return f"{self.pick('any', 'all')}({self._of_item('p', depth)} for p in {held})"
        if form == "record":
            other = self.pick("in {0}.pb", "in {0}.ps", "== {0}.r", "in {0}.q").format(v)
            return f"({self.record(less)} {other})"
        if form == "name":
            return f"({self.name(less)} == {self.name(less, literal=False)})"
        if form == "helper":
            return f"is_low({v}, {self.number(less)})"
        return str(self.pick(*leaves))

    def name(self, depth: int, literal: bool = True) -> str:
        """Return a name of the Enum."""
        leaves = [f"{self.view}.e", f"{self.view}.r.e", *(f"{p}.e" for p in self.known("record"))]
        if literal:
            leaves += [repr(n) for n in NAMES]
        if depth > 0 and self.pick(True, False):
            a, b = self.name(0, literal), self.name(0, literal)
            return f"({a} if {self.truth(depth - 1)} else {b})"
        return str(self.pick(*leaves))

    def record(self, depth: int) -> str:
        """Return a record P."""
        v = self.view
        leaves = [f"{v}.r", f"{v}.ar[1]", *self.known("record")]
        if depth <= 0:
            return str(self.pick(*leaves))
        form = self.pick("leaf", "new", "replace", "if", "helper", "index")
        if form == "new":
            i, x, e = self.index(depth), self.number(depth - 1), self.name(depth - 1)
            return f"P(i={i}, x={x}, e={e})"
        if form == "replace":
            part = self.pick(f"x={self.number(depth - 1)}", f"e={self.name(depth - 1)}")
            return f"replace({self.record(0)}, {part})"
        if form == "if":
            test = self.truth(depth - 1)
            return f"({self.record(0)} if {test} else {self.record(depth - 1)})"
        if form == "helper":
            return f"first({v}, {self.number(depth - 1)})"
        if form == "index":
            return str(self.pick(f"{v}.ar[{self.index(depth)}]", f"{v}.q[{self.index(depth)}]"))
        return str(self.pick(*leaves))

    # -- statements -----------------------------------------------------------------------------
    def free(self, *names: str) -> list[str]:
        """Return those variables that no loop runs over."""
        return [name for name in names if name not in self.locked]

    def block(self, depth: int, indent: str) -> list[str]:
        """Return some statements."""
        lines: list[str] = []
        for _ in range(self.draw(st.integers(1, 3))):
            lines += [indent + line for line in self.statement(depth)]
        return lines

    def statement(self, depth: int) -> list[str]:
        """Return one statement, perhaps of several lines."""
        kinds = ["simple", "simple", "local", "container"]
        if depth > 0:
            kinds += ["if", "if", "for", "return"]
        form = self.pick(*kinds)
        if form == "if":
            lines = [f"if {self.truth(2)}:", *self.block(depth - 1, "    ")]
            if self.pick(True, False):
                lines += [f"elif {self.truth(1)}:", *self.block(depth - 1, "    ")]
            if self.pick(True, False):
                lines += ["else:", *self.block(depth - 1, "    ")]
            return lines
        if form == "for":
            return self.loop(depth)
        if form == "return":
            return [f"if {self.truth(1)}:", f"    return {self.pick('', repr('early'))}"]
        if form == "local":
            name = self.pick("z", "w", "p")
            value = {"z": self.number, "w": self.truth, "p": self.record}[name](2)
            return [f"{name} = {value}"]
        return [self.change() if form == "container" else self.assignment()]

    def loop(self, depth: int) -> list[str]:
        """Return a loop over a range or a container."""
        self.loops += 1
        item = f"v{self.loops}"
        held, kind = self.pick(
            ("range(2)", "number"), ("a", "number"), ("pb", "record"), ("q", "record"),
            ("ar", "record"), ("range(2, -1, -2)", "number"),
            *([] if self.unordered else [("st", "number"), ("ps", "record")]),
        )  # fmt: skip
        over = held if held.startswith("range") else f"s.{held}"
        old, locked = self.known(kind), list(self.locked)
        self.scope[kind], self.locked = [*old, item], [*locked, held]
        lines = [f"for {item} in {over}:", *self.block(depth - 1, "    ")]
        self.scope[kind], self.locked = old, locked
        return lines

    def assignment(self) -> str:
        """Return an assignment to a variable."""
        options = [
            lambda: f"s.x = min(max({self.number(2)}, -2), 3)",
            lambda: f"s.x = {self.number(2)}",
            lambda: f"s.y = {self.number(2)} % 4",
            lambda: f"s.y {self.pick('+=', '-=')} 1",
            lambda: f"s.b = {self.truth(2)}",
            lambda: f"s.e = {self.name(1)}",
            lambda: f"s.r = {self.record(2)}",
            lambda: f"touch(s, {self.number(1)})",
        ]
        if self.free("a"):
            options += [
                lambda: f"s.a[{self.index(1)}] = clamp(s, {self.number(1)})",
                lambda: f"s.a[{self.index(1)}] += {self.number(0)}",
            ]
        if self.free("ar"):
            options += [lambda: f"s.ar[{self.index(1)}] = {self.record(1)}"]
        return str(self.pick(*options)())

    def change(self) -> str:
        """Return a change of a container."""
        options = [
            lambda: f"s.sets[{self.index(1)}].add({self.index(1)})",
            lambda: f"s.sets[{self.index(1)}].discard({self.index(1)})",
            lambda: f"s.mb.add(M(b={self.truth(1)}, i={self.index(1)}, seen=s.gi))",
            lambda: "s.mb = bag(replace(m, b=not m.b) for m in s.mb if m.i == 0)",
            lambda: "s.mb.clear()",
        ]
        if self.free("st"):
            options += [
                lambda: f"s.st.add({self.number(1)})",
                lambda: f"s.st.discard({self.number(1)})",
            ]
        if self.free("ps"):
            options += [
                lambda: f"s.ps.add({self.record(1)})",
                lambda: f"s.ps.discard({self.record(1)})",
            ]
        if self.free("pb"):
            options += [
                lambda: f"s.pb.add({self.record(1)})",
                lambda: f"s.pb.remove({self.record(1)})",
                lambda: f"s.pb = bag(p for p in s.pb if {self._of_item('p', 2)})",
                lambda: "s.pb.clear()",
            ]
        if self.free("q"):
            options += [
                lambda: f"s.q.append({self.record(1)})",
                lambda: "s.r = s.q.pop(0) if len(s.q) > 0 else s.r",
                lambda: "s.q.pop(0)",
            ]
        return str(self.pick(*options)())


PARAMETERS = (
    ("", ""),
    ("i=I", "i"),
    ("v=Int(-1, 1)", "v"),
    ('p=Each("pb", "i")', "p"),
    ('p=Each("ps")', "p"),
    ('v=Each("st")', "v"),
    ('w=Bool(), p=Each("pb")', "w, p"),
)
KIND_OF = {"i": "number", "v": "number", "p": "record", "w": "truth"}


def _scope(names: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in names.split(", ") if names else []:
        found.setdefault(KIND_OF[name], []).append(name)
    return found


def _action(draw: Draw, number: int) -> str:
    params, names = draw(st.sampled_from(PARAMETERS))
    args = f"s, {names}" if names else "s"
    actor = draw(st.sampled_from(("one", "two", "noise")))
    guard = Writer(draw, scope=_scope(names)).truth(3)
    first = '"faults", ' if actor == "noise" else ""
    kind = "interference" if actor == "noise" else "action"
    writer = Writer(draw, scope=_scope(names), unordered=draw(st.booleans()))
    lines: list[str] = []
    for local, name, start in (
        ("z", "number", "0"),
        ("w", "truth", "False"),
        ("p", "record", "s.r"),
    ):
        if local not in names.split(", "):
            lines.append(f"    {local} = {start}")
            writer.scope.setdefault(name, []).append(local)
    if writer.unordered:
        lines += ["    s.st = {k // 2 for k in s.st if k != 1}", "    s.ps = {k for k in s.ps}"]
    lines += writer.block(2, "    ")
    if draw(st.booleans()):
        seen = Writer(draw, ghosts=True, scope=writer.scope)
        lines += [f"    s.g = {seen.truth(1)}", f"    s.gi = min(max({seen.number(1)}, 0), 2)"]
    head = f"@{actor}.{kind}({first}{params + ', ' if params else ''}when=lambda {args}: {guard})"
    return "\n".join([head, f"def act{number}({args}):", '    """Act."""', *lines])


def _properties(draw: Draw) -> str:
    state = Writer(draw, ghosts=True)
    before, after = Writer(draw, view="before"), Writer(draw, view="after", ghosts=True)
    return f'''
@model.invariant(trigger=lambda s: {state.truth(1)})
def about_states(s):
    """Something about a state."""
    return {state.truth(3)}


@model.transition(trigger=lambda before, after: {after.truth(1)})
def about_steps(before, after):
    """Something about a transition."""
    return {before.truth(2)} or {after.truth(2)} or before.pb == after.pb
'''


@st.composite
def model_texts(draw: Draw) -> str:
    """Return the text of a model file."""
    actions = [_action(draw, i) for i in range(draw(st.integers(1, 3)))]
    cleanups = [_cleanup(draw, i) for i in range(draw(st.sampled_from((0, 0, 0, 1, 2))))]
    return "\n\n\n".join([HEAD, *actions, *cleanups, _properties(draw)])


def _cleanup(draw: Draw, number: int) -> str:
    """Return a function that changes something after every event."""
    names = draw(st.sampled_from(("", "i")))
    writer = Writer(draw, scope=_scope(names))
    head = f"@model.cleanup({'i=I' if names else ''})"
    args = f"s, {names}" if names else "s"
    lines = ["    z = 0", "    w = False", "    p = s.r"]
    for local, kind in (("z", "number"), ("w", "truth"), ("p", "record")):
        writer.scope.setdefault(kind, []).append(local)
    return "\n".join([head, f"def tidy{number}({args}):", *lines, *writer.block(1, "    ")])


def held_back(text: str) -> str:
    """Return a model of ``model_texts`` whose containers hold back what would not fit."""
    for element in ("Seq(P, 2", "Bag(P, 2", "Bag(M, 2", "Set(P", "Set(Int(-2, 3)", "Set(I"):
        assert f"{element})" in text, element
        bound = "shelf" if element.startswith("Set") else "room"
        text = text.replace(f"{element})", f'{element.removesuffix(", 2")}, "{bound}")')
    bounds = 'model.bound("room", 2, "messages")\nmodel.bound("shelf", 1, "members")\n'
    return text.replace("model.budget(", f"{bounds}model.budget(", 1)
