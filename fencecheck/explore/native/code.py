"""Native code: loops over arrays that stand here as Python and run as machine code.

A text is a module whose functions numba can compile; ``NativeCode`` compiles the functions that
are declared, once, and keeps the machine code beside the kernels, by the content of the files that
it was made from. Where it is kept already neither the text nor numba is imported. An entry that is
damaged is made anew; where none can be written, each process compiles.

A function is declared as in C, with ``i64`` for a number and ``u64*``, ``i64*``, ``u32*``,
``i32*``, ``u16*`` or ``u8*`` for an array, which is handed over by its address; each returns an
``i64``. While one runs, other threads of Python go on.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import importlib.util
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fencecheck.errors import InternalError
from fencecheck.explore.machine import address_room

KINDS = {
    "u64": np.dtype(np.uint64),
    "i64": np.dtype(np.int64),
    "u32": np.dtype(np.uint32),
    "i32": np.dtype(np.int32),
    "u16": np.dtype(np.uint16),
    "u8": np.dtype(np.uint8),
}
_FUNCTION = re.compile(r"i64 (?P<name>\w+)\((?P<all>.*)\)")
_PARAMETER = re.compile(rf"(i64|(?P<kind>{'|'.join(KINDS)})\*) (?P<name>\w+)")


@dataclass(frozen=True)
class Prototype:
    """A declared function: ``kinds`` are the numbers its arguments are or point to."""

    name: str
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    pointers: tuple[bool, ...]

    @classmethod
    def read(cls, declaration: str) -> Prototype:
        """Read ``i64 name(u64* array, i64 count)``; raises InternalError where it is not so."""
        found = _FUNCTION.fullmatch(declaration)
        parts = [_PARAMETER.fullmatch(part) for part in found["all"].split(", ")] if found else []
        if found is None or not all(parts):
            raise InternalError(f"no declaration of a native function: {declaration}")
        read = [(p["name"], p["kind"] or "i64", p["kind"] is not None) for p in parts if p]
        return cls(found["name"], *zip(*read, strict=True))

    @property
    def call(self) -> Any:
        """Return the type of its address."""
        kinds = [ctypes.c_void_p if p else ctypes.c_int64 for p in self.pointers]
        return ctypes.CFUNCTYPE(ctypes.c_int64, *kinds)


class NativeCode:
    """The machine code of some modules of a package; its functions are what is declared of them."""

    def __init__(self, package: str, modules: Sequence[str]) -> None:
        self.package, self.modules = package, tuple(modules)
        self.declarations: list[str] = []

    def declare(self, declaration: str) -> Callable[..., int]:
        """Return a function of the text, to be called with numbers and arrays.

        Raises InternalError where an argument is no array of the kind declared.
        """
        prototype = Prototype.read(declaration)
        self.declarations.append(declaration)
        return _Function(self, prototype)

    def load(self) -> None:
        """Have the machine code there, so that no call of its functions takes memory for it."""
        _ = self._linked

    def address(self, name: str) -> int:
        """Return where the code of a function is."""
        found: int = self._linked.get_function_address(name)
        return found

    @functools.cached_property
    def _linked(self) -> Any:
        from fencecheck.explore.native.object_code import kept, linked

        return linked(kept(self._identity(), self._made))

    def _identity(self) -> str:
        """Return a digest of all that the code is made from, but for the tools."""
        digest = hashlib.sha256(repr(self.declarations).encode())
        maker = importlib.util.find_spec("fencecheck.explore.native.build")
        sources = [importlib.util.find_spec(f"{self.package}.{m}") for m in self.modules]
        for spec in [maker, *sources]:
            if spec is None or spec.origin is None:
                raise InternalError(f"a part of {self.package} is missing")
            digest.update(hashlib.sha256(Path(spec.origin).read_bytes()).digest())
        return digest.hexdigest()

    def _made(self) -> bytes:
        try:
            from fencecheck.explore.native.build import object_code

            names = [f"{self.package}.{module}" for module in self.modules]
            return object_code(names, [Prototype.read(d) for d in self.declarations])
        except (ImportError, OSError) as error:
            if address_room() is None:
                raise
            raise MemoryError(f"the compiler does not fit ({error})") from error


class _Function:
    """A declared function, that is looked for when it is first called."""

    def __init__(self, code: NativeCode, prototype: Prototype) -> None:
        self.code, self.prototype = code, prototype
        self.__name__ = prototype.name

    @functools.cached_property
    def _call(self) -> Any:
        return self.prototype.call(self.code.address(self.prototype.name))

    def __call__(self, *args: Any) -> int:
        given = [
            _address(array, kind, self.prototype) if pointer else array
            for array, kind, pointer in zip(
                args, self.prototype.kinds, self.prototype.pointers, strict=True
            )
        ]
        found: int = self._call(*given)
        return found


def _address(array: Any, kind: str, prototype: Prototype) -> int:
    """Return where an array lies, once it is sure that it is one of this kind."""
    if array.dtype != KINDS[kind] or not array.flags.c_contiguous:
        raise InternalError(f"{prototype.name} takes an array of {kind}, not of {array.dtype}")
    where: int = array.ctypes.data
    return where
