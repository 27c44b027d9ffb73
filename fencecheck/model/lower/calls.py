"""Lower calls: functions of the subset are inlined, generators are unrolled.

A ``return`` ends the frame on the paths that reach it, which is what ``Frame.live`` keeps.
"""

from __future__ import annotations

import ast
import inspect
import types
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

from fencecheck.model.domains import OneOf, Record, bag, replace
from fencecheck.model.lower.core import describe
from fencecheck.model.lower.dag import Node
from fencecheck.model.lower.kinds.sets import SET_METHODS
from fencecheck.model.lower.kinds.tuples import Tuples
from fencecheck.model.lower.source import Source, source_of
from fencecheck.model.lower.symbols import (
    NONE,
    Frame,
    Items,
    Missing,
    Num,
    Place,
    Rec,
    is_set,
    mark,
)
from fencecheck.model.mistakes.gathering import Following, times_wrong
from fencecheck.model.parts import Part

_DEPTH = 40
_BUILTINS = (len, min, max, abs, any, all, sum, range, tuple)
_COUNTS: dict[Any, tuple[int, int]] = {len: (1, 1), abs: (1, 1), range: (1, 3), tuple: (1, 1)}


def _names_of(function: Any) -> dict[str, Any]:
    """Return the names a function can see besides its own: builtins, globals, closure."""
    function = getattr(function, "__func__", function)
    names: dict[str, Any] = {f.__name__: f for f in _BUILTINS}
    names |= function.__globals__
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        with suppress(ValueError):  # it was never assigned
            names[name] = cell.cell_contents
    return names


UNSET = Missing("it is not set before")


def _has_default(function: Any, node: ast.Call) -> bool:
    """Tell whether a call's only named argument is what the extreme of nothing is."""
    one = len(node.args) == len(node.keywords) == 1
    return function in (min, max) and one and node.keywords[0].arg == "default"


class Calls(Tuples):
    """Calls and comprehensions; what builtins give is added by a class below this one."""

    # -- calls ----------------------------------------------------------------------------------
    def call(
        self,
        function: Any,
        args: list[Any],
        params: tuple[str, ...] | None = None,
        named: dict[str, Any] | None = None,
    ) -> Any:
        """Execute a function of the subset on symbols and return the symbol it returns.

        ``params`` are the names that it must give its parameters behind the first. A method is
        given the object that it belongs to before all else.
        """
        source = source_of(function)
        if len(self.frames) >= _DEPTH:
            self.fail(f"{source.name} calls itself", "write a bounded loop")
        frame = self.new_frame(source)
        if self.frames:
            frame.base = self.dag.both(self.frame.base, self.frame.live)
            frame.ghosts = self.frame.tainted
        ghosts, saved = frame.ghosts, self.node
        self.frames.append(frame)
        if params and source.params[-len(params) :] != params:
            self._misfit(function, source, f"here it needs (s, {', '.join(params)})")
        given = self._bound(function, source, args, named or {})
        frame.locals = dict.fromkeys(sorted(source.assigned), UNSET) | given
        frame.globals = _names_of(function)
        wrong = times_wrong()
        self.block(source.body)
        self.node = saved
        self.frames.pop()
        if times_wrong() > wrong:
            raise Following(source.name)
        if frame.live is not self.dag.false:
            return Missing(f"{source.name} returns nothing on some path")
        return mark(frame.result, frame.ghosts - ghosts)

    def new_frame(self, source: Source) -> Frame:
        """Return the frame of a function that has not begun."""
        true, false = self.dag.true, self.dag.false
        return Frame(source.name, source.file, {}, {}, true, true, false, false)

    def _misfit(self, function: Any, source: Source, instead: str) -> NoReturn:
        names = ", ".join(source.params[isinstance(function, types.MethodType) :])
        self.fail(f"it takes ({names})", instead, ast.Pass(lineno=source.line))

    def _bound(
        self, function: Any, source: Source, args: list[Any], named: dict[str, Any]
    ) -> dict[str, Any]:
        """Return what each parameter is given: by place, by name, or its default."""
        by_place = source.params[: function.__code__.co_argcount]
        needed = f"here it needs {len(args) + len(named)} argument(s)"
        if isinstance(function, types.MethodType):
            args = [function.__self__, *args]
        if len(args) > len(by_place):
            self._misfit(function, source, needed)
        given = dict(zip(by_place, args, strict=False))
        for name, value in named.items():
            if name not in source.params[function.__code__.co_posonlyargcount :]:
                self._misfit(function, source, f"here it is given {name}=")
            if name in given:
                self._misfit(function, source, f"here it is given {name} twice")
            given[name] = value
        defaults = function.__defaults__ or ()
        spare = dict(zip(by_place[len(by_place) - len(defaults) :], defaults, strict=True))
        spare |= function.__kwdefaults__ or {}
        for name in source.params:
            if name not in given and name not in spare:
                self._misfit(function, source, needed)
        return {n: given[n] if n in given else self.constant(spare[n]) for n in source.params}

    def _call(self, node: ast.Call) -> Any:
        if isinstance(node.func, ast.Attribute):
            if (method := self.overridden(node.func)) is not None:
                return self.apply(method, node)
            base = self.expression(node.func.value)
            if isinstance(base, Place):
                if node.func.attr == "change":
                    return self.change_element(base, node)
                if node.keywords:
                    self.fail(
                        f"{base.name}.{node.func.attr}() takes no names of arguments",
                        "pass them in order",
                    )
                args = [self.expression(a) for a in node.args]
                return self.method(base, node.func.attr, args)
            if is_set(base) and node.func.attr in SET_METHODS:
                args = [self.expression(a) for a in node.args]
                return self.set_method(base, node.func.attr, args)
            if isinstance(base, types.ModuleType) and hasattr(base, node.func.attr):
                return self.apply(getattr(base, node.func.attr), node)
            if isinstance(base, OneOf):
                return self.tagged_call(base, node.func.attr, node)
            if isinstance(base, Part):
                return self.apply(self.of_part(base, node.func.attr), node)
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
        called = function
        if callable(function) and not isinstance(function, types.MethodType):
            called = inspect.unwrap(function)
        if isinstance(called, types.FunctionType | types.MethodType) and called is not bag:
            args = [self.expression(a) for a in node.args]
            named = {str(k.arg): self.expression(k.value) for k in node.keywords}
            result = self.call(called, args, named=named)
            if called is not function:
                return Missing(f"{called.__name__} forgets and gives nothing back")
            return result
        if function in _BUILTINS and (not node.keywords or _has_default(function, node)):
            least, most = _COUNTS.get(function, (1, 255))
            if not least <= len(node.args) <= most:
                takes = f"it takes {least}" + (f" to {most}" if most > least else "")
                self.fail(f"`{ast.unparse(node)}` has {len(node.args)} arguments", takes)
            return getattr(self, f"_of_{function.__name__}")(node)
        if function in _BUILTINS:
            names = ", ".join(f"{k.arg}=" for k in node.keywords)
            self.fail(
                f"`{ast.unparse(node)}`: {ast.unparse(node.func)} takes no {names} here",
                "give it values in order",
            )
        self.fail(
            f"`{ast.unparse(node.func)}` cannot be called in the subset",
            "use len, min, max, abs, any, all, sum, range, tuple, records, bag, replace "
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
        return self.with_fields(self.record(self.expression(node.args[0])), node.keywords)

    def with_fields(self, old: Rec, keywords: list[ast.keyword]) -> Rec:
        """Return a record with other values in the fields that keywords name."""
        fields = dict(old.fields)
        for keyword in keywords:
            name = str(keyword.arg)
            if name not in fields:
                self.no_field(old.record, name)
            fields[name] = self.fitted(self.expression(keyword.value), old.record.fields[name])
        return Rec(old.record, fields)

    # -- comprehensions -----------------------------------------------------------------------
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
        last = level == len(node.generators)
        inner = node.elt if last else node.generators[level].iter
        reached = self.dag.both(present, self.goes_on)
        if self.keeps_order is not node and self.passes_over(inner, reached):
            return
        if last:
            with self.within(reached, ghosts):
                value = self.expression(node.elt)
            found.append((present, value, ghosts))
            if until is not None and isinstance(value, Num) and value.kind == "bool":
                ends = value.node if until else self.dag.negate(value.node)
                more = self.dag.negate(self.dag.both(present, ends))
                self.goes_on = self.dag.both(self.goes_on, more)
            return
        loop = node.generators[level]
        if not isinstance(loop.target, ast.Name) or loop.is_async:
            self.fail("a comprehension binds one name", "write for x in ...")
        with self.within(reached, ghosts):
            items = self.items(self.expression(loop.iter), loop.iter)
        errors, stores = len(self.errors), self.stores
        with self.visiting(items):
            self._visit(what, level, (items, present, ghosts), found)
        # which of them comes first matters where one stops the others, or changes the state
        if (
            self.stores > stores
            or (until is not None and len(self.errors) > errors)
            or self.keeps_order is node
        ):
            self.needs_order(items, loop.iter)

    @contextmanager
    def visiting(self, items: Items) -> Iterator[None]:
        """Refuse, for what follows, changes of the container that ``items`` are in."""
        if items.place is None:
            yield
            return
        self.frame.iterating.append(items.place.name)
        yield
        self.frame.iterating.pop()

    def needs_order(self, items: Items, node: ast.expr) -> None:
        """Refuse what Python visits in the order of a hash, where the order can matter."""
        if items.loose:
            self.fail(
                f"`{ast.unparse(node)}` has no order, and which comes first would matter here",
                "test before what can go wrong (x is not None and ...), and change nothing inside",
            )
        if not items.ordered:
            self.fail(
                f"`{ast.unparse(node)}` has no order here",
                "loop over a tuple, or over a set variable",
            )

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
