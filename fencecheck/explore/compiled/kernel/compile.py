"""Turn a model into a callable kernel, whose machine code is kept by its whole text."""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

from fencecheck.errors import InternalError
from fencecheck.explore.compiled.kernel.drafts import (
    KernelDraft,
    Wanted,
    kept_draft,
    whole_draft,
)
from fencecheck.explore.compiled.kernel.plan import KernelPlan, plan_kernel
from fencecheck.explore.compiled.kernel.signs import KernelSigns
from fencecheck.explore.compiled.storage.packing import Packing
from fencecheck.explore.native.object_code import is_kept, kept_code, linked, machine_code
from fencecheck.model.lower.lowered import Lowered
from fencecheck.model.property import Property
from fencecheck.model.system import System


@dataclass(frozen=True)
class Kernel:
    """Machine code for one model's structure, with what is needed to call it.

    ``digest`` is of the text that the code was compiled from.
    """

    address: int
    packing: Packing
    signs: KernelSigns
    lanes: int
    scratch_words: int
    cached: bool
    digest: str
    engine: object  # machine code lives as long as its engine does

    @property
    def cases(self) -> int:
        """Return how many successors one state can have at most."""
        return len(self.signs.actions)

    @property
    def seen_words(self) -> int:
        """Return how many words tell which triggers and which cases occurred."""
        return self.signs.flag_words + (self.cases + 31) // 32


def compile_kernel(system: System, watched: Sequence[Property]) -> Kernel:
    """Return the kernel of a system's structure that watches ``watched``.

    Mechanisms and budgets are not part of it: they are its arguments and its initial state. It is
    made once for the lowering that it is made from.
    """
    return kernel_once(system, _searching(system, watched))


def kernel_is_made(system: System, watched: Sequence[Property]) -> bool:
    """Return whether ``compile_kernel`` has nothing to compile, since the kernel is kept.

    What is drafted to find that out is kept for ``compile_kernel``, as long as the lowering.
    """
    wanted, known = _searching(system, watched), _known(system)
    key = wanted.key
    if key not in known:
        draft = kept_draft(system.lowered, wanted)
        if draft is None and system.lowered.name:
            return False
        known[key] = draft or whole_draft(system.lowered, wanted)
    found = known[key]
    return isinstance(found, Kernel) or is_kept(found.digest)


def kernel_once(system: System, wanted: Wanted) -> Kernel:
    """Return a kernel of a system's structure, made once for the lowering it is made from."""
    known = _known(system)
    made = known.get(wanted.key)
    if not isinstance(made, Kernel):
        made = known[wanted.key] = _made(system, wanted, made)
    return made


def build(system: System, plan: KernelPlan) -> Kernel:
    """Compile a plan, of which nothing is kept but the machine code."""
    wanted = Wanted([], lambda: (plan, ()))
    return _compiled(system, whole_draft(replace(system.lowered, name=""), wanted))


_kernels: MutableMapping[Lowered, dict[tuple[object, ...], Kernel | KernelDraft]]
_kernels = WeakKeyDictionary()


def _known(system: System) -> dict[tuple[object, ...], Kernel | KernelDraft]:
    return _kernels.setdefault(system.lowered, {})


def _searching(system: System, watched: Sequence[Property]) -> Wanted:
    """Return the kernel of a search that is wanted."""
    return Wanted(
        ["search", *(p.name for p in watched)],
        lambda: (plan_kernel(system.lowered, system.actions, watched), ()),
    )


def _made(system: System, wanted: Wanted, draft: KernelDraft | None) -> Kernel:
    draft = draft or kept_draft(system.lowered, wanted)
    if draft is not None and not draft.text:
        code = kept_code(draft.digest)
        if code is not None:
            return _linked(draft, code, cached=True)
        draft = None
    return _compiled(system, draft or whole_draft(system.lowered, wanted))


def _compiled(system: System, draft: KernelDraft) -> Kernel:
    try:
        code, cached = machine_code(draft.text)
    except RuntimeError as error:
        raise InternalError(
            f"the kernel of model {system.family.name} cannot be compiled "
            f"({str(error).splitlines()[0]}); this is a bug of fencecheck: please report it with "
            "the model, which --engine reference can check meanwhile"
        ) from error
    return _linked(draft, code, cached=cached)


def _linked(draft: KernelDraft, code: bytes, *, cached: bool) -> Kernel:
    engine = linked(code)
    address = engine.get_function_address("kernel")
    lanes, words = draft.lanes, draft.scratch_words
    return Kernel(address, draft.packing, draft.signs, lanes, words, cached, draft.digest, engine)
