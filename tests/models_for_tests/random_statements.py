"""Write statements of the subset by chance: every kind of change, branch, loop and return."""

from __future__ import annotations

from tests.models_for_tests.random_scope import BOOL, INT, SCALARS, Type, alike
from tests.models_for_tests.random_writer import Writer

OPERATORS = ("+=", "-=", "*=", "//=", "%=")


class Statements(Writer):
    """Writes the body of an effect or of a helper function."""

    refills = True
    asserts = False
    loops = 0

    def block(self, depth: int, count: int = 3) -> list[str]:
        """Return a few statements."""
        lines: list[str] = []
        for _ in range(1 + self.chance.randrange(count)):
            lines += self.statement(depth)
        return lines

    def statement(self, depth: int) -> list[str]:
        """Return one statement, perhaps of several lines."""
        simple = (self.assign, self.assign, self.augment, self.augment, self.change, self.change,
                  self.local, self.helper)  # fmt: skip
        if self.loops and self.percent(15):
            return self.jump()
        if self.asserts and self.percent(6):
            return [
                f"assert {self.value(BOOL, 1)}{self.pick('', ', {!r}'.format('{s.x} is wrong'))}"
            ]
        if depth > 0 and self.percent(45):
            return list(
                self.chance.choice((self.branch, self.branch, self.loop, self.early))(depth)
            )
        return [str(self.chance.choice(simple)())]

    def branch(self, depth: int) -> list[str]:
        """Return an if, perhaps with more branches; its locals end with it."""
        kept = dict(self.scope.locals)
        lines = [f"if {self.value(BOOL, 2)}:", *indented(self.block(depth - 1, 2))]
        self.scope.locals = dict(kept)
        if self.percent(30):
            lines += [f"elif {self.value(BOOL, 2)}:", *indented(self.block(depth - 1, 2))]
            self.scope.locals = dict(kept)
        if self.percent(40):
            lines += ["else:", *indented(self.block(depth - 1, 2))]
        self.scope.locals = kept
        return lines

    def loop(self, depth: int) -> list[str]:
        """Return a loop over a container, a range or a tuple."""
        self.fresh += 1
        name, kept = f"v{self.fresh}_{depth}", dict(self.scope.locals)
        over, element = self.held()
        if self.percent(25):
            over, element = self.pick("range(2)", "range(1, -2, -1)"), INT
        elif self.percent(20):
            over, element = f"({self.value(INT, 1)}, {self.value(INT, 1)})", INT
        locked, root = set(self.locked), over.split("[")[0].removeprefix("s.")
        self.locked = {*locked, root}
        self.scope.locals = {**kept, name: element}
        self.loops += 1
        lines = [f"for {name} in {over}:", *indented(self.block(depth - 1, 3))]
        self.loops -= 1
        self.scope.locals, self.locked = kept, locked
        return lines

    def jump(self) -> list[str]:
        """Return a break or continue, most of them on a condition."""
        word = self.pick("break", "continue")
        return [word] if self.percent(10) else [f"if {self.value(BOOL, 1)}:", f"    {word}"]

    def early(self, depth: int) -> list[str]:
        """Return an early return."""
        return [f"if {self.value(BOOL, min(depth, 2))}:", f"    return {self.returned()}"]

    def returned(self) -> str:
        """Return what a return gives; effects give nothing, or an outcome."""
        return self.pick("", "'early'")

    def targets(self, *kinds: str) -> list[tuple[str, Type]]:
        """Return places that can be assigned, at computed indices, with their types."""
        found = []
        for name, t in self.scope.variables.items():
            if name in self.locked:
                continue
            text = f"s.{name}"
            while t.kind in ("array", "named") and t.element is not None:
                text, t = f"{text}[{self.at(t, 2)}]", t.element
            if t.kind == "seq" and t.element is not None and self.percent(40):
                text, t = f"{text}[{self.pick(0, t.high - 1)}]", t.element
            text, t = self.part_of(text, t)
            if t.kind in kinds:
                found.append((text, t))
        return found

    def part_of(self, text: str, t: Type) -> tuple[str, Type]:
        """Return a place, or what stands in the record that it holds, at any depth."""
        while True:
            if t.kind == "record" and self.percent(50):
                field, t = self.chance.choice(t.fields)
                text = f"{text}.{field}"
            elif t.kind in ("array", "named") and t.element is not None and self.percent(70):
                text, t = f"{text}[{self.at(t, 1)}]", t.element
            else:
                return text, t

    def assign(self) -> str:
        """Return an assignment to a scalar or record place."""
        found = self.targets(*SCALARS, "record", "array", "named")
        target, t = self.chance.choice(found)
        others = [text for text, kind in found if alike(kind, t) and text != target]
        other = self.pick(*others) if others else target
        if other != target and self.percent(30) and not (self.stands(target) or self.stands(other)):
            if self.percent(50):
                return f"{target} = {other} = {self.fitting(t, 1)}"
            return f"{target}, {other} = {self.value(t, 1)}, {self.fitting(t, 1)}"
        return self.where(target, f"{target} = {self.fitting(t, 2)}")

    def where(self, target: str, text: str) -> str:
        """Return a change that mostly is made only where a sequence has the element it is of."""
        at = self.stands(target)
        return text if at is None or self.percent(4) else f"if len({at[0]}) > {at[1]}: {text}"

    def stands(self, target: str) -> tuple[str, str] | None:
        """Return the sequence and the place in it that a target is of, None if it is of none."""
        name, _, rest = target.removeprefix("s.").partition("[")
        sequence = self.scope.variables[name.split(".")[0]].kind == "seq"
        return (f"s.{name}", rest.partition("]")[0]) if sequence else None

    def augment(self) -> str:
        """Return an augmented assignment, most of them to computed places."""
        found = self.targets("int")
        if not found:
            return self.assign()
        computed = [place for place in found if "[" in place[0]]
        target, t = self.chance.choice(computed if computed and self.percent(75) else found)
        local = [n for n, kind in self.scope.locals.items() if kind.kind == "int" and n[0] == "z"]
        if local and self.percent(15):
            return f"{self.pick(*local)} {self.pick(*OPERATORS[:3])} ({self.value(INT, 1)}) % 2"
        if self.percent(5):
            return f"{target} {self.pick(*OPERATORS)} {self.value(INT, 1)}"
        value = f"({self.value(INT, 1)}) % 2"
        if t.low <= 0 <= t.high and self.percent(75):
            modulus = self.pick(*range(1, t.high + 2))
            text = self.pick(f"{target} %= {modulus}", f"{target} *= {value}", f"{target} //= 2")
            return self.where(target, text)
        text = f"{target} {self.pick('+=', '-=')} {value}"
        guarded = self.where(target, text)
        return guarded if guarded != text else f"if {self.value(BOOL, 1)}: {text}"

    def local(self) -> str:
        """Return an assignment to a local of any type."""
        kinds = ("enum", "record", "maybe", "tagged")
        types = [INT, BOOL, *(t for _, t in self.readable() if t.kind in kinds)]
        t = self.chance.choice(types)
        name = f"z{t.kind}{t.name}"
        text = self.variable_of(t) if t.kind == "enum" else self.value(t, 2)
        self.scope.locals[name] = t
        return f"{name} = {text}"

    def helper(self) -> str:
        """Return a call of a helper for what it does."""
        functions = [f for f in self.scope.functions if self.callable(f)]
        if not functions:
            return self.assign()
        return self.call(self.chance.choice(functions), 1)

    def change(self) -> str:
        """Return a change of a bag, set or sequence."""
        found = self.targets("set", "bag", "seq")
        if not found:
            return self.assign()
        target, t = self.chance.choice(found)
        assert t.element is not None
        element = t.element
        if t.kind != "seq" and self.refills and self.percent(25):
            return f"{target} = {self.content(target, t)}"
        value = self.fitting(element, 2)
        if t.kind == "set":
            members = f"{{{value}}}"
            options = [f"{target}.add({value})", f"{target}.discard({value})"]
            options += [f"if {value} in {target}: {target}.remove({value})"]
            if self.refills:
                alike_ = [text for text, kind in self.readable() if kind == t]
                joined = f"{self.pick(*alike_, target)} {self.pick('|', '&', '-')} {members}"
                options += [f"{target} = {self.pick(joined, members, *alike_)}"]
                options += [f"{target} {self.pick('|=', '&=', '-=', '^=')} {members}"]
            return self.pick(*options)
        if t.kind == "bag":
            adds = [self.if_room(target, t, f"{target}.add({value})")] * 2
            kept = f"if {value} in {target}: {target}.remove({value})"
            wrong = f"{target}.remove({value})" if self.percent(5) else kept
            return self.pick(*adds, kept, wrong, f"{target}.clear()", self.changed(target, t))
        places = [text for text, kind in self.targets("record") if kind == element]
        popped = [f"{text} = {target}.pop(0)" for text in places]
        append = self.if_room(target, t, f"{target}.append({value})")
        taken = f"if len({target}) > 0: {self.pick(f'{target}.pop(0)', *popped)}"
        wrong = f"{target}.{self.pick('pop(0)', f'remove({value})')}" if self.percent(5) else taken
        first = f"if {value} in {target}: {target}.remove({value})"
        place = f"({self.value(INT, 1)}) % (len({target}) + 1)"
        put = self.if_room(target, t, f"{target}.insert({place}, {value})")
        last = f"if len({target}) > 0: {target}.pop({self.pick('', f'{place[:-5]})')})"
        some = (append, append, taken, wrong, first, put, last, f"{target}.clear()")
        return self.pick(*some, self.changed(target, t))

    def changed(self, target: str, t: Type) -> str:
        """Return a change of fields of one element, mostly of one that is there."""
        assert t.element is not None
        if t.element.kind != "record":
            return f"{target}.clear()"
        name, field = self.chance.choice(t.element.fields)
        held = self.pick(f"{target}[0]", self.fitting(t.element, 1))
        text = f"{target}.change({held}, {name}={self.fitting(field, 1)})"
        return text if self.percent(3) else f"if len({target}) > 0 and {held} in {target}: {text}"

    def if_room(self, target: str, t: Type, text: str) -> str:
        """Return a change that mostly is made only where it fits."""
        return text if self.percent(4) else f"if len({target}) < {t.high}: {text}"

    def content(self, target: str, t: Type) -> str:
        """Return new content for a bag or set, out of what there is."""
        assert t.element is not None
        found = [(text, k.element) for text, k in self.readable() if k.element is not None]
        fits = [
            text for text, element in found if element is not None and alike(element, t.element)
        ]
        self.fresh += 1
        name = f"c{self.fresh}"
        inner = self.inside({name: t.element})
        item = name if self.percent(60) else inner.fitting(t.element, 1)
        test = f" if {inner.value(BOOL, 2)}" if self.percent(60) else ""
        text = f"{item} for {name} in {self.pick(*fits) if fits else target}{test}"
        return f"bag({text})" if t.kind == "bag" else f"{{{text}}}"


def indented(lines: list[str]) -> list[str]:
    """Return lines one step further in."""
    return [f"    {line}" for line in lines]
