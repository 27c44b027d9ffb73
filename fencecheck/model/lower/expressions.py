"""Lower expressions of the subset to nodes.

Each method takes a piece of syntax and returns a symbol (symbols.py), with Python's meaning:
short-circuit, floor division, chained comparison. What may fail in a run is recorded as a
condition under the current path. What is outside the subset raises ModelError with the line.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NoReturn

from fencecheck.errors import ModelError, nearest
from fencecheck.model.declare import LEFT, part_of_budget
from fencecheck.model.domains import Array, Bag, Domain, Enum, Int, Record, Set
from fencecheck.model.lower.dag import Dag, Node, TooLarge
from fencecheck.model.lower.layout import Layout
from fencecheck.model.lower.symbols import (
    NONE,
    Frame,
    Items,
    Missing,
    Num,
    Place,
    Rec,
    Text,
    View,
)

_COMPARE = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


class Core:
    """What all of the lowering shares: the graph, the state's fields, the frame, messages."""

    def __init__(
        self, layout: Layout, variables: dict[str, tuple[Domain, bool]], constants: dict[str, Any]
    ) -> None:
        self.dag, self.layout = Dag(), layout
        self.variables, self.constants = variables, constants
        self.records = {
            d.element.make: d.element
            for d in _inside(v for v, _ in variables.values())
            if isinstance(d, Bag | Set) and isinstance(d.element, Record)
        } | {d.make: d for d in _inside(v for v, _ in variables.values()) if isinstance(d, Record)}
        self.env: dict[str, Node] = {}
        self.frames: list[Frame] = []
        self.path = self.dag.true
        self.inline = self.dag.true
        self.control: frozenset[str] = NONE
        self.errors: list[Node] = []
        self.node: ast.AST = ast.Pass()
        self.refilled: set[str] = set()
        self.renewals: dict[str, int] = {}
        self.renewed: set[str] = set()
        self.goes_on = self.dag.true
        self.stores = 0
        self.may_be_negative = False
        self.totals: Mapping[str, int] = {}
        self.reads_totals = False

    @property
    def frame(self) -> Frame:
        """Return the function being executed."""
        return self.frames[-1]

    def fail(self, message: str, instead: str = "", node: ast.AST | None = None) -> NoReturn:
        """Raise ModelError at the current line: what was seen, and what to write instead."""
        line = getattr(node or self.node, "lineno", 0)
        hint = f"; {instead}" if instead else ""
        raise ModelError(f"{self.frame.file}:{line}: in {self.frame.function}: {message}{hint}")

    def may_fail(self, condition: Node) -> None:
        """Record that the run goes wrong where ``condition`` holds on the current path."""
        here = self.dag.all_of((self.path, self.frame.base, self.frame.live, condition))
        if here is not self.dag.false:
            self.errors.append(here)

    @contextmanager
    def under(self, condition: Node, ghosts: frozenset[str] = NONE) -> Iterator[None]:
        """Execute what follows on the path where ``condition`` holds too."""
        saved = self.path, self.control
        self.path = self.dag.both(self.path, condition)
        self.control = self.control | ghosts
        try:
            yield
        finally:
            self.path, self.control = saved

    @contextmanager
    def within(self, condition: Node, ghosts: frozenset[str] = NONE) -> Iterator[None]:
        """Do the same inside an expression, where no merging of branches follows.

        A store looks at ``inline`` by itself.
        """
        saved = self.inline
        self.inline = self.dag.both(self.inline, condition)
        with self.under(condition, ghosts):
            yield
        self.inline = saved


def _inside(domains: Any) -> Iterator[Domain]:
    for domain in domains:
        yield domain
        if isinstance(domain, Array):
            yield from _inside([domain.element])


class Expressions(Core):
    """Expressions; calls and containers are added by the classes below this one."""

    def expression(self, node: ast.expr) -> Any:
        """Return the symbol that an expression stands for where it is evaluated.

        A record is what it is now, whatever is evaluated later; a container is itself.
        """
        return self.settled(self.symbol(node))

    def settled(self, value: Any) -> Any:
        """Return a symbol, a record place as the record that it holds now."""
        if isinstance(value, Place) and isinstance(value.domain, Record):
            return self.record(value)
        return value

    def symbol(self, node: ast.expr) -> Any:
        """Return what ``expression`` does, a record still as its place.

        For what is read at once: nothing else may be evaluated before it is.
        """
        saved, self.node = self.node, node
        method: Callable[[Any], Any] | None = getattr(self, "_" + type(node).__name__.lower(), None)
        if method is None:
            self.fail(
                f"{_words(node)} is outside the subset",
                "write comparisons, arithmetic, conditionals, any/all/sum over a container, "
                "or a call of a function written in the subset",
            )
        try:
            return method(node)
        except TooLarge:
            self.fail(f"`{ast.unparse(node)}` can grow beyond 62 bits", "bound it with min() or %")
        finally:
            self.node = saved

    # -- literals and names ---------------------------------------------------------------------
    def _constant(self, node: ast.Constant) -> Any:
        return self.constant(node.value)

    def constant(self, value: Any) -> Any:
        """Return the symbol of a Python constant."""
        if value is None:
            return Missing("None is no value in the subset")
        if isinstance(value, bool):
            return Num(self.dag.truth(value))
        if isinstance(value, int):
            return Num(self.dag.const(int(value)))
        if isinstance(value, str):
            return Text(((self.dag.true, value),))
        if isinstance(value, tuple) and type(value) in self.records:
            record = self.records[type(value)]
            pairs = zip(record.fields, value, strict=True)
            return self.make_record(record, {f: self.constant(v) for f, v in pairs})
        if isinstance(value, tuple | frozenset | range):
            items = sorted(value) if isinstance(value, frozenset) else value
            values = tuple((self.dag.true, self.constant(v)) for v in items)
            return Items(values, ordered=not isinstance(value, frozenset))
        self.fail(f"{value!r} is outside the subset", "write whole numbers, True, False or strings")

    def _name(self, node: ast.Name) -> Any:
        if node.id in self.frame.locals:
            found = self.frame.locals[node.id]
            if isinstance(found, Missing):
                self.fail(f"{node.id} may have no value here ({found.why})", "assign it first")
            return found
        if node.id not in self.frame.globals:
            known = [*self.frame.locals, *self.frame.globals]
            hint = nearest(node.id, known)
            self.fail(
                f"unknown name {node.id}{hint}",
                "use a name of the file or of the function, or a "
                "builtin of the subset: len, min, max, abs, any, all, sum, range",
            )
        value = self.frame.globals[node.id]
        if isinstance(value, bool | int | str | tuple | frozenset | range):
            return self.constant(value)
        return value

    def _tuple(self, node: ast.Tuple | ast.List | ast.Set) -> Items:
        return Items(tuple((self.dag.true, self.expression(e)) for e in node.elts))

    _list = _tuple

    def _set(self, node: ast.Set) -> Items:
        return Items(tuple(self.distinct(self._tuple(node).pairs)), ordered=False)

    def distinct(self, pairs: Iterable[tuple[Node, Any]]) -> list[tuple[Node, Any]]:
        """Return (present, value) pairs in which a value equal to an earlier one is absent."""
        kept: list[tuple[Node, Any]] = []
        for present, value in pairs:
            again = self.dag.any_of(
                self.dag.both(there, self.same(value, other).node) for there, other in kept
            )
            kept.append((self.dag.both(present, self.dag.negate(again)), value))
        return kept

    # -- the state ------------------------------------------------------------------------------
    def _attribute(self, node: ast.Attribute) -> Any:
        base = self.symbol(node.value)
        if isinstance(base, View):
            return self.variable(base, node.attr)
        if isinstance(base, Rec):
            if node.attr not in base.fields:
                self.no_field(base.record, node.attr)
            return base.fields[node.attr]
        if isinstance(base, Place) and isinstance(base.domain, Record):
            if node.attr not in base.domain.fields:
                self.no_field(base.domain, node.attr)
            return self.load(self.part(base, node.attr))
        self.fail(
            f"`{ast.unparse(node)}`: only the state and records have attributes here",
            "write s.name or record.field",
        )

    def variable(self, view: View, name: str) -> Any:
        """Return the variable, mechanism or bound that ``s.name`` means."""
        if name in self.variables:
            return self.load(self.whole(view, name))
        if name in self.constants:
            value = self.constants[name]
            if isinstance(value, Enum):
                return Num(self.dag.switch(name, value.count), value)
            return self.constant(value)
        budget, part = part_of_budget(name, self.totals)
        if part == LEFT:
            return self.variable(view, budget)
        if part:
            self.reads_totals = True
            total = self.dag.const(self.totals[budget])
            return Num(self.dag.sub(total, self.variable(view, budget).node))
        known = [*self.variables, *self.constants]
        self.fail(f"the model has no variable, mechanism or bound {name}{nearest(name, known)}")

    def whole(self, view: View, name: str) -> Place:
        """Return a variable of the model as a place."""
        domain, ghost = self.variables[name]
        renewed = self.renewals.get(name, 0) if view.writable else 0
        return Place(view, domain, ((self.dag.true, name),), NONE, ghost, name, renewed)

    def check_current(self, place: Place) -> None:
        """Refuse the use of a container whose variable has been assigned since it was named.

        Python would still mean the old content, of which nothing is kept here.
        """
        if place.view.writable and place.renewed != self.renewals.get(place.name, 0):
            self.fail(
                f"{place.name} is assigned while an expression still means what it was",
                "assign it in a statement of its own before",
            )

    def part(self, place: Place, name: str) -> Place:
        """Return the field ``name`` of a record place."""
        assert isinstance(place.domain, Record)
        ghost = place.ghost or name in place.domain.ghosts
        paths = tuple((c, f"{path}.{name}") for c, path in place.alternatives)
        full = f"{place.name}.{name}"
        return Place(place.view, place.domain.fields[name], paths, place.ghosts, ghost, full)

    def load(self, place: Place) -> Any:
        """Return a scalar's value; other places stay places until they are used."""
        domain = place.domain
        if isinstance(domain, Array | Set | Bag | Record):
            return place
        node: Node | None = None
        for condition, path in reversed(place.alternatives):
            value = self.field(place.view, path)
            node = value if node is None else self.dag.select(condition, value, node)
        assert node is not None
        ghosts = place.ghosts | ({place.name.split("[")[0]} if place.ghost else NONE)
        return Num(node, domain if isinstance(domain, Enum) else None, ghosts)

    def field(self, view: View, path: str) -> Node:
        """Return the present value of one field of a state, a Bool's as a truth."""
        if view.writable and path in self.env:
            return self.env[path]
        number = self.layout.place[path]
        found = self.layout.fields[number]
        if found.low == found.high:
            return self.dag.const(found.low, truth=found.truth)
        return self.dag.read(view.index, number, (found.low, found.high), truth=found.truth)

    def record(self, value: Any) -> Rec:
        """Return a record place as a record."""
        if isinstance(value, Place) and isinstance(value.domain, Record):
            fields = {f: self.load(self.part(value, f)) for f in value.domain.fields}
            return Rec(value.domain, fields)
        if isinstance(value, Rec):
            return value
        self.fail(f"a record is needed here, not {describe(value)}")

    def wrong_record(self, seen: Record, needed: Record) -> NoReturn:
        """Refuse a record of another kind than its place holds."""
        self.fail(f"a {seen.name} where a {needed.name} is needed", f"write {needed.name}(...)")

    def no_field(self, record: Record, name: str) -> NoReturn:
        """Refuse a field that a record does not have."""
        hint = nearest(name, record.fields)
        self.fail(f"{record.name} has no field {name}{hint}", f"it has {', '.join(record.fields)}")

    def make_record(self, record: Record, values: dict[str, Any]) -> Rec:
        """Return a new record with a value for each field."""
        for name in values:
            if name not in record.fields:
                self.no_field(record, name)
        if missing := [f for f in record.fields if f not in values]:
            self.fail(
                f"{record.name}(...) lacks {', '.join(missing)}",
                f"write all of {', '.join(record.fields)}",
            )
        return Rec(record, {f: self.coerce(values[f], d) for f, d in record.fields.items()})

    def _subscript(self, node: ast.Subscript) -> Any:
        base = self.symbol(node.value)
        if isinstance(base, Place) and isinstance(base.domain, Array):
            return self.load(self.element(base, self.integer(node.slice)))
        if isinstance(base, Place) and isinstance(base.domain, Bag):
            return self.slot_at(base, self.integer(node.slice))
        if isinstance(base, Items):
            return self._pick(base, self.integer(node.slice))
        self.fail(
            f"`{ast.unparse(node)}`: {describe(base)} has no elements by number",
            "index an array; iterate over sets and bags",
        )

    def _pick(self, items: Items, index: Num) -> Any:
        count, number = len(items.pairs), index.node.constant
        if number is not None and -count <= number < 0 and items.ordered:
            return items.pairs[number][1]
        if (number is None and index.node.low < 0) or not items.ordered:
            self.fail(
                "a list of values is read at an index that can be negative, or has no order",
                "index a tuple with 0 or more",
            )
        self.check_index(index.node, count)
        result = items.pairs[-1][1]
        for i in range(count - 2, -1, -1):
            here = self.dag.equal(index.node, self.dag.const(i))
            result = self.choose(Num(here, None, index.ghosts), items.pairs[i][1], result)
        return result

    def check_index(self, index: Node, count: int) -> None:
        """Record that an index below 0 or not below ``count`` is an error of the run."""
        if index.low < 0:
            self.may_be_negative = True
            self.may_fail(self.dag.less(index, self.dag.const(0)))
        if index.high >= count:
            self.may_fail(self.dag.less(self.dag.const(count - 1), index))

    def element(self, base: Place, index: Num) -> Place:
        """Return the element of an array place, with one alternative per possible index."""
        assert isinstance(base.domain, Array)
        self.check_current(base)
        self.check_index(index.node, base.domain.length)
        alternatives = []
        for condition, path in base.alternatives:
            for i in range(base.domain.length):
                here = self.dag.equal(index.node, self.dag.const(i))
                both = self.dag.both(condition, here)
                if both is not self.dag.false:
                    alternatives.append((both, f"{path}[{i}]"))
        if not alternatives:  # an error of the run, if this path is ever taken
            alternatives = [(self.dag.true, f"{base.alternatives[0][1]}[0]")]
        return Place(
            base.view,
            base.domain.element,
            tuple(alternatives),
            base.ghosts | index.ghosts,
            base.ghost,
            base.name,
            base.renewed,
        )

    def slot_at(self, base: Place, index: Num) -> Rec:
        raise AssertionError  # given by Containers

    # -- operators ------------------------------------------------------------------------------
    def integer(self, node: ast.expr) -> Num:
        """Return an expression that must be a whole number."""
        return self.whole_number(self.expression(node), node)

    def whole_number(self, value: Any, node: ast.expr) -> Num:
        """Return the value of ``node``, which must be a whole number."""
        if isinstance(value, Num) and value.kind == "int":
            return value
        self.fail(
            f"`{ast.unparse(node)}` is {describe(value)} where a whole number is needed",
            "write (1 if ... else 0) for a truth",
        )

    def condition(self, node: ast.expr) -> Num:
        """Return an expression that must be a truth."""
        value = self.expression(node)
        if isinstance(value, Num) and value.kind == "bool":
            return value
        self.fail(
            f"`{ast.unparse(node)}` is {describe(value)} where true or false is needed",
            "write a comparison (x > 0, len(x) > 0, x == ...)",
        )

    def _unaryop(self, node: ast.UnaryOp) -> Num:
        if isinstance(node.op, ast.Not):
            value = self.condition(node.operand)
            return Num(self.dag.negate(value.node), None, value.ghosts)
        if isinstance(node.op, ast.USub):
            value = self.integer(node.operand)
            return Num(self.dag.sub(self.dag.const(0), value.node), None, value.ghosts)
        self.fail(f"`{ast.unparse(node)}` is outside the subset", "write not or -")

    def _binop(self, node: ast.BinOp) -> Num:
        return self.arithmetic(node, self.integer(node.left), self.integer(node.right))

    def arithmetic(self, node: ast.BinOp | ast.AugAssign, a: Num, b: Num) -> Num:
        """Return the result of an operator on two whole numbers that are evaluated already."""
        ghosts = a.ghosts | b.ghosts
        dag = self.dag
        simple = {ast.Add: dag.add, ast.Sub: dag.sub, ast.Mult: dag.mul}
        if (build := simple.get(type(node.op))) is not None:
            return Num(build(a.node, b.node), None, ghosts)
        if isinstance(node.op, ast.FloorDiv | ast.Mod):
            right = node.right if isinstance(node, ast.BinOp) else node.value
            if isinstance(right, ast.Constant) and b.node.constant == 0:
                self.fail(f"`{ast.unparse(node)}` divides by zero", "write another divisor")
            self.may_fail(dag.equal(b.node, dag.const(0)))
            divide = dag.floordiv if isinstance(node.op, ast.FloorDiv) else dag.mod
            return Num(divide(a.node, b.node), None, ghosts)
        self.fail(f"`{ast.unparse(node)}` is outside the subset", "write +, -, *, // or %")

    def _boolop(self, node: ast.BoolOp) -> Num:
        values = node.values
        result = self.condition(values[0])
        for operand in values[1:]:
            is_and = isinstance(node.op, ast.And)
            goes_on = result.node if is_and else self.dag.negate(result.node)
            with self.within(goes_on, result.ghosts):
                right = self.condition(operand)
            combine = self.dag.both if is_and else self.dag.either
            result = Num(combine(result.node, right.node), None, result.ghosts | right.ghosts)
        return result

    def _ifexp(self, node: ast.IfExp) -> Any:
        condition = self.condition(node.test)
        with self.within(condition.node, condition.ghosts):
            a = self.expression(node.body)
        with self.within(self.dag.negate(condition.node), condition.ghosts):
            b = self.expression(node.orelse)
        return self.choose(condition, a, b)

    def choose(self, condition: Num, a: Any, b: Any) -> Any:
        """Return a where the condition holds, else b; the two must be of one kind."""
        dag, test = self.dag, condition.node
        if a is b or test is dag.true:
            return a
        if test is dag.false:
            return b
        if isinstance(a, Missing) or isinstance(b, Missing) or a is None or b is None:
            return Missing("it is set on some paths only")
        if isinstance(a, Place) and isinstance(b, Place) and isinstance(a.domain, Record):
            a, b = self.record(a), self.record(b)
        if isinstance(a, Text) and isinstance(b, Num) and b.enum:
            a = self.coerce(a, b.enum)
        if isinstance(b, Text) and isinstance(a, Num) and a.enum:
            b = self.coerce(b, a.enum)
        if isinstance(a, Text) and isinstance(b, Text):
            no = dag.negate(test)
            options = [(dag.both(test, c), t) for c, t in a.options]
            options += [(dag.both(no, c), t) for c, t in b.options]
            return Text(tuple(options), a.ghosts | b.ghosts | condition.ghosts)
        if isinstance(a, Num) and isinstance(b, Num) and a.kind == b.kind and _one_enum(a, b):
            ghosts = a.ghosts | b.ghosts | condition.ghosts
            return Num(dag.select(test, a.node, b.node), a.enum, ghosts)
        a = self.record(a) if isinstance(a, Place) and isinstance(a.domain, Record) else a
        b = self.record(b) if isinstance(b, Place) and isinstance(b.domain, Record) else b
        if isinstance(a, Rec) and isinstance(b, Rec) and a.record.make is b.record.make:
            fields = {f: self.choose(condition, a.fields[f], b.fields[f]) for f in a.fields}
            slot = dag.select(test, a.slot, b.slot) if a.slot and b.slot else None
            return Rec(a.record, fields, slot)
        self.fail(
            f"the two cases differ in kind: {describe(a)} and {describe(b)}",
            "give both the same kind",
        )

    def coerce(self, value: Any, domain: Domain) -> Num:
        """Return ``value`` as one of ``domain``'s kind; a literal is looked up among its names."""
        if isinstance(domain, Enum):
            if isinstance(value, Text):
                return self._literal(value, domain)
            if isinstance(value, Num) and value.enum and value.enum.names == domain.names:
                return value
        elif isinstance(value, Num) and value.kind == (
            "int" if isinstance(domain, Int) else "bool"
        ):
            return value
        self.fail(
            f"{describe(value)} where {domain.describe()} is needed", "write a value of that kind"
        )

    def _literal(self, text: Text, enum: Enum) -> Num:
        node: Node | None = None
        for condition, name in reversed(text.options):
            if not enum.contains(name):
                self.fail(f'"{name}" is not {enum.describe()}{nearest(name, enum.names)}')
            rank = self.dag.const(enum.rank(name))
            node = rank if node is None else self.dag.select(condition, rank, node)
        assert node is not None
        return Num(node, enum, text.ghosts)

    # -- comparison -----------------------------------------------------------------------------
    def _compare(self, node: ast.Compare) -> Num:
        left = self.expression(node.left)
        result: Num | None = None
        for op, right_node in zip(node.ops, node.comparators, strict=True):
            going = result.node if result else self.dag.true
            with self.within(going, result.ghosts if result else NONE):
                right = self.expression(right_node)
                if isinstance(op, ast.In | ast.NotIn):
                    found = self.membership(left, right)
                    if isinstance(op, ast.NotIn):
                        found = Num(self.dag.negate(found.node), None, found.ghosts)
                elif type(op) in _COMPARE:
                    found = self._relate(_COMPARE[type(op)], left, right)
                else:
                    self.fail(f"`{ast.unparse(node)}` is outside the subset", "write == or !=")
            if result is not None:
                both = self.dag.both(result.node, found.node)
                found = Num(both, None, result.ghosts | found.ghosts)
            result, left = found, right
        assert result is not None
        return result

    def _relate(self, op: str, a: Any, b: Any) -> Num:
        if op in ("==", "!="):
            same = self.same(a, b)
            return same if op == "==" else Num(self.dag.negate(same.node), None, same.ghosts)
        if not (isinstance(a, Num) and isinstance(b, Num) and a.kind == b.kind == "int"):
            self.fail(
                f"{op} between {describe(a)} and {describe(b)}", "only whole numbers have an order"
            )
        less, negate = self.dag.less, self.dag.negate
        node = {
            "<": lambda: less(a.node, b.node),
            ">": lambda: less(b.node, a.node),
            "<=": lambda: negate(less(b.node, a.node)),
            ">=": lambda: negate(less(a.node, b.node)),
        }[op]()
        return Num(node, None, a.ghosts | b.ghosts)

    def same(self, a: Any, b: Any) -> Num:
        """Return whether two values of one kind are equal."""
        if isinstance(a, Text) and isinstance(b, Text):
            self.fail("two literals are compared", "compare a variable or mechanism with a literal")
        if isinstance(a, Text):
            a, b = b, a
        if isinstance(a, Num) and a.enum and isinstance(b, Text):
            b = self._literal(b, a.enum)
        if isinstance(a, Num) and isinstance(b, Num) and a.kind == b.kind:
            if a.enum and b.enum and not _one_enum(a, b):
                self.fail(
                    f"{a.enum.describe()} is compared with {b.enum.describe()}",
                    "compare values of one Enum",
                )
            return Num(self.dag.equal(a.node, b.node), None, a.ghosts | b.ghosts)
        if isinstance(a, Place) and isinstance(b, Place) and not isinstance(a.domain, Record):
            return self._same_place(a, b)
        if not (_is_record(a) and _is_record(b)):
            self.fail(f"{describe(a)} is compared with {describe(b)}", "compare values of one kind")
        a, b = self.record(a), self.record(b)
        if a.record.make is not b.record.make:
            self.fail(
                f"{a.record.name} is compared with {b.record.name}", "compare records of one kind"
            )
        nodes = [self.dag.equal(a.fields[f].node, b.fields[f].node) for f in a.fields]
        return Num(self.dag.all_of(nodes), None, a.ghosts | b.ghosts)

    def _same_place(self, a: Place, b: Place) -> Num:
        if not _alike(a.domain, b.domain) or len(a.alternatives) + len(b.alternatives) > 2:
            self.fail(f"{describe(a)} is compared with {describe(b)}", "compare their elements")
        self.check_current(a)
        self.check_current(b)
        (_, first), (_, second) = a.alternatives[0], b.alternatives[0]
        pairs = []
        for path in self.layout.place:
            if path == first or (path.startswith(first) and path[len(first)] in "[.|#"):
                other = second + path[len(first) :]
                pairs.append((self.field(a.view, path), self.field(b.view, other)))
        ghosts = {p.name for p in (a, b) if p.ghost}
        ghosts |= {f"{p.name}.{f}" for p in (a, b) for f in _ghost_fields(p.domain)}
        nodes = self.dag.all_of(self.dag.equal(x, y) for x, y in pairs)
        return Num(nodes, None, a.ghosts | b.ghosts | ghosts)

    def membership(self, item: Any, container: Any) -> Num:
        raise AssertionError  # given by Containers


def _one_enum(a: Num, b: Num) -> bool:
    """Tell whether the ranks of two names mean the same; for other kinds they do."""
    return (a.enum.names if a.enum else None) == (b.enum.names if b.enum else None)


def _is_record(value: Any) -> bool:
    return isinstance(value, Rec) or (isinstance(value, Place) and isinstance(value.domain, Record))


def _alike(a: Any, b: Any) -> bool:
    """Tell whether two domains have the same values in the same fields."""
    if isinstance(a, Int) and isinstance(b, Int):
        return (a.low, a.high) == (b.low, b.high)
    if type(a) is not type(b):
        return False
    if isinstance(a, Enum):
        return bool(a.names == b.names)
    if isinstance(a, Record):
        return a.make is b.make
    if isinstance(a, Array):
        return a.length == b.length and _alike(a.element, b.element)
    if isinstance(a, Bag):
        return a.capacity == b.capacity and _alike(a.element, b.element)
    return not isinstance(a, Set) or _alike(a.element, b.element)


def _ghost_fields(domain: Any) -> frozenset[str]:
    """Return the ghost fields of the records in a container."""
    element = getattr(domain, "element", domain)
    return element.ghosts if isinstance(element, Record) else NONE


def describe(value: Any) -> str:
    """Say in words what a symbol is, for messages."""
    if isinstance(value, Domain):
        return f"{'an' if type(value).__name__[0] in 'AEI' else 'a'} {type(value).__name__}"
    if isinstance(value, Num):
        return {"bool": "a truth", "int": "a whole number", "enum": "a name"}[value.kind]
    if isinstance(value, Text):
        return f'the literal "{value.options[0][1]}"'
    if isinstance(value, Rec):
        return f"a {value.record.name}"
    if isinstance(value, Place):
        return f"{value.name} ({type(value.domain).__name__.lower()})"
    if isinstance(value, Items):
        return "a list of values"
    if isinstance(value, View):
        return "the whole state"
    if isinstance(value, Missing) or value is None:
        return "no value"
    return f"`{getattr(value, '__name__', value)!s}`"


def _words(node: ast.AST) -> str:
    return f"`{ast.unparse(node)}` ({type(node).__name__})"
