"""Part `view`: a copy of a cell that lags: a cache, a list, a tracking ref."""

from fencecheck.model import Part
from fencecheck.models.library.cell import Cell
from fencecheck.models.library.options import asked


class Copy(Part):
    """What somebody knows of a Cell: brought up to date now and then, or by a ``has=("refresh",)``.

    With that the copy catches up by itself, sooner or later; without, only where others call
    `copy.refresh(s)`.
    """

    copy: str
    cell: Cell

    def __init__(self, name, cell, *, has=()):
        super().__init__(name, f"{name}, a copy of {cell.name}")
        self.cell = cell
        where = self.store(name)
        self.copy = self.variable(name, cell.Version, cell.start, owner=where)
        if "refresh" in asked(name, has, ("refresh",)):
            refreshing = self.actor("watcher").action(when=self.lags, name=f"refresh_{name}")
            refreshing(self.refresh)
            self.named(f"{name}_catches_up", self.leads_to(self.lags)(self.is_current))

    def read(self, s):
        """The version that the copy shows."""
        return s[self.copy]

    def lags(self, s):
        """Tell whether the cell has another content than the copy shows."""
        return s[self.copy].content != self.cell.read(s).content

    def refresh(self, s):
        """The copy becomes what the cell is now."""
        s[self.copy] = self.cell.read(s)

    def is_current(self, s):
        """The copy catches up with what it is a copy of."""
        return not self.lags(s)
