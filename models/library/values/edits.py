"""Part `edits`: people change a cell, perhaps so that its identity stays the same."""

from fencecheck.model import Part
from fencecheck.models.library.values.cell import Cell

UNNOTICED = {"time": "in_the_same_tick", "part": "elsewhere"}


class Edits(Part):
    """Edits of a Cell by people, some of them unnoticed where its identity leaves room for that."""

    cell: Cell

    def __init__(self, cell):
        super().__init__(f"edits of {cell.name}")
        self.cell, name = cell, cell.name
        self.include(cell)
        budget = self.budget(f"{name}_edits", f"edits of {name}")
        human = self.actor("human", "interference")
        human.interference(budget, name=f"edit_{name}")(self.edit)
        if cell.identity in UNNOTICED:
            verb = f"edit_{name}_{UNNOTICED[cell.identity]}"
            human.interference(budget, name=verb)(self.edit_unnoticed)

    def edit(self, s):
        """Somebody changes the value."""
        self.cell.renew(s)
        self.cell.mark(s)

    def edit_unnoticed(self, s):
        """Somebody changes the value, and its identity stays the same."""
        self.cell.renew(s)
