"""Part `value`: contents that several change, each from a version that it has read."""

from collections.abc import Callable
from typing import Any

from fencecheck.model import Bool, Int, Part, Record

ABSENT, ORIGINAL = -1, 0


def in_words(content, k):
    return {ABSENT: "absent", ORIGINAL: "original"}.get(content, content)


class Value(Part):
    """A value that is changed ``writes`` times, and as often as all of ``budgets`` say.

    ``writes`` is a number or a function of k. Whoever reads the value keeps a version, of domain
    ``Version``: its content, and a mark where there are ``marks``. At first it is ``start``.
    """

    Version: Record
    start: tuple[int, ...]
    made: str
    lost: str
    marks: bool
    writes: int | Callable[[Any], int]
    budgets: list[str]

    def __init__(self, name, title, *, writes, absent, marks):
        super().__init__(name, title)
        self.marks, self.writes, self.budgets = marks, writes, []
        where = self.store(name)
        fields: dict[str, Any] = {"mark": Int(0, self.changes)} if marks else {}
        content = Int(ABSENT, self.changes, in_words)
        self.Version = Record(f"{name.title()}Version", content=content, **fields)
        first = {"content": ABSENT if absent else ORIGINAL, **dict.fromkeys(fields, 0)}
        self.start = self.Version(**first)
        self.variable(name, self.Version, self.start, owner=where)
        self.made = self.variable(f"{name}_made", Int(0, self.changes), owner=where, told=False)
        self.lost = self.ghost(f"{name}_lost", Bool(), owner=where)
        self.named(f"{name}_nothing_lost", self.invariant(relevant=[name])(self.nothing_lost))

    def changes(self, k):
        writes = self.writes(k) if callable(self.writes) else self.writes
        return writes + sum(getattr(k, budget, 0) for budget in self.budgets)

    def renew(self, s):
        """There is new content, unlike all before."""
        s[self.made] += 1
        s[self.name].content = s[self.made]

    def replaced(self, s, seen):
        """What is there goes, by somebody who has seen a version of it."""
        if seen.content != s[self.name].content:
            s[self.lost] = True

    def nothing_lost(self, s):
        """Nothing is replaced that its writer had not seen."""
        return not s[self.lost]
