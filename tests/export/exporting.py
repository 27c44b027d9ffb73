"""What the tests of exported models share: models as text, and golden files.

After a change that is meant, write the golden files anew with
    FENCECHECK_WRITE_GOLDEN=1 python -m pytest tests/export
and read the difference before committing it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from fencecheck.analysis.crosscheck.exported import ExportedDesign, export_design
from fencecheck.checking.question import Options
from fencecheck.model.family import Family
from fencecheck.model.parts import Model

GOLDEN = Path(__file__).parent / "golden"


def exported(
    model: Model | Family,
    mechanisms: Any = None,
    options: Options | None = None,
    **bounds: int,
) -> ExportedDesign:
    """Return a design of a model with all its properties, ready to be written."""
    family = model if isinstance(model, Family) else Family(model)
    names = [prop.name for prop in family.declared.properties]
    return export_design(family, family.design(mechanisms, bounds), names, options or Options())


def check_golden_text(name: str, text: str) -> None:
    """Compare a text with its golden file, or write the file where the environment asks for it."""
    path = GOLDEN / name
    if os.environ.get("FENCECHECK_WRITE_GOLDEN") == "1":
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8"), f"{path} differs; see the docstring of exporting.py"
