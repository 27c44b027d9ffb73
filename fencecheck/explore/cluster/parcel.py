"""Parcels: a family, or an adapter, as another process loads it, maybe without having its files."""

from __future__ import annotations

import functools
import hashlib
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from fencecheck.conform.adapter import Adapter
from fencecheck.conform.loading import load_adapter
from fencecheck.errors import UsageError
from fencecheck.model.family import Family
from fencecheck.model.files.loading import load_family
from fencecheck.model.files.texts import has_text, is_authors, python_text, texts_of_model
from fencecheck.version import __version__

_OURS = "fencecheck."


@dataclass(frozen=True)
class Parcel:
    """What a family is loaded from: its reference, and the texts of its author's files by path."""

    version: str
    reference: str
    texts: tuple[tuple[str, str], ...]
    folder: str

    def opened(self) -> Family:
        """Return the family, loaded once in a process.

        From its own files where they are as they were, else from copies. Raises UsageError for
        a parcel of another version, and for a model whose texts are not all of it.
        """
        return _opened(self)


def parcel_of(family: Family) -> Parcel:
    """Return the parcel of a family; raises UsageError for a model that no file holds."""
    reference = family.reference
    texts = texts_of_model(reference) if reference.endswith(".py") else {}
    if reference.endswith(".py") and reference not in texts:
        raise UsageError(
            f"model {family.name} was made in this process and is in no file; a cluster can only "
            "be sent a built-in model or a .py file"
        )
    return Parcel(__version__, reference, tuple(sorted(texts.items())), os.getcwd())


@dataclass(frozen=True)
class AdapterParcel:
    """What a class of adapters is loaded from, with the texts of what it imported.

    ``module`` is imported with the folder ``root`` first on the path, or ``file`` is executed.
    """

    version: str
    module: str
    file: str | None
    name: str
    root: str
    texts: tuple[tuple[str, str], ...]
    folder: str

    def opened(self) -> type[Adapter]:
        """Return the class, loaded once in a process; raises what loading it raises here too."""
        return _opened_adapter(self)


def parcel_of_adapter(kind: type[Adapter]) -> AdapterParcel:
    """Return the parcel of a class of adapters.

    With it go the modules below its folder and the current one that this process has loaded: what
    is imported only later is not among them. Raises UsageError for a class that no module holds.
    """
    module = sys.modules.get(kind.__module__)
    path = getattr(module, "__file__", None)
    held = getattr(module, kind.__qualname__, None) is kind
    if path is None or not held or kind.__module__ == "__main__":
        raise UsageError(
            f"adapter {kind.__qualname__} was made in this process and stands at the top level of "
            "no module; a cluster can only be sent one that does"
        )
    package = hasattr(module, "__path__")
    root = str(Path(path).parents[kind.__module__.count(".") + package])
    alone = None if package or "." in kind.__module__ else path
    texts, here = _texts_below((root, os.getcwd())), os.getcwd()
    return AdapterParcel(__version__, kind.__module__, alone, kind.__qualname__, root, texts, here)


def _texts_below(folders: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return by path the texts of the modules that were loaded from below folders."""
    found = {}
    for name, module in list(sys.modules.items()):
        path = getattr(module, "__file__", None) or ""
        below = path.endswith(".py") and any(Path(path).is_relative_to(f) for f in folders)
        if below and name != "__main__" and is_authors(path) and not name.startswith(_OURS):
            found[path] = python_text(path)
    return tuple(sorted(found.items()))


@functools.lru_cache(maxsize=64)
def _opened_adapter(parcel: AdapterParcel) -> type[Adapter]:
    _refuse_another(parcel.version)
    base = _root_of(parcel.texts) or Path("/")
    folder = base / parcel.folder.lstrip("/")
    if folder.is_dir():
        os.chdir(folder)  # errors name files by paths from there
    root = str(base / parcel.root.lstrip("/"))
    if root not in sys.path:
        sys.path.insert(0, root)
    file = None if parcel.file is None else str(base / parcel.file.lstrip("/"))
    return load_adapter(f"{file or parcel.module}:{parcel.name}")


def _refuse_another(version: str) -> None:
    """Raise UsageError for what another version of fencecheck asks."""
    if version != __version__:
        raise UsageError(
            f"this machine of the cluster has fencecheck {__version__}, and {version} asks: "
            "install the same version on all"
        )


@functools.lru_cache(maxsize=64)
def _opened(parcel: Parcel) -> Family:
    _refuse_another(parcel.version)
    if os.path.isdir(parcel.folder):
        os.chdir(parcel.folder)  # files are named by paths from there
    root = _root_of(parcel.texts)
    if root is None:
        return load_family(parcel.reference)
    try:
        family = load_family(str(root / parcel.reference.lstrip("/")))
    except UsageError as error:
        raise UsageError(
            f"the model cannot be loaded on a machine of the cluster: {error}"
        ) from None
    family.reference = parcel.reference
    return family


def _root_of(texts: tuple[tuple[str, str], ...]) -> Path | None:
    """Return the folder below which texts are at their paths: None where that is the root."""
    if all(has_text(path, text) for path, text in texts):
        return None
    return _copied(texts)


def _copied(texts: tuple[tuple[str, str], ...]) -> Path:
    """Return a folder that holds the texts at their paths, the same one for the same texts.

    Several processes may make it at once. Raises UsageError where somebody else's is in its place.
    """
    digest = hashlib.sha256(repr(texts).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    own = Path(tempfile.gettempdir()) / f"fencecheck-{os.getuid()}"
    own.mkdir(exist_ok=True, mode=0o700)
    if own.lstat().st_uid != os.getuid():
        raise UsageError(f"{own}: it belongs to somebody else; remove it, as code is kept there")
    for path, text in texts:
        copy = own / digest / path.lstrip("/")
        if has_text(str(copy), text):
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        part = copy.with_name(f"{copy.name}.{os.getpid()}")
        part.write_text(text, encoding="utf-8")
        part.replace(copy)
    return own / digest
