"""Models by chance, declarations included: ``program(seed)`` is the text of a model file.

Every kind of variable can occur (numbers that are negative, truths, names, records, arrays of
arrays, of records and of sets, sets of all these, bags, sequences), many of them twice, so that
they can be compared as a whole; helper functions that change the state; actions with parameters
of every kind; properties of every kind. Some of these models are refused, with a line; what is
accepted means the same to both engines and to the third judge.
"""

from __future__ import annotations

import random
import re
from dataclasses import replace

from tests.models_for_tests.random_parts import in_parts
from tests.models_for_tests.random_scope import BOOL, INT, MAYBE, Function, Scope, Type
from tests.models_for_tests.random_statements import Statements, indented
from tests.models_for_tests.random_writer import Writer

HEAD = '''"""A model by chance."""

from fencecheck.model import *
from fencecheck.model import bag, replace

model = Model("chance", "A model by chance")
model.bound("n", 2, "how many indices")
model.budget("faults", "things that go wrong")
model.mechanism("mode", ("wide", "narrow"), "wide", "a switch")
I = Index("n", "i")
ODD = [-1, 1, 3]
FEW = {0, 2}
'''
TAIL = """one = model.actor("one")
two = model.actor("two")
noise = model.actor("noise", "interference")
"""
INDEX = Type("int", "I", low=0, high=1)


class Program:
    """One model being written."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.small = seed % 2 == 0  # few states: all of them are explored
        self.nested = seed % 5 == 2  # records in records, sequences of scalars
        self.names = tuple(self.chance.sample(("zed", "alpha", "mid", "beta"), 3))
        self.enum = Type("enum", f"Enum{self.names!r}", names=self.names)
        some = ("other", *self.names[1:])
        self.other = Type("enum", f"Enum{some!r}", names=some)
        self.scope = Scope({}, names=self.names)
        self.lines: list[str] = []
        self.events: list[str] = []
        self.taken: dict[str, Type] = {}

    def text(self) -> str:
        """Return the whole file."""
        count = 1 if self.small else self.chance.randint(1, 2)
        names = ("P", "Q")[: 1 if self.nested else count]
        records = [self.record(name) for name in names]
        if self.nested:
            records.append(self.holding(records[0]))
        self.scope.records = records
        self.tagged = self.one_of(records[-1 if self.nested else 0])
        self.variables()
        parts = [HEAD + "".join(self.lines) + TAIL]
        for number in range(self.chance.randint(2, 4)):
            parts.append(self.function(number))
        if self.chance.random() < 0.3:
            parts.append(self.start())
        if self.chance.random() < 0.25:
            parts.append(self.constraint())
        parts.append(self.fill())
        parts += [self.action(number) for number in range(self.chance.randint(2, 4))]
        return "\n\n".join([*parts, *self.properties()])

    def number(self) -> Type:
        low = self.chance.choice((-2, -1, -1, 0, 0, 1))
        high = low + self.chance.randint(1, 1 if self.small else 4)
        return Type("int", f"Int({low}, {high})", low=low, high=high)

    def scalar(self) -> Type:
        numbers = (self.number(), self.number())
        enum = self.chance.choice((self.enum, self.enum, self.other))
        return self.chance.choice((*numbers, BOOL, BOOL, enum, INDEX, MAYBE, MAYBE))

    def record(self, name: str) -> Type:
        fields = tuple(
            (f, self.scalar()) for f in "abc"[: self.chance.randint(1, 1 if self.small else 3)]
        )
        inside = ", ".join(f"{f}={t.text}" for f, t in fields)
        self.lines.append(f'{name} = Record("{name}", {inside})\n')
        return Type("record", name, fields=fields, name=name)

    def holding(self, inner: Type) -> Type:
        """Declare a record that holds another one, or an array."""
        rows = [BOOL, inner, self.scalar(), self.of("array", BOOL)]
        row = self.chance.choice(rows[: 1 if self.small else 4])
        array = self.of("array", row) if self.chance.random() < 0.7 else self.over_names(row)
        some = (("p", inner), ("m", array), ("c", BOOL))
        fields = some[self.chance.choice((0, 0, 1)) :][: 2 if self.small else 3]
        inside = ", ".join(f"{f}={t.text}" for f, t in fields)
        self.lines.append(f'Q = Record("Q", {inside})\n')
        return Type("record", "Q", fields=fields, name="Q")

    def one_of(self, record: Type) -> Type:
        """Declare tagged values, one kind of which may hold a record."""
        fields = [("a", self.scalar()), ("b", self.scalar()), ("r", record)]
        fields = self.chance.sample(fields, 1 if self.small else 3)
        inside = ", ".join(f"{tag}={t.text}" for tag, t in fields)
        if len(inside) % 3 == 0:
            inside += ", e=Int(1, 0)"  # which has no values
        self.lines.append(f'T = OneOf("T", none=None, {inside})\n')
        return Type("tagged", "T", fields=tuple(fields), name="T")

    def narrow(self) -> Type:
        """Return the tagged values with some of the tags only."""
        tags = ["none", *(tag for tag, _ in self.tagged.fields)]
        tags = self.chance.sample(tags, self.chance.randint(1, len(tags)))
        return replace(self.tagged, text=f"T.only({', '.join(map(repr, tags))})")

    def of(self, kind: str, element: Type, capacity: int = 0) -> Type:
        """Return the type of a container."""
        inside = f"I, {element.text}" if kind == "array" else element.text
        inside += f", {capacity}" if capacity else ""
        return Type(kind, f"{kind.title()}({inside})", element, high=capacity)

    def some_type(self) -> Type:
        """Return a type for a variable."""
        record = self.chance.choice(self.scope.records)
        tagged = self.tagged if self.chance.random() < 0.6 else self.narrow()
        small = self.chance.choice([self.scalar(), record, tagged])
        sent = self.chance.choice([record, record, tagged])
        if self.nested and self.chance.random() < 0.7:
            sent = self.scalar()
        most = 1 if self.small else 3
        options = [
            self.scalar(),
            record,
            self.of("array", self.scalar()),
            self.of("array", record),
            self.of("array", self.of("array", small)),
            self.over_names(small),
            self.of("set", small),
            self.of("array", self.of("set", small)),
            self.of("bag", sent, self.chance.randint(1, most)),
            self.of("seq", sent, self.chance.randint(1, most)),
            self.of("array", self.of(self.chance.choice(("bag", "seq")), sent, most)),
        ]
        return self.chance.choice(options)

    def over_names(self, element: Type) -> Type:
        """Return the type of an array over an Enum."""
        text = f"Array({self.enum.text}, {element.text})"
        return Type("named", text, element, names=self.names)

    def variables(self) -> None:
        """Declare a few variables, some of them twice."""
        found = [("x", self.number() if self.small else INT), ("b", BOOL)]
        found += [(f"r{r.name.lower()}", r) for r in self.scope.records]
        if not self.small:
            found.append(("e", self.enum))
        for i in range(1 if self.small else self.chance.randint(2, 5)):
            t = self.some_type()
            if i == 0 and t.element is None:
                t = self.of("array", self.scalar())
            found.append((f"v{i}", t))
            if t.element is not None and self.chance.random() < 0.6:
                found.append((f"w{i}", t))
        self.scope.variables = dict(found)
        self.lines += [f'model.variable("{name}", {t.text})\n' for name, t in found]
        self.lines.append('model.ghost("g", Bool())\n')

    def inner(self, names: dict[str, Type]) -> Scope:
        return Scope(
            self.scope.variables,
            list(self.scope.functions),
            names,
            self.scope.records,
            self.names,
        )

    def function(self, number: int) -> str:
        """Write a helper: one that changes the state, or one that only reads it."""
        changes = number < 2 or self.chance.random() < 0.6
        whole = [t for t in self.scope.variables.values() if t.element is not None]
        scalars = [INT, BOOL, self.enum, *self.scope.records]
        takes = tuple(
            self.chance.choice([*scalars, *whole]) for _ in range(self.chance.randint(0, 2))
        )
        returns = self.chance.choice([INT, INT, BOOL, *scalars, *whole])
        if number < 2:  # one that gives a number, one that gives a record
            returns = (INT, self.scope.records[0])[number]
        names = {f"p{i}": t for i, t in enumerate(takes)}
        scope = self.inner(dict(names))
        lines = []
        if changes:
            writer = Statements(self.chance, scope, effects=True)
            writer.early = writer.branch  # type: ignore[method-assign]
            writer.refills = self.chance.random() < 0.2
            lines = writer.block(1, 2)
            lines += early(writer, returns) if returns.element is None else []
        writer = Statements(self.chance, scope, effects=changes)
        if returns.element is None:
            lines.append(f"return {writer.value(returns, 2)}")
        else:
            lines.append(f"return {writer.container(returns)}")
        if number < 2:
            lines.insert(0, self.turn(number))
        touches = set(re.findall(r"s\.(\w+)", " ".join(lines)))
        for other in self.scope.functions:
            touches |= other.touches if f"{other.name}(" in " ".join(lines) else set()
        spare = bool(takes) and takes[-1].kind in ("int", "bool") and self.chance.random() < 0.5
        function = Function(f"helper{number}", takes, returns, changes, frozenset(touches), spare)
        self.scope.functions.append(function)
        parameters = ["s", *names]
        if spare:
            parameters[-1] += "=1" if takes[-1].kind == "int" else "=True"
        head = f"def {function.name}({', '.join(parameters)}):"
        return "\n".join(["", head, '    """Help."""', *indented(lines)])

    def fill(self) -> str:
        """Write an action that puts something into one of the variables."""
        names = {"k0": INT, "i": INDEX, "t": BOOL}
        writer = Statements(self.chance, self.inner(names))
        lines = []
        for number, (name, t) in enumerate(self.scope.variables.items()):
            target = f"s.{name}"
            while t.kind in ("array", "named") and t.element is not None:
                target, t = f"{target}[{'i' if t.kind == 'array' else writer.fixed(t)}]", t.element
            value = writer.fitting(t.element or t, 1)
            put = {"set": f"{target}.add({value})", "seq": f"{target}.append({value})"}
            put["bag"] = put["set"]
            text = put.get(t.kind, f"{target} = {value}")
            room = f" and len({target}) < {t.high}" if t.high and t.element else ""
            lines += [f"if k0 == {number}{room}:", f"    {text}"]
        head = f"@one.action(k0=Int(0, {len(self.scope.variables) - 1}), i=I, t=Bool())"
        return "\n".join(["", head, "def fill(s, k0, i, t):", '    """Fill."""', *indented(lines)])

    def start(self) -> str:
        """Write what gives the model several initial states."""
        low, high = self.scope.variables["x"].low, self.scope.variables["x"].high
        head = (
            f"@model.initial(v=Int({low}, {high}), w=Bool(), when=lambda s, v, w: w or v > {low})"
        )
        return f'\n{head}\ndef begin(s, v, w):\n    """Begin."""\n    s.x = v\n    s.b = w'

    def constraint(self) -> str:
        """Write what the search stays within."""
        truth = f"{self.truth(depth=1)} or {self.truth(depth=1)}"
        return f'\n@model.constraint()\ndef few(s):\n    """Few."""\n    return {truth}'

    def turn(self, number: int) -> str:
        """Return a change that shows each time it is made: of x, or of a field of a record."""
        if number == 0:
            return f"s.x = {self.next('s.x', self.scope.variables['x'])}"
        name, t = self.chance.choice(self.scope.records[0].fields)
        return f"s.rp = replace(s.rp, {name}={self.next(f's.rp.{name}', t)})"

    def next(self, text: str, t: Type) -> str:
        """Return the next value of a scalar after what a text says."""
        if t.kind == "bool":
            return f"not {text}"
        if t.kind == "tagged":
            return "T.none"
        if t.kind == "maybe":
            return f"0 if {text} is None else None"
        if t.kind == "enum":
            return f"{t.names[1]!r} if {text} == {t.names[0]!r} else {t.names[0]!r}"
        return f"({text} + 1 - {t.low}) % {t.high - t.low + 1} + {t.low}".replace("- -", "+ ")

    def parameters(self) -> dict[str, tuple[str, Type]]:
        """Return parameters of an action: their declaration and the type of their values."""
        options = [("I", INDEX), ("Int(-1, 1)", INT), ("Bool()", BOOL), (self.enum.text, self.enum)]
        options.append((MAYBE.text, MAYBE))
        options.append(("Subset(I)", Type("subset", "Subset(I)", INDEX)))
        for name, t in self.scope.variables.items():
            if t.kind in ("set", "bag") and t.element is not None:
                options += [(f'Each("{name}")', t.element)] * 2
        return {f"q{i}": self.chance.choice(options) for i in range(self.chance.randint(0, 2))}

    def action(self, number: int) -> str:
        """Write an action: parameters, guard, effect."""
        params = self.parameters()
        names = {name: t for name, (_, t) in params.items()}
        actor = self.chance.choice(("one", "one", "two", "noise"))
        kind = "interference" if actor == "noise" else "action"
        self.events.append(f"{actor}.act{number}")
        self.taken = names  # by the last event
        inside = [f"{name}={declared}" for name, (declared, _) in params.items()]
        if self.chance.random() < 0.7:
            guard = Writer(self.chance, self.inner(dict(names))).value(BOOL, 2)
            inside.append(f"when=lambda {', '.join(['s', *names])}: {guard}")
        if actor == "noise":
            inside.insert(0, '"faults"')
        elif self.chance.random() < 0.2:
            return self.alternatives(number, f"{actor}.first_of({', '.join(inside)})", names)
        return self.effect(f"{actor}.{kind}({', '.join(inside)})", f"act{number}", names)

    def alternatives(self, number: int, head: str, names: dict[str, Type]) -> str:
        """Write two or three alternatives in order of priority."""
        text, last = f"\ncall{number} = {head}\n", self.chance.choice(("b", "c"))
        for mark in "abc"[: "abc".index(last) + 1]:
            inside = Writer(self.chance, self.inner(dict(names))).value(BOOL, 2)
            declared = f"call{number}.action(when=lambda s{_more(names)}: {inside})"
            if mark == last and self.chance.random() < 0.5:
                declared = f"call{number}.otherwise()"
            text += self.effect(declared, f"act{number}{mark}", names) + "\n\n"
        self.events[-1] += last
        return text

    def effect(self, declared: str, name: str, names: dict[str, Type]) -> str:
        """Write the effect of an action below its declaration."""
        writer = Statements(self.chance, self.inner(dict(names)), effects=True)
        writer.asserts = True
        lines = writer.block(2, 4)
        if self.chance.random() < 0.3:
            lines.append(f"s.g = {Writer(self.chance, self.inner(dict(names))).value(BOOL, 1)}")
        head = [f"@{declared}", f"def {name}(s{_more(names)}):"]
        return "\n".join(["", *head, '    """Act."""', *indented(lines)])

    def truth(self, view: str = "s", depth: int = 2, names: dict[str, Type] | None = None) -> str:
        """Return a truth about a state, one in a few reads the ghost."""
        text = Writer(self.chance, self.inner(dict(names or {})), view).value(BOOL, depth)
        return f"({text} or {view}.g)" if self.chance.random() < 0.15 else text

    def properties(self) -> list[str]:
        """Write properties of every kind."""
        whole = self.chance.choice(list(self.scope.variables))
        first, last = repr(self.events[0]), repr(self.events[-1])
        step = f"{self.truth('before')} or {self.truth('after')} or before.{whole} == after.{whole}"
        v, event = {"v": INDEX}, {**self.taken, "v": INDEX}
        taken = self.truth("before", names=event)
        declared = [
            ("invariant", "", "s", self.truth(depth=3)),
            ("invariant", f"trigger=lambda s: {self.truth()}", "s", self.truth()),
            ("transition", "", "before, after", step),
            ("transition", first, "before, after", f"before.{whole} != after.{whole}"),
            ("deadlock", "", "s", self.truth()),
            ("possibility", "", "s", self.truth()),
            ("liveness", "", "s", self.truth()),
            ("leads_to", f"lambda s: {self.truth()}", "s", self.truth()),
            ("recurrence", f"{first}, {last}", "s", self.truth()),
            ("invariant", "v=I", "s, v", self.truth(names=v)),
            ("transition", f"{last}, v=I", f"before, after{_more(event)}", taken),
            ("liveness", "v=I", "s, v", self.truth(names=v)),
        ]
        return [
            f'\n@model.{kind}({inside})\ndef {kind}{i}({args}):\n    """P."""\n    return {said}'
            for i, (kind, inside, args, said) in enumerate(declared)
        ]


def early(writer: Statements, returns: Type) -> list[str]:
    """Return, now and then, an early return of a helper."""
    if writer.percent(60):
        return []
    return [f"if {writer.value(BOOL, 1)}:", f"    return {writer.value(returns, 1)}"]


def _more(names: dict[str, Type]) -> str:
    return "".join(f", {name}" for name in names)


def program(seed: int) -> str:
    """Return the text of the model number ``seed``; one in four is written with parts."""
    text = Program(seed).text() + "\n"
    return in_parts(text, seed) if seed % 4 == 3 else text
