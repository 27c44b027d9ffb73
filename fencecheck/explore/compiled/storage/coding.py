"""Coding: how states stand in the log, by words or as keys.

A state of two to five words is kept as a key: each of its words has a number in an exact dictionary
of its own, and the numbers, beside each other, are one word, which the table takes as it takes a
state of one word. Where there are more values than a key has numbers for, keys become wider. States
that are more or less all made of words of their own are kept by words: dictionaries would only add.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fencecheck.explore.compiled import loop
from fencecheck.explore.compiled.loops import slots

Ints = npt.NDArray[np.int64]

_FIRST_BITS = 12  # of a number in a key
_QUICK_BITS = 16  # below, a key gets two more bits at a time, from here on one
_SPARE = 1024  # numbers that threads may give beyond what there is room for; none is all ones
_MOST_BITS, _MOST_WORDS = 63, 5  # of a key, and of a state that is kept as one
_WORTH = 12  # bytes of dictionaries to each state: with more, its words are no longer


def bytes_of_state(words: int, used: int) -> int:
    """Return how many bytes a state takes in the log where it is kept by words."""
    return -(-used // 8) if words == 1 else 8 * words


def by_words(words: int, used: int) -> Ints:
    """Return the coding of states of ``used`` bits in so many words, kept by words."""
    numbers = np.zeros(slots.FIRST_PART + slots.PART * words, np.int64)
    numbers[slots.STATE_WORDS], numbers[slots.STATE_SIZE] = words, bytes_of_state(words, used)
    return numbers


@dataclass(frozen=True)
class _Dictionary:
    """Words by number, and the places where numbers are found by words."""

    bits: int
    values: npt.NDArray[np.uint64]
    places: npt.NDArray[np.uint64]

    @classmethod
    def empty(cls, bits: int) -> _Dictionary:
        return cls(bits, np.empty(1 << bits, np.uint64), np.zeros(4 << bits, np.uint64))

    @property
    def last(self) -> int:
        """Return the last place: each is a word and its number."""
        return len(self.places) // 2 - 1

    @property
    def bytes(self) -> int:
        return self.values.nbytes + self.places.nbytes

    def larger(self, bits: int) -> _Dictionary:
        made = self.empty(bits)
        made.values[: len(self.values)] = self.values
        loop.refill_places(self.places, len(self.places) // 2, made.places, made.last)
        return made


class Coding:
    """``numbers`` is how loops read and write states, as loops.slots tells; ``kind`` is the words
    and bits that the table sees of them.
    """

    def __init__(self, words: int, used: int) -> None:
        self.words, self._used = words, used
        self.numbers = by_words(words, used)
        self._dictionaries: list[_Dictionary] = []
        if 1 < words <= _MOST_WORDS:
            self._take([_Dictionary.empty(_FIRST_BITS) for _ in range(words)], [0] * words)

    def _take(self, dictionaries: list[_Dictionary], held: list[int]) -> None:
        self._dictionaries = dictionaries
        numbers, shift = self.numbers, 0
        numbers[slots.KEYED], numbers[slots.STATE_SIZE] = 1, 8
        for word, each in enumerate(dictionaries):
            part = numbers[slots.FIRST_PART + word * slots.PART :][: slots.PART]
            part[slots.VALUES], part[slots.PLACES] = (
                each.values.ctypes.data,
                each.places.ctypes.data,
            )
            part[slots.LAST_PLACE] = each.last
            part[slots.HELD], part[slots.MOST_HELD] = held[word], (1 << each.bits) - _SPARE
            part[slots.KEY_SHIFT], part[slots.KEY_BITS] = shift, each.bits
            shift += each.bits

    @property
    def keyed(self) -> bool:
        """Tell whether states are kept as keys."""
        return bool(self.numbers[slots.KEYED])

    @property
    def kind(self) -> tuple[int, int]:
        """Return how many words and bits of a state the table sees."""
        if self.keyed:
            return 1, sum(each.bits for each in self._dictionaries)
        return self.words, self._used

    @property
    def size(self) -> int:
        """Return how many bytes a state takes in the log."""
        return int(self.numbers[slots.STATE_SIZE])

    @property
    def bytes(self) -> int:
        """Return the bytes of the dictionaries."""
        return sum(each.bytes for each in self._dictionaries)

    def _parts(self) -> Any:
        return self.numbers[slots.FIRST_PART :].reshape(self.words, slots.PART)

    @property
    def full(self) -> bool:
        """Tell whether a dictionary takes no more words."""
        parts = self._parts()
        return self.keyed and bool((parts[:, slots.HELD] >= parts[:, slots.MOST_HELD]).any())

    def wider(self, states: int) -> Coding | None:
        """Return a coding with room in all dictionaries; None where it is not worth it any more.

        ``states`` is how many are kept.
        """
        parts = self._parts()
        held = parts[:, slots.HELD].tolist()
        full = (parts[:, slots.HELD] >= parts[:, slots.MOST_HELD]).tolist()
        bits = [
            each.bits + (0 if not more else 2 if each.bits < _QUICK_BITS else 1)
            for each, more in zip(self._dictionaries, full, strict=True)
        ]
        large = max(bits) > _QUICK_BITS and 40 * sum(1 << b for b in bits) > _WORTH * states
        if sum(bits) > _MOST_BITS or large:
            return None
        made = Coding(self.words, self._used)
        made._take(
            [
                e if e.bits == b else e.larger(b)
                for e, b in zip(self._dictionaries, bits, strict=True)
            ],
            held,
        )
        return made

    def plain(self) -> Coding:
        """Return a coding that keeps the same states by words."""
        made = Coding(self.words, self._used)
        made.numbers, made._dictionaries = by_words(self.words, self._used), []
        return made

    def become(self, wider: Coding) -> None:
        """Keep what another coding needs, whose numbers this one's have become."""
        self._dictionaries = wider._dictionaries
