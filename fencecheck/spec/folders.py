"""Which files of a folder are specs: its TOML files that name a model.

A folder goes in, paths come out. What is hidden (``.venv``) is left alone. A file whose ``model``
is misspelt, or that cannot be read, counts as a spec, so that its mistake is told instead of
passed over; so does every ``*.fence.toml``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path

from fencecheck.errors import UsageError, nearest

ENDING = ".fence.toml"
FOLDER = "specs"


def toml_below(folder: Path) -> tuple[list[Path], list[Path]]:
    """Return the specs below a folder, sorted, and the other TOML files there."""
    found = sorted(
        path
        for path in folder.rglob("*.toml")
        if path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    )
    specs = [path for path in found if is_spec(path)]
    return specs, [path for path in found if path not in set(specs)]


def none_below(others: Sequence[Path]) -> str:
    """Say that a folder holds no spec, ``others`` being the TOML files that it does hold."""
    naming = " that names a model" if others else ""
    return f"there is no *.toml{naming} below this folder"


def is_spec(path: Path) -> bool:
    """Tell whether a TOML file says that it is a spec."""
    if path.name.endswith(ENDING):
        return True
    try:
        keys = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return True
    return "model" in keys or bool(nearest("model", keys))


def specs_here(folder: Path) -> list[Path]:
    """Return what stands for the specs of a folder: its ``*.fence.toml``, and its ``specs/``.

    Where it has neither, what ``init`` writes counts: the TOML files in it that are specs.
    Raises UsageError where there is nothing.
    """
    files = sorted(path for path in folder.glob("*.toml") if path.is_file())
    found = [path for path in files if path.name.endswith(ENDING)]
    if (folder / FOLDER).is_dir():
        found.append(folder / FOLDER)
    found = found or [path for path in files if is_spec(path)]
    if not found:
        raise UsageError(
            f"there is no spec here: no *{ENDING}, no folder {FOLDER}/, no *.toml that names a "
            "model; name a SPEC or a folder of them (`fencecheck init DIR` writes a start)"
        )
    return found
