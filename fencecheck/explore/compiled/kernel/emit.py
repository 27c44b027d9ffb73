"""Emit nodes of the intermediate form as LLVM IR: each one instruction, or few, on vectors.

``lanes`` states are worked on at a time, one in each lane of a vector; a choice is a select.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from fencecheck.explore.compiled.storage.packing import Packing
from fencecheck.model.lower.dag import Node, unknown_of
from fencecheck.model.time_limit import check_time

STRAIGHT = 256  # instructions in a row; LLVM's work on more of them grows faster than they do
_NEVER = "!prof !0"  # of a jump that is not taken
RARELY = '!0 = !{!"branch_weights", i32 1, i32 1048576}'
_GLANCE = 1023  # instructions between two looks at the time, less one
_BINARY = {"add": "add", "sub": "sub", "mul": "mul", "band": "and", "bor": "or"}
_TRUTH = {"and": "and", "or": "or"}


@dataclass
class Emitter:
    """Turns nodes into instructions on vectors, each node once.

    ``straight`` is how many instructions there are since a block began. Long ones end with a jump
    to ``%stuck`` that is never taken, since ``%never`` points to a 0 of which LLVM does not know:
    where it is ``broken`` so, the function has to have both.
    """

    packing: Packing
    switches: dict[str, int]
    lines: list[str] = field(default_factory=list)
    known: dict[int, str] = field(default_factory=dict)
    declared: set[str] = field(default_factory=set)
    count: int = 0
    straight: int = 0
    broken: bool = False

    def __post_init__(self) -> None:
        self.bits = self.packing.width
        self.lanes = 8 if self.bits == 32 else 4
        self.vector = f"<{self.lanes} x i{self.bits}>"
        self.mask = f"<{self.lanes} x i1>"

    def new(self, text: str) -> str:
        """Append an instruction and return the name of its value."""
        self.count += 1
        self.straight += 1
        self.lines.append(f"  %v{self.count} = {text}")
        return f"%v{self.count}"

    def begin(self, name: str) -> None:
        """Begin a block."""
        self.lines.append(f"{name}:")
        self.straight = 0

    def end_long_block(self) -> None:
        """Begin another block if the present one is long."""
        if self.straight < STRAIGHT:
            return
        self.broken = True
        flag = self.new("load volatile i32, ptr %never, align 4")
        stuck, on = self.new(f"icmp ne i32 {flag}, 0"), f"on{self.count}"
        self.lines.append(f"  br i1 {stuck}, label %stuck, label %{on}, {_NEVER}")
        self.begin(on)

    def const(self, value: int) -> str:
        """Return a vector with ``value`` in every lane."""
        return "<" + ", ".join([f"i{self.bits} {value}"] * self.lanes) + ">"

    def truth(self, value: bool) -> str:
        """Return a mask with ``value`` in every lane."""
        return "<" + ", ".join([f"i1 {'true' if value else 'false'}"] * self.lanes) + ">"

    def call(self, name: str, args: Iterable[str]) -> str:
        """Call an LLVM intrinsic on vectors."""
        suffix = f"v{self.lanes}i{self.bits}"
        full = f"@llvm.{name}.{suffix}"
        args = list(args)
        self.declared.add(f"declare {self.vector} {full}({', '.join([self.vector] * len(args))})")
        return self.new(
            f"call {self.vector} {full}({', '.join(f'{self.vector} {a}' for a in args)})"
        )

    def never(self) -> list[str]:
        """Return what the first block of a function has for its long blocks."""
        if not self.broken:
            return []
        return ["  %never = alloca i32", "  store volatile i32 0, ptr %never, align 4"]

    def stuck(self, instead: str) -> list[str]:
        """Return the last block of a function with long blocks, which is never come to."""
        return ["stuck:", f"  {instead}"] if self.broken else []

    def value(self, node: Node) -> str:
        """Return the name of a node's value, emitting what it needs (without recursion)."""
        for needed in unknown_of(node, self.known):
            if not self.count & _GLANCE:
                check_time()
            self.end_long_block()
            self.known[needed.number] = self._emit(needed)
        return self.known[node.number]

    def _emit(self, node: Node) -> str:
        op, t = node.op, self.vector
        args = [self.known[a.number] for a in node.args]
        if op == "const":
            return self.truth(bool(node.low)) if node.truth else self.const(node.low)
        if op == "read":
            return self._read(int(node.extra[1]), node.truth)
        if op == "switch":
            return f"%switch{self.switches[str(node.extra[0])]}"
        if op in _BINARY:
            return self.new(f"{_BINARY[op]} {t} {args[0]}, {args[1]}")
        if op in _TRUTH:
            return self.new(f"{_TRUTH[op]} {self.mask} {args[0]}, {args[1]}")
        return self._emit_more(node, args)

    def _emit_more(self, node: Node, args: list[str]) -> str:
        op, t = node.op, self.vector
        if op == "not":
            return self.new(f"xor {self.mask} {args[0]}, {self.truth(True)}")
        if op in ("eq", "lt"):
            if node.args[0].truth:
                same = self.new(f"xor {self.mask} {args[0]}, {args[1]}")
                return self.new(f"xor {self.mask} {same}, {self.truth(True)}")
            predicate = "eq" if op == "eq" else "slt"
            return self.new(f"icmp {predicate} {t} {args[0]}, {args[1]}")
        if op == "select":
            kind = self.mask if node.truth else t
            return self.new(f"select {self.mask} {args[0]}, {kind} {args[1]}, {kind} {args[2]}")
        if op in ("min", "max"):
            return self.call("smin" if op == "min" else "smax", args)
        if op == "int":
            return self.new(f"zext {self.mask} {args[0]} to {t}")
        if op == "bit":
            return self.new(f"shl {t} {self.const(1)}, {args[0]}")
        if op == "shl":
            return self.new(f"shl {t} {args[0]}, {self.const(int(node.extra[0]))}")
        if op == "slice":
            return self._slice(args[0], int(node.extra[0]), int(node.extra[1]))
        if op == "bandn":
            inverse = self.new(f"xor {t} {args[1]}, {self.const(-1)}")
            return self.new(f"and {t} {args[0]}, {inverse}")
        if op == "popcount":
            return self.call("ctpop", args)
        return self._divide(node, args)

    def _slice(self, value: str, shift: int, bits: int) -> str:
        if shift:
            value = self.new(f"lshr {self.vector} {value}, {self.const(shift)}")
        return self.new(f"and {self.vector} {value}, {self.const((1 << bits) - 1)}")

    def _divide(self, node: Node, args: list[str]) -> str:
        """Divide as Python does; a divisor of zero is replaced, its error is recorded elsewhere."""
        t, zero = self.vector, self.const(0)
        none = self.new(f"icmp eq {t} {args[1]}, {zero}")
        safe = self.new(f"select {self.mask} {none}, {t} {self.const(1)}, {t} {args[1]}")
        rest = self.new(f"srem {t} {args[0]}, {safe}")
        uneven = self.new(f"icmp ne {t} {rest}, {zero}")
        signs = self.new(f"xor {t} {rest}, {safe}")
        differ = self.new(f"icmp slt {t} {signs}, {zero}")
        adjust = self.new(f"and {self.mask} {uneven}, {differ}")
        if node.op == "mod":
            moved = self.new(f"add {t} {rest}, {safe}")
            return self.new(f"select {self.mask} {adjust}, {t} {moved}, {t} {rest}")
        ratio = self.new(f"sdiv {t} {args[0]}, {safe}")
        one = self.new(f"zext {self.mask} {adjust} to {t}")
        return self.new(f"sub {t} {ratio}, {one}")

    def _read(self, number: int, truth: bool) -> str:
        place = self.packing.places[number]
        raw = f"%bin{place.bin}"
        if place.shift:
            raw = self.new(f"lshr {self.vector} {raw}, {self.const(place.shift)}")
        if place.shift + place.bits < self.bits:
            raw = self.new(f"and {self.vector} {raw}, {self.const((1 << place.bits) - 1)}")
        if truth:
            return self.new(f"icmp ne {self.vector} {raw}, {self.const(0)}")
        if place.low:
            raw = self.new(f"add {self.vector} {raw}, {self.const(place.low)}")
        return raw

    def packed(self, writes: dict[int, Node]) -> list[str]:
        """Return the bins of a successor: the old ones with the written fields replaced."""
        bins = [f"%bin{i}" for i in range(self.packing.words * 64 // self.bits)]
        clear = [0] * len(bins)
        parts: list[list[str]] = [[] for _ in bins]
        for number, node in sorted(changed_fields(writes).items()):
            place = self.packing.places[number]
            if not place.bits:
                continue
            clear[place.bin] |= ((1 << place.bits) - 1) << place.shift
            parts[place.bin].append(self._placed(node, number))
        for i, added in enumerate(parts):
            if added:
                kept = signed(~clear[i] & ((1 << self.bits) - 1), self.bits)
                value = self.new(f"and {self.vector} {bins[i]}, {self.const(kept)}")
                for part in added:
                    value = self.new(f"or {self.vector} {value}, {part}")
                bins[i] = value
        return bins

    def _placed(self, node: Node, number: int) -> str:
        place, value = self.packing.places[number], self.value(node)
        if node.truth:
            value = self.new(f"zext {self.mask} {value} to {self.vector}")
        elif place.low:
            value = self.new(f"sub {self.vector} {value}, {self.const(place.low)}")
        if node.low < place.low or node.high > place.high:  # out of range is flagged, not stored
            value = self.new(f"and {self.vector} {value}, {self.const((1 << place.bits) - 1)}")
        if place.shift:
            value = self.new(f"shl {self.vector} {value}, {self.const(place.shift)}")
        return value


def changed_fields(writes: dict[int, Node]) -> dict[int, Node]:
    """Return those of the fields that are written whose value is not what they had."""
    return {n: v for n, v in writes.items() if v.op != "read" or int(v.extra[1]) != n}


def signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> (bits - 1) else value
