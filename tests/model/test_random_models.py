"""Models made up by chance mean the same in Python and in the lowered form."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from tests.model.agreement import disagreement
from tests.models_for_tests import load, system_of
from tests.models_for_tests.random_models import model_texts


@settings(
    max_examples=40,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
@given(text=model_texts())
def test_random_models_agree(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    """Guards, effects, properties and errors agree in every state visited."""
    module = load(tmp_path_factory.mktemp("chance"), text)
    system = system_of(module.model, {"mode": "narrow"} if "z" in text[-40:] else {}, faults=1)
    assert disagreement(system, 40) is None
