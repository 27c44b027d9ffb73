"""Pack the fields of a state into 64-bit words, exactly.

Each field gets as many bits as its values need, and no field straddles a half word (where every
value fits 31 bits) or a word (otherwise). First fit, largest first; ties in the order of the
layout. A word's unused bits are zero, so equal states are equal words and the other way round.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from fencecheck.model.lower.layout import Field, Layout

Words = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class FieldPlace:
    """Where a field lies: which bin (half word or word), at which bit, how many bits."""

    bin: int
    shift: int
    bits: int
    low: int
    high: int


@dataclass(frozen=True)
class Packing:
    """How states of one layout are packed. ``width`` is the bits of a bin, 32 or 64."""

    places: tuple[FieldPlace, ...]
    width: int
    words: int
    used: int

    def pack(self, numbers: Sequence[int]) -> Words:
        """Return the words of a state given as flat numbers."""
        bins = [0] * (self.words * 64 // self.width)
        for place, number in zip(self.places, numbers, strict=True):
            bins[place.bin] |= (number - place.low) << place.shift
        if self.width == 64:
            return np.array(bins, np.uint64)
        halves = range(0, len(bins), 2)
        return np.array([bins[i] | bins[i + 1] << 32 for i in halves], np.uint64)

    def unpack(self, words: Sequence[int]) -> list[int]:
        """Return the flat numbers of packed words; the inverse of ``pack``."""
        found = []
        for place in self.places:
            word, shift = self.in_word(place)
            found.append((int(words[word]) >> shift & ((1 << place.bits) - 1)) + place.low)
        return found

    def in_word(self, place: FieldPlace) -> tuple[int, int]:
        """Return in which word a field lies, and at which bit of it."""
        per = 64 // self.width
        return place.bin // per, place.bin % per * self.width + place.shift

    def widened(self) -> Packing:
        """Return the same packing with whole words as bins: the same bits in the same places."""
        places = tuple(
            replace(p, bin=p.bin // 2, shift=p.shift + 32 * (p.bin % 2)) for p in self.places
        )
        return replace(self, places=places, width=64)


def pack_fields(layout: Layout, *, narrow: bool) -> Packing:
    """Return a packing into half words (``narrow``) or words."""
    width, room = (32, 32) if narrow else (64, 63)
    order = sorted(range(len(layout.fields)), key=lambda i: -layout.fields[i].bits)
    fill: list[int] = []
    spot: dict[int, tuple[int, int]] = {}
    for number in order:
        bits = layout.fields[number].bits
        target = next((b for b, used in enumerate(fill) if used + bits <= room), None)
        if target is None:
            target = len(fill)
            fill.append(0)
        spot[number] = (target, fill[target])
        fill[target] += bits
    places = tuple(_place(field, *spot[i]) for i, field in enumerate(layout.fields))
    words = max(1, -(-len(fill) * width // 64))
    last = fill[-1] if fill else 1
    used = max(1, (len(fill) - 1) * width + last) if fill else 1
    return Packing(places, width, words, used)


def _place(field: Field, target: int, shift: int) -> FieldPlace:
    return FieldPlace(target, shift, field.bits, field.low, field.high)
