"""Lower what reads the state: variables, parts of records and arrays, records as values.

A place is where something of the state is kept; what it holds is loaded when it is needed.
"""

from __future__ import annotations

import ast
import types
from typing import Any, NoReturn

from fencecheck.errors import nearest
from fencecheck.model.declare import LEFT, part_of_budget
from fencecheck.model.domains import (
    Array,
    Bag,
    Enum,
    Left,
    Maybe,
    OneOf,
    Record,
    Set,
    Unlimited,
)
from fencecheck.model.lower.dag import Node
from fencecheck.model.lower.kinds.coercion import Coercion
from fencecheck.model.lower.symbols import (
    NONE,
    Items,
    Num,
    Place,
    Rec,
    Text,
    Unspent,
    Vector,
    View,
    mark_of,
)
from fencecheck.model.parts import Part


class Places(Coercion):
    """Places of the state, and what they hold."""

    def expression(self, node: ast.expr) -> Any:
        """Return the symbol that an expression stands for where it is evaluated.

        A record is what it is now, whatever is evaluated later; a container is itself.
        """
        return self.settled(self.symbol(node))

    def settled(self, value: Any) -> Any:
        """Return a symbol, a place of a record or in one as the value that it holds now."""
        if isinstance(value, Place) and isinstance(value.domain, Record):
            return self.record(value)
        if isinstance(value, Place) and isinstance(value.domain, Array) and value.in_record:
            return self.vector(value, value.domain)
        return value

    # -- literals ------------------------------------------------------------------------------
    def constant(self, value: Any) -> Any:
        """Return the symbol of a Python constant."""
        if value is None:
            return Num(self.dag.const(-1), optional=True, is_none=True)
        if isinstance(value, bool):
            return Num(self.dag.truth(value))
        if isinstance(value, int):
            return Num(self.dag.const(int(value)))
        if isinstance(value, str):
            return Text(((self.dag.true, value),))
        if isinstance(value, tuple) and type(value) in self.tagged:
            return self.tagged_constant(value)
        if isinstance(value, tuple) and type(value) in self.records:
            record = self.records[type(value)]
            pairs = zip(record.fields, value, strict=True)
            return self.make_record(record, {f: self.constant(v) for f, v in pairs})
        if isinstance(value, tuple | list | frozenset | set | range):
            unordered = isinstance(value, frozenset | set)
            items = sorted(value, key=_in_some_order) if unordered else value
            values = tuple((self.dag.true, self.constant(v)) for v in items)
            return Items(values, ordered=not unordered)
        self.fail(f"{value!r} is outside the subset", "write whole numbers, True, False or strings")

    def python_value(self, value: Any) -> Any:
        """Return the symbol of what Python knows by a name; what is no constant stays itself."""
        if isinstance(value, bool | int | str | tuple | list | frozenset | set | range):
            return self.constant(value)
        return value

    # -- the state ------------------------------------------------------------------------------
    def _attribute(self, node: ast.Attribute) -> Any:
        return self.attribute_of(self.symbol(node.value), node)

    def attribute_of(self, base: Any, node: ast.Attribute) -> Any:
        """Return what ``node`` names, an attribute of ``base``."""
        if isinstance(base, types.ModuleType) and hasattr(base, node.attr):
            return self.python_value(getattr(base, node.attr))
        if isinstance(base, View):
            return self.variable(base, node.attr)
        if isinstance(base, Num) and base.one_of is not None:
            return self.tagged_attribute(base, node.attr)
        if isinstance(base, OneOf):
            return self.tagged_name(base, node.attr)
        if isinstance(base, Part):
            return self.python_value(self.of_part(base, node.attr))
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

    def of_part(self, part: Part, name: str) -> Any:
        """Return what an attribute of a part of the model is, as Python knows it."""
        if part not in self.included:
            self.fail(
                f"part {part.name} is used and not included",
                "write model.include(...) where the model is put together",
            )
        if not hasattr(part, name):
            known = [*vars(part), *vars(type(part))]
            self.fail(f"part {part.name} has no {name}{nearest(name, known)}", "use what it has")
        return getattr(part, name)

    def overridden(self, node: ast.Attribute) -> Any:
        """Return the method that ``super().name`` means in a method of a part, else None."""
        match node.value:
            case ast.Call(func=ast.Name(id="super"), args=[], keywords=[]):
                own = self.frame.globals.get("__class__", type(None))
                part = next((v for v in self.frame.locals.values() if isinstance(v, own)), None)
            case _:
                return None
        if not (isinstance(part, Part) and hasattr(super(own, part), node.attr)):
            self.fail(
                f"`{ast.unparse(node)}` is no method that one of a part stands for",
                "write super() in a method of a class whose base has one of that name",
            )
        return getattr(super(own, part), node.attr)

    def said_by_part(self, node: ast.expr) -> bool | None:
        """Return the truth that a part keeps of how it was made, None for any other expression.

        What such a truth excludes is not there in this model: it is not looked at.
        """
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            inner = self.said_by_part(node.operand)
            return None if inner is None else not inner
        if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)):
            return None
        names = self.frame.globals | self.frame.locals
        part = names.get(node.value.id)
        kept = getattr(part, node.attr, None) if isinstance(part, Part) else None
        return kept if isinstance(kept, bool) else None

    def name_in(self, index: Any, node: ast.Subscript) -> str:
        """Return the name of which ``s[...]`` reads or assigns the variable."""
        if isinstance(index, Text) and len(index.options) == 1:
            return index.options[0][1]
        self.fail(
            f"`{ast.unparse(node)}` names no variable that is known when the model is loaded",
            "write s[...] with a constant, or with a name that a part keeps",
        )

    def variable(self, view: View, name: str) -> Any:
        """Return the variable, mechanism or bound that ``s.name`` means."""
        if name in self.variables:
            place = self.whole(view, name)
            value = self.load(place)
            if isinstance(place.domain, Unlimited):
                self.check_advanced(place, value)
            return value
        if name in self.constants:
            value = self.constants[name]
            if isinstance(value, Enum):
                return Num(self.dag.switch(name, value.count), value)
            return self.constant(value)
        budget, part = part_of_budget(name, self.totals)
        if part == LEFT:
            return self.variable(view, budget)
        if part and isinstance(self.variables[budget][0], Left):
            self.no_number(f"how much of {budget} was used")
        if part:
            self.reads_totals = True
            total = self.dag.const(int(self.totals[budget]))
            return Num(self.dag.sub(total, self.variable(view, budget).node))
        known = [*self.variables, *self.constants]
        hint = nearest(name, known)
        instead = f'declare it: model.variable("{name}", ...), or model.ghost("{name}", ...)'
        missing = f"the model has no variable, mechanism or bound {name}{hint}"
        named = [n for n in ast.walk(self.node) if isinstance(n, ast.Attribute) and n.attr == name]
        self.fail(missing, "" if hint else instead, named[0] if named else None)

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
        if isinstance(domain, Left):
            return Unspent(place.name, self.dag.less(self.dag.const(0), node))
        ghosts = place.ghosts | ({place.name.split("[")[0]} if place.ghost else NONE)
        enum = domain if isinstance(domain, Enum) else None
        one_of = domain if isinstance(domain, OneOf) else None
        clock = isinstance(domain, Unlimited) and domain.is_clock
        return Num(
            node, enum, ghosts, isinstance(domain, Maybe), one_of=one_of, mark=mark_of(domain),
            at_clock=clock,
        )  # fmt: skip

    def no_number(self, what: str) -> NoReturn:
        """Refuse what asks for a number of a budget of any."""
        self.fail(
            f"`{ast.unparse(self.node)}` asks {what}, and with a budget of any there is no number",
            "compare what is left with 0, or keep in a variable what the model has to know",
        )

    def field(self, view: View, path: str) -> Node:
        """Return the present value of one field of a state, a Bool's as a truth."""
        if view.writable and path in self.env:
            self.note_read(path)
            return self.env[path]
        number = self.layout.place[path]
        found = self.layout.fields[number]
        if found.low == found.high:
            return self.dag.const(found.low, truth=found.truth)
        return self.dag.read(view.index, number, (found.low, found.high), truth=found.truth)

    def record(self, value: Any) -> Rec:
        raise AssertionError  # given by Records

    def no_field(self, record: Record, name: str) -> NoReturn:
        raise AssertionError  # given by Records

    def make_record(self, record: Record, values: dict[str, Any]) -> Rec:
        raise AssertionError  # given by Records

    def vector(self, value: Any, domain: Array) -> Vector:
        raise AssertionError  # given by Records


def _in_some_order(value: Any) -> tuple[str, str]:
    """Return what sorts values of any kinds, in an order that is the same in every process."""
    return type(value).__name__, repr(value)


def ghost_fields(domain: Any) -> frozenset[str]:
    """Return the ghost fields of the records in a container."""
    element = getattr(domain, "element", None)
    if element is not None:
        return ghost_fields(element)
    return domain.ghosts if isinstance(domain, Record) else NONE
