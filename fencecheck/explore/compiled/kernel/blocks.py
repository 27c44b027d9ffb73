"""Blocks of states in a kernel: loaded so that each bin is a vector, and stored back.

States lie one after another, word by word; in a block each lane of a vector is one of them.
"""

from __future__ import annotations

from collections.abc import Iterable

from fencecheck.explore.compiled.kernel.emit import Emitter


def loads(e: Emitter, words: int, source: str) -> list[str]:
    """Return what loads a block of states from ``source`` and names every bin, ``%bin0`` on."""
    many = e.lanes * words
    lines = [f"  %raw = load <{many} x i64>, ptr {source}, align 8"]
    if e.bits == 64:
        picks = {w: range(w, many, words) for w in range(words)}
        return lines + [_shuffle(f"%bin{w}", "%raw", many, "i64", picks[w]) for w in picks]
    lines.append(f"  %half = bitcast <{many} x i64> %raw to <{2 * many} x i32>")
    for b in range(2 * words):
        lines.append(_shuffle(f"%bin{b}", "%half", 2 * many, "i32", range(b, 2 * many, 2 * words)))
    return lines


def stores(e: Emitter, bins: list[str], target: str) -> list[str]:
    """Return what stores the bins of a block at ``target`` as states; the inverse of ``loads``."""
    kind, size, lines, all_bins = f"i{e.bits}", e.lanes, list[str](), bins[0]
    for number, one in enumerate(bins[1:], 1):
        wide, both = f"%wide{number}", f"%both{number}"
        padded = [*range(e.lanes), *[0] * (size - e.lanes)]
        lines.append(_shuffle(wide, one, e.lanes, kind, padded))
        first, second = f"<{size} x {kind}> {all_bins}", f"<{size} x {kind}> {wide}"
        picks = ", ".join(f"i32 {i}" for i in range(size + e.lanes))
        lines.append(
            f"  {both} = shufflevector {first}, {second}, <{size + e.lanes} x i32> <{picks}>"
        )
        all_bins, size = both, size + e.lanes
    order = [b * e.lanes + lane for lane in range(e.lanes) for b in range(len(bins))]
    lines.append(_shuffle("%row", all_bins, size, kind, order))
    return [*lines, f"  store <{size} x {kind}> %row, ptr {target}, align 8"]


def _shuffle(name: str, source: str, size: int, kind: str, picks: Iterable[int]) -> str:
    chosen = [f"i32 {i}" for i in picks]
    return (
        f"  {name} = shufflevector <{size} x {kind}> {source}, <{size} x {kind}> poison, "
        f"<{len(chosen)} x i32> <{', '.join(chosen)}>"
    )
