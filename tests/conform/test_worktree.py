"""A git worktree whose pushes carry leases is a step fence; one that pushes by force is none."""

from __future__ import annotations

import pytest

from fencecheck.conform import Adapter
from fencecheck.spec.values import Overrides
from tests.conform.driving import DESIGNS, divergences, driven, spec_of
from tests.conform.systems.worktree import Forcing, Worktree

pytestmark = pytest.mark.slow
ONE_STEP = Overrides(bounds={"steps": 1, "preemptions": 1})


@pytest.mark.parametrize(
    ("kind", "expected"), [(Worktree, []), (Forcing, [(3, "executor.reject")])]
)
def test_a_push_with_a_lease_is_a_step_fence(
    kind: type[Adapter], expected: list[tuple[int, str]]
) -> None:
    """Driven through every event, argument and outcome of the design, in folders of their own."""
    spec = spec_of(DESIGNS / "step_fence.toml", over=ONE_STEP)
    found = driven(spec, kind, by="runs", cover="events", most=1)
    assert [(events, name) for events, name, _ in divergences(found)] == expected
