"""Saved states of an implementation: kept as bytes, compared by what they hold.

``pack`` and ``unpack`` are pickle, which also takes an SQLite database in memory. ``content_key``
gives equal keys to values that hold the same and share the same parts, however they came about:
the order of a set, or which of two equal texts is one object, makes no difference.
"""

from __future__ import annotations

import copyreg
import io
import pickle
import shutil
import sqlite3
from collections.abc import Hashable
from pathlib import Path
from typing import Any

_PLAIN = (int, str, bytes, bool, float, complex, type(None), type(...))
Files = dict[str, bytes | None]


class Unsavable(Exception):
    """What cannot be saved, and why; the message is for people."""


class _Pickler(pickle.Pickler):
    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, sqlite3.Connection):
            _check(obj)
            return _opened, (type(obj), obj.serialize(), obj.isolation_level, obj.row_factory)
        return NotImplemented


def _check(connection: sqlite3.Connection) -> None:
    """Raise Unsavable for a database that is not all in memory, or in the midst of a change."""
    if connection.in_transaction:
        raise Unsavable("an SQLite connection is in a transaction: commit before the event returns")
    for _, name, file in connection.execute("pragma database_list").fetchall():
        if file and Path(file).exists():  # one in memory may have a name that is no file's
            raise Unsavable(
                f"the SQLite database {name} is a file: open it in every event, in the folder "
                "that the adapter names"
            )


def _opened(
    kind: type[sqlite3.Connection], content: bytes, isolation: Any, row_factory: Any
) -> sqlite3.Connection:
    connection = kind(":memory:", isolation_level=isolation, check_same_thread=False)
    connection.deserialize(content)
    connection.row_factory = row_factory
    return connection


def pack(value: Any) -> bytes:
    """Return a value as bytes; raises Unsavable where it cannot be pickled."""
    into = io.BytesIO()
    try:
        _Pickler(into, protocol=5).dump(value)
    except Unsavable:
        raise
    except Exception as error:
        raise Unsavable(f"{type(error).__name__}: {error}") from error
    return into.getvalue()


def unpack(content: bytes) -> Any:
    """Return what was packed, made anew."""
    return pickle.loads(content)


def why_unsavable(attributes: dict[str, Any]) -> str:
    """Return which of some attributes cannot be packed, and why; empty where all can."""
    for name, value in attributes.items():
        try:
            unpack(pack(value))
        except Exception as error:
            return f"{name}: {error}"
    return ""


def close_databases(attributes: dict[str, Any]) -> None:
    """Close the SQLite connections among some attributes, which are about to be replaced."""
    for value in attributes.values():
        if isinstance(value, sqlite3.Connection):
            value.close()


# -- folders ----------------------------------------------------------------------------------
def files_of(folder: str | Path | None) -> Files | None:
    """Return the content of every file below a folder, and None for every folder; None for none."""
    if folder is None:
        return None
    root = Path(folder)
    return {
        path.relative_to(root).as_posix(): path.read_bytes() if path.is_file() else None
        for path in sorted(root.rglob("*"))
    }


def put_files(folder: str | Path, files: Files) -> None:
    """Make a folder hold these files and nothing else."""
    root = Path(folder)
    for path in root.iterdir() if root.is_dir() else ():
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    root.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        if content is None:
            (root / name).mkdir(exist_ok=True)
        else:
            (root / name).write_bytes(content)


# -- what is compared -----------------------------------------------------------------------------
def content_key(value: Any) -> Hashable:
    """Return what a value is compared by; raises Unsavable where it cannot be taken apart."""
    try:
        return _key(value, {}, [])
    except RecursionError:
        raise Unsavable("it is nested too deeply") from None


def _key(value: Any, met: dict[int, int], alive: list[Any]) -> Hashable:
    """Return the key of a value; what can change and was ``met`` before is that very object."""
    kind = type(value)
    if kind in _PLAIN:
        return kind, value
    if isinstance(value, type) or (callable(value) and hasattr(value, "__qualname__")):
        return "name", getattr(value, "__module__", ""), value.__qualname__
    if kind is tuple:
        return kind, tuple([_key(item, met, alive) for item in value])
    if kind is frozenset:
        return kind, frozenset([_key(item, met, alive) for item in value])
    if not _by_value(kind):
        if id(value) in met:
            return "met", met[id(value)]
        met[id(value)] = len(met)
        alive.append(value)  # so that no other object takes its id meanwhile
    if kind is list:
        return kind, tuple([_key(item, met, alive) for item in value])
    if kind is dict:
        items = [(_key(k, met, alive), _key(v, met, alive)) for k, v in value.items()]
        return kind, tuple(items)
    if kind is set:
        return kind, frozenset([_key(item, met, alive) for item in value])
    if isinstance(value, sqlite3.Connection):
        return kind, tuple(value.iterdump())
    return kind, _key(_taken_apart(value), met, alive)


def _by_value(kind: type) -> bool:
    """Tell whether objects of a class are told apart by what they hold, and never change."""
    own: Any = kind.__hash__
    return own is not None and own is not object.__hash__


def _taken_apart(value: Any) -> Any:
    """Return what an object is made of, as pickle and copy see it."""
    reduce = copyreg.dispatch_table.get(type(value))
    try:
        parts = reduce(value) if reduce else value.__reduce_ex__(4)
    except Exception as error:
        raise Unsavable(f"{type(error).__name__}: {error}") from error
    if isinstance(parts, str):
        return parts
    made, args, *rest = parts
    state, items, pairs = (*rest[:3], None, None, None)[:3]
    return made, args, state, list(items or ()), list(pairs or ())
