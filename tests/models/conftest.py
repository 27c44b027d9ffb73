"""Fixtures for the tests of the built-in families."""

import pytest

from tests.models.ledger_runs import Explore, explorer


@pytest.fixture(scope="session")
def explored() -> Explore:
    """Explore a design of family ledger, each only once."""
    return explorer()
