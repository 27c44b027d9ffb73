"""Models with several initial states: an adapter is told in which one a run begins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from fencecheck.conform import Adapter, on
from tests.conform.driving import OURS, divergences, driven, spec_of


class Anywhere(Adapter):
    """Begins where the run begins."""

    def __init__(self) -> None:
        self.at = 1

    def begin(self, initial: Mapping[str, Any]) -> None:
        self.at = int(initial["node.token"].removeprefix("n"))

    @on("node.hand_on")
    def hand_on(self, n: int) -> None:
        self.at = self.at % self.design["nodes"] + 1

    def observe(self) -> dict[str, Any]:
        return {"node.token": f"n{self.at}"}


class AlwaysFirst(Anywhere):
    """Begins in one of the initial states, whichever is asked for."""

    def begin(self, initial: Mapping[str, Any]) -> None: ...


class Nowhere(AlwaysFirst):
    """Begins in none of them."""

    def __init__(self) -> None:
        self.at = 7


@pytest.mark.parametrize("by", ["lockstep", "runs"])
@pytest.mark.parametrize(("kind", "pairs"), [(Anywhere, 15), (AlwaysFirst, 5)])
def test_every_initial_state_is_begun_in_that_the_adapter_can(
    kind: type[Adapter], pairs: int, by: str
) -> None:
    """One that it does not show is not tried; another one is."""
    found = driven(spec_of(OURS / "ring.toml"), kind, by=by)
    assert found["conforms"].verdict == "holds"
    conduct = found.exploration.conduct
    assert conduct is not None
    assert conduct.pairs == (pairs if by == "lockstep" else 0)


def test_an_adapter_that_begins_in_no_initial_state_diverges_before_any_event() -> None:
    """The trace has no event; the values that differ are those of the first initial state."""
    found = divergences(driven(spec_of(OURS / "ring.toml"), Nowhere))
    assert found == [(0, "", "node.token: n1 in the model, n7 in the implementation.")]
