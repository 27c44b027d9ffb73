"""What all of the lowering shares: the graph, the paths, the frame, and how syntax is dispatched.

A method ``_name`` of a class below this one lowers one kind of syntax.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NoReturn

from fencecheck.errors import ModelError
from fencecheck.model.declaring.any_number import HowMany
from fencecheck.model.domains import Array, Bag, Domain, Index, OneOf, Record, Set, held_in
from fencecheck.model.files.texts import near
from fencecheck.model.lower.dag import Dag, Node, TooLarge, conjuncts
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
    Unspent,
    Vector,
    View,
)
from fencecheck.model.parts import Part


class Core:
    """What all of the lowering shares: the graph, the state's fields, the frame, messages."""

    def __init__(
        self, layout: Layout, variables: dict[str, tuple[Domain, bool]], constants: dict[str, Any]
    ) -> None:
        self.dag, self.layout = Dag(), layout
        self.variables, self.constants = variables, constants
        inside = list(_inside(v for v, _ in variables.values()))
        self.tagged = {d.make: d.unnarrowed for d in inside if isinstance(d, OneOf)}
        self.records = {d.make: d for d in inside if isinstance(d, Record)}
        indices = [i for v, _ in variables.values() for i in _indices(v) if i.symmetric]
        self.identities = {index.bound: index for index in indices if index.bound}
        self.env: dict[str, Node] = {}
        self.frames: list[Frame] = []
        self.path = self.dag.true
        self.inline = self.dag.true
        self.control: frozenset[str] = NONE
        self.errors: list[Node] = []
        self.asserted: list[Node] | None = None  # where assertions failed; None: none may stand
        self.held: dict[str, Node] = {}
        self.no_room: list[tuple[Bag | Set, Node]] | None = None
        self.node: ast.AST = ast.Pass()
        self.renewals: dict[str, int] = {}
        self.renewed: set[str] = set()
        self.in_place: set[str] = set()
        self.goes_on = self.dag.true
        self.looked_at: set[ast.AST] = set()
        self.stores = 0
        self.may_be_negative = self.uses_sets = False
        self.keeps_order: ast.AST | None = None  # a comprehension whose values are kept in order
        self.totals: Mapping[str, HowMany] = {}
        self.reads_totals = False
        self.turns: list[Any] = []  # the loops in no order that are under way
        self.adds = ""  # how what is read and written now is added to, if it is
        self.reach: dict[str, int] = {}  # how high versions can be that were reckoned, by clock
        self.included: Collection[Part] = ()

    @property
    def frame(self) -> Frame:
        """Return the function being executed."""
        return self.frames[-1]

    def fail(self, message: str, instead: str = "", node: ast.AST | None = None) -> NoReturn:
        """Raise ModelError at the current line: what was seen, and what to write instead."""
        where: Any = node or self.node
        line = getattr(where, "lineno", 0)
        hint = f"; {instead}" if instead else ""
        file = near(self.frame.file)
        error = ModelError(f"{file}:{line}: in {self.frame.function}: {message}{hint}")
        error.at = self.frame.file, line, *_columns(where)
        raise error

    def may_fail(self, condition: Node) -> None:
        """Record that the run goes wrong where ``condition`` holds on the current path."""
        if self.dag.negate(condition) in conjuncts(self.path):
            return  # asked before
        here = self._where(condition, self.held.values())
        if here is not self.dag.false:
            self.errors.append(here)

    def has_no_room(self, container: Bag | Set, condition: Node) -> None:
        """Record that a container is too small where ``condition`` holds on the current path."""
        bound = container.holds_back
        if self.no_room is not None:
            self.no_room.append((container, self._where(condition, [])))
            return
        if not bound:
            self.may_fail(condition)
            return
        here = self._where(condition, [*self.errors, *self.held.values()])
        if here is not self.dag.false:
            self.held[bound] = self.dag.either(self.held.get(bound, self.dag.false), here)

    def _where(self, condition: Node, over: Iterable[Node]) -> Node:
        """Return where a condition holds on the current path and nothing of ``over`` before it."""
        here = self.dag.all_of((self.path, self.frame.base, self.frame.live, condition))
        for earlier in over:
            here = self.dag.both(here, self.dag.negate(earlier))
        return here

    def passes_over(self, syntax: ast.AST, where: Node) -> bool:
        """Tell whether syntax is left out, since it is evaluated nowhere and was lowered before.

        It is lowered once wherever it stands, so that what is outside the subset is always refused.
        """
        before = syntax in self.looked_at
        self.looked_at.add(syntax)
        return before and where is self.dag.false

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

    def block(self, statements: Any) -> None:
        """Execute statements one after another."""
        raise AssertionError  # given by Statements

    # -- syntax ---------------------------------------------------------------------------------

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


def _inside(domains: Any) -> Iterator[Domain]:
    for domain in domains:
        yield domain
        if isinstance(domain, Array | Set | Bag):
            yield from _inside([domain.element])
        if isinstance(domain, Record):
            yield from _inside(domain.fields.values())
        yield from _inside(held_in(domain))


def _indices(domain: Any) -> Iterator[Index]:
    """Yield every Index in a domain, those that arrays run over included."""
    if isinstance(domain, Index):
        yield domain
    inside = [getattr(domain, "index", None), getattr(domain, "element", None), *held_in(domain)]
    inside += domain.fields.values() if isinstance(domain, Record) else []
    for inner in filter(None, inside):
        yield from _indices(inner)


_MARKED = {
    "version": "a version of {}",
    "fresh": "a fresh value of {}",
    "identity": "one of {} that nothing tells apart",
    "count": "a count of {}",
}


def describe(value: Any) -> str:
    """Say in words what a symbol is, for messages."""
    if isinstance(value, OneOf):
        return f"the OneOf {value.name}"
    if isinstance(value, Domain):
        return f"{'an' if type(value).__name__[0] in 'AEI' else 'a'} {type(value).__name__}"
    if isinstance(value, Num) and value.is_none:
        return "no value"
    if isinstance(value, Num) and value.mark is not None:
        named = _MARKED[value.kind].format(value.mark.name)
        return f"{named} or None" if value.optional else named
    if isinstance(value, Num) and value.optional:
        return "an index or None"
    if isinstance(value, Num):
        if value.one_of is not None:
            return f"{'an' if value.one_of.name[0] in 'AEIOU' else 'a'} {value.one_of.name}"
        return {"bool": "a truth", "int": "a whole number", "enum": "a name"}[value.kind]
    if isinstance(value, Unspent):
        return f"what is left of the budget {value.budget}, which is any"
    if isinstance(value, Text):
        return f'the literal "{value.options[0][1]}"'
    if isinstance(value, Rec):
        return f"a {value.record.name}"
    if isinstance(value, Vector):
        return f"an array of {len(value.items)}"
    if isinstance(value, Place):
        return f"{value.name} ({type(value.domain).__name__.lower()})"
    if isinstance(value, Items):
        return "a list of values"
    if isinstance(value, View):
        return "the whole state"
    if isinstance(value, Missing) or value is None:
        return "no value"
    if isinstance(value, Part):
        return f"part {value.name}"
    return f"`{getattr(value, '__name__', value)!s}`"


def _columns(node: Any) -> tuple[int | None, int | None]:
    """Return where in its first line a piece of syntax stands, in bytes."""
    start, last = getattr(node, "col_offset", None), getattr(node, "end_lineno", None)
    return start, node.end_col_offset if start is not None and last == node.lineno else None


def _words(node: ast.AST) -> str:
    return f"`{ast.unparse(node)}` ({type(node).__name__})"
