"""Gather the mistakes of a model while it is loaded, so that all of them are told at once.

Inside ``together`` what stands in an ``apart`` fails on its own: its mistake is noted and the rest
goes on; at the end one ModelError tells them all, in the order of the file. Where nobody gathers,
``apart`` does nothing and the first mistake is raised as it is.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from contextvars import ContextVar

from fencecheck.errors import FencecheckError, ModelError, ModelMistakes, StateError
from fencecheck.model.mistakes.carets import place_in, with_line

MOST_TOLD = 20
_WORD = re.compile(r"\w+")


class Following(ModelError):
    """What goes wrong only because of a mistake that was noted before; it is not told."""


class Mistakes:
    """The mistakes noted so far; ``times`` counts them with their repetitions.

    A mistake that speaks of a name that is ``unsure``, since its own declaration was refused, may
    be none and is not noted. ``declaring`` says that the author's file is being executed.
    """

    def __init__(self) -> None:
        self.found: dict[str, ModelError] = {}
        self.times = 0
        self.unsure: set[str] = set()
        self.declaring = False
        self.waiting: dict[int, ModelError] = {}

    def note(self, error: ModelError) -> None:
        """Take a mistake in, unless it follows from another."""
        self.times += 1
        message = str(error)
        if not isinstance(error, Following) and self.unsure.isdisjoint(_WORD.findall(message)):
            self.found.setdefault(message, error)

    def told(self) -> ModelError | None:
        """Return the error that tells all of them; one alone is itself."""
        files = {place_in(error)[0]: None for error in self.found.values()}
        order = list(files)
        found = sorted(self.found.values(), key=lambda e: (order.index(place_in(e)[0]), _line(e)))
        if len(found) < 2:
            return found[0] if found else None
        lines = [f"{len(found)} mistakes in the model"]
        for error in found[:MOST_TOLD]:
            lines += with_line(error)
        if len(found) > MOST_TOLD:
            lines.append(f"and {len(found) - MOST_TOLD} more")
        return ModelMistakes("\n".join(lines), found)


def _line(error: ModelError) -> int:
    return place_in(error)[1]


_gathered: ContextVar[Mistakes | None] = ContextVar("gathered", default=None)


def mistakes_so_far() -> Mistakes | None:
    """Return the mistakes that are being gathered, if somebody does."""
    return _gathered.get()


@contextlib.contextmanager
def together() -> Iterator[Mistakes]:
    """Gather the mistakes that are made inside and raise them at the end.

    After a mistake nothing else counts that goes wrong: it may follow from it.
    """
    mistakes = Mistakes()
    token = _gathered.set(mistakes)
    try:
        yield mistakes
    except (ModelError, Exception) as error:
        if isinstance(error, ModelError) and not isinstance(error, StateError):
            mistakes.note(error)
        elif not mistakes.found:
            raise
    finally:
        _gathered.reset(token)
    error_of_all = mistakes.told()
    if error_of_all is not None:
        raise error_of_all from None


@contextlib.contextmanager
def apart() -> Iterator[None]:
    """Have what is done inside fail on its own, where mistakes are gathered."""
    try:
        yield
    except ModelError as error:
        if not take_note(error):
            raise
    except FencecheckError:
        raise
    except Exception:
        if not times_wrong():  # else it may follow from what was wrong before
            raise


def take_note(error: ModelError) -> bool:
    """Note a mistake, and tell whether somebody gathers them."""
    mistakes = _gathered.get()
    if mistakes is None or isinstance(error, StateError):
        return False
    mistakes.note(error)
    return True


def times_wrong() -> int:
    """Return how often something has gone wrong so far; 0 where nobody gathers."""
    mistakes = _gathered.get()
    return 0 if mistakes is None else mistakes.times


def go_on_if_right() -> None:
    """Raise Following if something has gone wrong: what comes next needs all of the model."""
    if times_wrong():
        raise Following("the model has mistakes")


def unsure(name: str) -> None:
    """Have no mistake noted that speaks of ``name``: its own declaration was refused."""
    mistakes = _gathered.get()
    if mistakes is not None:
        mistakes.unsure.add(name)
