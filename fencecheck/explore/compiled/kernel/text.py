"""Write the successor kernel of a model as LLVM IR: a loop over blocks of states.

``V`` states are expanded at a time, one in each vector lane. What every state needs is computed
straight on; what only some kinds of event need lies in regions that are jumped over where no lane
needs it (see ``regions``). Every way an action can happen writes its successor to scratch memory
and sets its bit in a mask; then, lane by lane, the successors that exist are copied out, so that
they leave in the order of states and, within a state, of actions (see ``rows``). A model in which
states are alike keeps of each successor its representative, in place of it (see ``rewriting``).

    i64 kernel(in, n, out, offsets, switches, flags, seen, scratch, labels)

in: n states of W words; out: successors; offsets: u32 of n + 1, where each state's successors
start; labels: u16 of each successor, where the plan labels edges; switches: i32 ranks of the
mechanisms; flags: u32 of n x F, which properties break at each state (layout in ``Plan``); seen:
u32 of F, triggers that occurred, then a bit for each case that happened. Returns how many
successors. ``in`` may be read, and ``flags`` and ``offsets`` written, up to V - 1 entries past n.
"""

from __future__ import annotations

from fencecheck.explore.compiled.kernel.blocks import loads
from fencecheck.explore.compiled.kernel.emit import RARELY, Emitter, signed
from fencecheck.explore.compiled.kernel.plan import KernelPlan
from fencecheck.explore.compiled.kernel.regions import JumpRegion, regions_of
from fencecheck.explore.compiled.kernel.rewriting import CALL, rewriting
from fencecheck.explore.compiled.kernel.rows import ScratchRows
from fencecheck.explore.compiled.storage.packing import Packing
from fencecheck.model.lower.dag import Node

MANY = 1024  # cases of a region: LLVM is slow over long rows of `or`


class KernelText:
    """Builds the text of one kernel from its plan."""

    def __init__(self, plan: KernelPlan, packing: Packing) -> None:
        self.plan, self.packing = plan, packing
        self.e = Emitter(packing, {name: i for i, name in enumerate(plan.switches)})
        self.words, self.lanes = packing.words, self.e.lanes
        self.rows = ScratchRows(plan, packing, self.lanes)
        self.masks = self.rows.masks
        self.blocks = 0
        self.needed = dict[tuple[int, ...], str]()

    def text(self) -> str:
        """Return the IR of the module."""
        self._block()
        head, tail = self._head(), self._tail()
        body, declared = "\n".join(self.e.lines), self.e.declared
        if self.plan.representative is not None:
            function, more = rewriting(self.packing, self.plan.representative)
            tail, declared = tail + function, declared | more
        return "\n".join([*sorted(declared), *self.rows.tables(), head, body, tail, RARELY])

    def _head(self) -> str:
        e = self.e
        lines = [
            "declare i32 @llvm.cttz.i32(i32, i1)",
            f"declare i32 @llvm.vector.reduce.or.v{e.lanes}i32(<{e.lanes} x i32>)",
            f"declare i1 @llvm.vector.reduce.or.v{e.lanes}i1({e.mask})",
            "define i64 @kernel(ptr noalias %in, i64 %n, ptr noalias %made, ptr noalias %offsets, "
            "ptr noalias %switches, ptr noalias %flags_out, ptr noalias %seen, "
            "ptr noalias %scratch, ptr noalias %labels) {",
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
        lines += [f"  {name} = alloca <{e.lanes} x i32>" for name in self._sums()]
        lines += e.never()
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
        for i in range(self.masks):
            zero = "zeroinitializer"
            lines.append(
                f"  %had{i} = phi <{e.lanes} x i32> [{zero}, %entry], [%hadnext{i}, %tail]"
            )
        lines += [
            "  %more = icmp slt i64 %k, %n",
            "  br i1 %more, label %body, label %exit",
            "body:",
        ]
        return "\n".join([*lines, *self._loads()])

    def _loads(self) -> list[str]:
        """Load V states and give every bin of them a name."""
        return [
            f"  %at = mul i64 %k, {self.words}",
            "  %src = getelementptr i64, ptr %in, i64 %at",
            *loads(self.e, self.words, "%src"),
        ]

    # -- the data flow --------------------------------------------------------------------------
    def _block(self) -> None:
        e, plan = self.e, self.plan
        for name in self._sums():
            e.lines.append(f"  store <{e.lanes} x i32> zeroinitializer, ptr {name}")
        whole = regions_of(plan)
        for node in whole.nodes:
            e.value(node)
        for word, bit, node in plan.state_flags:
            self._mark(f"%flags{word}", node, bit)
        for word, bit, node in plan.state_seen:
            self._mark(f"%found{word}", node, bit)
        for part in whole.parts:
            self._region(part)
        self._finish(e.value(plan.stops) if plan.stops is not None else None)

    def _sums(self) -> list[str]:
        """Return the names of the vectors in which flags, triggers and masks are collected."""
        words = range(self.plan.flag_words)
        marks = [f"%{kind}{w}" for kind in ("flags", "found") for w in words]
        return [*marks, *(f"%masks{i}" for i in range(self.masks))]

    def _region(self, region: JumpRegion) -> None:
        """Compute a region, unless none of its cases is enabled in any lane."""
        e = self.e
        if not region.worth_a_jump:
            self._inside(region)
            return
        needed = self._needed(region)
        some = e.new(f"call i1 @llvm.vector.reduce.or.v{e.lanes}i1({e.mask} {needed})")
        self.blocks += 1
        inside, after = f"inside{self.blocks}", f"after{self.blocks}"
        e.lines.append(f"  br i1 {some}, label %{inside}, label %{after}")
        e.begin(inside)
        self._inside(region)
        e.lines.append(f"  br label %{after}")
        e.begin(after)

    def _needed(self, region: JumpRegion) -> str:
        """Return the lanes in which any case of a region is enabled.

        Many cases are asked part by part, and what is found is kept for the jumps over the parts.
        """
        if region.cases in self.needed:
            return self.needed[region.cases]
        e, cases = self.e, self.plan.cases
        if len(region.cases) < MANY:
            asked = dict.fromkeys(cases[c].enabled for c in region.cases)
            found = [e.value(condition) for condition in asked]
        else:
            found = [self._needed(part) for part in region.parts]
        needed = found[0]
        for other in found[1:]:
            e.end_long_block()
            needed = e.new(f"or {e.mask} {needed}, {other}")
        self.needed[region.cases] = needed
        return needed

    def _inside(self, region: JumpRegion) -> None:
        for node in region.nodes:
            self.e.value(node)
        for part in region.parts:
            self._region(part)
        if not region.parts:
            self._case(region.cases[0])

    def _case(self, number: int) -> None:
        case = self.plan.cases[number]
        for word, bit, node in case.flags:
            self._mark(f"%flags{word}", node, bit)
        for word, bit, node in case.seen:
            self._mark(f"%found{word}", node, bit)
        self._mark(f"%masks{number // 32}", case.happens, number % 32)
        self._store_row(number, self.e.packed(case.writes))
        if case.label is not None:
            self._store_label(number, case.label)

    def _mark(self, name: str, node: Node, bit: int) -> None:
        """Set one bit of 32 in the lanes in which a truth holds."""
        e = self.e
        t = f"<{e.lanes} x i32>"
        if node.constant == 0:
            return
        one = "<" + ", ".join([f"i32 {signed(1 << bit, 32)}"] * e.lanes) + ">"
        chosen = e.new(f"select {e.mask} {e.value(node)}, {t} {one}, {t} zeroinitializer")
        before = e.new(f"load {t}, ptr {name}")
        e.lines.append(f"  store {t} {e.new(f'or {t} {before}, {chosen}')}, ptr {name}")

    def _store_row(self, number: int, bins: list[str]) -> None:
        """Store the successors of all lanes, word by word, to the rows of one case."""
        e = self.e
        for row_number, w in enumerate(self.rows.of_case[number], self.rows.first[number]):
            e.end_long_block()
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
            at = e.new(f"getelementptr i64, ptr %scratch, i64 {row_number * e.lanes}")
            e.lines.append(f"  store {t} {row}, ptr {at}, align 8")

    def _store_label(self, number: int, label: Node) -> None:
        e = self.e
        value = e.value(label)
        at = e.new(f"getelementptr i64, ptr %scratch, i64 {self.rows.labels_at}")
        at = e.new(f"getelementptr i16, ptr {at}, i64 {number * e.lanes}")
        short = e.new(f"trunc {e.vector} {value} to <{e.lanes} x i16>")
        e.lines.append(f"  store <{e.lanes} x i16> {short}, ptr {at}, align 2")

    def _finish(self, stop: str | None) -> None:
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
        going = live
        if stop is not None:
            goes = e.new(f"xor {e.mask} {stop}, {e.truth(True)}")
            going = e.new(f"and {e.mask} {live}, {goes}")
        for i in range(self.masks):
            e.end_long_block()
            mask = e.new(f"load {t}, ptr %masks{i}")
            kept = e.new(f"select {e.mask} {going}, {t} {mask}, {t} zeroinitializer")
            at = e.new(f"getelementptr i64, ptr %scratch, i64 {self.rows.masks_at}")
            at = e.new(f"getelementptr i32, ptr {at}, i64 {i * e.lanes}")
            e.lines.append(f"  store {t} {kept}, ptr {at}, align 4")
            e.lines.append(f"  %hadnext{i} = or {t} %had{i}, {kept}")
        count = self.plan.flag_words
        for i in range(count):
            broken = e.new(f"load {t}, ptr %flags{i}")
            kept = e.new(f"select {e.mask} {live}, {t} {broken}, {t} zeroinitializer")
            at = e.new(f"getelementptr i32, ptr %flags_out, i64 {i}")
            at = e.new(f"getelementptr i32, ptr {at}, i64 %kflags")
            for j in range(e.lanes if count > 1 else 0):
                item = e.new(f"extractelement {t} {kept}, i64 {j}")
                spot = e.new(f"getelementptr i32, ptr {at}, i64 {j * count}")
                e.lines.append(f"  store i32 {item}, ptr {spot}")
            if count == 1:
                e.lines.append(f"  store {t} {kept}, ptr {at}, align 4")
            found = e.new(f"load {t}, ptr %found{i}")
            now = e.new(f"select {e.mask} {live}, {t} {found}, {t} zeroinitializer")
            e.lines.append(f"  %seennext{i} = or {t} %seen{i}, {now}")
        e.lines.insert(0, f"  %kflags = mul i64 %k, {count}")

    # -- behind the data flow -------------------------------------------------------------------
    def _tail(self) -> str:
        e = self.e
        lines = [
            "  br label %out",
            *self.rows.copied_out(),
            "exit:",
            "  %op2 = getelementptr i32, ptr %offsets, i64 %n",
            "  %ot2 = trunc i64 %m to i32",
            "  store i32 %ot2, ptr %op2",
        ]
        sums = [f"%seen{i}" for i in range(self.plan.flag_words)]
        sums += [f"%had{i}" for i in range(self.masks)]
        for i, name in enumerate(sums):
            lines += [
                f"  %all{i} = call i32 @llvm.vector.reduce.or.v{e.lanes}i32"
                f"(<{e.lanes} x i32> {name})",
                f"  %sp_{i} = getelementptr i32, ptr %seen, i64 {i}",
                f"  %so_{i} = load i32, ptr %sp_{i}",
                f"  %sn_{i} = or i32 %so_{i}, %all{i}",
                f"  store i32 %sn_{i}, ptr %sp_{i}",
            ]
        lines += [CALL] if self.plan.representative is not None else []
        lines += ["  ret i64 %m", *self.e.stuck("ret i64 -1"), "}", ""]
        return "\n".join(lines)

    @property
    def scratch_words(self) -> int:
        """Return how many 64-bit words of scratch the kernel needs."""
        return self.rows.size
