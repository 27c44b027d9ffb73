"""Readers: a function of one's own that makes an event of the log format of one record.

Its file is executed, as a model file is. What it returns is read like a line of a log.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

from fencecheck.errors import nearest
from fencecheck.runs.logged.log import LogError
from fencecheck.runs.logged.reading import Reader


def load_reader(reference: str) -> Reader:
    """Return the function that ``FILE.py:FUNCTION`` names; raises LogError where there is none."""
    file, colon, name = reference.rpartition(":")
    if not colon or not file.endswith(".py") or not name.isidentifier():
        raise LogError([f"--reader {reference}: write FILE.py:FUNCTION"])
    path = Path(file)
    if not path.is_file():
        raise LogError([f"--reader {reference}: there is no file {file}"])
    module = _executed(path, reference)
    function = getattr(module, name, None)
    if not callable(function):
        known = [n for n, v in vars(module).items() if callable(v) and not n.startswith("_")]
        listed = ", ".join(known) or "no function"
        raise LogError([f"--reader {reference}: {file} has {listed}{nearest(name, known)}"])
    reader: Reader = function
    return reader


def _executed(path: Path, reference: str) -> Any:
    spec = importlib.util.spec_from_file_location("fencecheck_log_reader", path.resolve())
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise LogError([f"--reader {reference}: {type(error).__name__}: {error}"]) from None
    return module
