"""A receiver of letters, its adapter, and adapters with one defect for each rule of adapters."""

from __future__ import annotations

import sqlite3
import time
from typing import Any

from fencecheck.conform import ANY, Adapter, on

EVERYWHERE: list[int] = []  # state that no adapter saves


class Letters(Adapter):
    """The right one."""

    def __init__(self) -> None:
        self.taken: list[int] = []

    @on("sender.send")
    def send(self, letter: int) -> None:
        self.post(("letter", letter))

    @on("receiver.take", "receiver.refuse")
    def receive(self, message: tuple[str, int]) -> str:
        _, letter = message
        if letter in self.taken:
            return "known"
        self.taken.append(letter)
        return "taken"

    def observe(self) -> dict[str, Any]:
        shelf = {f"letter {number}" for number in self.taken}
        return {"shelf.taken": shelf, "shelf.count": len(self.taken)}


class Patient(Letters):
    """Puts the first letter off that it sees: which of what the model allows happens is its own."""

    def __init__(self) -> None:
        super().__init__()
        self.put_off = False

    @on("receiver.take", "receiver.refuse", "receiver.postpone")
    def receive(self, message: tuple[str, int]) -> str:
        if not self.put_off:
            self.put_off = True
            return "later"
        return super().receive(message)


class Overriding(Letters):
    """Rule 1: a method that overrides another takes its events; its outcome must be the event's."""

    def receive(self, message: tuple[str, int]) -> str:
        super().receive(message)
        return "taken"


class Repeating(Letters):
    """Rule 3: posts more than the event puts in flight."""

    def send(self, letter: int) -> None:
        super().send(letter)
        super().send(letter)


class Silent(Letters):
    """Rule 3: posts less."""

    def send(self, letter: int) -> None:
        pass


class Misplacing(Letters):
    """Rule 2: the message that is taken is the object that was posted; here another is."""

    def send(self, letter: int) -> None:
        self.post(("letter", 1))


class Miscounting(Letters):
    """Rule 4: what it shows is not what the model has."""

    def observe(self) -> dict[str, Any]:
        return {**super().observe(), "shelf.count": 0}


class Blind(Letters):
    """Rule 4: what cannot be seen just now is not compared."""

    def observe(self) -> dict[str, Any]:
        return {"shelf.taken": ANY, "shelf.count": len(self.taken) if self.taken else ANY}


class Raising(Letters):
    """Rule 5: an exception is a divergence."""

    def receive(self, message: tuple[str, int]) -> str:
        if self.taken:
            raise ValueError("the shelf is full")
        return super().receive(message)


class Slow(Letters):
    """Rule 5: so is an event that does not return."""

    def receive(self, message: tuple[str, int]) -> str:
        while True:
            time.monotonic()


class Closing(Letters):
    """Rule 5: close is called whatever happened."""

    def close(self) -> None:
        EVERYWHERE.append(len(self.taken))


class Elsewhere(Letters):
    """Keeps what it took where nobody saves it."""

    def __init__(self) -> None:
        super().__init__()
        EVERYWHERE.clear()

    def receive(self, message: tuple[str, int]) -> str:
        word = super().receive(message)
        if word == "taken":
            EVERYWHERE.append(1)
        return word

    def observe(self) -> dict[str, Any]:
        return {"shelf.count": len(EVERYWHERE)}


class Unpicklable(Letters):
    def __init__(self) -> None:
        super().__init__()
        self.key = lambda letter: letter


class InDatabase(Letters):
    """The same over SQLite in memory, which is saved as it is."""

    def __init__(self) -> None:
        self.db = sqlite3.connect(":memory:", isolation_level=None)
        self.db.execute("create table taken (letter primary key)")

    @property
    def taken(self) -> list[int]:  # type: ignore[override]
        return [row[0] for row in self.db.execute("select letter from taken")]

    def receive(self, message: tuple[str, int]) -> str:
        done = self.db.execute("insert or ignore into taken values (?)", (message[1],))
        return "taken" if done.rowcount else "known"

    def close(self) -> None:
        self.db.close()
