"""Execute statements symbolically: assignments, branches, bounded loops.

Both branches of an ``if`` are executed and their results merged by ``select``; loops are unrolled
over what they can visit.
"""

from __future__ import annotations

import ast
from typing import Any, NoReturn

from fencecheck.errors import ModelError
from fencecheck.model.domains import Array, Bag, Record, Set, bag
from fencecheck.model.lower.calls import Calls
from fencecheck.model.lower.containers import BEFORE
from fencecheck.model.lower.dag import Node, TooLarge
from fencecheck.model.lower.layout import chunks_of
from fencecheck.model.lower.symbols import Missing, Num, Place, Rec, View
from fencecheck.model.mistakes.gathering import take_note
from fencecheck.model.mistakes.recovery import GoingOn
from fencecheck.model.time_limit import check_time


class Statements(Calls, GoingOn):
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

    def _do_expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant):
            return
        if not isinstance(node.value, ast.Call):
            told = isinstance(node.value, ast.Compare | ast.BoolOp)
            instead = "write return in front of it" if told else "assign it"
            self.fail(f"`{ast.unparse(node)}` has no effect", f"{instead} or leave it out")
        self.expression(node.value)

    def _do_return(self, node: ast.Return) -> None:
        value = self.expression(node.value) if node.value else Missing("it returns nothing")
        frame = self.frame
        if frame.result is None:
            frame.result = value
        else:
            earlier = Num(self.dag.negate(frame.live))
            frame.result = self.choose(earlier, frame.result, value)
        frame.live = self.dag.false
        frame.ghosts = frame.ghosts | self.control

    def _do_if(self, node: ast.If) -> None:
        if (settled := self.said_by_part(node.test)) is not None:
            self.block(node.body if settled else node.orelse)
            return
        condition = self.condition(node.test)
        before = dict(self.env), dict(self.frame.locals), self.frame.live, self.frame.result
        with self.under(condition.node, condition.ghosts):
            self.block(node.body)
        then = self.env, self.frame.locals, self.frame.live, self.frame.result
        frame = self.frame
        self.env, frame.locals, frame.live, frame.result = before
        with self.under(self.dag.negate(condition.node), condition.ghosts):
            self.block(node.orelse)
        self.node = node
        self._merge(condition, then)

    def _merge(self, condition: Num, then: tuple[Any, ...]) -> None:
        env, names, live, result = then
        frame, test = self.frame, condition.node
        for path in env | self.env:  # in an order that is the same in every process
            a, b = env.get(path), self.env.get(path)
            if a is not b:
                a = a or self.field(BEFORE, path)
                b = b or self.field(BEFORE, path)
                self.env[path] = self.dag.select(test, a, b)
        merged: dict[str, Any] = {}
        for name in names | frame.locals:
            absent = Missing("it is set in one branch only")
            a, b = names.get(name, absent), frame.locals.get(name, absent)
            if live is self.dag.false:
                merged[name] = b
            elif frame.live is self.dag.false:
                merged[name] = a
            else:
                merged[name] = a if a is b else self.choose(condition, a, b)
        frame.locals = merged
        # on each side the result so far counts only where that side has returned
        if result is not frame.result:
            if live is not self.dag.false and frame.live is self.dag.false:
                unset = result is None
                frame.result = (
                    frame.result if unset else self.choose(condition, result, frame.result)
                )
            elif frame.live is not self.dag.false and live is self.dag.false:
                unset = frame.result is None
                frame.result = result if unset else self.choose(condition, result, frame.result)
            else:
                frame.result = self._either_result(condition, result, frame.result)
        frame.live = self.dag.select(test, live, frame.live)

    def _either_result(self, condition: Num, a: Any, b: Any) -> Any:
        if a is None:
            return b
        return a if b is None else self.choose(condition, a, b)

    def _do_for(self, node: ast.For) -> None:
        if node.orelse or not isinstance(node.target, ast.Name):
            self.fail("a for binds one name and has no else", "write for x in ...:")
        for inner in ast.walk(node):
            if isinstance(inner, ast.Break | ast.Continue):
                self.fail("break and continue are outside the subset", "write an if", inner)
        items = self.items(self.expression(node.iter), node)
        self._needs_order(items, node.iter)
        with self.visiting(items):
            for present, value in items.pairs:
                self._iterate(node, present, value, items.ghosts)

    def _iterate(self, node: ast.For, present: Node, value: Any, ghosts: frozenset[str]) -> None:
        assert isinstance(node.target, ast.Name)
        if present is self.dag.false:
            return
        frame = self.frame
        if present is self.dag.true:
            frame.locals[node.target.id] = value
            self.block(node.body)
            return
        before = dict(self.env), dict(frame.locals), frame.live, frame.result
        frame.locals[node.target.id] = value
        with self.under(present, ghosts):
            self.block(node.body)
        then = self.env, frame.locals, frame.live, frame.result
        self.env, frame.locals, frame.live, frame.result = before
        then[1][node.target.id] = frame.locals[node.target.id] = Missing("its loop is over")
        self.node = node
        self._merge(Num(present, None, ghosts), then)

    def _do_assign(self, node: ast.Assign) -> None:
        if len(node.targets) != 1:
            self.fail("one target at a time", "write two assignments")
        target = node.targets[0]
        if isinstance(target, ast.Name):
            value = self.expression(node.value)
            if isinstance(value, Place):
                self.fail(f"{value.name} gets a second name", "use the variable itself")
            self._set_local(target.id, value)
            return
        if self._is_refill(node.value):
            content = self._new_content(node.value)
            self._refill(self.place(target), node.value, content)
            return
        value = self.expression(node.value)
        place = self.place(target)
        if isinstance(place.domain, Bag | Set):
            self._no_content(place, node.value)
        self.assign(place, value)

    def _is_refill(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return self.frame.globals.get(node.func.id) is bag
        return isinstance(node, ast.SetComp)

    def _set_local(self, name: str, value: Any) -> None:
        frame = self.frame
        if frame.live is not self.dag.true and name in frame.locals:
            old = frame.locals[name]
            if not isinstance(old, Missing):
                value = self.choose(Num(frame.live), value, old)
        frame.locals[name] = value

    def _do_augassign(self, node: ast.AugAssign) -> None:
        """Execute ``target op= value``: the target's parts are evaluated once, before the value."""
        if isinstance(node.target, ast.Name):
            old = self.whole_number(self._name(node.target), node.target)
            value = self.arithmetic(node, old, self.integer(node.value))
            self._set_local(node.target.id, value)
            return
        place = self.place(node.target)
        old = self.whole_number(self.load(place), node.target)
        value = self.arithmetic(node, old, self.integer(node.value))
        self.assign(place, value)

    def place(self, node: ast.expr) -> Place:
        """Return the place in the state that an assignment's target names."""
        value: Any = None
        if isinstance(node, ast.Attribute):
            base = self.expression(node.value)
            if isinstance(base, Rec) or (
                isinstance(base, Place) and isinstance(base.domain, Record)
            ):
                self.fail("records do not change", "write x = replace(x, field=value)")
            elif not hasattr(base, "writable"):
                self.fail(
                    f"`{ast.unparse(node)}` is not a place in the state",
                    "write s.x = ... or s.x[i] = ...",
                )
            else:
                value = self._target(base, node.attr)
        elif isinstance(node, ast.Subscript):
            base = self.expression(node.value)
            if isinstance(base, View):
                value = self._target(base, self.name_in(self.expression(node.slice), node))
            elif isinstance(base, Place) and isinstance(base.domain, Array):
                value = self.element(base, self.position(base, node.slice))
        if not isinstance(value, Place):
            self.fail(
                f"`{ast.unparse(node)}` cannot be assigned", "write s.x = ... or s.x[i] = ..."
            )
        self.writable(value)
        return value

    def _target(self, view: Any, name: str) -> Place:
        if name not in self.variables:
            self.variable(view, name)
            self.fail(f"{name} is a mechanism or bound", "only variables change")
        return self.whole(view, name)

    def assign(self, place: Place, value: Any) -> None:
        """Set a scalar or record place."""
        domain = place.domain
        if isinstance(domain, Record):
            record = self.record(value)
            if record.record.make is not domain.make:
                self.wrong_record(record.record, domain)
            for field in domain.fields:
                self.assign(self.part(place, field), record.fields[field])
            return
        if isinstance(domain, Array):
            self.fail(f"{place.name} is assigned as a whole", "assign its elements in a loop")
        num = self.coerce(value, domain)
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

    def _refill(self, place: Place, node: ast.expr, found: list[Any]) -> None:
        """Set a bag or set to new content that has been evaluated."""
        fits = Set if isinstance(node, ast.SetComp) else Bag
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
        if isinstance(place.domain, Set):
            self.refilled.add(place.name)
        for present, value, ghosts in found:
            self.forbid_ghosts(place, ghosts)
            kept = {p: self.env[p] for p in old}
            with self.under(present, ghosts):
                self.method(place, "add", [value])
            for path, was in kept.items():
                self.env[path] = self.dag.select(present, self.env[path], was)
        for path, was in old.items():
            self.env[path] = self.dag.select(live, self.env[path], was)
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
