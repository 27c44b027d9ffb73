"""Values without a largest one that are only compared: Version and Fresh, each with its clock.

The variable named as the domain is the clock: it counts how many values were handed out, and
nothing else changes it. How large the numbers are decides nothing, so states that differ only in
that are one (model/representatives). What room a value takes follows from how many places of the
state can hold one, whatever happens; ``RoomySizes`` carry that to where domains are resolved.
"""

from __future__ import annotations

from typing import Any, Self

from fencecheck.errors import ModelError
from fencecheck.model.domains.scalars import Int, Show, Size, size_of
from fencecheck.model.ordinary import is_callable, shown, words


class RoomySizes:
    """The sizes of a run, and how many places can hold a value of each Version or Fresh."""

    __slots__ = ("_places", "_sizes")

    def __init__(self, sizes: Any, places: dict[str, int]) -> None:
        self._sizes, self._places = sizes, places

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sizes, name)

    def places(self, clock: str) -> int:
        """Return how many places there are for values of the domain with this clock."""
        return self._places.get(clock, 0)


class Unlimited(Int):
    """Numbers that a clock hands out, one after another and without end.

    ``clock`` is the name of the clock's variable, which is of this domain too; ``advance`` by how
    much an event may move it. A resolved domain says what room a value takes in a state of which
    only the comparisons are kept: ``low`` .. ``high`` right after an event, when the clock has
    moved from ``still`` to at most ``still + advance``. ``is_clock`` is that of the clock itself.
    """

    still = 0  # where the clock stands in a representative

    def __init__(self, clock: str, *, ahead: Size, advance: Size, show: Show | None) -> None:
        kind = type(self).__name__
        if not isinstance(clock, str):
            raise ModelError(
                f"{kind}({shown(clock)}): write the name of the variable that is its clock: "
                f'{kind}("revision")'
            )
        is_callable(f"{kind}: show", show)
        super().__init__(0, 0, show)
        self.clock, self.is_clock, self.origin = clock, False, self
        self._ahead, self._advance = ahead, advance
        self.places = self.ahead = self.advance = 0

    def resolve_held(self, sizes: Any) -> Self:
        domain = self._again()
        domain.origin, domain._sizes, domain._at = self.origin, sizes, self._at
        domain.ahead = self._size("ahead", self._ahead, sizes, 0)
        domain.advance = self._size("advance", self._advance, sizes, 1)
        domain.places = sizes.places(self.clock) if isinstance(sizes, RoomySizes) else 0
        domain._take_room(domain._room())
        return domain

    def _again(self) -> Self:
        """Return a domain that is declared alike."""
        raise AssertionError(type(self))

    def _room(self) -> tuple[int, int]:
        """Return the lowest and the highest number of a place right after an event."""
        raise AssertionError(type(self))

    def _take_room(self, room: tuple[int, int]) -> None:
        self.low, self.high = room
        self.count, self.default = self.high - self.low + 1, 0

    def of_clock(self) -> Self:
        """Return this resolved domain as it is for the clock."""
        clock = self.resolve_held(self._sizes)
        clock.is_clock = True
        clock._take_room((clock.still, clock.still + clock.advance))
        return clock

    def _size(self, name: str, size: Size, sizes: Any, least: int) -> int:
        value = size_of(size, sizes, self)
        if value < least:
            raise ModelError(
                f"{self.place}{type(self).__name__} {self.clock}: {name} is {value}; "
                f"write {least} or more"
            )
        return value

    def contains(self, value: Any) -> bool:
        """Tell whether it is a number; which ones there can be the clock decides (``misfit_at``).

        Whether a value is ahead of its clock is asked of a state, not of the value.
        """
        return type(value) is int

    def misfit_at(self, name: str, value: int, clock: int) -> str | None:
        """Say what is wrong with a value while the clock stands at ``clock``; None if nothing."""
        if value <= clock + self.ahead:
            return None
        most = f" by more than {self.ahead}" if self.ahead else ""
        return f"{name} is {value}, which is ahead of {self.clock} at {clock}{most}"

    def misfit_of_clock(self, before: int, after: int) -> str | None:
        """Say what is wrong with how an event moves the clock; None if nothing."""
        if before <= after <= before + self.advance:
            return None
        by = f"advance={after - before}" if after > before else "let it only advance"
        return (
            f"{self.clock} goes from {before} to {after}: an event moves it by at most "
            f"{self.advance}; write {by}"
        )

    def show(self, value: Any) -> Any:
        show = self._declared[2]
        return words(f"show of {self.clock}", show, value, self._sizes) if show else value

    def describe(self) -> str:
        return f"a number that {self.clock} hands out"


class Version(Unlimited):
    """Numbers that are compared with each other: revisions, epochs, tokens.

    A value is at most ``ahead`` above the clock. In a representative the clock is 0; what is above
    keeps its distance, what is below is -1 for the newest, -2 for the next, and so on.
    """

    def __init__(
        self, clock: str, ahead: Size = 0, advance: Size = 1, show: Show | None = None
    ) -> None:
        super().__init__(clock, ahead=ahead, advance=advance, show=show)

    def _again(self) -> Version:
        return Version(self.clock, self._ahead, self._advance, self._declared[2])

    def _room(self) -> tuple[int, int]:
        return -self.places, self.ahead + self.advance


class Fresh(Unlimited):
    """Values of which it matters only which are equal: contents, ids, claims.

    The clock's value is new each time that it advances; 0 is what is there before the first. In a
    representative they are numbered by first occurrence, and the clock is the number of places.
    """

    def __init__(self, clock: str, advance: Size = 1, show: Show | None = None) -> None:
        super().__init__(clock, ahead=0, advance=advance, show=show)

    def _again(self) -> Fresh:
        return Fresh(self.clock, self._advance, self._declared[2])

    @property
    def still(self) -> int:  # type: ignore[override]
        """Return where the clock stands in a representative: all numbers below may be in use."""
        return self.places

    def _room(self) -> tuple[int, int]:
        return 0, self.places + self.advance
