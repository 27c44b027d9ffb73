"""Small models by chance with versions, fresh values, counts and symmetric indices everywhere.

What they mean is nothing. What a Version or an Index may be used for is kept to; values can be
ahead of their clock, None where there must be one, and too many for a bag, since both engines must
agree on errors too.
"""

from __future__ import annotations

from random import Random

HEAD = '''"""A model by chance, with values of which only some can be asked."""

from fencecheck.model import *
from fencecheck.model import bag, replace

model = Model("marked", "Marked values by chance")
model.bound("n", {n}, "how many nothing tells apart")
model.bound("files", 2, "how many plain ones")
model.budget("faults", "things that go wrong")
W = Index("n", "w", symmetric=True)
F = Index("files", "f")
REV, EDIT = Version("rev", ahead={ahead}, advance={advance}), Fresh("made", advance={advance})
Q = Record("Q", w=W, v=REV)
C = OneOf("C", none=None, edit=EDIT, by=W, at=REV, both=Q)
P = Record("P", {fields})
one = model.actor("one")
noise = model.actor("noise", "interference")
model.variable("rev", REV)
model.variable("made", EDIT)
'''
FIELDS = {
    "base": "REV", "seen": 'Maybe(REV, "none")', "e": "EDIT", "f": "F", "to": "W",
    "by": 'Maybe(W, "nobody")', "content": "C", "b": "Bool()", "late": 'Maybe(EDIT, "none")',
}  # fmt: skip
SCALARS = {"REV": "version", "EDIT": "fresh", "W": "one", "F": "file", "C": "content"}
SCALARS |= {"Bool()": "truth", 'Maybe(REV, "none")': "version?", 'Maybe(W, "nobody")': "one?"}
SCALARS |= {'Maybe(EDIT, "none")': "fresh?", "Count(2)": "count", "Int(0, 3)": "number"}


class _Writer:
    """Writes a model; ``places`` are expressions of scalar places of the state, by kind."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.fields = random.sample(list(FIELDS), random.randint(2, 4))
        self.places: dict[str, list[str]] = {}
        self.lines: list[str] = []
        self.names = iter(f"x{i}" for i in range(99))
        self.held: dict[str, list[str]] = {}

    def pick(self, *options: str) -> str:
        return self.random.choice(options)

    def place(self, kind: str, text: str) -> None:
        self.places.setdefault(kind, []).append(text)

    def variables(self) -> None:
        """Declare some variables."""
        for kind in ("REV", "EDIT", "W", "REV", "EDIT", *self.random.sample(list(SCALARS), 2)):
            self._scalar(kind)
        self._array(self.pick("REV", "EDIT", "W"))
        for _ in range(self.random.randint(2, 4)):
            getattr(self, self.pick("_array", "_array", "_record", "_bag", "_set", "_matrix"))()

    def declare(self, domain: str) -> str:
        name = next(self.names)
        self.lines.append(f'model.variable("{name}", {domain})')
        return f"s.{name}"

    def _scalar(self, domain: str) -> None:
        self.place(SCALARS[domain], self.declare(domain))

    def _array(self, domain: str = "") -> None:
        domain, over = domain or self.pick(*SCALARS), self.pick("W", "W", "F")
        name = self.declare(f"Array({over}, {domain})")
        self.place(SCALARS[domain], f"{name}[{'w' if over == 'W' else 'f'}]")
        if over == "W":
            self.place(SCALARS[domain], f"{name}[v]")

    def _matrix(self) -> None:
        domain = self.pick("Bool()", "REV", 'Maybe(W, "nobody")')
        name = self.declare(f"Array(W, Array(W, {domain}))")
        self.place(SCALARS[domain], f"{name}[w][v]")

    def _record(self) -> None:
        name = self.declare("P")
        for field in self.fields:
            self.place(SCALARS[FIELDS[field]], f"{name}.{field}")

    def _bag(self) -> None:
        kind, element = self.pick("Bag", "Seq"), self.pick("P", "P", "C")
        many = self.random.randint(1, 2)
        domain, index = f"{kind}({element}, {many})", ""
        if self.random.random() < 0.3:
            domain, index = f"Array(W, {domain})", "[w]"
        self.held.setdefault(f"{kind} of {element}", []).append(self.declare(domain) + index)

    def _set(self) -> None:
        domain = self.pick("W", "W", "REV", "EDIT", "Q", "C", 'Maybe(EDIT, "none")')
        many = "" if domain == "W" else f", {self.random.randint(1, 3)}"
        element, index = f"Set({domain}{many})", ""
        if domain == "W" and self.random.random() < 0.4:
            element, index = f"Array(W, {element})", "[w]"
        self.held.setdefault(f"Set of {domain}", []).append(self.declare(element) + index)

    # -- expressions ------------------------------------------------------------------------------
    def value(self, kind: str) -> str:
        """Return an expression of a kind."""
        known = self.places.get(kind, [])
        if kind.endswith("?"):
            plain = self.value(kind[:-1])
            return self.pick("None", plain, *known)
        if kind == "version":
            a = self.pick("s.rev", *known)
            above = self.pick("s.rev + 1", "s.rev + f", a, a, a)
            return self.pick(a, above, f"{self.pick('min', 'max')}({a}, {self.pick(*known)})")
        if kind == "fresh":
            return self.pick(*known)
        if kind == "one":
            return self.pick("w", "v", *known)
        if kind == "file":
            return self.pick("f", "0", "1", *known)
        if kind == "truth":
            return self.truth()
        if kind == "number":
            return self.pick("0", "1", *known)
        return self._content()

    def _content(self) -> str:
        new = f"C.at({self.value('version')})", f"C.both(Q(w=w, v={self.value('version')}))"
        known = self.places.get("content", [])
        return self.pick(*new, "C.none", f"C.edit({self.value('fresh')})", "C.by(v)", *known)

    def member(self, kind: str) -> str:
        """Return what a set of a kind may hold."""
        domain = kind.removeprefix("Set of ")
        if domain == "Q":
            return f"Q(w={self.value('one')}, v={self.value('version')})"
        return self.value(SCALARS[domain])

    def record(self) -> str:
        parts = (f"{field}={self.value(SCALARS[FIELDS[field]])}" for field in self.fields)
        return f"P({', '.join(parts)})"

    def truth(self) -> str:
        """Return a comparison of two values of one kind, or a question about several."""
        kind = self.pick(*(k for k in self.places if k not in ("truth", "count")))
        options = [f"{self.pick(*self.places[kind])} {self.pick('==', '!=')} {self.value(kind)}"]
        if kind == "version":
            order = self.pick("<", "<=", ">", ">=")
            options.append(f"{self.value(kind)} {order} {self.value(kind)}")
        for kind, names in self.held.items():
            if kind.startswith("Set"):
                options.append(f"{self.member(kind)} in {self.pick(*names)}")
        if "count" in self.places:
            options.append(f"{self.pick(*self.places['count'])} >= {self.pick('1', '2')}")
        bags = [name for kind, names in self.held.items() if kind.endswith("P") for name in names]
        if bags and {"base", "to"} & set(self.fields):
            asked = "p.base < s.rev" if "base" in self.fields else "p.to == w"
            options.append(f"{self.pick('any', 'all')}({asked} for p in {self.pick(*bags)})")
        options += self.places.get("truth", [])
        return self.pick(*options)

    # -- statements -------------------------------------------------------------------------------
    def statement(self) -> list[str]:
        """Return a statement, perhaps of two lines."""
        forms = ["assign"] * 4 + ["clock", "fresh", "if"] + ["hold"] * 2 * bool(self.held)
        form = self.pick(*forms)
        if form == "clock":
            return [f"s.rev += {self.pick('1', '1', '1', '1', '1', '1', '2', 'f')}"]
        if form == "fresh":
            return ["s.made += 1", f"{self.pick(*self.places['fresh'])} = s.made"]
        if form == "hold":
            return self._hold()
        if form == "if":
            return [f"if {self.truth()}:", *(f"    {line}" for line in self.statement())]
        kind = self.pick(*self.places)
        target = self.pick(*self.places[kind])
        if kind == "count":
            return [f"{target} {self.pick('+= 1', '= 0', '+= f')}"]
        return [f"{target} = {self.value(kind)}"]

    def _hold(self) -> list[str]:
        kind = self.pick(*self.held)
        name = self.pick(*self.held[kind])
        if kind.startswith("Set"):
            return [f"{name}.{self.pick('add', 'add', 'discard')}({self.member(kind)})"]
        new = self.record() if kind.endswith("P") else self._content()
        room = f"if len({name}) < 1:"
        if kind.startswith("Bag"):
            return [*self.pick_room(room), f"    {name}.add({new})"]
        take = [f"if len({name}) > 0:", f"    {name}.pop(0)"]
        return self.random.choice([[*self.pick_room(room), f"    {name}.append({new})"], take])

    def pick_room(self, room: str) -> list[str]:
        return [self.pick(room, room, "if True:")]

    def action(self, number: int) -> list[str]:
        actor = self.pick("one", "one", "noise")
        first = '"faults", ' if actor == "noise" else ""
        kind = "interference" if actor == "noise" else "action"
        guard = f", when=lambda s, w, v, f: {self.truth()}" if self.random.random() < 0.5 else ""
        lines = [f"@{actor}.{kind}({first}w=W, v=W, f=F{guard})"]
        lines += [f"def act{number}(s, w, v, f):", '    """Act."""']
        for _ in range(self.random.randint(1, 3)):
            lines += [f"    {line}" for line in self.statement()]
        return lines

    def fills(self, number: int) -> list[str]:
        """Return an action that gives some places new values, and moves the clocks."""
        lines = ["@one.action(w=W, v=W, f=F)", f"def fill{number}(s, w, v, f):", '    """Fill."""']
        lines += ["    s.made += 1", "    if s.made != s.x1:", "        s.rev += 1"]
        for kind in ("version", "fresh", "one", "one?", "version?", "content"):
            known = self.places.get(kind, [])
            for target in self.random.sample(known, min(1, len(known))):
                new = {"version": "s.rev", "fresh": "s.made", "one": "w", "one?": "v"}
                lines.append(f"    {target} = {new.get(kind) or self.value(kind)}")
        return lines

    def takes(self) -> list[str]:
        """Return an action that takes an element out of a bag, where there is one."""
        bags = [name for name in self.held.get("Bag of P", []) if "[" not in name]
        if not bags:
            return []
        name = self.pick(*bags)
        lines = [f'@one.action(m=Each("{name[2:]}"))', "def take(s, m):", '    """Take."""']
        lines.append(f"    {name}.remove(m)")
        for field in self.fields:
            for target in self.places.get(SCALARS[FIELDS[field]], []):
                if "[" not in target:
                    lines.append(f"    {target} = m.{field}")
        return lines


def marked_model(seed: int) -> str:
    """Return the text of a model file."""
    random = Random(seed)
    writer = _Writer(random)
    writer.variables()
    fields = ", ".join(f"{name}={FIELDS[name]}" for name in writer.fields)
    head = HEAD.format(
        n=random.randint(1, 3),
        ahead=random.randint(0, 2),
        advance=random.randint(1, 2),
        fields=fields,
    )
    parts = [writer.action(number) for number in range(random.randint(2, 4))]
    parts += [writer.takes(), *(writer.fills(number) for number in range(3))]
    body = "\n\n\n".join("\n".join(lines) for lines in parts if lines)
    properties = f'''
@model.invariant(w=W, v=W, f=F)
def about_states(s, w, v, f):
    """Something about a state."""
    return {writer.truth()} or {writer.truth()}


@model.transition()
def about_steps(before, after):
    """Something about a transition."""
    return before.rev == after.rev or after.rev > before.rev
'''
    return "\n".join([head, *writer.lines, "\n", body, "", properties])
