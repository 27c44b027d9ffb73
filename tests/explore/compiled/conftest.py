"""Kernels compiled by these tests are kept between test runs, away from the user's own cache."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def kernel_cache(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Point FENCECHECK_CACHE into pytest's own cache folder."""
    assert request.config.cache is not None
    monkeypatch.setenv("FENCECHECK_CACHE", str(request.config.cache.mkdir("kernels")))
