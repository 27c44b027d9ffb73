"""Object code: made of LLVM IR, kept on disk (model/files/kept.py), linked into this process.

The name of an entry is a digest of all that the code is made from together with the versions of
fencecheck and llvmlite and the processor: whatever could change the code changes the name, so
nothing stale is ever loaded.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import llvmlite
import llvmlite.binding as llvm

from fencecheck.model.files.kept import digest_of_texts, keep_entry, kept_entry
from fencecheck.model.time_limit import TimeUp, time_left
from fencecheck.version import __version__

_LARGE = 1 << 20  # letters of a module that takes LLVM seconds


def _target() -> llvm.TargetMachine:
    """Return a new machine description: an engine owns the one it is given."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=2,
        reloc="pic",
        codemodel="default",
    )


def machine_code(text: str) -> tuple[bytes, bool]:
    """Return the object code of an IR module, and whether it came from the cache."""
    made = list[bool]()

    def make() -> bytes:
        made.append(True)
        apart = len(text) > _LARGE and time_left() < float("inf")
        return _optimised_apart(text) if apart else _optimised(text)

    return kept(digest_of_texts([text]), make), not made


def kept(identity: str, make: Callable[[], bytes]) -> bytes:
    """Return the object code that ``make`` gives, from the cache if it is there.

    ``identity`` says what it is made from; tools and processor are added to it.
    """
    name = _entry(identity)
    code = kept_entry(name)
    if code is None:
        code = make()
        keep_entry(name, code)
    return code


def kept_code(identity: str) -> bytes | None:
    """Return the object code of what is so made, if the cache has it.

    That of an IR module is known by the digest of its text.
    """
    return kept_entry(_entry(identity))


def is_kept(identity: str) -> bool:
    """Return whether the cache has the object code of what is so made."""
    return kept_code(identity) is not None


def _entry(identity: str) -> str:
    """Return the name under which the object code of what is so made is kept."""
    parts = [
        identity,
        __version__,
        llvmlite.__version__,
        ".".join(map(str, llvm.llvm_version_info)),
        llvm.get_host_cpu_name(),
        llvm.get_host_cpu_features().flatten(),
    ]
    return f"{digest_of_texts(parts)}.o"


def _optimised_apart(text: str) -> bytes:
    """Return the object code of a large module, made by a process that can be stopped in time."""
    command = [sys.executable, "-c", f"from {__name__} import compile_stdin; compile_stdin()"]
    try:
        done = subprocess.run(
            command, input=text.encode(), capture_output=True, timeout=max(0.0, time_left())
        )
    except subprocess.TimeoutExpired:
        raise TimeUp from None
    if done.returncode:
        raise RuntimeError(done.stderr.decode(errors="replace").strip().rpartition("\n")[2])
    return done.stdout


def compile_stdin() -> None:
    """Read the text of a module and write its object code, as a process of its own."""
    try:
        sys.stdout.buffer.write(_optimised(sys.stdin.buffer.read().decode()))
    except RuntimeError as error:
        sys.exit(str(error).splitlines()[0])


def _optimised(text: str) -> bytes:
    return optimised(llvm.parse_assembly(text))[0]


def optimised(module: Any) -> tuple[bytes, list[str]]:
    """Return the object code of a module, and the functions that it needs and does not have."""
    machine = _target()
    module.triple = llvm.get_default_triple()
    module.data_layout = str(machine.target_data)
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    llvm.create_pass_builder(machine, options).getModulePassManager().run(
        module, llvm.create_pass_builder(machine, options)
    )
    names = [f.name for f in module.functions if f.is_declaration]
    code: bytes = machine.emit_object(module)
    return code, [name for name in names if not name.startswith("llvm.")]


def linked(code: bytes) -> Any:
    """Return the engine that holds object code: it gives addresses, and lives as long as they."""
    backing = llvm.parse_assembly("")
    # one block of memory for all sections: their relative addresses have 32 bits
    engine = llvm.create_mcjit_compiler(backing, _target(), use_lmm=True)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine
