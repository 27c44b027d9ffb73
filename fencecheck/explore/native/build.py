"""Make machine code of a text: numba translates each function, LLVM joins and optimises them.

What numba makes of a function takes pointers to its result and to an exception, and returns a
status. No function here can raise, so a wrapper with the plain signature is all that is needed to
call it from C, and nothing of Python is left in the code.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import llvmlite.binding as llvm
import numba

from fencecheck.errors import InternalError
from fencecheck.explore.native.code import KINDS, Prototype
from fencecheck.explore.native.object_code import optimised


def object_code(names: Sequence[str], prototypes: Sequence[Prototype]) -> bytes:
    """Return the object code of functions of the modules of some names, each under its own name.

    Raises InternalError where a function is missing, takes other arguments than those declared, or
    needs something that is not in the module, as what can raise or asks for memory does; OSError or
    ImportError where a module cannot be imported.
    """
    joined = llvm.parse_assembly("")
    with _unoptimised():
        modules = [importlib.import_module(name) for name in names]
        for prototype in prototypes:
            text, symbol = _translated(_function(modules, prototype), prototype)
            joined.link_in(llvm.parse_assembly(text))
            joined.link_in(llvm.parse_assembly(_wrapper(prototype, symbol)))
    own = {prototype.name for prototype in prototypes}
    for function in joined.functions:
        if not function.is_declaration and function.name not in own:
            function.linkage = "internal"
    code, needed = optimised(joined)
    if needed:
        raise InternalError(f"native code needs {', '.join(needed)}")
    return code


@contextmanager
def _unoptimised() -> Iterator[None]:
    """Have numba optimise nothing, best before what it compiles is imported: LLVM does it once."""
    level = numba.config.OPT
    numba.config.OPT = type(level)(0)
    try:
        yield
    finally:
        numba.config.OPT = level


def _function(modules: Sequence[ModuleType], prototype: Prototype) -> Any:
    """Return the function that is declared, as numba can compile it."""
    found = next((vars(m)[prototype.name] for m in modules if prototype.name in vars(m)), None)
    if found is None:
        raise InternalError(f"no module has the declared function {prototype.name}")
    if not hasattr(found, "py_func"):
        found = numba.njit(error_model="numpy", boundscheck=False)(found)
    code = found.py_func.__code__
    names = code.co_varnames[: code.co_argcount]
    if names != prototype.names:
        raise InternalError(f"{prototype.name} takes {names}, declared are {prototype.names}")
    return found


def _translated(function: Any, prototype: Prototype) -> tuple[str, str]:
    """Return what numba makes of a function, and the name that it has there."""
    numbers = [numba.from_dtype(KINDS[kind]) for kind in prototype.kinds]
    numbers = [
        numba.types.CPointer(number) if pointer else number
        for number, pointer in zip(numbers, prototype.pointers, strict=True)
    ]
    signature = numba.types.int64(*numbers)
    function.compile(signature)
    made = function.overloads[signature.args]
    return made.library.get_llvm_str(), made.fndesc.llvm_func_name


def _wrapper(prototype: Prototype, symbol: str) -> str:
    """Return a function with the plain signature that calls what numba made."""
    kinds = ["ptr" if pointer else "i64" for pointer in prototype.pointers]
    given = ", ".join(f"{kind} %a{i}" for i, kind in enumerate(kinds))
    return f"""
declare i32 @"{symbol}"(ptr, ptr, {", ".join(kinds)})
define i64 @{prototype.name}({given}) {{
  %result = alloca i64
  %status = call i32 @"{symbol}"(ptr %result, ptr null, {given})
  %value = load i64, ptr %result
  ret i64 %value
}}
"""
