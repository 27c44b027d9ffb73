"""ANY: the number of a budget without one, for interference that happens any number of times.

It is a text, so that every format writes what a spec says. Of its number nothing is known but that
it is never used up: it is true, above every number and equal to none. Arithmetic needs a number,
and is refused with what to write instead.
"""

from __future__ import annotations

from typing import Any, NoReturn


class AnyNumber(str):
    """Any number of what ``name`` says; ANY, where it does not matter of what."""

    name = ""
    __hash__ = str.__hash__

    def of(self, name: str) -> AnyNumber:
        """Return any number of the budget ``name``, for messages that have to name it."""
        other = AnyNumber(self)
        other.name = name
        return other

    @property
    def why_not(self) -> str:
        """Return why there is no number where one is needed, and what to write."""
        what = f"how many {self.name.replace('_', ' ')} there are" if self.name else "for a number"
        return (
            f"asks {what}, and there is no number: the budget is any; say how many can matter at "
            "once, or give the budget a number"
        )

    def __reduce__(self) -> str:
        return "ANY"

    def __gt__(self, other: object) -> bool:
        return True

    def __ge__(self, other: object) -> bool:
        return True

    def __lt__(self, other: object) -> bool:
        return False

    def __le__(self, other: object) -> bool:
        return isinstance(other, AnyNumber)

    def _refuse(self, *_: Any) -> NoReturn:
        raise NoNumber(self.why_not)

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse
    __floordiv__ = __rfloordiv__ = __truediv__ = __rtruediv__ = __mod__ = __rmod__ = _refuse
    __neg__ = __pos__ = __abs__ = __int__ = __float__ = __index__ = _refuse


class NoNumber(TypeError):
    """A model's function needs the number of a budget of any."""


ANY = AnyNumber("any")

HowMany = int | AnyNumber  # of a bound: how many, or of a budget any number


def how_many(value: Any) -> Any:
    """Return what is given for a budget, the text any as ANY."""
    return ANY if isinstance(value, str) and value == ANY else value
