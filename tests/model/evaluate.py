"""Evaluate the intermediate form on flat states, as plainly as can be.

Takes the roots one is interested in and the flat numbers of one or two states, gives the value of
every node they need. Each value is checked against the node's interval, on which the
simplifications of the graph rest. What a division by zero gives does not matter: the error node
beside it is what counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from fencecheck.model.lower.dag import Node

_OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "floordiv": lambda a, b: a // b if b else 0,
    "mod": lambda a, b: a % b if b else 0,
    "min": min,
    "max": max,
    "bit": lambda place: 1 << place,
    "shl": lambda a, by: a << by,
    "slice": lambda a, shift, bits: (a >> shift) & ((1 << bits) - 1),
    "band": lambda a, b: a & b,
    "bor": lambda a, b: a | b,
    "bandn": lambda a, b: a & ~b,
    "popcount": lambda a: a.bit_count(),
    "eq": lambda a, b: int(a == b),
    "lt": lambda a, b: int(a < b),
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "not": lambda a: 1 - a,
    "select": lambda condition, a, b: a if condition else b,
    "int": lambda a: a,
}


def in_order(roots: Iterable[Node]) -> list[Node]:
    """Return every node that the roots are made of, arguments first."""
    found: dict[int, Node] = {}
    waiting = list(roots)
    while waiting:
        node = waiting.pop()
        if node.number not in found:
            found[node.number] = node
            waiting += node.args
    return [found[number] for number in sorted(found)]


def evaluate(
    nodes: list[Node], switches: Mapping[str, int], *states: Sequence[int]
) -> dict[Node, int]:
    """Return the values of ``nodes`` (from ``in_order``) where ``states`` are before and after."""
    values: dict[Node, int] = {}
    for node in nodes:
        if node.op == "const":
            value = node.low
        elif node.op == "read":
            state, field = node.extra
            value = states[int(state)][int(field)]
        elif node.op == "switch":
            value = switches[str(node.extra[0])]
        else:
            value = _OPERATIONS[node.op](*(values[a] for a in node.args), *node.extra)
        assert node.low <= value <= node.high, f"{node.op} gives {value}: {node}"
        values[node] = value
    return values
