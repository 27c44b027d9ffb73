"""Write the function of a kernel that puts its successors' representatives in their places.

    void representatives(states, n)

states: n states of W words, each of which becomes its representative (model/lower/alike). Up to
V - 1 states past n may be rewritten as well.
"""

from __future__ import annotations

from fencecheck.explore.compiled.kernel.blocks import loads, stores
from fencecheck.explore.compiled.kernel.emit import Emitter
from fencecheck.explore.compiled.storage.packing import Packing
from fencecheck.model.lower.dag import Node

CALL = "  call void @representatives(ptr %made, i64 %m)"


def rewriting(packing: Packing, writes: dict[int, Node]) -> tuple[str, set[str]]:
    """Return the function that gives the fields ``writes`` new values, and what it declares."""
    e = Emitter(packing, {})
    bins = e.packed(writes)
    lines = [
        "define void @representatives(ptr noalias %states, i64 %n) noinline {",
        "entry:",
        *e.never(),
        "  br label %head",
        "head:",
        "  %k = phi i64 [0, %entry], [%knext, %done]",
        "  %more = icmp slt i64 %k, %n",
        "  br i1 %more, label %body, label %exit",
        "body:",
        f"  %at = mul i64 %k, {packing.words}",
        "  %block = getelementptr i64, ptr %states, i64 %at",
        *loads(e, packing.words, "%block"),
        *e.lines,
        *stores(e, bins, "%block"),
        "  br label %done",
        "done:",
        f"  %knext = add i64 %k, {e.lanes}",
        "  br label %head",
        "exit:",
        "  ret void",
        *e.stuck("ret void"),
        "}",
        "",
    ]
    return "\n".join(lines), e.declared
