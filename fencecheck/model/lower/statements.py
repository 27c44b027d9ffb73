"""Execute statements and calls symbolically: assignments, branches, bounded loops, functions.

Both branches of an ``if`` are executed and their results merged by ``select``; loops are unrolled
over what they can visit; functions written in the subset are inlined. A ``return`` ends the
frame on the paths that reach it, which is what ``Frame.live`` keeps.
"""

from __future__ import annotations

import ast
import inspect
import types
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from fencecheck.model.domains import MOST, Array, Bag, Record, Set, bag, replace
from fencecheck.model.lower.containers import BEFORE, Containers
from fencecheck.model.lower.dag import Node, TooLarge
from fencecheck.model.lower.expressions import describe
from fencecheck.model.lower.layout import chunks_of
from fencecheck.model.lower.source import source_of
from fencecheck.model.lower.symbols import NONE, Frame, Items, Missing, Num, Place, Rec, mark
from fencecheck.model.time_limit import check_time

_DEPTH = 40
_BUILTINS = (len, min, max, abs, any, all, sum, range)
_COUNTS: dict[Any, tuple[int, int]] = {len: (1, 1), abs: (1, 1), range: (1, 3)}


def _names_of(function: types.FunctionType) -> dict[str, Any]:
    """Return the names a function can see besides its own: builtins, globals, closure."""
    names = {f.__name__: f for f in _BUILTINS} | function.__globals__
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        names[name] = cell.cell_contents
    return names


UNSET = Missing("it is not set before")


class Statements(Containers):
    """The whole lowering of functions; ``call`` is where it starts."""

    # -- calls ----------------------------------------------------------------------------------
    def call(self, function: Any, args: list[Any], params: tuple[str, ...] | None = None) -> Any:
        """Execute a function of the subset on symbols and return the symbol it returns."""
        source = source_of(function)
        if len(self.frames) >= _DEPTH:
            self.fail(f"{source.name} calls itself", "write a bounded loop")
        if len(source.params) != len(args) or (params and source.params[1:] != params):
            wanted = f"(s, {', '.join(params)})" if params else f"{len(args)} argument(s)"
            names = ", ".join(source.params)
            self.frames.append(
                Frame(source.name, source.file, {}, {}, self.dag.true, self.dag.true)
            )
            node = ast.Pass(lineno=source.line)
            self.fail(f"it takes ({names})", f"here it needs {wanted}", node)
        base = self.dag.true
        if self.frames:
            base = self.dag.both(self.frame.base, self.frame.live)
        ghosts = self.frame.ghosts if self.frames else NONE
        frame = Frame(
            source.name,
            source.file,
            _names_of(function),
            dict.fromkeys(sorted(source.assigned), UNSET)
            | dict(zip(source.params, args, strict=True)),
            base,
            self.dag.true,
            None,
            ghosts,
        )
        self.frames.append(frame)
        saved = self.node
        self.block(source.body)
        self.node = saved
        self.frames.pop()
        if frame.live is not self.dag.false:
            return Missing(f"{source.name} returns nothing on some path")
        return mark(frame.result, frame.ghosts - ghosts)

    def _call(self, node: ast.Call) -> Any:
        if isinstance(node.func, ast.Attribute):
            base = self.expression(node.func.value)
            if isinstance(base, Place):
                if node.keywords:
                    self.fail(
                        f"{base.name}.{node.func.attr}() takes no names of arguments",
                        "pass them in order",
                    )
                args = [self.expression(a) for a in node.args]
                return self.method(base, node.func.attr, args)
            if isinstance(base, types.ModuleType) and hasattr(base, node.func.attr):
                return self.apply(getattr(base, node.func.attr), node)
            self.fail(
                f"`{ast.unparse(node)}`: {describe(base)} has no such method here",
                "only containers of the state have methods",
            )
        return self.apply(self.expression(node.func), node)

    def apply(self, function: Any, node: ast.Call) -> Any:
        """Execute a call of a builtin, a record, ``bag``, ``replace`` or a function."""
        if any(k.arg is None for k in node.keywords) or any(
            isinstance(a, ast.Starred) for a in node.args
        ):
            self.fail("* and ** in a call are outside the subset", "write the arguments out")
        if isinstance(function, Record):
            return self._new_record(function, node)
        if function is replace:
            return self._replace(node)
        called = inspect.unwrap(function) if callable(function) else function
        if isinstance(called, types.FunctionType) and called is not bag:
            if node.keywords:
                self.fail("named arguments are outside the subset", "pass them in order")
            result = self.call(called, [self.expression(a) for a in node.args])
            if called is not function:
                return Missing(f"{called.__name__} forgets and gives nothing back")
            return result
        if function in _BUILTINS and not node.keywords:
            least, most = _COUNTS.get(function, (1, 255))
            if not least <= len(node.args) <= most:
                takes = f"it takes {least}" + (f" to {most}" if most > least else "")
                self.fail(f"`{ast.unparse(node)}` has {len(node.args)} arguments", takes)
            return getattr(self, f"_of_{function.__name__}")(node)
        self.fail(
            f"`{ast.unparse(node.func)}` cannot be called in the subset",
            "use len, min, max, abs, any, all, sum, range, records, bag, replace "
            "or a function written in the subset",
        )

    def _new_record(self, record: Record, node: ast.Call) -> Rec:
        resolved = self.records.get(record.make)
        if resolved is None:
            self.fail(
                f"{record.name} is in no variable of the model", "use records that variables hold"
            )
        if node.args:
            self.fail(f"{record.name}(...) takes its fields by name", "write field=value")
        values = {str(k.arg): self.expression(k.value) for k in node.keywords}
        return self.make_record(resolved, values)

    def _replace(self, node: ast.Call) -> Rec:
        if len(node.args) != 1:
            self.fail("replace takes one record and field=value", "write replace(m, field=value)")
        old = self.record(self.expression(node.args[0]))
        fields = dict(old.fields)
        for keyword in node.keywords:
            name = str(keyword.arg)
            if name not in fields:
                self.no_field(old.record, name)
            fields[name] = self.coerce(self.expression(keyword.value), old.record.fields[name])
        return Rec(old.record, fields)

    # -- builtins -------------------------------------------------------------------------------
    def _of_len(self, node: ast.Call) -> Num:
        return self.length(self.expression(node.args[0]), node)

    def _of_range(self, node: ast.Call) -> Items:
        numbers = [self.integer(a).node.constant for a in node.args]
        if any(n is None for n in numbers):
            self.fail(
                f"`{ast.unparse(node)}` depends on the state",
                "range over a bound and test inside the loop",
            )
        if numbers[2:] == [0]:
            self.fail(f"`{ast.unparse(node)}` never moves on", "write a step other than 0")
        values = range(*[n for n in numbers if n is not None])
        if abs(values.stop - values.start) // abs(values.step) > MOST:
            self.fail(f"`{ast.unparse(node)}` visits too many numbers", "choose smaller bounds")
        return Items(tuple((self.dag.true, Num(self.dag.const(i))) for i in values))

    def _of_abs(self, node: ast.Call) -> Num:
        value = self.integer(node.args[0])
        minus = self.dag.sub(self.dag.const(0), value.node)
        return Num(self.dag.maximum(value.node, minus), None, value.ghosts)

    def _of_min(self, node: ast.Call) -> Num:
        return self._extreme(node, self.dag.minimum)

    def _of_max(self, node: ast.Call) -> Num:
        return self._extreme(node, self.dag.maximum)

    def _extreme(self, node: ast.Call, pick: Any) -> Num:
        if len(node.args) < 2:
            self.fail(f"`{ast.unparse(node)}` takes one argument", "write min(a, b) or max(a, b)")
        values = [self.integer(a) for a in node.args]
        result = values[0]
        for value in values[1:]:
            ghosts = result.ghosts | value.ghosts
            result = Num(pick(result.node, value.node), None, ghosts)
        return result

    def _of_any(self, node: ast.Call) -> Num:
        found, ghosts = self.dag.false, NONE
        for present, value, more in self._each(node, until=True):
            self._truth(value, node)
            found = self.dag.either(found, self.dag.both(present, value.node))
            ghosts = ghosts | value.ghosts | more
        return Num(found, None, ghosts)

    def _of_all(self, node: ast.Call) -> Num:
        found, ghosts = self.dag.true, NONE
        for present, value, more in self._each(node, until=False):
            self._truth(value, node)
            fine = self.dag.either(self.dag.negate(present), value.node)
            found = self.dag.both(found, fine)
            ghosts = ghosts | value.ghosts | more
        return Num(found, None, ghosts)

    def _truth(self, value: Any, node: ast.Call) -> None:
        if not (isinstance(value, Num) and value.kind == "bool"):
            self.fail(f"`{ast.unparse(node)}` is over {describe(value)}", "write a comparison")

    def _of_sum(self, node: ast.Call) -> Num:
        total, ghosts = self.dag.const(0), NONE
        for present, value, more in self._each(node):
            if not isinstance(value, Num) or value.kind == "enum":
                self.fail(f"`{ast.unparse(node)}` adds {describe(value)}", "add whole numbers")
            number = self.dag.as_int(value.node) if value.kind == "bool" else value.node
            total = self.dag.add(total, self.dag.select(present, number, self.dag.const(0)))
            ghosts = ghosts | value.ghosts | more
        return Num(total, None, ghosts)

    def _each(
        self, node: ast.Call, until: bool | None = None
    ) -> list[tuple[Node, Any, frozenset[str]]]:
        """Return (present, value, ghosts) for the one argument of any, all or sum.

        A generator is not asked for more once it has given ``until``.
        """
        if len(node.args) != 1:
            self.fail(
                f"`{ast.unparse(node)}` takes one argument",
                f"write {ast.unparse(node.func)}(... for ... in ...)",
            )
        argument = node.args[0]
        if isinstance(argument, ast.GeneratorExp):
            return self.comprehension(argument, until)
        if isinstance(argument, ast.ListComp):
            return self.comprehension(argument)
        if isinstance(argument, ast.SetComp):
            found = self.comprehension(argument)
            kept = self.distinct((present, value) for present, value, _ in found)
            ghosts = NONE.union(*(more | value.ghosts for _, value, more in found))
            return [(present, value, ghosts) for present, value in kept]
        items = self.items(self.expression(argument), node)
        return [(present, value, items.ghosts) for present, value in items.pairs]

    def comprehension(
        self, node: ast.GeneratorExp | ast.ListComp | ast.SetComp, until: bool | None = None
    ) -> list[tuple[Node, Any, frozenset[str]]]:
        """Return (present, value, ghosts) for each element a comprehension can give.

        What comes after a present value ``until`` is not evaluated.
        """
        saved = dict(self.frame.locals), self.goes_on
        found: list[tuple[Node, Any, frozenset[str]]] = []
        self.goes_on = self.dag.true
        self._generate((node, until), 0, self.dag.true, NONE, found)
        self.frame.locals, self.goes_on = saved
        return found

    def _generate(
        self,
        what: tuple[Any, bool | None],
        level: int,
        present: Node,
        ghosts: frozenset[str],
        found: list[Any],
    ) -> None:
        node, until = what
        if level == len(node.generators):
            with self.within(self.dag.both(present, self.goes_on), ghosts):
                value = self.expression(node.elt)
            found.append((present, value, ghosts))
            if until is not None and isinstance(value, Num) and value.kind == "bool":
                last = value.node if until else self.dag.negate(value.node)
                more = self.dag.negate(self.dag.both(present, last))
                self.goes_on = self.dag.both(self.goes_on, more)
            return
        loop = node.generators[level]
        if not isinstance(loop.target, ast.Name) or loop.is_async:
            self.fail("a comprehension binds one name", "write for x in ...")
        with self.within(self.dag.both(present, self.goes_on), ghosts):
            items = self.items(self.expression(loop.iter), loop.iter)
        errors, stores = len(self.errors), self.stores
        with self.visiting(items):
            self._visit(what, level, (items, present, ghosts), found)
        # which of them comes first matters where one stops the others, or changes the state
        if self.stores > stores or (until is not None and len(self.errors) > errors):
            self._needs_order(items, loop.iter)

    @contextmanager
    def visiting(self, items: Items) -> Iterator[None]:
        """Refuse, for what follows, changes of the container that ``items`` are in."""
        if items.place is None:
            yield
            return
        self.frame.iterating.append(items.place.name)
        yield
        self.frame.iterating.pop()

    def _visit(
        self,
        what: tuple[Any, bool | None],
        level: int,
        over: tuple[Items, Node, frozenset[str]],
        found: list[Any],
    ) -> None:
        """Evaluate the rest of a comprehension for each of the items of one ``for``."""
        items, present, ghosts = over
        loop = what[0].generators[level]
        for there, value in items.pairs:
            self.frame.locals[loop.target.id] = value
            here, seen = self.dag.both(present, there), ghosts | items.ghosts
            if here is self.dag.false:
                continue
            for test in loop.ifs:
                with self.within(self.dag.both(here, self.goes_on), seen):
                    condition = self.condition(test)
                here, seen = self.dag.both(here, condition.node), seen | condition.ghosts
            self._generate(what, level + 1, here, seen, found)

    # -- statements -----------------------------------------------------------------------------
    def block(self, statements: Any) -> None:
        """Execute statements in order."""
        for statement in statements:
            if self.frame.live is self.dag.false:
                return
            check_time()
            self.node = statement
            name = "_do_" + type(statement).__name__.lower()
            method = getattr(self, name, None)
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
            self.fail(f"`{ast.unparse(node)}` has no effect", "assign it or leave it out")
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

    def _needs_order(self, items: Items, node: ast.expr) -> None:
        """Refuse what Python visits in the order of a hash, where the order can matter."""
        if not items.ordered or (items.place is not None and items.place.name in self.refilled):
            self.fail(
                f"`{ast.unparse(node)}` has no order here",
                "loop over a tuple, or over a set variable before it is assigned",
            )

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
            if isinstance(base, Place) and isinstance(base.domain, Array):
                value = self.element(base, self.integer(node.slice))
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
