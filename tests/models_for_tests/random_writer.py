"""Write expressions and statements of the subset by chance, by type.

``Writer`` is given the declarations of a model (``Scope``) and a source of random numbers. It
writes text that is well typed; what it does in a run (an index that is wrong, a value outside its
domain) is left to chance, and whether the subset accepts it too. What stands in ``effects`` may
call functions that change the state.
"""

from __future__ import annotations

from dataclasses import replace

from tests.models_for_tests.random_scope import (
    BOOL,
    INT,
    SCALARS,
    Function,
    Named,
    Type,
    alike,
)  # fmt: skip


class Writer(Named):
    """Writes text; ``view`` is the name of the state."""

    # -- values ---------------------------------------------------------------------------------
    def value(self, wanted: Type, depth: int) -> str:
        """Return an expression of a scalar or record type, or of an array that a record holds."""
        if wanted.kind in ("array", "named"):
            return self.row(wanted, depth)
        options = [lambda: self.leaf(wanted)]
        if depth > 0:
            options += [lambda: self.deep(wanted, depth - 1)] * 3
            options += [lambda: self.chosen(wanted, depth - 1)]
            if called := self.called(wanted):
                share = 6 if self.effects else 2
                options += [lambda: self.call(self.chance.choice(called), depth - 1)] * share
        return str(self.chance.choice(options)())

    def row(self, wanted: Type, depth: int) -> str:
        """Return an array for a field of a record."""
        same = [text for text, t in self.readable() if t == wanted]
        if same and self.percent(50):
            return self.pick(*same)
        assert wanted.element is not None
        count = len(wanted.names) or 2
        if self.percent(40):
            return f"tuple({self.fitting(wanted.element, 0)} for kt in range({count}))"
        items = ", ".join(self.fitting(wanted.element, min(depth, 1)) for _ in range(count))
        return f"[{items}]" if self.percent(15) else f"({items})"

    def leaf(self, wanted: Type) -> str:
        """Return a literal, a local, a variable or a part of one."""
        found = [name for name, t in self.scope.locals.items() if alike(t, wanted)]
        for text, t in self.readable():
            if alike(t, wanted):
                found.append(text)
        if wanted.kind == "int":
            found += [str(self.chance.randint(-2, 3)), "s.n" if self.view == "s" else "2"]
            found += [f"({text} if {text} is not None else 1)" for text in self.optional()[:1]]
        elif wanted.kind == "tagged":
            found += [f"{wanted.name}.none", self.with_tag(wanted, 0)]
        elif wanted.kind == "maybe":
            found += ["None", "None", *(n for n, t in self.scope.locals.items() if t.text == "I")]
        elif wanted.kind == "bool":
            found += ["True", f"({self.view}.mode == 'wide')"]
        elif wanted.kind == "enum":
            found += [repr(self.chance.choice(wanted.names))]
        elif not found or self.percent(20):
            return self.made(wanted, 0)
        return self.pick(*found)

    def with_tag(self, wanted: Type, depth: int) -> str:
        """Return a tagged value that holds something."""
        tag, held = self.chance.choice(wanted.fields)
        return f"{wanted.name}.{tag}({self.fitting(held, depth)})"

    def held_by(self, wanted: Type) -> list[str]:
        """Return what tagged values hold of a type, where they hold it."""
        return [
            f"({text}.{tag} if {text}.tag == {tag!r} else {self.leaf(wanted)})"
            for text, t in self.readable()
            if t.kind == "tagged" and "(" not in text
            for tag, held in t.fields
            if alike(held, wanted)
        ]

    def at(self, t: Type, depth: int) -> str:
        """Return an index of an array, mostly a right one."""
        if not t.names:
            return self.index(depth)
        enum = Type("enum", f"Enum{t.names!r}", names=t.names)
        return self.variable_of(enum) if self.percent(60) and self.named() else self.fixed(t)

    def deep(self, wanted: Type, depth: int) -> str:
        """Return an expression that is particular to a type."""
        if wanted.kind == "int":
            return self.number(depth)
        if wanted.kind == "bool":
            return self.truth(depth)
        if wanted.kind == "record" and self.percent(50):
            return self.record(wanted, depth)
        if wanted.kind == "tagged" and self.percent(60):
            return self.with_tag(wanted, depth)
        if self.percent(15) and (held := self.held_by(wanted)):
            return self.pick(*held)
        if wanted.kind == "maybe" and self.percent(50):
            return f"({self.value(INT, depth)}) % {self.pick(2, 2, 2, 3)}"
        return self.element(wanted, depth)

    def chosen(self, wanted: Type, depth: int) -> str:
        """Return a choice between two values, by a condition or by a number."""
        if self.percent(30):
            items = ", ".join(self.value(wanted, depth) for _ in range(2))
            return f"({items})[{self.value(INT, depth)} % 2]"
        a, b = self.value(wanted, depth), self.value(wanted, depth)
        return f"({a} if {self.value(BOOL, depth)} else {b})"

    def called(self, wanted: Type) -> list[Function]:
        """Return the functions that give a type and may be called here."""
        return [f for f in self.scope.functions if alike(f.returns, wanted) and self.callable(f)]

    def callable(self, function: Function) -> bool:
        """Tell whether a helper may be called here: what loops run over does not change."""
        return not function.changes or (self.effects and not function.touches & self.locked)

    def call(self, function: Function, depth: int) -> str:
        """Return a call of a helper."""
        arguments = [self.view]
        named = self.percent(30)
        for i, t in enumerate(function.takes):
            name = f"p{i}=" if named else ""
            if t.kind in (*SCALARS, "record"):
                arguments.append(name + self.value(t, depth))
            else:
                arguments.append(name + self.container(t))
        if function.spare and self.percent(50):
            arguments.pop()
        return f"{function.name}({', '.join(arguments)})"

    def element(self, wanted: Type, depth: int) -> str:
        """Return an element of an array, bag or sequence at a computed index."""
        found = []
        for text, t in self.readable():
            inner = t.element
            if t.kind in ("array", "named", "bag", "seq") and inner is not None:
                if alike(inner, wanted):
                    found.append(self.there(text, t, "", wanted, depth))
                for name, d in inner.fields:
                    if alike(d, wanted):
                        found.append(self.there(text, t, f".{name}", wanted, depth))
        return self.pick(*found) if found else self.leaf(wanted)

    def there(self, text: str, t: Type, part: str, wanted: Type, depth: int) -> str:
        """Return an element, mostly only where there is one."""
        index = self.at(t, depth)
        if t.kind in ("array", "named") or self.percent(3):
            return f"{text}[{index}]{part}"
        index = self.pick(0, 0, t.high - 1)
        return f"({text}[{index}]{part} if len({text}) > {index} else {self.leaf(wanted)})"

    def index(self, depth: int) -> str:
        """Return an index, mostly a right one."""
        if self.percent(2):
            return self.value(INT, min(depth, 1))
        changing = [f for f in self.called(INT) if f.changes]
        if changing and self.percent(30):
            return f"{self.call(self.chance.choice(changing), 0)} % 2"
        if self.effects and self.percent(10) and (taken := self.taken()):
            return f"{self.pick(*taken)} % 2"
        if depth <= 0 or self.percent(30):
            return self.pick("0", "1", *(n for n, t in self.scope.locals.items() if t.text == "I"))
        return f"{self.value(INT, depth - 1)} % 2"

    def taken(self) -> list[str]:
        """Return numbers of what is taken out of a sequence."""
        return [
            f"{text}.pop(0).{name}"
            for text, t in self.places("seq")
            if t.element is not None and text.removeprefix("s.") not in self.locked
            for name, d in t.element.fields
            if d.kind == "int"
        ]

    def number(self, depth: int) -> str:
        """Return a whole number with operators, or out of a container."""
        a = self.value(INT, depth)
        form = self.chance.randrange(9)
        if form < 3:
            return f"({a} {self.pick('+', '-', '*')} {self.value(INT, depth)})"
        if form == 3:
            return f"({a} {self.pick('//', '%')} {self.pick('3', '2', '-2')})"
        if self.percent(5):
            return f"({a} {self.pick('//', '%')} {self.leaf(INT)})"
        if form == 4:
            return f"{self.pick('min', 'max')}({a}, {self.value(INT, depth)})"
        if form == 5:
            return f"{self.pick('abs', '-')}({a})"
        if form == 6:
            return self.gathered(depth)
        if form == 7:
            joined = self.joined(depth) if self.percent(40) else None
            return f"len({joined or self.held()[0]})"
        return self.element(INT, depth)

    def sets(self, depth: int) -> tuple[str, str, Type] | None:
        """Return two sets of one type, and the type of their members; None where there is none."""
        found = [(text, t) for text, t in self.readable() if t.kind == "set"]
        if not found:
            return None
        text, t = self.chance.choice(found)
        assert t.element is not None
        others = [other for other, kind in found if kind == t]
        written = f"{{{self.fitting(t.element, depth)}, {self.fitting(t.element, depth)}}}"
        other = self.pick(*others, written, f"({self.pick(*others)} - {written})")
        return (other, text, t.element) if self.percent(30) else (text, other, t.element)

    def joined(self, depth: int) -> str | None:
        """Return what an operator or method of sets gives."""
        sets = self.sets(depth)
        if sets is None:
            return None
        method = self.pick("union", "intersection", "difference", "symmetric_difference")
        if sets[0].startswith(self.view) and self.percent(20):
            return f"{sets[0]}.{method}({sets[1]})"
        return f"({sets[0]} {self.pick('|', '&', '-', '^')} {sets[1]})"

    def gathered(self, depth: int) -> str:
        """Return a sum, of truths too, or an extreme over a container or over a set."""
        name, over, inner = self.visited(depth)
        wanted = self.chance.choice([INT, INT, BOOL])
        item = inner.value(wanted, min(depth, 1))
        test = f" if {inner.value(BOOL, min(depth, 1))}" if self.percent(40) else ""
        left, right = ("{", "}") if self.percent(25) else ("", "")
        found = f"{left}{item} for {name} in {over}{test}{right}"
        if wanted.kind == "int" and self.percent(40):
            left, right = ("", "") if left else ("(", ")")
            default = "" if self.percent(5) else f", default={self.leaf(INT)}"
            return f"{self.pick('min', 'max')}({left}{found}{right}{default})"
        return f"sum({found})"

    def visited(self, depth: int) -> tuple[str, str, Writer]:
        """Return a name, what it runs over, and a writer that knows it."""
        self.fresh += 1
        name = f"k{self.fresh}_{depth}"
        over, element = self.held()
        if self.percent(20):
            over, element = "range(2)", replace(INT, text="I")
        inner = self.inside({name: element})
        inner.locked = {*self.locked, over.split("[")[0].rpartition(".")[2]}
        return name, over, inner

    def inside(self, names: dict[str, Type]) -> Writer:
        """Return a writer that knows more names."""
        scope = replace(self.scope, locals={**self.scope.locals, **names})
        inner = Writer(self.chance, scope, self.view, effects=self.effects and self.percent(30))
        inner.fresh, inner.locked = self.fresh, self.locked
        return inner

    def truth(self, depth: int) -> str:
        """Return a truth with operators, comparisons of all kinds, or over a container."""
        forms = (self.order, self.order, self.logic, self.logic, self.equality, self.equality,
                 self.membership, self.over_all, self.wholes, self.turned,
                 self.subset)  # fmt: skip
        return str(self.chance.choice(forms)(depth))

    def subset(self, depth: int) -> str:
        """Return a comparison of two sets, or whether something is in what an operator gives."""
        sets = self.sets(depth)
        if sets is None:
            return self.order(depth)
        a, b, element = sets
        if self.percent(25):
            return f"({self.value(element, 0)} in {a} {self.pick('|', '&', '-', '^')} {b})"
        if a.startswith(self.view) and self.percent(30):
            return f"{a}.{self.pick('issubset', 'issuperset', 'isdisjoint')}({b})"
        return f"({a} {self.pick('<', '<=', '>', '>=', '==', '!=')} {b})"

    def order(self, depth: int) -> str:
        """Return a comparison of numbers, perhaps a chain."""
        ops = ("<", "<=", "==", "!=", ">", ">=")
        parts = [self.value(INT, depth)]
        for _ in range(1 + self.percent(40) + self.percent(15)):
            parts += [self.pick(*ops), self.value(INT, depth)]
        return f"({' '.join(parts)})"

    def logic(self, depth: int) -> str:
        """Return and, or, not of truths."""
        if self.percent(25):
            return f"(not {self.value(BOOL, depth)})"
        op = self.pick(" and ", " or ")
        return f"({op.join(self.value(BOOL, depth) for _ in range(2 + self.percent(20)))})"

    def equality(self, depth: int) -> str:
        """Return a comparison of two values of one type, perhaps three."""
        kinds = ("bool", "enum", "record", "maybe", "tagged")
        wanted = self.chance.choice([BOOL, *(t for _, t in self.readable() if t.kind in kinds)])
        if wanted.kind == "tagged" and self.percent(50):
            tag = self.pick("none", *(tag for tag, _ in wanted.fields))
            return f"({self.variable_of(wanted)}.tag {self.pick('==', '!=')} {tag!r})"
        if wanted.kind == "maybe" and self.percent(70):
            other = self.pick("is None", "is not None", f"== {self.value(INT, depth)}")
            return f"({self.variable_of(wanted)} {other})"
        parts = [self.value(wanted, depth)]
        if wanted.kind in ("enum", "maybe"):  # two literals are not compared
            parts = [self.variable_of(wanted)]
        for _ in range(1 + self.percent(15)):
            parts += [self.pick("==", "!="), self.value(wanted, depth)]
            if wanted.kind == "enum":
                break
        return f"({' '.join(parts)})"

    def membership(self, depth: int) -> str:
        """Return whether something is in a container, a tuple or a range."""
        over, element = self.held()
        if element.kind not in (*SCALARS, "record") or self.percent(15):
            pair = f"({self.leaf(INT)}, {self.leaf(INT)})"
            options = self.pick("ODD", "FEW", "range(-1, 2)", pair)
            return f"({self.value(INT, depth)} {self.pick('in', 'not in')} {options})"
        return f"({self.value(element, depth)} {self.pick('in', 'not in')} {over})"

    def over_all(self, depth: int) -> str:
        """Return any or all over a container, lazy or not, perhaps over two."""
        name, over, inner = self.visited(depth)
        test = f" if {inner.value(BOOL, min(depth, 1))}" if self.percent(30) else ""
        more = ""
        if self.percent(20):
            second, other, inner = inner.visited(depth + 10)
            more = f" for {second} in {other}"
        item = inner.value(BOOL, min(depth, 2))
        left, right = ("[", "]") if self.percent(15) else ("", "")
        return f"{self.pick('any', 'all')}({left}{item} for {name} in {over}{test}{more}{right})"

    def turned(self, depth: int) -> str:
        """Return a comparison of a record with what a helper that changes records gives."""
        records = [f for f in self.scope.functions if f.returns.kind == "record" and f.changes]
        found = [f for f in records if self.callable(f)]
        if not found:
            return self.equality(depth)
        function = self.chance.choice(found)
        text = f"{self.variable_of(function.returns)} {self.pick('==', '!=')}"
        return f"({text} {self.call(function, depth)})"

    def wholes(self, depth: int) -> str:
        """Return a comparison of two containers of one type as a whole."""
        found = [p for p in self.readable() if p[1].element is not None]
        text, t = self.chance.choice([p for p in found if p[1].kind != "subset"])
        alike_ = [other for other, kind in self.readable() if kind == t]
        changing = [f for f in self.scope.functions if f.returns == t and self.callable(f)]
        other = self.pick(*alike_)
        if changing and self.percent(50):
            other = self.call(self.chance.choice(changing), depth)
        return f"({text} {self.pick('==', '!=')} {other})"

    def record(self, wanted: Type, depth: int) -> str:
        """Return a record that is made or changed."""
        if self.percent(50):
            return self.made(wanted, depth)
        name, inner = self.chance.choice(wanted.fields)
        return f"replace({self.value(wanted, depth)}, {name}={self.value(inner, depth)})"

    def made(self, wanted: Type, depth: int) -> str:
        """Return a new record, its fields in any order."""
        fields = list(wanted.fields)
        self.chance.shuffle(fields)
        inside = ", ".join(f"{name}={self.fitting(t, depth)}" for name, t in fields)
        return f"{wanted.name}({inside})"

    def fitting(self, wanted: Type, depth: int) -> str:
        """Return a value that mostly lies in its domain."""
        text = self.value(wanted, depth)
        if wanted.kind == "int" and self.percent(97):
            size = wanted.high - wanted.low + 1
            return f"({text}) % {size} + {wanted.low}"
        return text
