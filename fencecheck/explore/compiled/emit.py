"""Emit the successor kernel of a model as LLVM IR: pure data flow over a block of states.

``V`` states are expanded at a time, one in each vector lane; a choice is a select, nothing
branches on a state. Every way an action can happen writes its successor to a scratch row and
sets its bit in a mask; then, lane by lane, the successors that exist are copied out, so that
they leave in the order of states and, within a state, of actions.

    i64 kernel(in, n, out, offsets, switches, flags, seen, scratch, labels)

in: n states of W words; out: successors; offsets: u32 of n + 1, where each state's successors
start; labels: u16 of each successor, where the plan labels edges; switches: i32 ranks of the
mechanisms; flags: u32 of n x F, which properties break at each state (layout in ``Plan``); seen:
u32 of F, triggers that occurred. Returns how many successors. ``in`` may be read, and ``flags``
and ``offsets`` written, up to V - 1 entries past n.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from fencecheck.explore.compiled.packing import Packing
from fencecheck.explore.compiled.plan import Plan
from fencecheck.model.lower.dag import Node

_BINARY = {"add": "add", "sub": "sub", "mul": "mul", "band": "and", "bor": "or"}
_TRUTH = {"and": "and", "or": "or"}


@dataclass
class Emitter:
    """Turns nodes into instructions on vectors, each node once."""

    packing: Packing
    switches: dict[str, int]
    lines: list[str] = field(default_factory=list)
    known: dict[int, str] = field(default_factory=dict)
    declared: set[str] = field(default_factory=set)
    count: int = 0

    def __post_init__(self) -> None:
        self.bits = self.packing.width
        self.lanes = 8 if self.bits == 32 else 4
        self.vector = f"<{self.lanes} x i{self.bits}>"
        self.mask = f"<{self.lanes} x i1>"

    def new(self, text: str) -> str:
        """Append an instruction and return the name of its value."""
        self.count += 1
        self.lines.append(f"  %v{self.count} = {text}")
        return f"%v{self.count}"

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

    def value(self, node: Node) -> str:
        """Return the name of a node's value, emitting what it needs (without recursion)."""
        stack = [node]
        while stack:
            top = stack[-1]
            if top.number in self.known:
                stack.pop()
                continue
            missing = [a for a in top.args if a.number not in self.known]
            if missing:
                stack += missing
                continue
            self.known[top.number] = self._emit(top)
            stack.pop()
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
        for number, node in sorted(writes.items()):
            place = self.packing.places[number]
            if not place.bits:
                continue
            clear[place.bin] |= ((1 << place.bits) - 1) << place.shift
            parts[place.bin].append(self._placed(node, number))
        for i, added in enumerate(parts):
            if added:
                kept = _signed(~clear[i] & ((1 << self.bits) - 1), self.bits)
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


def _signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> (bits - 1) else value


class KernelText:
    """Builds the text of one kernel from its plan."""

    def __init__(self, plan: Plan, packing: Packing) -> None:
        self.plan, self.packing = plan, packing
        self.e = Emitter(packing, {name: i for i, name in enumerate(plan.switches)})
        self.words, self.lanes = packing.words, self.e.lanes
        self.masks = -(-len(plan.cases) // 32)

    def text(self) -> str:
        """Return the IR of the module."""
        self._block()
        head, tail = self._head(), self._tail()
        body = "\n".join(self.e.lines)
        return "\n".join([*sorted(self.e.declared), head, body, tail])

    def _head(self) -> str:
        e = self.e
        lines = [
            "declare i32 @llvm.cttz.i32(i32, i1)",
            f"declare i32 @llvm.vector.reduce.or.v{e.lanes}i32(<{e.lanes} x i32>)",
            "define i64 @kernel(ptr noalias %in, i64 %n, ptr noalias %out, ptr noalias %offsets, "
            "ptr noalias %switches, ptr noalias %flags, ptr noalias %seen, ptr noalias %scratch, "
            "ptr noalias %labels) {",
            "entry:",
        ]
        for i in range(len(self.plan.switches)):
            lines += [
                f"  %sp{i} = getelementptr i32, ptr %switches, i64 {i}",
                f"  %sl{i} = load i32, ptr %sp{i}",
                f"  %sx{i} = sext i32 %sl{i} to i64"
                if e.bits == 64
                else f"  %sx{i} = add i32 %sl{i}, 0",
                f"  %si{i} = insertelement {e.vector} poison, i{e.bits} %sx{i}, i64 0",
                f"  %switch{i} = shufflevector {e.vector} %si{i}, {e.vector} poison, "
                f"<{e.lanes} x i32> zeroinitializer",
            ]
        lines += [
            "  br label %head",
            "head:",
            "  %k = phi i64 [0, %entry], [%knext, %tail]",
            "  %m = phi i64 [0, %entry], [%mnext, %tail]",
        ]
        for i in range(self.plan.flag_words):
            zero = "zeroinitializer"
            lines.append(
                f"  %seen{i} = phi <{e.lanes} x i32> [{zero}, %entry], [%seennext{i}, %tail]"
            )
        lines += [
            "  %more = icmp slt i64 %k, %n",
            "  br i1 %more, label %body, label %exit",
            "body:",
        ]
        return "\n".join([*lines, *self._loads()])

    def _loads(self) -> list[str]:
        """Load V states and give every bin of them a name."""
        e, words = self.e, self.words
        many = e.lanes * words
        lines = [
            f"  %at = mul i64 %k, {words}",
            "  %src = getelementptr i64, ptr %in, i64 %at",
            f"  %raw = load <{many} x i64>, ptr %src, align 8",
        ]
        if e.bits == 64:
            for w in range(words):
                lines.append(_shuffle(f"%bin{w}", "%raw", many, "i64", range(w, many, words)))
            return lines
        lines.append(f"  %half = bitcast <{many} x i64> %raw to <{2 * many} x i32>")
        for b in range(2 * words):
            picked = range(b, 2 * many, 2 * words)
            lines.append(_shuffle(f"%bin{b}", "%half", 2 * many, "i32", picked))
        return lines

    # -- the data flow --------------------------------------------------------------------------
    def _block(self) -> None:
        e, plan = self.e, self.plan
        flags = ["zeroinitializer" for _ in range(plan.flag_words)]
        seen = ["zeroinitializer" for _ in range(plan.flag_words)]
        masks = ["zeroinitializer" for _ in range(self.masks)]
        stop = None
        for word, bit, node in plan.state_flags:
            flags[word] = self._mark(flags[word], node, bit)
        for word, bit, node in plan.state_seen:
            seen[word] = self._mark(seen[word], node, bit)
        if plan.stops is not None:
            stop = self.e.value(plan.stops)
        for number, case in enumerate(plan.cases):
            for word, bit, node in case.flags:
                flags[word] = self._mark(flags[word], node, bit)
            for word, bit, node in case.seen:
                seen[word] = self._mark(seen[word], node, bit)
            masks[number // 32] = self._mark(masks[number // 32], case.happens, number % 32)
            self._store_row(number, e.packed(case.writes))
            if case.label is not None:
                self._store_label(number, case.label)
        self._finish(flags, seen, masks, stop)

    def _mark(self, flags: str, node: Node, bit: int) -> str:
        """Set one bit of 32 in the lanes in which a truth holds."""
        e = self.e
        t = f"<{e.lanes} x i32>"
        if node.constant == 0:
            return flags
        value = 1 << bit
        one = "<" + ", ".join([f"i32 {_signed(value, 32)}"] * e.lanes) + ">"
        chosen = e.new(f"select {e.mask} {e.value(node)}, {t} {one}, {t} zeroinitializer")
        return chosen if flags == "zeroinitializer" else e.new(f"or {t} {flags}, {chosen}")

    def _store_row(self, number: int, bins: list[str]) -> None:
        """Store the successors of all lanes, word by word, to the row of one case."""
        e = self.e
        for w in range(self.words):
            if e.bits == 64:
                row, t = bins[w], f"<{e.lanes} x i64>"
            else:
                order = [i // 2 + (i % 2) * e.lanes for i in range(2 * e.lanes)]
                picks = ", ".join(f"i32 {i}" for i in order)
                row = e.new(
                    f"shufflevector {e.vector} {bins[2 * w]}, {e.vector} {bins[2 * w + 1]}, "
                    f"<{2 * e.lanes} x i32> <{picks}>"
                )
                t = f"<{2 * e.lanes} x i32>"
            place = (number * self.words + w) * e.lanes
            at = e.new(f"getelementptr i64, ptr %scratch, i64 {place}")
            e.lines.append(f"  store {t} {row}, ptr {at}, align 8")

    def _store_label(self, number: int, label: Node) -> None:
        e = self.e
        value = e.value(label)
        at = e.new(f"getelementptr i64, ptr %scratch, i64 {self._label_row}")
        at = e.new(f"getelementptr i16, ptr {at}, i64 {number * e.lanes}")
        short = e.new(f"trunc {e.vector} {value} to <{e.lanes} x i16>")
        e.lines.append(f"  store <{e.lanes} x i16> {short}, ptr {at}, align 2")

    @property
    def _label_row(self) -> int:
        return len(self.plan.cases) * self.words * self.lanes + self.masks * self.lanes

    def _finish(
        self, flags: list[str], seen: list[str], masks: list[str], stop: str | None
    ) -> None:
        """Mask the lanes past the end, keep the flags, and spill the masks for copying out."""
        e = self.e
        t, t64 = f"<{e.lanes} x i32>", f"<{e.lanes} x i64>"
        first = e.new(f"insertelement {t64} poison, i64 %k, i64 0")
        same = e.new(
            f"shufflevector {t64} {first}, {t64} poison, <{e.lanes} x i32> zeroinitializer"
        )
        ramp = "<" + ", ".join(f"i64 {i}" for i in range(e.lanes)) + ">"
        lane = e.new(f"add {t64} {same}, {ramp}")
        limit = e.new(f"insertelement {t64} poison, i64 %n, i64 0")
        limit = e.new(
            f"shufflevector {t64} {limit}, {t64} poison, <{e.lanes} x i32> zeroinitializer"
        )
        live = e.new(f"icmp slt {t64} {lane}, {limit}")
        rows = len(self.plan.cases) * self.words * e.lanes
        going = live
        if stop is not None:
            goes = e.new(f"xor {e.mask} {stop}, {e.truth(True)}")
            going = e.new(f"and {e.mask} {live}, {goes}")
        for i, mask in enumerate(masks):
            kept = e.new(f"select {e.mask} {going}, {t} {mask}, {t} zeroinitializer")
            at = e.new(f"getelementptr i64, ptr %scratch, i64 {rows}")
            at = e.new(f"getelementptr i32, ptr {at}, i64 {i * e.lanes}")
            e.lines.append(f"  store {t} {kept}, ptr {at}, align 4")
        count = self.plan.flag_words
        for i in range(count):
            kept = e.new(f"select {e.mask} {live}, {t} {flags[i]}, {t} zeroinitializer")
            at = e.new(f"getelementptr i32, ptr %flags, i64 {i}")
            at = e.new(f"getelementptr i32, ptr {at}, i64 %kflags")
            for j in range(e.lanes if count > 1 else 0):
                item = e.new(f"extractelement {t} {kept}, i64 {j}")
                spot = e.new(f"getelementptr i32, ptr {at}, i64 {j * count}")
                e.lines.append(f"  store i32 {item}, ptr {spot}")
            if count == 1:
                e.lines.append(f"  store {t} {kept}, ptr {at}, align 4")
            now = e.new(f"select {e.mask} {live}, {t} {seen[i]}, {t} zeroinitializer")
            e.lines.append(f"  %seennext{i} = or {t} %seen{i}, {now}")
        e.lines.insert(0, f"  %kflags = mul i64 %k, {count}")

    # -- copying out ----------------------------------------------------------------------------
    def _tail(self) -> str:
        e, words = self.e, self.words
        rows = len(self.plan.cases) * words * e.lanes
        lines = [
            "  br label %lane",
            "lane:",
            "  %l = phi i64 [0, %body], [%lnext, %lanedone]",
            "  %ml = phi i64 [%m, %body], [%mlast, %lanedone]",
            "  %kl = add i64 %k, %l",
            "  %op = getelementptr i32, ptr %offsets, i64 %kl",
            "  %ot = trunc i64 %ml to i32",
            "  store i32 %ot, ptr %op",
            f"  %masks = getelementptr i64, ptr %scratch, i64 {rows}",
            "  br label %mask0",
        ]
        previous, current = "lane", "%ml"
        for i in range(self.masks):
            lines += self._copy_mask(i, previous, current)
            previous, current = f"mask{i}", f"%mm{i}"
        lines += [
            f"mask{self.masks}:",
            f"  %mlast = phi i64 [{current}, %{previous}]",
            "  br label %lanedone",
            "lanedone:",
            "  %lnext = add i64 %l, 1",
            f"  %lmore = icmp slt i64 %lnext, {e.lanes}",
            "  br i1 %lmore, label %lane, label %tail",
            "tail:",
            "  %mnext = add i64 %mlast, 0",
            f"  %knext = add i64 %k, {e.lanes}",
            "  br label %head",
            "exit:",
            "  %op2 = getelementptr i32, ptr %offsets, i64 %n",
            "  %ot2 = trunc i64 %m to i32",
            "  store i32 %ot2, ptr %op2",
        ]
        for i in range(self.plan.flag_words):
            lines += [
                f"  %all{i} = call i32 @llvm.vector.reduce.or.v{e.lanes}i32"
                f"(<{e.lanes} x i32> %seen{i})",
                f"  %sp_{i} = getelementptr i32, ptr %seen, i64 {i}",
                f"  %so_{i} = load i32, ptr %sp_{i}",
                f"  %sn_{i} = or i32 %so_{i}, %all{i}",
                f"  store i32 %sn_{i}, ptr %sp_{i}",
            ]
        return "\n".join([*lines, "  ret i64 %m", "}", ""])

    def _copy_mask(self, i: int, previous: str, current: str) -> list[str]:
        """Copy the successors of one lane whose bits are set in one mask word."""
        e, words = self.e, self.words
        lines = [
            f"mask{i}:",
            f"  %mm{i} = phi i64 [{current}, %{previous}], [%mi{i}, %copy{i}]",
            f"  %mp{i} = phi i32 [-1, %{previous}], [%mc{i}, %copy{i}]",
            f"  %ma{i} = getelementptr i32, ptr %masks, i64 {i * e.lanes}",
            f"  %mb{i} = getelementptr i32, ptr %ma{i}, i64 %l",
            f"  %mv{i} = load i32, ptr %mb{i}",
            f"  %mr{i} = and i32 %mv{i}, %mp{i}",
            f"  %mz{i} = icmp eq i32 %mr{i}, 0",
            f"  br i1 %mz{i}, label %mask{i + 1}, label %copy{i}",
            f"copy{i}:",
            f"  %ct{i} = call i32 @llvm.cttz.i32(i32 %mr{i}, i1 true)",
            f"  %md{i} = sub i32 %mr{i}, 1",
            f"  %mc{i} = and i32 %mr{i}, %md{i}",
            f"  %cx{i} = zext i32 %ct{i} to i64",
            f"  %cc{i} = add i64 %cx{i}, {32 * i}",
            f"  %cr{i} = mul i64 %cc{i}, {words * e.lanes}",
            f"  %cl{i} = add i64 %cr{i}, %l",
            f"  %co{i} = mul i64 %mm{i}, {words}",
        ]
        for w in range(words):
            lines += [
                f"  %ci{i}_{w} = add i64 %cl{i}, {w * e.lanes}",
                f"  %cp{i}_{w} = getelementptr i64, ptr %scratch, i64 %ci{i}_{w}",
                f"  %cv{i}_{w} = load i64, ptr %cp{i}_{w}",
                f"  %cq{i}_{w} = add i64 %co{i}, {w}",
                f"  %cd{i}_{w} = getelementptr i64, ptr %out, i64 %cq{i}_{w}",
                f"  store i64 %cv{i}_{w}, ptr %cd{i}_{w}",
            ]
        if self.plan.cases[0].label is not None:
            lines += [
                f"  %la{i} = getelementptr i64, ptr %scratch, i64 {self._label_row}",
                f"  %lb{i} = mul i64 %cc{i}, {e.lanes}",
                f"  %lc{i} = add i64 %lb{i}, %l",
                f"  %ld{i} = getelementptr i16, ptr %la{i}, i64 %lc{i}",
                f"  %le{i} = load i16, ptr %ld{i}",
                f"  %lf{i} = getelementptr i16, ptr %labels, i64 %mm{i}",
                f"  store i16 %le{i}, ptr %lf{i}",
            ]
        return [*lines, f"  %mi{i} = add i64 %mm{i}, 1", f"  br label %mask{i}"]

    @property
    def scratch_words(self) -> int:
        """Return how many 64-bit words of scratch the kernel needs."""
        return self._label_row + len(self.plan.cases) * self.lanes // 4 + 8


def _shuffle(name: str, source: str, size: int, kind: str, picks: Iterable[int]) -> str:
    chosen = ", ".join(f"i32 {i}" for i in picks)
    lanes = chosen.count("i32")
    return (
        f"  {name} = shufflevector <{size} x {kind}> {source}, <{size} x {kind}> poison, "
        f"<{lanes} x i32> <{chosen}>"
    )
