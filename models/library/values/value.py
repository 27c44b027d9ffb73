"""Part `value`: contents that several change, each from a version that it has read."""

from typing import Any

from fencecheck.model import Bool, Fresh, OneOf, Part, Record


class Value(Part):
    """A value that is changed any number of times, each time to a ``Content`` unlike all before.

    Whoever reads it keeps a version, of domain ``Version``: its content, and a ``Mark`` where there
    are ``marks``. A variable of that domain is at first what the value is at first.
    """

    Content: OneOf
    Version: Record
    Mark: Fresh
    made: str
    lost: str
    marks: bool
    marked: str

    def __init__(self, name, title, *, absent, marks):
        super().__init__(name, title)
        self.marks, self.made, self.marked = marks, f"{name}_made", f"{name}_marked"
        where, content, self.Mark = self.store(name), Fresh(self.made), Fresh(self.marked)
        first, other = ("absent", "original") if absent else ("original", "absent")
        kinds: dict[str, Any] = {first: None, other: None, "made": content}
        fields: dict[str, Any] = {"mark": self.Mark} if marks else {}
        self.Content = OneOf(
            f"{name.title()}Content", lambda c, k: c.made if c.tag == "made" else c.tag, **kinds
        )
        self.Version = Record(f"{name.title()}Version", content=self.Content, **fields)
        self.variable(name, self.Version, owner=where)
        self.variable(self.made, content, owner=where, told=False)
        if marks:
            self.variable(self.marked, self.Mark, owner=where, told=False)
        self.lost = self.ghost(f"{name}_lost", Bool(), owner=where)
        self.named(f"{name}_nothing_lost", self.invariant(relevant=[name])(self.nothing_lost))

    def renew(self, s):
        """There is new content, unlike all before."""
        s[self.made] += 1
        s[self.name].content = self.Content.made(s[self.made])

    def mark(self, s):
        """The identity changes, where that is more than the content."""
        if self.marks:
            s[self.marked] += 1
            s[self.name].mark = s[self.marked]

    def replaced(self, s, seen):
        """What is there goes, by somebody who has seen a version of it."""
        if seen.content != s[self.name].content:
            s[self.lost] = True

    def nothing_lost(self, s):
        """Nothing is replaced that its writer had not seen."""
        return not s[self.lost]
