"""Part `row`: a status that several set, each from what it has read, with a version or without.

With a version a change compares that; without, only the status can be compared, which may have
come back to what it was.
"""

from fencecheck.model import Bool, Enum, Ghost, Int, Part, Record
from fencecheck.models.library.options import asked


class StatusRow(Part):
    """A row with one of some ``statuses``, set ``changes`` times at most.

    It ``has`` what is asked for: a version that can be compared, an operator who sets it too.
    """

    row: str
    lost: str
    versioned: bool
    Row: Record

    def __init__(self, name, statuses, *, changes=3, has=()):
        super().__init__(name, f"{name}, a status row")
        has = asked(name, has, ("version", "operator"))
        self.versioned, status, version = "version" in has, Enum(*statuses), Int(0, changes)
        kept = version if self.versioned else Ghost(version)
        self.Row = Record(f"{name.title()}Row", status=status, version=kept)
        where = self.store(name)
        self.row = self.variable(name, self.Row, owner=where)
        self.lost = self.ghost(f"{name}_lost", Bool(), owner=where)
        self.named(f"{name}_nothing_lost", self.invariant(relevant=[name])(self.nothing_lost))
        if "operator" in has:
            budget = self.budget(f"{name}_set", f"times that an operator sets {name}")
            operator = self.actor("operator", "interference")
            operator.interference(budget, status=status, name=f"set_{name}")(self.set)

    def read(self, s):
        """The row as it is now."""
        return s[self.row]

    def fits(self, s, seen):
        """Tell whether the row is taken for the one that was read."""
        if self.versioned:
            return s[self.row].version == seen.version
        return s[self.row].status == seen.status

    def put(self, s, seen, status):
        """The row gets a status, by somebody who has read it."""
        if s[self.row].version != seen.version:
            s[self.lost] = True
        self.set(s, status)

    def set(self, s, status):
        """The row gets a status, whatever it is."""
        s[self.row] = self.Row(status=status, version=s[self.row].version + 1)

    def nothing_lost(self, s):
        """No status is set over one that its writer had not seen."""
        return not s[self.lost]
