"""State machines for Hypothesis out of adapters."""

from __future__ import annotations

import unittest

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from fencecheck import conform
from fencecheck.analysis.driving.calling import AdapterError
from fencecheck.errors import UsageError
from tests.conform.driving import OURS
from tests.conform.systems.letters import Letters, Miscounting

LETTERS = OURS / "letters.toml"
FEW = settings(max_examples=15, stateful_step_count=12, derandomize=True, deadline=None)


def test_a_right_implementation_passes() -> None:
    """Its rules are the events of the design."""
    made = conform.machine(Letters, LETTERS, "at once")
    run_state_machine_as_test(made, settings=FEW)
    assert hasattr(made, "receiver_take")
    assert issubclass(made.TestCase, unittest.TestCase)


def test_a_wrong_one_fails_with_what_differs() -> None:
    """Shrunk by Hypothesis to the two events that are needed."""
    with pytest.raises(AssertionError, match=r"shelf\.count: 1 in the model, 0 in the impl"):
        run_state_machine_as_test(conform.machine(Miscounting, LETTERS, "at once"), settings=FEW)


def test_what_is_wrong_with_an_adapter_is_told_before_anything_runs() -> None:
    """As the command tells it."""
    with pytest.raises(AdapterError, match=r"no method takes receiver\.postpone"):
        conform.machine(Letters, LETTERS, "patient")
    with pytest.raises(UsageError, match="name one of at once, patient"):
        conform.machine(Letters, LETTERS)
