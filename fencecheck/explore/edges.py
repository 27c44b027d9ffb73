"""EdgeArrays: the edges of a whole state graph as arrays, with labels, and truths of its states.

Either engine's StateGraph gives them once a search is complete; properties/ works on nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from fencecheck.model.lower.dag import Node
from fencecheck.model.lower.lowered import Lowered
from fencecheck.model.property import Function
from fencecheck.runs.fairness import Classes

TRUTHS_IN_A_WORD = 32


@dataclass(frozen=True)
class LastingTruth:
    """A truth of states that is asked of a whole graph: ``part`` of the property ``name``.

    ``instance`` is the number of the value for which the property promises something.
    """

    name: str
    instance: int
    part: Literal["holds", "trigger"]
    function: Function

    def node(self, lowered: Lowered) -> Node:
        """Return it in the lowered form."""
        form = lowered.form_of(self.name, self.instance)
        return form.holds if self.part == "holds" else form.trigger


@dataclass(frozen=True)
class EdgeArrays:
    """The edges of a complete graph, by source in order of number.

    The edges of state s are ``offsets[s]`` .. ``offsets[s + 1]``, in the order of its events;
    ``labels`` are numbers of fairness ``classes``. ``marks[s]`` has bit i set, 32 to a word, where
    truth i holds in state s. ``held`` has, for the classes of system events that a bound ever held
    back, where it does, as 0 and 1: what happened beyond there was not searched.
    """

    offsets: npt.NDArray[np.int64]
    targets: npt.NDArray[np.uint32]
    labels: npt.NDArray[np.uint16]
    marks: npt.NDArray[np.uint32]
    classes: Classes
    held: dict[int, npt.NDArray[np.uint8]] = field(default_factory=dict)

    def holds(self, truth: int) -> npt.NDArray[np.uint8]:
        """Return where a truth holds, as 0 and 1."""
        return holds_in(self.marks, truth)


def holds_in(marks: npt.NDArray[np.uint32], truth: int) -> npt.NDArray[np.uint8]:
    """Return in which rows of marks the bit of a truth is set, as 0 and 1."""
    word, bit = divmod(truth, TRUTHS_IN_A_WORD)
    return (marks[:, word] >> np.uint32(bit) & np.uint32(1)).astype(np.uint8)


class Met(NamedTuple):
    """What there is in a whole graph: truths that hold somewhere, and nowhere not; labels."""

    somewhere: frozenset[int]
    everywhere: frozenset[int]
    labels: frozenset[int]
