"""The intermediate form: a graph of scalar operations, shared and simplified as it is built.

A node is an operation on other nodes; equal nodes are one object. Each carries the interval its
value lies in, from which comparisons fold and range checks vanish. Booleans are nodes with
``truth`` set. There are no branches: a choice is ``select``. No node can fail; what could go
wrong in a run (an index, a division) is a condition that the lowering records beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from fencecheck.errors import InternalError
from fencecheck.model.time_limit import check_time

LIMIT = 1 << 62
_GLANCE = 1023  # operations between two looks at the time, less one


class TooLarge(Exception):
    """A value that could leave 62 bits."""


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Node:
    """One operation. ``op`` is const, read, switch, or names an operation on ``args``."""

    op: str
    args: tuple[Node, ...]
    extra: tuple[int | str, ...]
    low: int
    high: int
    truth: bool
    number: int

    @property
    def constant(self) -> int | None:
        """Return the value of a constant node, else None."""
        return self.low if self.op == "const" else None


class Dag:
    """Builds nodes; equal ones are made once. Raises TimeUp where a limit on time has passed.

    ``held`` are the intervals of some fields before an event, narrower than right after one.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], Node] = {}
        self._asked = 0
        self.held: dict[int, tuple[int, int]] = {}
        self.true = self.const(1, truth=True)
        self.false = self.const(0, truth=True)

    def __len__(self) -> int:
        """Return how many nodes there are."""
        return len(self._known)

    def _node(
        self,
        op: str,
        args: tuple[Node, ...],
        interval: tuple[int, int],
        *,
        truth: bool = False,
        extra: tuple[int | str, ...] = (),
    ) -> Node:
        low, high = interval
        if low < -LIMIT or high > LIMIT:
            raise TooLarge
        self._asked += 1
        if not self._asked & _GLANCE:
            check_time()
        key = (op, tuple(a.number for a in args), extra, truth, low if op == "const" else None)
        node = self._known.get(key)
        if node is None:
            _check_kinds(op, args)
            node = Node(op, args, extra, low, high, truth, len(self._known))
            self._known[key] = node
        return node

    def nodes(self) -> Iterable[Node]:
        """Return all nodes in the order of their numbers."""
        return self._known.values()

    def refill(self, told: Iterable[Sequence[Any]]) -> list[Node]:
        """Return nodes put in again as ``nodes`` gave them: op, numbers of args, and the rest.

        Raises ValueError where they do not come out with the numbers that they had.
        """
        found: list[Node] = []
        for op, args, extra, low, high, truth in told:
            if op not in _OPERATIONS:
                raise ValueError(op)
            given = tuple(found[number] for number in args)
            node = self._node(op, given, (low, high), truth=bool(truth), extra=tuple(extra))
            if node.number != len(found):
                raise ValueError
            found.append(node)
        return found

    # -- leaves ---------------------------------------------------------------------------------
    def const(self, value: int, *, truth: bool = False) -> Node:
        return self._node("const", (), (value, value), truth=truth)

    def read(
        self, state: int, field: int, interval: tuple[int, int], *, truth: bool = False
    ) -> Node:
        """Read field number ``field`` of state 0 (before) or 1 (after).

        Where it is before an event is known better for the fields that are ``held``.
        """
        if state == 0 and field in self.held:
            interval = self.held[field]
        return self._node("read", (), interval, truth=truth, extra=(state, field))

    def switch(self, name: str, count: int) -> Node:
        """Read the rank of a mechanism's value, known when a run starts."""
        return self._node("switch", (), (0, count - 1), extra=(name,))

    # -- arithmetic -----------------------------------------------------------------------------
    def add(self, a: Node, b: Node) -> Node:
        if a.constant == 0:
            return b
        if b.constant == 0:
            return a
        return self._fold("add", a, b, (a.low + b.low, a.high + b.high))

    def sub(self, a: Node, b: Node) -> Node:
        if b.constant == 0:
            return a
        if a is b:
            return self.const(0)
        return self._fold("sub", a, b, (a.low - b.high, a.high - b.low))

    def mul(self, a: Node, b: Node) -> Node:
        corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
        return self._fold("mul", a, b, (min(corners), max(corners)))

    def floordiv(self, a: Node, b: Node) -> Node:
        """Divide as Python does, towards minus infinity; a divisor of 0 is the caller's case."""
        reach = max(abs(a.low), abs(a.high))
        return self._fold("floordiv", a, b, (-reach - 1, reach + 1))

    def mod(self, a: Node, b: Node) -> Node:
        """Return Python's remainder, with the sign of the divisor."""
        return self._fold("mod", a, b, (min(b.low + 1, 0), max(b.high - 1, 0)))

    def _fold(self, op: str, a: Node, b: Node, interval: tuple[int, int]) -> Node:
        if (
            a.constant is not None
            and b.constant is not None
            and not (op in ("floordiv", "mod") and b.constant == 0)
        ):
            return self.const(_FOLDS[op](a.constant, b.constant))
        return self._node(op, (a, b), interval)

    def minimum(self, a: Node, b: Node) -> Node:
        if a.high <= b.low:
            return a
        if b.high <= a.low:
            return b
        return self._node("min", (a, b), (min(a.low, b.low), min(a.high, b.high)))

    def maximum(self, a: Node, b: Node) -> Node:
        if a.low >= b.high:
            return a
        if b.low >= a.high:
            return b
        return self._node("max", (a, b), (max(a.low, b.low), max(a.high, b.high)))

    # -- bits (sets and slots; never negative) --------------------------------------------------
    def bit(self, place: Node, width: int) -> Node:
        """Return 1 << place, for a place known to lie in 0 .. width - 1."""
        if place.constant is not None:
            return self.const(1 << place.constant)
        return self._node("bit", (place,), (0, (1 << width) - 1))

    def shift_left(self, a: Node, by: int) -> Node:
        if by == 0:
            return a
        if a.constant is not None:
            return self.const(a.constant << by)
        return self._node("shl", (a,), (a.low << by, a.high << by), extra=(by,))

    def slice(self, a: Node, shift: int, bits: int) -> Node:
        """Return ``bits`` bits of a from ``shift`` on."""
        mask = (1 << bits) - 1
        if a.constant is not None:
            return self.const((a.constant >> shift) & mask)
        return self._node("slice", (a,), (0, min(mask, a.high >> shift)), extra=(shift, bits))

    def bits_and(self, a: Node, b: Node) -> Node:
        if a.constant is not None and b.constant is not None:
            return self.const(a.constant & b.constant)
        return self._node("band", (a, b), (0, min(a.high, b.high)))

    def bits_or(self, a: Node, b: Node) -> Node:
        if a.constant == 0:
            return b
        if b.constant == 0:
            return a
        top = (1 << max(a.high.bit_length(), b.high.bit_length())) - 1
        if a.constant is not None and b.constant is not None:
            return self.const(a.constant | b.constant)
        return self._node("bor", (a, b), (0, top))

    def bits_without(self, a: Node, b: Node) -> Node:
        """Return a with the bits of b cleared."""
        if a.constant is not None and b.constant is not None:
            return self.const(a.constant & ~b.constant)
        return self._node("bandn", (a, b), (0, a.high))

    def count_bits(self, a: Node) -> Node:
        if a.constant is not None:
            return self.const(a.constant.bit_count())
        return self._node("popcount", (a,), (0, a.high.bit_length()))

    # -- truth ----------------------------------------------------------------------------------
    def equal(self, a: Node, b: Node) -> Node:
        if a is b:
            return self.true
        if a.high < b.low or b.high < a.low:
            return self.false
        if a.constant is not None and b.constant is not None:
            return self.truth(a.constant == b.constant)
        if a.number > b.number:
            a, b = b, a
        return self._node("eq", (a, b), (0, 1), truth=True)

    def less(self, a: Node, b: Node) -> Node:
        if a.high < b.low:
            return self.true
        if a.low >= b.high:
            return self.false
        return self._node("lt", (a, b), (0, 1), truth=True)

    def truth(self, value: bool) -> Node:
        return self.true if value else self.false

    def both(self, a: Node, b: Node) -> Node:
        if a is self.false or b is self.false:
            return self.false
        if a is self.true or a is b:
            return b
        if b is self.true:
            return a
        if self.negate(a) is b:
            return self.false
        return self._node("and", (a, b), (0, 1), truth=True)

    def either(self, a: Node, b: Node) -> Node:
        if a is self.true or b is self.true:
            return self.true
        if a is self.false or a is b:
            return b
        if b is self.false:
            return a
        return self._node("or", (a, b), (0, 1), truth=True)

    def negate(self, a: Node) -> Node:
        if a.constant is not None:
            return self.truth(not a.constant)
        if a.op == "not":
            return a.args[0]
        return self._node("not", (a,), (0, 1), truth=True)

    def select(self, condition: Node, a: Node, b: Node) -> Node:
        """Return a where the condition holds, else b."""
        if condition is self.true or a is b:
            return a
        if condition is self.false:
            return b
        if a.truth:
            if a is self.true and b is self.false:
                return condition
            if a is self.true:
                return self.either(condition, b)
            if b is self.false:
                return self.both(condition, a)
            if a is self.false:
                return self.both(self.negate(condition), b)
            if b is self.true:
                return self.either(self.negate(condition), a)
        if condition.op == "not":
            return self.select(condition.args[0], b, a)
        interval = (min(a.low, b.low), max(a.high, b.high))
        return self._node("select", (condition, a, b), interval, truth=a.truth)

    def as_int(self, a: Node) -> Node:
        """Return a truth as 0 or 1."""
        if a.constant is not None:
            return self.const(a.constant)
        return self._node("int", (a,), (0, 1))

    def rebuild(self, node: Node, args: list[Node]) -> Node:
        """Return the same operation on other arguments, simplified again."""
        op, extra = node.op, [int(x) for x in node.extra if op_has_numbers(node.op)]
        build = {
            "add": self.add, "sub": self.sub, "mul": self.mul, "floordiv": self.floordiv,
            "mod": self.mod, "min": self.minimum, "max": self.maximum, "band": self.bits_and,
            "bor": self.bits_or, "bandn": self.bits_without, "popcount": self.count_bits,
            "eq": self.equal, "lt": self.less, "and": self.both, "or": self.either,
            "not": self.negate, "select": self.select, "int": self.as_int,
            "shl": self.shift_left, "slice": self.slice,
        }  # fmt: skip
        if op == "bit":
            return self.bit(args[0], node.high.bit_length())
        make: Callable[..., Node] = build[op]  # type: ignore[assignment]
        return make(*args, *extra)

    def all_of(self, nodes: Iterable[Node]) -> Node:
        result = self.true
        for node in nodes:
            result = self.both(result, node)
        return result

    def any_of(self, nodes: Iterable[Node]) -> Node:
        result = self.false
        for node in nodes:
            result = self.either(result, node)
        return result


_LEAVES = frozenset({"const", "read", "switch"})
_ON_NUMBERS = frozenset({"add", "sub", "mul", "floordiv", "mod", "min", "max", "lt"})
_ON_BITS = frozenset({"bit", "shl", "slice", "band", "bor", "bandn", "popcount"})
_TRUTHS = frozenset({"and", "or", "not", "int"})
_ALIKE = frozenset({"eq", "select"})
_OPERATIONS = _LEAVES | _ON_NUMBERS | _ON_BITS | _TRUTHS | _ALIKE


def _check_kinds(op: str, args: tuple[Node, ...]) -> None:
    """Refuse to build an operation on truths where numbers are needed, or the other way round."""
    if op == "select" and not args[0].truth:
        raise InternalError("a choice is built on a number; this is a bug of fencecheck")
    if op in _ALIKE:
        fits = args[-2].truth is args[-1].truth
    else:
        fits = all(arg.truth is (op in _TRUTHS) for arg in args)
    if not fits:
        raise InternalError(f"{op} is built on a truth and a number; this is a bug of fencecheck")


def nodes_of(roots: Iterable[Node]) -> list[Node]:
    """Return every node that ``roots`` are built of, themselves included, each once."""
    found: dict[int, Node] = {}
    stack = list(roots)
    while stack:
        node = stack.pop()
        if node.number not in found:
            found[node.number] = node
            stack += node.args
    return list(found.values())


def unknown_of(root: Node, known: Container[int]) -> Iterator[Node]:
    """Yield what a node is built of, and last itself, as far as its number is not ``known``.

    Arguments come before what takes them; each must be known when the next is asked for.
    """
    stack = [root]
    while stack:
        node = stack[-1]
        missing = [] if node.number in known else [a for a in node.args if a.number not in known]
        if missing:
            stack += missing
            continue
        stack.pop()
        if node.number not in known:
            yield node


def conjuncts(node: Node) -> Iterator[Node]:
    """Yield what all has to be true for a condition to be."""
    if node.op == "and":
        for part in node.args:
            yield from conjuncts(part)
    else:
        yield node


def op_has_numbers(op: str) -> bool:
    """Tell whether an operation has plain numbers beside its arguments."""
    return op in ("shl", "slice")


_FOLDS = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "floordiv": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
}
