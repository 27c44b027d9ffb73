"""Models made up by chance mean the same in Python and in the lowered form."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.model.agreement import disagreement
from tests.models_for_tests import load, system_of
from tests.models_for_tests.random_models import model_texts


@settings(
    max_examples=25,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
@given(text=model_texts(), mode=st.sampled_from(("wide", "narrow")))
def test_random_models_agree(
    tmp_path_factory: pytest.TempPathFactory, text: str, mode: str
) -> None:
    """Guards, effects, properties and errors agree in every state visited."""
    module = load(tmp_path_factory.mktemp("chance"), text)
    system = system_of(module.model, {"mode": mode}, faults=1)
    assert disagreement(system, 30) is None
