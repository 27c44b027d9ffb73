"""Execute statements symbolically: assignments to names and to places of the state."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any, NoReturn

from fencecheck.errors import ModelError
from fencecheck.model.domains import Array, Bag, Record, Seq, Set, Unlimited, bag
from fencecheck.model.lower.core import describe
from fencecheck.model.lower.dag import Node, TooLarge
from fencecheck.model.lower.flow.branching import Branching
from fencecheck.model.lower.layout import chunks_of
from fencecheck.model.lower.symbols import (
    NONE,
    Items,
    Missing,
    Num,
    Place,
    Rec,
    SeqSlot,
    View,
    is_set,
    mark,
    root_of,
)
from fencecheck.model.mistakes.gathering import take_note
from fencecheck.model.mistakes.recovery import GoingOn
from fencecheck.model.time_limit import check_time


class Statements(Branching, GoingOn):
    """The whole lowering of functions; ``call`` is where it starts."""

    # -- statements -----------------------------------------------------------------------------
    def block(self, statements: Any) -> None:
        """Execute statements in order."""
        for statement in statements:
            if self.frame.live is self.dag.false:
                return
            check_time()
            self.node = statement
            here = self.here()
            try:
                self._execute(statement)
            except ModelError as error:
                if not take_note(error):
                    raise
                self.go_on(here, statement, error)

    def _execute(self, statement: ast.stmt) -> None:
        method = getattr(self, "_do_" + type(statement).__name__.lower(), None)
        if method is None:
            self.fail(
                f"`{ast.unparse(statement).splitlines()[0]}` ({type(statement).__name__}) "
                "is outside the subset",
                "write assignments, if, for over a bounded range or container, return, calls",
            )
        try:
            method(statement)
        except TooLarge:
            self.fail("a value can grow beyond 62 bits", "bound it with min() or %")

    def _do_pass(self, node: ast.Pass) -> None:
        pass

    def _do_assert(self, node: ast.Assert) -> None:
        """Note where an assertion fails: where nothing went wrong or was held back before it."""
        if self.asserted is None or len(self.frames) > 1:
            self.fail(
                "an assertion stands in the effect of an event",
                "return a truth here and assert it there",
            )
        if not (node.msg is None or isinstance(getattr(node.msg, "value", None), str)):
            self.fail(
                f"an assertion says `{ast.unparse(node.msg)}`", 'write a text: assert ..., "..."'
            )
        dag, frame = self.dag, self.frame
        failed = dag.negate(self.condition(node.test).node)
        right = dag.negate(dag.any_of([*self.errors, *self.held.values()]))
        self.asserted.append(dag.all_of((self.path, frame.base, frame.live, failed, right)))

    def _do_expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant):
            return
        if not isinstance(node.value, ast.Call):
            told = isinstance(node.value, ast.Compare | ast.BoolOp)
            instead = "write return in front of it" if told else "assign it"
            self.fail(f"`{ast.unparse(node)}` has no effect", f"{instead} or leave it out")
        self.expression(node.value)

    def _do_assign(self, node: ast.Assign) -> None:
        target = node.targets[0]
        single = len(node.targets) == 1 and isinstance(target, ast.Attribute | ast.Subscript)
        if single and self._is_refill(node.value):
            content = self._new_content(node.value)
            kind = Set if isinstance(node.value, ast.SetComp) else Bag
            self._refill(self.place(target), node.value, (kind, content))
            return
        value = self.expression(node.value)
        for target in node.targets:
            self._assign_to(target, value, node.value)

    def _assign_to(self, target: ast.expr, value: Any, node: ast.expr) -> None:
        """Give a target a value that has been evaluated, ``node`` in the text."""
        if isinstance(target, ast.Tuple | ast.List):
            for part, inner in zip(target.elts, self._parts(target, value), strict=True):
                self._assign_to(part, inner, node)
        elif isinstance(target, ast.Name):
            if isinstance(value, Place):
                self.fail(f"{value.name} gets a second name", "use the variable itself")
            self._set_local(target.id, value)
        else:
            self._assign_place(self.place(target), value, node)

    def _assign_place(self, place: Place | SeqSlot, value: Any, node: ast.expr) -> None:
        if not isinstance(place, Place) or not isinstance(place.domain, Bag | Set):
            self.assign(place, value)
        elif isinstance(place.domain, Set) and is_set(value):
            items = self.items(value, node)
            own = self.own_ghosts(value) if isinstance(value, Place) else NONE
            ghosts = items.ghosts | own
            content = [(present, member, ghosts) for present, member in items.pairs]
            self._refill(place, node, (Set, content))
        else:
            self._no_content(place, node)

    def _parts(self, target: ast.Tuple | ast.List, value: Any) -> list[Any]:
        """Return the values that several targets are given."""
        pairs = value.pairs if isinstance(value, Items) and value.ordered else ()
        if len(pairs) != len(target.elts) or any(there is not self.dag.true for there, _ in pairs):
            self.fail(
                f"`{ast.unparse(target)}` is given {describe(value)}",
                f"write {len(target.elts)} values, as in a, b = b, a",
            )
        return [inner for _, inner in pairs]

    def _is_refill(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return self.frame.globals.get(node.func.id) is bag
        return isinstance(node, ast.SetComp)

    def _set_local(self, name: str, value: Any) -> None:
        frame = self.frame
        ghosts = frame.turn_ghosts | frame.loop_ghosts
        if frame.live is not self.dag.true and name in frame.locals:
            old = frame.locals[name]
            if not isinstance(old, Missing):
                value = self.choose(Num(frame.live, None, ghosts), value, old)
        frame.locals[name] = mark(value, ghosts)

    def _do_augassign(self, node: ast.AugAssign) -> None:
        """Execute ``target op= value``: the target's parts are evaluated once, before the value."""
        if isinstance(node.target, ast.Name):
            value = self.operate(node, self._name(node.target), self.expression(node.value))
            self._set_local(node.target.id, value)
            return
        place = self.place(node.target)
        if is_set(place):
            result = self.operate(node, place, self.expression(node.value))
            self._assign_place(place, result, node.value)
            return
        adds = "+=" if isinstance(node.op, ast.Add) else ""
        with self.adding(adds):
            held = self.load_slot(place) if isinstance(place, SeqSlot) else self.load(place)
        if self.marked(held):
            value = self.marked_sum(node, held, self.expression(node.value))
        else:
            old = self.whole_number(held, node.target)
            value = self.arithmetic(node, old, self.integer(node.value))
        with self.adding(adds):
            self.assign(place, value)

    def place(self, node: ast.expr) -> Place | SeqSlot:
        """Return the place in the state that an assignment's target names."""
        value: Any = None
        if isinstance(node, ast.Attribute):
            base = self._holder(node.value)
            if isinstance(base, SeqSlot) or (
                isinstance(base, Place) and isinstance(base.domain, Record)
            ):
                value = self._field_place(base, node.attr)
            elif isinstance(base, Rec):
                name = ast.unparse(node.value)
                self.fail(
                    f"`{name}` is a record that stands in no place of the state, and records "
                    "do not change",
                    f"write {name} = replace({name}, {node.attr}=...), or s.x.{node.attr} = ...",
                )
            elif not hasattr(base, "writable"):
                self.fail(
                    f"`{ast.unparse(node)}` is not a place in the state",
                    "write s.x = ... or s.x[i] = ...",
                )
            else:
                value = self._target(base, node.attr)
        elif isinstance(node, ast.Subscript):
            base = self._holder(node.value)
            if isinstance(base, View):
                value = self._target(base, self.name_in(self.expression(node.slice), node))
            elif isinstance(base, Place | SeqSlot):
                value = self._element_place(base, node)
        if not isinstance(value, Place | SeqSlot):
            self.fail(
                f"`{ast.unparse(node)}` cannot be assigned", "write s.x = ... or s.x[i] = ..."
            )
        self.writable(value.seq if isinstance(value, SeqSlot) else value)
        return value

    def _holder(self, node: ast.expr) -> Any:
        """Return what holds a part that is assigned, an element of a sequence as a place."""
        if isinstance(node, ast.Attribute):
            base = self._holder(node.value)
            if isinstance(base, SeqSlot):
                return self._field_place(base, node.attr)
            return self.attribute_of(base, node)
        if not isinstance(node, ast.Subscript):
            return self.symbol(node)
        base = self._holder(node.value)
        if isinstance(base, SeqSlot):
            return self._element_place(base, node)
        if isinstance(base, Place) and isinstance(base.domain, Seq):
            return SeqSlot(base, self.integer(node.slice))
        if isinstance(base, Place) and isinstance(base.domain, Bag):
            self.fail(
                f"`{ast.unparse(node)}` is no place: the elements of a bag are in no order",
                f"write {base.name}.change(element, field=value)",
            )
        return self.subscripted(base, node)

    def _element_place(self, base: Place | SeqSlot, node: ast.Subscript) -> Any:
        """Return the element of an array or sequence as a place to be assigned, None for others."""
        domain = self.part_of_slot(base) if isinstance(base, SeqSlot) else base.domain
        if isinstance(base, Place) and isinstance(domain, Seq):
            return SeqSlot(base, self.integer(node.slice))
        if not isinstance(domain, Array):
            return None
        at = self.position(domain, node.slice)
        if isinstance(base, SeqSlot):
            self.check_index(at.node, domain.length)
            return replace(base, path=(*base.path, at))
        if base.in_record:
            self.in_place.add(root_of(base.name))
        return self.element(base, at)

    def _field_place(self, record: Place | SeqSlot, name: str) -> Place | SeqSlot:
        """Return the field of a record in the state as a place to be assigned."""
        place = record.seq if isinstance(record, SeqSlot) else record
        domain: Any = self.part_of_slot(record) if isinstance(record, SeqSlot) else place.domain
        if not isinstance(domain, Record):
            self.fail(f"{describe(domain)} has no fields", "assign a field of a record")
        if name not in domain.fields:
            self.no_field(domain, name)
        self.in_place.add(root_of(place.name))
        if isinstance(record, SeqSlot):
            return replace(record, path=(*record.path, name))
        return self.part(record, name)

    def _target(self, view: Any, name: str) -> Place:
        if name not in self.variables:
            self.variable(view, name)
            self.fail(f"{name} is a mechanism or bound", "only variables change")
        return self.whole(view, name)

    def assign(self, place: Place | SeqSlot, value: Any) -> None:
        """Set a scalar or record place."""
        if isinstance(place, SeqSlot):
            self.assign_slot(place, value)
            return
        domain = place.domain
        if isinstance(domain, Record):
            record = self.fitted(value, domain)
            for field in domain.fields:
                self.assign(self.part(place, field), record.fields[field])
            return
        if isinstance(domain, Array) and place.in_record:
            for i, item in enumerate(self.vector(value, domain).items):
                self.assign(self.element(place, self.number(i)), item)
            return
        if isinstance(domain, Array):
            self.fail(f"{place.name} is assigned as a whole", "assign its elements in a loop")
        num = self.coerce(value, domain)
        if isinstance(domain, Unlimited) and domain.is_clock:
            self.check_clock(place, self.load(place), num)
        self.forbid_ghosts(place, num.ghosts)
        for condition, path in place.alternatives:
            old = self.field(place.view, path)
            self.store(path, self.dag.select(condition, num.node, old))

    def _new_content(self, node: ast.expr) -> list[tuple[Node, Any, frozenset[str]]]:
        """Evaluate the right side of ``s.x = bag(... for ...)`` or ``s.x = {... for ...}``."""
        if isinstance(node, ast.SetComp):
            return self.comprehension(node)
        assert isinstance(node, ast.Call)
        if len(node.args) != 1 or not isinstance(node.args[0], ast.GeneratorExp):
            self.fail("bag takes one generator", "write bag(... for m in s.x)")
        return self.comprehension(node.args[0])

    def _no_content(self, place: Place, node: ast.expr) -> NoReturn:
        self.fail(
            f"{place.name} is assigned `{ast.unparse(node)}`",
            "write s.x = bag(... for m in s.x) or {... for m in s.x}, or change it in place",
        )

    def _refill(
        self, place: Place | SeqSlot, node: ast.expr, content: tuple[type, list[Any]]
    ) -> None:
        """Set a bag or set to new content that has been evaluated, with the kind it fits."""
        fits, found = content
        if isinstance(place, SeqSlot):
            self._no_content(place.seq, node)
        if type(place.domain) is not fits:
            self._no_content(place, node)
        for name, other in (pair for f in self.frames for pair in f.locals.items()):
            if isinstance(other, Place) and other.name == place.name:
                self.fail(
                    f"{place.name} is assigned while {name} still means what it was",
                    "use the variable itself in place of a parameter",
                )
        live = self.dag.both(self.frame.base, self.frame.live)
        old = {p: self.field(place.view, p) for p in self._paths(place)}
        self.method(place, "clear", [])
        self.no_room = []  # each element is looked at before their number is
        for present, value, ghosts in found:
            self.forbid_ghosts(place, ghosts)
            kept = {p: self.env[p] for p in old}
            with self.under(present, ghosts):
                self.method(place, "add", [value])
            for path, was in kept.items():
                self.env[path] = self.dag.select(present, self.env[path], was)
        for path, was in old.items():
            self.env[path] = self.dag.select(live, self.env[path], was)
        without_room, self.no_room = self.no_room, None
        for container, condition in without_room:
            self.has_no_room(container, condition)
        self.renewals[place.name] = self.renewals.get(place.name, 0) + 1
        self.renewed.add(place.name)

    def _paths(self, place: Place) -> list[str]:
        names = []
        for _, path in place.alternatives:
            if isinstance(place.domain, Set):
                names += [f"{path}|{i}" for i in range(len(chunks_of(place.domain)))]
            elif isinstance(place.domain, Bag):
                names += [f"{path}#{i}" for i in range(place.domain.capacity)]
        return names
