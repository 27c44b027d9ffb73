"""Which owner has a state: by a hash of fields that seldom change, so that most stay at home."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fencecheck.explore.compiled.storage.packing import FieldPlace, Packing, Words

PARTS = 64  # parts of the states for each owner, dealt out by their sizes
_FEWEST = 8  # parts with states for each owner, so that later levels are even too
_EVEN = 1.1  # how many times the mean an owner may have
_MIX = np.uint64(0x9E3779B97F4A7C15)
_FOLD = np.uint64(32)


@dataclass(frozen=True)
class Dealing:
    """How states are dealt to owners: ``masks`` are the bits of each word that decide.

    ``owner_of`` has the owner of each part.
    """

    masks: tuple[int, ...]
    owner_of: npt.NDArray[np.int64]
    owners: int

    def parts(self, states: Words) -> npt.NDArray[np.int64]:
        """Return the part that each state belongs to; ``states`` has a row for each."""
        return _hashes(states, self.masks, len(self.owner_of))

    def of(self, states: Words) -> npt.NDArray[np.int64]:
        """Return the owner of each state."""
        return self.owner_of[self.parts(states)]


def dealt(packing: Packing, edges: tuple[Words, Words], states: Words, owners: int) -> Dealing:
    """Return how to deal ``states`` out: as few ``edges`` as possible lead to another owner.

    ``edges`` are rows of states and of a successor of each, a sample. Fields are taken in the
    order in which edges change them, those that change least first, until what they tell apart
    can be dealt evenly; parts go to whoever has fewest states so far, the largest first.
    """
    masks, dealing = [0] * packing.words, None
    for word, mask in _steadiest(packing, edges, states):
        masks[word] |= mask
        dealing, evenly = _by_sizes(tuple(masks), states, owners)
        if evenly:
            break
    return dealing or _by_sizes(tuple(masks), states, owners)[0]


def _by_sizes(masks: tuple[int, ...], states: Words, owners: int) -> tuple[Dealing, bool]:
    """Return how the masked bits deal states out, and whether that is evenly."""
    parts = owners * PARTS
    sizes = np.bincount(_hashes(states, masks, parts), minlength=parts)
    owner_of, load = np.zeros(parts, np.int64), [0] * owners
    for part in np.argsort(-sizes, kind="stable").tolist():
        least = min(range(owners), key=load.__getitem__)
        owner_of[part] = least
        load[least] += int(sizes[part]) + 1
    many = bool(np.count_nonzero(sizes) >= owners * _FEWEST)
    return Dealing(masks, owner_of, owners), many and max(load) * owners <= _EVEN * sum(load)


def _steadiest(
    packing: Packing, edges: tuple[Words, Words], states: Words
) -> list[tuple[int, int]]:
    """Return where the fields lie that differ among states, those that edges change least first."""
    changed, order = edges[0] ^ edges[1], []
    for number, place in enumerate(packing.places):
        word, mask = _bits(packing, place)
        column = states[:, word] & np.uint64(mask)
        if (column != column[:1]).any():
            share = np.count_nonzero(changed[:, word] & np.uint64(mask)) / max(1, len(changed))
            order.append((share, number, word, mask))
    return [(word, mask) for _, _, word, mask in sorted(order)]


def _bits(packing: Packing, place: FieldPlace) -> tuple[int, int]:
    """Return in which word a field lies, and its bits there."""
    word, shift = packing.in_word(place)
    return word, ((1 << place.bits) - 1) << shift


def _hashes(states: Words, masks: tuple[int, ...], size: int) -> npt.NDArray[np.int64]:
    """Return numbers below ``size`` that depend on the masked bits only."""
    x = np.zeros(len(states), np.uint64)
    for word, mask in enumerate(masks):
        if mask:
            x = (x ^ (states[:, word] & np.uint64(mask))) * _MIX
            x ^= x >> _FOLD
    x *= _MIX
    return ((x >> _FOLD) * np.uint64(size) >> _FOLD).astype(np.int64)  # no slow remainder
