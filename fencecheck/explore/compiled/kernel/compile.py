"""Turn a model into a callable kernel, whose machine code is kept by its whole text."""

from __future__ import annotations

import hashlib
from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from fencecheck.errors import InternalError
from fencecheck.explore.compiled.kernel.plan import KernelPlan, plan_kernel
from fencecheck.explore.compiled.kernel.text import KernelText
from fencecheck.explore.compiled.storage.packing import Packing, pack_fields
from fencecheck.explore.native.object_code import is_kept, linked, machine_code
from fencecheck.model.lower.dag import Node, nodes_of
from fencecheck.model.lower.lowered import Lowered
from fencecheck.model.property import Property
from fencecheck.model.system import System

_NARROW = 1 << 31


@dataclass(frozen=True)
class KernelDraft:
    """What a kernel is made from: its plan, how states are packed, the text to compile."""

    plan: KernelPlan
    packing: Packing
    text: str
    lanes: int
    scratch_words: int


@dataclass(frozen=True)
class Kernel:
    """Machine code for one model's structure, with what is needed to call it.

    ``digest`` is of the text that the code was compiled from.
    """

    address: int
    packing: Packing
    plan: KernelPlan
    lanes: int
    scratch_words: int
    cached: bool
    digest: str
    engine: object  # machine code lives as long as its engine does

    @property
    def cases(self) -> int:
        """Return how many successors one state can have at most."""
        return len(self.plan.cases)

    @property
    def seen_words(self) -> int:
        """Return how many words tell which triggers and which cases occurred."""
        return self.plan.flag_words + (self.cases + 31) // 32


def _fits_31_bits(nodes: list[Node], system: System) -> bool:
    values = all(n.low >= -_NARROW and n.high < _NARROW for n in nodes_of(nodes))
    return values and all(f.bits < 32 for f in system.lowered.layout.fields)


def compile_kernel(system: System, watched: Sequence[Property]) -> Kernel:
    """Return the kernel of a system's structure that watches ``watched``.

    Mechanisms and budgets are not part of it: they are its arguments and its initial state. It is
    kept for as long as the lowering that it was made from.
    """
    known, names = _kernels.setdefault(system.lowered, {}), tuple(p.name for p in watched)
    made = known.get(names)
    if not isinstance(made, Kernel):
        made = known[names] = _made(system, made or _drafted(system, watched))
    return made


def kernel_is_made(system: System, watched: Sequence[Property]) -> bool:
    """Return whether ``compile_kernel`` has nothing to compile, since the kernel is kept.

    What is drafted to find that out is kept for ``compile_kernel``, as long as the lowering.
    """
    known, names = _kernels.setdefault(system.lowered, {}), tuple(p.name for p in watched)
    if names not in known:
        known[names] = _drafted(system, watched)
    found = known[names]
    return isinstance(found, Kernel) or is_kept(found.text)


_kernels: MutableMapping[Lowered, dict[tuple[str, ...], Kernel | KernelDraft]]
_kernels = WeakKeyDictionary()


def _drafted(system: System, watched: Sequence[Property]) -> KernelDraft:
    return _draft(system, plan_kernel(system.lowered, system.actions, watched), None)


def build(system: System, plan: KernelPlan, packing: Packing | None = None) -> Kernel:
    """Compile a plan; ``packing`` is given where states are packed already."""
    return _made(system, _draft(system, plan, packing))


def _draft(system: System, plan: KernelPlan, packing: Packing | None) -> KernelDraft:
    narrow = _fits_31_bits(plan.nodes(), system)
    if packing is None:
        packing = pack_fields(system.lowered.layout, narrow=narrow)
    elif packing.width == 32 and not narrow:
        packing = packing.widened()
    builder = KernelText(plan, packing)
    text = builder.text()
    return KernelDraft(plan, packing, text, builder.lanes, builder.scratch_words)


def _made(system: System, draft: KernelDraft) -> Kernel:
    text = draft.text
    try:
        code, cached = machine_code(text)
    except RuntimeError as error:
        raise InternalError(
            f"the kernel of model {system.family.name} cannot be compiled "
            f"({str(error).splitlines()[0]}); this is a bug of fencecheck: please report it with "
            "the model, which --engine reference can check meanwhile"
        ) from error
    digest = hashlib.sha256(text.encode()).hexdigest()
    lanes, words = draft.lanes, draft.scratch_words
    engine = linked(code)
    address = engine.get_function_address("kernel")
    return Kernel(address, draft.packing, draft.plan, lanes, words, cached, digest, engine)
