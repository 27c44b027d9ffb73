"""What is kept on disk from one run to the next, in one folder: kernels, and what they come from.

An entry is named by a digest of all that it was made from, and carries a digest of its own content;
one that is damaged counts as none. It is written whole or not at all, whoever writes beside. A
folder that cannot be written costs time and nothing else.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

_DIGEST = 32


def cache_folder() -> Path:
    """Return the folder of what is kept (FENCECHECK_CACHE, else the user's cache)."""
    named = os.environ.get("FENCECHECK_CACHE")
    if named:
        return Path(named)
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(home) / "fencecheck" / "kernels"


def digest_of_texts(texts: Iterable[str]) -> str:
    """Return a digest of some texts, in which it matters where one ends."""
    joined = "\0".join(texts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(joined).hexdigest()


@functools.cache
def digest_of_sources(place: Path) -> str:
    """Return a digest of the text of a Python file, or of all in a folder, as they are now."""
    digest = hashlib.sha256()
    for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
        digest.update(path.name.encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def kept_entry(name: str) -> bytes | None:
    """Return what is kept under a name; None if there is nothing or it is damaged."""
    try:
        content = (cache_folder() / name).read_bytes()
    except OSError:
        return None
    digest, kept = content[:_DIGEST], content[_DIGEST:]
    return kept if kept and hashlib.sha256(kept).digest() == digest else None


def keep_entry(name: str, content: bytes) -> None:
    """Keep something under a name, if that can be done."""
    with contextlib.suppress(OSError):
        path = cache_folder() / name
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, part = tempfile.mkstemp(dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(content).digest() + content)
            os.replace(part, path)
        except OSError:
            os.unlink(part)
