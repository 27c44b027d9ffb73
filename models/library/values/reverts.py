"""Part `reverts`: people put back the first content of a cell."""

from fencecheck.model import Part
from fencecheck.models.library.values.cell import Cell


class Reverts(Part):
    """Undos by people, after which a Cell has the content that it had at first."""

    cell: Cell

    def __init__(self, cell):
        super().__init__(f"reverts of {cell.name}")
        self.cell, name = cell, cell.name
        self.include(cell)
        budget = self.budget(f"{name}_reverts", f"undos of {name}")
        human = self.actor("human", "interference")
        human.interference(budget, name=f"revert_{name}")(self.revert)

    def revert(self, s):
        """Somebody puts the original back."""
        self.cell.bring_back(s, self.cell.read(s), self.cell.Content.original)
