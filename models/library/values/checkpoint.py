"""Part `checkpoint`: a copy of a cell that is kept, and can replace what is there later."""

from fencecheck.model import Part
from fencecheck.models.library.values.cell import Cell


class Checkpoint(Part):
    """What a Cell was when the checkpoint was taken; at first, what it is at first."""

    cell: Cell
    kept: str

    def __init__(self, cell):
        super().__init__(f"checkpoint of {cell.name}")
        self.cell = cell
        self.include(cell)
        self.kept = self.variable(f"{cell.name}_kept", cell.Version, owner=cell.name)

    def take(self, s):
        """A checkpoint is taken."""
        s[self.kept] = self.cell.read(s)

    def restore(self, s, seen):
        """The checkpoint replaces what is there; whoever does that knows the version seen."""
        self.cell.bring_back(s, seen, s[self.kept].content)
