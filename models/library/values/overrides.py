"""Part `overrides`: an operator sets a status row by hand."""

from fencecheck.model import Part
from fencecheck.models.library.values.row import StatusRow


class Overrides(Part):
    """An operator gives a StatusRow any status, whatever it is."""

    row: StatusRow

    def __init__(self, row):
        super().__init__(f"overrides of {row.name}")
        self.row, name = row, row.name
        self.include(row)
        budget = self.budget(f"{name}_set", f"times that an operator sets {name}")
        operator = self.actor("operator", "interference")
        operator.interference(budget, status=row.status, name=f"set_{name}")(self.override)

    def override(self, s, status):
        """The operator sets the row."""
        self.row.set(s, status)
