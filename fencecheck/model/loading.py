"""Load a model: a built-in family by name, or one's own from a Python file.

A model file is executed, as a test file is by a test runner; callers that must not do so ask for
built-in models only. Gives a Family, loaded once per process, whose ``reference`` is what a
trace or a result names it by.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import sys
import traceback
from pathlib import Path

from fencecheck.errors import FencecheckError, ModelError, UsageError, nearest
from fencecheck.model.family import Family
from fencecheck.model.parts import Model
from fencecheck.model.system import System

_loaded: dict[str, Family] = {}


def builtin_models() -> list[str]:
    """Return the names of the built-in families."""
    package = importlib.import_module("fencecheck.models")
    names = [m.name for m in pkgutil.iter_modules(package.__path__)]
    found = ((name, importlib.import_module(f"fencecheck.models.{name}")) for name in names)
    return sorted(
        name for name, module in found if isinstance(getattr(module, "model", None), Model)
    )


def load_family(
    reference: str, folder: Path | None = None, *, builtin_only: bool = False
) -> Family:
    """Return the family that ``reference`` names; a path is relative to ``folder``.

    Raises UsageError for an unknown name or file, ModelError (with file and line) for a model
    that cannot be loaded or is outside the subset.
    """
    if reference.endswith(".py"):
        if builtin_only:
            raise UsageError(f"{reference}: only built-in models are allowed here")
        path: Path | None = ((folder or Path.cwd()) / reference).resolve()
        key = str(path)
    else:
        if not _is_builtin(reference):
            names = builtin_models()
            raise UsageError(
                f'"{reference}" is not a built-in model ({", ".join(names)}) '
                f"nor a .py file{nearest(reference, names)}"
            )
        key, path = reference, None
    if key not in _loaded:
        family = Family(_builtin(reference) if path is None else _from_file(path, reference))
        family.reference = key
        System(family, family.design())  # lowers every function once, so errors come now
        _loaded[key] = family
    return _loaded[key]


def _is_builtin(name: str) -> bool:
    """Tell whether a family of that name ships, without loading any other."""
    if not name.isidentifier() or importlib.util.find_spec(f"fencecheck.models.{name}") is None:
        return False
    return isinstance(
        getattr(importlib.import_module(f"fencecheck.models.{name}"), "model", None), Model
    )


def _builtin(name: str) -> Model:
    model: Model = importlib.import_module(f"fencecheck.models.{name}").model
    return model


def _from_file(path: Path, shown: str) -> Model:
    if not path.is_file():
        raise UsageError(f"{shown}: there is no such file")
    name = f"fencecheck_model_{abs(hash(str(path)))}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except FencecheckError:
        raise
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        line = getattr(error, "lineno", None) if isinstance(error, SyntaxError) else last.lineno
        message = f"{shown}:{line}: {type(error).__name__}: {error}"
        raise ModelError(message) from None
    model = getattr(module, "model", None)
    if not isinstance(model, Model):
        raise ModelError(f"{shown}: it defines no model; write model = Model(...) at top level")
    return model
