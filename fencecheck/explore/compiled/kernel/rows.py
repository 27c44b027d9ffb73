"""Copy the successors of a block of states out of scratch memory, in the order of states.

In scratch memory each case has a row for each word that it changes, a lane each; then come the
masks that tell which cases happened, then a row of labels for each case. Lane by lane and bit by
bit what happened is copied to where successors go. States of few words have a row for every word,
since copying all is faster than looking up which; of longer ones the words that a case leaves as
they were are copied from the state itself.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

from fencecheck.explore.compiled.kernel.emit import changed_fields
from fencecheck.explore.compiled.kernel.plan import KernelPlan
from fencecheck.explore.compiled.storage.packing import Packing

FEW = 4  # words of a state that are all copied
_AT_ONCE = 8  # words copied by one instruction


class ScratchRows:
    """Where the rows of each case, the masks and the labels stand, in 64-bit words."""

    def __init__(self, plan: KernelPlan, packing: Packing, lanes: int) -> None:
        self.words, self.lanes = packing.words, lanes
        self.labelled = bool(plan.cases) and plan.cases[0].label is not None
        self.masks = -(-len(plan.cases) // 32)
        everything = tuple(range(packing.words))
        self.whole = packing.words <= FEW
        self.of_case: list[tuple[int, ...]] = [
            everything if self.whole else _changed_words(packing, changed_fields(case.writes))
            for case in plan.cases
        ]
        self.first = [0, *itertools.accumulate(map(len, self.of_case))]
        self.masks_at = self.first[-1] * lanes
        self.labels_at = self.masks_at + self.masks * lanes

    @property
    def size(self) -> int:
        """Return how many 64-bit words of scratch the kernel needs."""
        return self.labels_at + len(self.of_case) * self.lanes // 4 + 8

    def tables(self) -> list[str]:
        """Return the tables of which rows a case has, and which word each holds."""
        if self.whole:
            return []
        words = list(itertools.chain(*self.of_case)) or [0]
        return [_table("first", self.first), _table("word", words)]

    def copied_out(self) -> list[str]:
        """Return the blocks from ``%out``, where a block of states is done, to ``%exit``."""
        return [
            "out:",
            "  br label %lane",
            "lane:",
            "  %l = phi i64 [0, %out], [%lnext, %lanedone]",
            "  %ml = phi i64 [%m, %out], [%mm, %lanedone]",
            "  %kl = add i64 %k, %l",
            "  %op = getelementptr i32, ptr %offsets, i64 %kl",
            "  %ot = trunc i64 %ml to i32",
            "  store i32 %ot, ptr %op",
            f"  %own = mul i64 %kl, {self.words}",
            "  %state = getelementptr i64, ptr %in, i64 %own",
            f"  %masks = getelementptr i64, ptr %scratch, i64 {self.masks_at}",
            "  br label %mask",
            *self._masks(),
            "lanedone:",
            "  %lnext = add i64 %l, 1",
            f"  %lmore = icmp slt i64 %lnext, {self.lanes}",
            "  br i1 %lmore, label %lane, label %tail",
            "tail:",
            "  %mnext = add i64 %mm, 0",
            f"  %knext = add i64 %k, {self.lanes}",
            "  br label %head",
        ]

    def _masks(self) -> list[str]:
        """Copy what happened in one lane, one mask of 32 cases after another."""
        if not self.masks:
            return ["mask:", "  %mm = add i64 %ml, 0", "  br label %lanedone"]
        return [
            "mask:",
            "  %i = phi i64 [0, %lane], [%inext, %maskdone]",
            "  %mb = phi i64 [%ml, %lane], [%mm, %maskdone]",
            f"  %mi = mul i64 %i, {self.lanes}",
            "  %mj = add i64 %mi, %l",
            "  %mp = getelementptr i32, ptr %masks, i64 %mj",
            "  %mv = load i32, ptr %mp",
            "  %ci = mul i64 %i, 32",
            "  br label %bit",
            "bit:",
            "  %mm = phi i64 [%mb, %mask], [%mnew, %copied]",
            "  %mr = phi i32 [%mv, %mask], [%mc, %copied]",
            "  %mz = icmp eq i32 %mr, 0",
            "  br i1 %mz, label %maskdone, label %copy",
            "copy:",
            "  %ct = call i32 @llvm.cttz.i32(i32 %mr, i1 true)",
            "  %md = sub i32 %mr, 1",
            "  %mc = and i32 %mr, %md",
            "  %cx = zext i32 %ct to i64",
            "  %cc = add i64 %cx, %ci",
            f"  %co = mul i64 %mm, {self.words}",
            "  %target = getelementptr i64, ptr %made, i64 %co",
            *(self._label() if self.labelled else ()),
            *(self._all_words() if self.whole else self._changed_words()),
            "  br label %copied",
            "copied:",
            "  %mnew = add i64 %mm, 1",
            "  br label %bit",
            "maskdone:",
            "  %inext = add i64 %i, 1",
            f"  %imore = icmp ult i64 %inext, {self.masks}",
            "  br i1 %imore, label %mask, label %lanedone",
        ]

    def _all_words(self) -> list[str]:
        lines = [f"  %cr = mul i64 %cc, {self.words * self.lanes}", "  %cl = add i64 %cr, %l"]
        for w in range(self.words):
            lines += [
                f"  %ci_{w} = add i64 %cl, {w * self.lanes}",
                f"  %cp_{w} = getelementptr i64, ptr %scratch, i64 %ci_{w}",
                f"  %cv_{w} = load i64, ptr %cp_{w}",
                f"  %cd_{w} = getelementptr i64, ptr %target, i64 {w}",
                f"  store i64 %cv_{w}, ptr %cd_{w}",
            ]
        return lines

    def _changed_words(self) -> list[str]:
        """Copy the state itself, then what stands in the rows of the case over it."""
        lines = list[str]()
        for w in range(0, self.words, _AT_ONCE):
            kind = f"<{min(_AT_ONCE, self.words - w)} x i64>"
            lines += [
                f"  %wp_{w} = getelementptr i64, ptr %state, i64 {w}",
                f"  %wv_{w} = load {kind}, ptr %wp_{w}, align 8",
                f"  %wd_{w} = getelementptr i64, ptr %target, i64 {w}",
                f"  store {kind} %wv_{w}, ptr %wd_{w}, align 8",
            ]
        return [
            *lines,
            "  %fp = getelementptr i32, ptr @first, i64 %cc",
            "  %fv = load i32, ptr %fp",
            "  %lp = getelementptr i32, ptr %fp, i64 1",
            "  %lv = load i32, ptr %lp",
            "  br label %row",
            "row:",
            "  %r = phi i32 [%fv, %copy], [%rnext, %over]",
            "  %rz = icmp eq i32 %r, %lv",
            "  br i1 %rz, label %rowsdone, label %over",
            "over:",
            "  %rx = zext i32 %r to i64",
            "  %wp = getelementptr i32, ptr @word, i64 %rx",
            "  %wo = load i32, ptr %wp",
            "  %wx = zext i32 %wo to i64",
            f"  %ra = mul i64 %rx, {self.lanes}",
            "  %rl = add i64 %ra, %l",
            "  %rp = getelementptr i64, ptr %scratch, i64 %rl",
            "  %rv = load i64, ptr %rp",
            "  %rd = getelementptr i64, ptr %target, i64 %wx",
            "  store i64 %rv, ptr %rd",
            "  %rnext = add i32 %r, 1",
            "  br label %row",
            "rowsdone:",
        ]

    def _label(self) -> list[str]:
        return [
            f"  %la = getelementptr i64, ptr %scratch, i64 {self.labels_at}",
            f"  %lb = mul i64 %cc, {self.lanes}",
            "  %lc = add i64 %lb, %l",
            "  %ld = getelementptr i16, ptr %la, i64 %lc",
            "  %le = load i16, ptr %ld",
            "  %lf = getelementptr i16, ptr %labels, i64 %mm",
            "  store i16 %le, ptr %lf",
        ]


def _changed_words(packing: Packing, fields: Iterable[int]) -> tuple[int, ...]:
    places = [packing.places[number] for number in fields]
    return tuple(sorted({p.bin * packing.width // 64 for p in places if p.bits}))


def _table(name: str, values: Sequence[int]) -> str:
    content = ", ".join(f"i32 {value}" for value in values)
    return f"@{name} = private unnamed_addr constant [{len(values)} x i32] [{content}]"
