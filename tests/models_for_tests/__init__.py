"""Small models whose answers are known, and one for each feature of the modelling language.

``load`` makes a model out of source text, for tests that write their own.
"""

from __future__ import annotations

import importlib.util
import itertools
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fencecheck.model.family import Family
from fencecheck.model.parts import Model
from fencecheck.model.system import System

_numbers = itertools.count()
HEADER = "from fencecheck.model import *\nfrom fencecheck.model import bag, replace\n"


def load(folder: Path, text: str) -> Any:
    """Write ``text`` to a new file of ``folder`` and return the module it makes."""
    name = f"written_model_{next(_numbers)}"
    path = folder / f"{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    finally:
        del sys.modules[name]
    return module


def system_of(
    model: Model, mechanisms: Mapping[str, Any] | None = None, /, **bounds: int
) -> System:
    """Return ``model`` ready to run with a design of these mechanisms and bounds."""
    family = Family(model)
    return System(family, family.design(mechanisms, bounds))
