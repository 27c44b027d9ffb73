"""Designs that both engines explore: every model, several structures, every value of a switch."""

from __future__ import annotations

from typing import Any

from fencecheck.errors import DesignError
from fencecheck.model.family import Family
from fencecheck.model.files.loading import load_family
from fencecheck.model.parts import Model
from fencecheck.model.system import System
from tests.models_for_tests import features, pipelined, queue, two_phase

Design = tuple[str, dict[str, str], dict[str, int]]

OWN: dict[str, Model] = {
    "pipelined": pipelined.model,
    "two_phase": two_phase.model,
    "features": features.model,
    "queue": queue.model,
    "lossy": queue.lossy,
}
FENCE = {"steps": 2, "edits": 1, "lost_replies": 1}
LEDGER = {"revocations": 1, "lost_acks": 1}

STRUCTURES: list[Design] = [
    ("fence", {}, {"steps": 1}),
    ("fence", {"fence": "plan", "retry": "same"}, {**FENCE, "duplicates": 1}),
    ("fence", {"fence": "step", "journal": "atomic", "retry": "same"}, {"files": 2, "swaps": 1}),
    ("fence", {"compensation": "full", "fence": "step"}, {"steps": 3, "truncations": 1}),
    ("ledger", {"lease": "none"}, {"revocations": 1, "expiries": 1}),
    ("ledger", {"commit": "separate", "look": "split"}, {"duplicates": 1, "edits": 1}),
    ("pipelined", {}, {"steps": 2, "edits": 1, "retries": 1, "duplicates": 1}),
    ("pipelined", {"fenced": "off"}, {"steps": 2, "edits": 1, "lost_acks": 1}),
    ("two_phase", {}, {"managers": 3}),
    ("queue", {}, {"items": 3, "losses": 2}),
    ("lossy", {}, {"items": 3, "losses": 2}),
    ("features", {}, {"faults": 1}),
]


def _values(model: str, bounds: dict[str, int]) -> list[Design]:
    """Return designs with one switch turned, for each value that the model's rules allow."""
    family, found = family_of(model), list[Design]()
    for mechanism in family.declared.mechanisms:
        for value in mechanism.values:
            if value != mechanism.default:
                try:
                    family.design({mechanism.name: value}, bounds)
                except DesignError:
                    continue
                found.append((model, {mechanism.name: value}, bounds))
    return found


def family_of(model: str) -> Family:
    """Return a built-in family, or one of the models for tests."""
    return Family(OWN[model]) if model in OWN else load_family(model)


SWITCHES = _values("fence", FENCE) + _values("ledger", LEDGER)


def label(design: Design) -> str:
    """Return a test's name for a design."""
    model, mechanisms, bounds = design
    parts: list[Any] = [model, *(f"{k}={v}" for k, v in {**mechanisms, **bounds}.items())]
    return "-".join(parts)


def system(design: Design) -> System:
    """Return a design ready to run."""
    model, mechanisms, bounds = design
    family = family_of(model)
    return System(family, family.design(mechanisms, bounds))
