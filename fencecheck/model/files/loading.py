"""Load a model: a built-in family by name, or one's own from a Python file.

A model file is executed, as a test file is by a test runner; callers that must not do so ask for
built-in models only. Gives a Family whose ``reference`` is what a trace or a result names it by.
A family is loaded once, one of one's own again where its file, or a module that it imports, has
another text than before. What else a model reads while it is executed, data files and the
environment say, is not watched: ``forget_models`` is for that.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import re
import threading
from contextlib import suppress
from pathlib import Path
from types import ModuleType

from fencecheck.errors import FencecheckError, ModelError, UsageError, nearest
from fencecheck.model.family import Family
from fencecheck.model.files.texts import execute_module, forget_changed, from_text, named_file, near
from fencecheck.model.mistakes.gathering import Following, apart, times_wrong, together
from fencecheck.model.mistakes.refused import RefusedDeclaration, declaring
from fencecheck.model.ordinary import in_words, place_of_error
from fencecheck.model.parts import Model
from fencecheck.model.system import System
from fencecheck.model.time_limit import TimeUp, time_to_load

_loaded: dict[str, Family] = {}
_loading = threading.RLock()
_PLACED = re.compile(r"[^\n]+\.py:(\d+| line \d+): ")


def builtin_models() -> list[str]:
    """Return the names of the built-in families."""
    package = importlib.import_module("fencecheck.models")
    names = [m.name for m in pkgutil.iter_modules(package.__path__)]
    with from_text():
        found = [(name, importlib.import_module(f"fencecheck.models.{name}")) for name in names]
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
        path: Path | None = ((folder or Path.cwd()) / named_file(reference)).resolve()
        key = str(path)
    else:
        if not _is_builtin(reference):
            names = builtin_models()
            raise UsageError(
                f'"{reference}" is not a built-in model ({", ".join(names)}) '
                f"nor a .py file{nearest(reference, names)}"
            )
        key, path = reference, None
    with _loading:
        if path is not None and forget_changed():
            _drop_own()
        if key not in _loaded:
            _loaded[key] = _load(reference, key, path)
        return _loaded[key]


def forget_models() -> None:
    """Have models of one's own executed again when they are next loaded, whatever changed."""
    with _loading:
        forget_changed(always=True)
        _drop_own()


def _drop_own() -> None:
    for known in [known for known in _loaded if known.endswith(".py")]:
        del _loaded[known]


def _load(reference: str, key: str, path: Path | None) -> Family:
    """Return a family with every function lowered once, so that all its mistakes come now.

    Where that takes longer than it may they come when the model is asked.
    """
    with together():
        family = Family(_builtin(reference) if path is None else _from_file(path, reference))
        family.reference = key
        with suppress(TimeUp), time_to_load():
            design = family.default_design()
            with apart():
                design = family.design()
            System(family, design)
    return family


def _is_builtin(name: str) -> bool:
    """Tell whether a family of that name ships, without loading any other."""
    if not name.isidentifier() or importlib.util.find_spec(f"fencecheck.models.{name}") is None:
        return False
    return isinstance(getattr(_module(name), "model", None), Model)


def _module(name: str) -> ModuleType:
    with from_text():
        return importlib.import_module(f"fencecheck.models.{name}")


def _builtin(name: str) -> Model:
    model: Model = _module(name).model
    return model


def _from_file(path: Path, shown: str) -> Model:
    if not path.is_file():
        raise UsageError(f"{shown}: there is no such file")
    try:
        with declaring(near(str(path)), shown):
            module = execute_module(path)
    except (KeyboardInterrupt, MemoryError):
        raise
    except BaseException as error:
        raise _told(error, path, shown) from None
    model = getattr(module, "model", None)
    if not isinstance(model, Model):
        raise ModelError(f"{shown}: it defines no model; write model = Model(...) at top level")
    return model


def _told(error: BaseException, path: Path, shown: str) -> ModelError:
    """Return what went wrong while a model file was executed, with the model's own line."""
    said = str(error) if isinstance(error, FencecheckError) else in_words(error)
    if times_wrong() and RefusedDeclaration.__name__ in said:
        return Following(said)
    if not (isinstance(error, FencecheckError) and _PLACED.match(said)):
        said = f"{place_of_error(error) or f'{shown}: '}{said}"
    own = near(str(path))
    told = ModelError(shown + said.removeprefix(own) if said.startswith(own) else said)
    told.at = getattr(error, "at", None)
    if told.at is None and (found := re.match(rf"{re.escape(own)}:(\d+): ", said)):
        told.at = str(path), int(found[1]), *_columns(error)
    return told


def _columns(error: BaseException) -> tuple[int | None, int | None]:
    """Return where in its line Python found a mistake of syntax."""
    if not isinstance(error, SyntaxError) or not error.offset or error.text is None:
        return None, None
    ends = (error.offset, error.end_offset or error.offset + 1)
    start, end = (len(error.text[: max(0, at - 1)].encode()) for at in ends)
    return start, max(end, start + 1)
