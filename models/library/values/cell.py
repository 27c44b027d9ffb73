"""Part `cell`: a value that several change, and what it is recognized by, its identity.

- `content`: the bytes themselves, or their digest;
- `counter`: a number that every change raises, and a touch too;
- `time`: a coarse clock, in one tick of which a value can change unnoticed;
- `part`: some of the content, so that a change elsewhere goes unnoticed;
- `none`: nothing, so that every version fits.
"""

from fencecheck.models.library.values.value import ABSENT, Value

MARKS = ("counter", "time", "part")
IDENTITIES = ("content", *MARKS, "none")


class Cell(Value):
    """A value that the model writes, deletes or restores ``writes`` times in all."""

    identity: str
    any_fits: bool

    def __init__(self, name, identity="content", *, writes=2, absent=False):
        if identity not in IDENTITIES:
            raise ValueError(f"{name} has no identity {identity!r}; write {', '.join(IDENTITIES)}")
        self.identity, self.any_fits = identity, identity == "none"
        marks, title = identity in MARKS, f"{name}, recognized by {identity}"
        super().__init__(name, title, writes=writes, absent=absent, marks=marks)

    def read(self, s):
        """The version that is there now."""
        return s[self.name]

    def exists(self, s):
        return s[self.name].content != ABSENT

    def fits(self, s, seen):
        """Tell whether a version is taken for the one that is there."""
        if self.marks:
            return seen.mark == s[self.name].mark
        return self.any_fits or seen.content == s[self.name].content

    def write(self, s, seen):
        """New content, made from what was seen, replaces what is there."""
        self.replaced(s, seen)
        self.renew(s)
        self.mark(s)

    def delete(self, s, seen):
        self.bring_back(s, seen, ABSENT)

    def bring_back(self, s, seen, content):
        """A content that there was before replaces what is there."""
        self.replaced(s, seen)
        s[self.name].content = content
        self.mark(s)

    def mark(self, s):
        """The identity changes, where that is more than the content."""
        if self.marks:
            s[self.name].mark += 1
