"""Part `cell`: a value that several change, and what it is recognized by, its identity.

- `content`: the bytes themselves, or their digest;
- `counter`: a number that is another after every change, and after a touch too;
- `time`: a coarse clock, in one tick of which a value can change unnoticed;
- `part`: some of the content, so that a change elsewhere goes unnoticed;
- `none`: nothing, so that every version fits.
"""

from fencecheck.models.library.values.value import Value

MARKS = ("counter", "time", "part")
IDENTITIES = ("content", *MARKS, "none")


class Cell(Value):
    """A value that is written, deleted and restored, recognized by its ``identity``."""

    identity: str
    any_fits: bool

    def __init__(self, name, identity="content", *, absent=False):
        if identity not in IDENTITIES:
            raise ValueError(f"{name} has no identity {identity!r}; write {', '.join(IDENTITIES)}")
        self.identity, self.any_fits = identity, identity == "none"
        marks, title = identity in MARKS, f"{name}, recognized by {identity}"
        super().__init__(name, title, absent=absent, marks=marks)

    def read(self, s):
        """The version that is there now."""
        return s[self.name]

    def exists(self, s):
        return s[self.name].content != self.Content.absent

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
        self.bring_back(s, seen, self.Content.absent)

    def bring_back(self, s, seen, content):
        """A content that there was before replaces what is there."""
        self.replaced(s, seen)
        s[self.name].content = content
        self.mark(s)
