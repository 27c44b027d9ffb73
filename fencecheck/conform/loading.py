"""Load what a command names in somebody's code: ``FILE.py:Name`` or ``package.module:Name``.

A file is executed as a module of its own name, with its folder first on the path, as a script is,
and the current folder behind that; modules are imported with the current folder first. Whatever
goes wrong in it is told in one line.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from fencecheck.conform.adapter import Adapter, is_adapter
from fencecheck.errors import UsageError, nearest
from fencecheck.model.ordinary import place_of_error


def load_adapter(reference: str) -> type[Adapter]:
    """Return the class of adapters that is named; raises UsageError where there is none."""
    found = load_named(reference, "Class")
    if not is_adapter(found):
        raise UsageError(
            f"{reference}: is no adapter; write a class that inherits from fencecheck.conform."
            "Adapter"
        )
    kind: type[Adapter] = found
    return kind


def load_named(reference: str, what: str) -> Any:
    """Return what a reference names; ``what`` it should be, for whoever wrote none."""
    place, colon, name = reference.rpartition(":")
    if not colon or not place or not name:
        raise UsageError(f"{reference}: write FILE.py:{what} or package.module:{what}")
    module = _module(place, reference)
    if not hasattr(module, name):
        names = [known for known in vars(module) if not known.startswith("_")]
        raise UsageError(f"{reference}: {place} has no {name}{nearest(name, names)}")
    return getattr(module, name)


def _module(place: str, reference: str) -> ModuleType:
    try:
        if place.endswith(".py"):
            return _executed(Path(place))
        _first_on_path(os.getcwd())
        return importlib.import_module(place)
    except (KeyboardInterrupt, MemoryError, UsageError):
        raise
    except BaseException as error:
        said = " ".join(str(error).split()) or type(error).__name__
        at = place_of_error(error).removesuffix(": ")
        where = f" ({at})" if at else ""
        raise UsageError(
            f"{reference}: cannot be loaded: {type(error).__name__}: {said}{where}"
        ) from None


def _executed(path: Path) -> ModuleType:
    if not path.is_file():
        raise UsageError(f"{path}: there is no such file")
    place = str(path.resolve())
    name = path.stem
    known = sys.modules.get(name)
    if known is not None:
        if getattr(known, "__file__", None) == place:
            return known
        name = f"fencecheck_adapter_{abs(hash(place)):x}"  # objects of its classes are pickled
    _first_on_path(os.getcwd())
    _first_on_path(str(path.resolve().parent))
    spec = importlib.util.spec_from_file_location(name, place)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _first_on_path(folder: str) -> None:
    if folder not in sys.path:
        sys.path.insert(0, folder)
