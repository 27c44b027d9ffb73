"""Part `view`: what somebody knows of a cell: a cache, a list, a tracking ref."""

from fencecheck.model import Part
from fencecheck.models.library.values.cell import Cell


class Copy(Part):
    """A copy of a Cell that lags until `copy.refresh(s)` is called."""

    cell: Cell

    def __init__(self, name, cell):
        super().__init__(name, f"{name}, a copy of {cell.name}")
        self.cell = cell
        self.include(cell)
        self.variable(name, cell.Version, owner=self.store(name))

    def read(self, s):
        """The version that the copy shows."""
        return s[self.name]

    def lags(self, s):
        """Tell whether the cell has another content than the copy shows."""
        return s[self.name].content != self.cell.read(s).content

    def refresh(self, s):
        """The copy becomes what the cell is now."""
        s[self.name] = self.cell.read(s)
