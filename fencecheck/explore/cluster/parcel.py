"""Parcels: a family as another process can load it, on a machine that may not have its files."""

from __future__ import annotations

import functools
import hashlib
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from fencecheck.errors import InternalError, UsageError
from fencecheck.model.family import Family
from fencecheck.model.files.loading import load_family
from fencecheck.model.files.texts import has_text, texts_of_model
from fencecheck.version import __version__


@dataclass(frozen=True)
class Parcel:
    """What a family is loaded from: its reference, and the texts of its author's files by path."""

    version: str
    reference: str
    texts: tuple[tuple[str, str], ...]
    folder: str

    def opened(self) -> Family:
        """Return the family, loaded once in a process.

        From its own files where they are as they were, else from copies. Raises InternalError for
        a parcel of another version, and UsageError for a model whose texts are not all of it.
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


@functools.lru_cache(maxsize=64)
def _opened(parcel: Parcel) -> Family:
    if parcel.version != __version__:
        raise InternalError(
            f"this machine of the cluster has fencecheck {__version__}, and {parcel.version} asks: "
            "install the same version on all"
        )
    if os.path.isdir(parcel.folder):
        os.chdir(parcel.folder)  # files are named by paths from there
    if all(has_text(path, text) for path, text in parcel.texts):
        return load_family(parcel.reference)
    root = _copied(parcel.texts)
    try:
        family = load_family(str(root / parcel.reference.lstrip("/")))
    except UsageError as error:
        raise UsageError(
            f"the model cannot be loaded on a machine of the cluster: {error}"
        ) from None
    family.reference = parcel.reference
    return family


def _copied(texts: tuple[tuple[str, str], ...]) -> Path:
    """Return a folder that holds the texts at their paths, the same one for the same texts."""
    digest = hashlib.sha256(repr(texts).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    root = Path(tempfile.gettempdir()) / f"fencecheck-{os.getuid()}" / digest
    for path, text in texts:
        copy = root / path.lstrip("/")
        copy.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        copy.write_text(text, encoding="utf-8")
    return root
