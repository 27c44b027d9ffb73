"""Part `row`: a status that several set, each from what it has read, with a version or without.

With a version a change compares that; without, only the status can be compared, which may have
come back to what it was.
"""

from fencecheck.model import Bool, Enum, Fresh, Ghost, Part, Record


class StatusRow(Part):
    """A row with one of some ``statuses``; each change gives it a version of its own."""

    changes: str
    lost: str
    versioned: bool
    status: Enum
    Row: Record

    def __init__(self, name, statuses, *, versioned=False):
        super().__init__(name, f"{name}, a status row")
        self.versioned, self.status, self.changes = versioned, Enum(*statuses), f"{name}_changes"
        version = Fresh(self.changes)
        kept = version if versioned else Ghost(version)
        self.Row = Record(f"{name.title()}Row", status=self.status, version=kept)
        where = self.store(name)
        self.variable(name, self.Row, owner=where)
        if versioned:
            self.variable(self.changes, version, owner=where, told=False)
        else:
            self.ghost(self.changes, version, owner=where)
        self.lost = self.ghost(f"{name}_lost", Bool(), owner=where)
        self.named(f"{name}_nothing_lost", self.invariant(relevant=[name])(self.nothing_lost))

    def read(self, s):
        """The row as it is now."""
        return s[self.name]

    def fits(self, s, seen):
        """Tell whether the row is taken for the one that was read."""
        if self.versioned:
            return s[self.name].version == seen.version
        return s[self.name].status == seen.status

    def put(self, s, seen, status):
        """The row gets a status, by somebody who has read it."""
        if s[self.name].version != seen.version:
            s[self.lost] = True
        self.set(s, status)

    def set(self, s, status):
        """The row gets a status, whatever it is."""
        s[self.changes] += 1
        s[self.name] = self.Row(status=status, version=s[self.changes])

    def nothing_lost(self, s):
        """No status is set over one that its writer had not seen."""
        return not s[self.lost]
