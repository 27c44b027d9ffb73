"""What the tests of runs share: one design checked, by a model's name or file."""

from __future__ import annotations

from collections.abc import Mapping

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Question
from fencecheck.checking.results import VariantResult
from fencecheck.model.declaring.any_number import HowMany
from fencecheck.model.files.loading import load_family


def check(
    model: str,
    mechanisms: Mapping[str, str] | None = None,
    bounds: Mapping[str, HowMany] | None = None,
) -> VariantResult:
    """Return what comes out for one design of a model, every property asked."""
    family = load_family(model)
    design = family.design(mechanisms, bounds)
    return check_design(family, design, Question(tuple(family.properties)))
