"""A value or none of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fencecheck.errors import ModelError
from fencecheck.model.domains.scalars import Index, Int
from fencecheck.model.domains.unlimited import Unlimited
from fencecheck.model.ordinary import ask, shown


class Maybe(Int):
    """A value of an Index, a Version or a Fresh, or nothing: None, which people see as ``word``.

    In numbers None is one below the lowest value, -1 for an Index. Where ``when(k)`` is false of
    the sizes of a run, there is only None.
    """

    def __init__(
        self, index: Index | Unlimited, word: str, when: Callable[[Any], Any] | None = None
    ) -> None:
        if not isinstance(index, Index | Unlimited) or not isinstance(word, str):
            raise ModelError(
                f"Maybe({shown(index)}, {shown(word)}): write an Index, a Version or a Fresh, and "
                'the word for none of it: Maybe(WORKER, "nobody")'
            )
        super().__init__(-1, -1)
        self.index, self.word, self.when = index, word, when
        self.default, self.is_empty = None, False

    def resolve_held(self, sizes: Any) -> Maybe:
        index: Any = self.index.resolve(sizes)
        domain = Maybe(index, self.word)
        domain.is_empty = self.when is not None and not ask("when of Maybe", self.when, sizes)
        domain.low = domain.index.low - 1
        domain.high = domain.low if domain.is_empty else domain.index.high
        domain.count = domain.high - domain.low + 1
        return domain

    @property
    def of(self) -> Index | Unlimited | None:
        """Return what a value is of; None where there is none, or that depends on the run."""
        return None if self.when is not None or self.is_empty else self.index

    def contains(self, value: Any) -> bool:
        return value is None or (not self.is_empty and self.index.contains(value))

    def rank(self, value: Any) -> int:
        return 0 if value is None else int(value) - self.low

    def value(self, rank: int) -> Any:
        return rank + self.low if rank else None

    def show(self, value: Any) -> Any:
        return self.word if value is None else self.index.show(value)

    def misfit(self, name: str, value: Any) -> str:
        if isinstance(self.index, Unlimited):
            return super().misfit(name, value)
        seen = value + 1 if type(value) is int else shown(value)
        return f"{name} is {seen}, which is not {self.word} or 1 to {self.count - 1}"

    def describe(self) -> str:
        if isinstance(self.index, Unlimited):
            return f"{self.word} or {self.index.describe()}"
        return f"{self.word} or {self.index.low} to {self.index.high}"


def counted(domain: Any, value: Any) -> Any:
    """Return an argument as people name it: an index as its number from 1, others as shown."""
    counts = domain.index if isinstance(domain, Maybe) else domain
    if value is not None and isinstance(counts, Index):
        return value + 1
    return domain.show(value)
