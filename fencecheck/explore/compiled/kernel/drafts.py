"""Drafts of kernels: all that is known before the machine code, which is kept from run to run.

A draft is named by the name of the lowering, by what the kernel is for, and by the text of what
plans and writes kernels. One that is kept spares planning it and writing its text; that is written
only where the machine code has to be made again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fencecheck.explore import edges
from fencecheck.explore.compiled.kernel.plan import KernelPlan
from fencecheck.explore.compiled.kernel.signs import KernelSigns
from fencecheck.explore.compiled.kernel.text import KernelText
from fencecheck.explore.compiled.storage.packing import FieldPlace, Packing, pack_fields
from fencecheck.model.files.kept import digest_of_sources, digest_of_texts, keep_entry, kept_entry
from fencecheck.model.lower.dag import Node, nodes_of
from fencecheck.model.lower.layout import Layout
from fencecheck.model.lower.lowered import Lowered

_NARROW = 1 << 31
_WRONG = (ValueError, TypeError, KeyError, AttributeError)


@dataclass(frozen=True)
class KernelDraft:
    """What a kernel is made from; ``digest`` is of its ``text``, which a kept one is without."""

    signs: KernelSigns
    packing: Packing
    digest: str
    lanes: int
    scratch_words: int
    text: str = ""


@dataclass(frozen=True)
class Wanted:
    """A kernel that is wanted: what it is ``of``, in words, and how it is planned.

    The plan comes with the fairness classes that its last predicates are about. ``packing`` is
    given where states are packed already.
    """

    of: Sequence[object]
    plan: Callable[[], tuple[KernelPlan, Sequence[int]]]
    packing: Packing | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """Return what tells it from other kernels of one lowering."""
        return (*self.of, self.packing)

    def name(self, lowered: Lowered) -> str:
        """Return the name under which its draft is kept; empty where it cannot be."""
        if not lowered.name:
            return ""
        places = Path(__file__).parents[1], Path(edges.__file__)  # all that plans and packs
        own = map(digest_of_sources, places)
        asked = map(repr, (self.packing, *self.of))
        return digest_of_texts([lowered.name, *own, *asked]) + ".draft"


def kept_draft(lowered: Lowered, wanted: Wanted) -> KernelDraft | None:
    """Return the draft of a kernel if it is kept: without its text."""
    name = wanted.name(lowered)
    content = kept_entry(name) if name else None
    try:
        return None if content is None else _read(content.decode())
    except _WRONG:
        return None


def whole_draft(lowered: Lowered, wanted: Wanted) -> KernelDraft:
    """Return the draft of a kernel with its text, and keep it."""
    plan, classes = wanted.plan()
    packed, narrow = wanted.packing, _fits_31_bits(plan.nodes(), lowered.layout)
    if packed is None:
        packed = pack_fields(lowered.layout, narrow=narrow)
    elif packed.width == 32 and not narrow:
        packed = packed.widened()
    builder = KernelText(plan, packed)
    text, signs = builder.text(), replace(plan.signs(), classes=tuple(classes))
    digest = digest_of_texts([text])
    draft = KernelDraft(signs, packed, digest, builder.lanes, builder.scratch_words, text)
    if name := wanted.name(lowered):
        keep_entry(name, _as_text(draft).encode())
    return draft


def _fits_31_bits(nodes: list[Node], layout: Layout) -> bool:
    values = all(n.low >= -_NARROW and n.high < _NARROW for n in nodes_of(nodes))
    return values and all(f.bits < 32 for f in layout.fields)


def _as_text(draft: KernelDraft) -> str:
    signs, packed = draft.signs, draft.packing
    return json.dumps(
        {
            "switches": signs.switches,
            "bits": list(signs.bits.items()),
            "cut": signs.cut,
            "held": [[*pair, bit] for pair, bit in signs.held.items()],
            "actions": signs.actions,
            "classes": signs.classes,
            "places": [[p.bin, p.shift, p.bits, p.low, p.high] for p in packed.places],
            "packing": [packed.width, packed.words, packed.used],
            "kernel": [draft.digest, draft.lanes, draft.scratch_words],
        }
    )


def _read(text: str) -> KernelDraft:
    told = json.loads(text)
    signs = KernelSigns(
        tuple(told["switches"]),
        {name: (word, bit) for name, (word, bit) in told["bits"]},
        None if told["cut"] is None else (told["cut"][0], told["cut"][1]),
        {(action, bound): (word, bit) for action, bound, (word, bit) in told["held"]},
        tuple(told["actions"]),
        tuple(told["classes"]),
    )
    packed = Packing(tuple(FieldPlace(*place) for place in told["places"]), *told["packing"])
    digest, lanes, scratch_words = told["kernel"]
    return KernelDraft(signs, packed, digest, lanes, scratch_words)
