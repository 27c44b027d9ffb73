"""Part `refusals`: whether a write of a cell that was refused should have been."""

from fencecheck.model import Bool, Part
from fencecheck.models.library.values.cell import Cell


class Refusals(Part):
    """Judges each refusal of a write of a Cell that the model notes."""

    cell: Cell
    wrong: str

    def __init__(self, cell):
        super().__init__(f"refusals of {cell.name}")
        self.cell, name = cell, cell.name
        self.include(cell)
        self.wrong = self.ghost(f"{name}_refused_wrongly", Bool(), owner=name)
        self.named(f"{name}_no_false_refusal", self.invariant()(self.no_false_refusal))

    def note(self, s, seen):
        """A write is refused, which is wrong where nothing had changed."""
        if seen.content == self.cell.read(s).content:
            s[self.wrong] = True

    def no_false_refusal(self, s):
        """No write is refused while the value is the one that it was made from."""
        return not s[self.wrong]
