"""Part `touches`: people change the identity of a cell, and not its content."""

from fencecheck.model import Part
from fencecheck.models.library.values.cell import Cell


class Touches(Part):
    """Touches of a Cell by people, which change nothing but a counter, a time, or the like."""

    cell: Cell

    def __init__(self, cell):
        super().__init__(f"touches of {cell.name}")
        self.cell, name = cell, cell.name
        self.include(cell)
        budget = self.budget(f"{name}_touches", f"touches that change nothing of {name}")
        human = self.actor("human", "interference")
        human.interference(budget, name=f"touch_{name}")(self.touch)

    def touch(self, s):
        """Somebody touches the value: its identity changes, where that is more than its content."""
        self.cell.mark(s)
