"""Part `watcher`: it brings a copy up to date by itself, sooner or later."""

from fencecheck.model import Part
from fencecheck.models.library.values.view import Copy


class Watcher(Part):
    """Refreshes a Copy where it lags."""

    copy: Copy

    def __init__(self, copy):
        super().__init__(f"watcher of {copy.name}")
        self.copy, name = copy, copy.name
        self.include(copy)
        self.actor("watcher").action(when=copy.lags, name=f"refresh_{name}")(self.refresh)
        self.named(f"{name}_catches_up", self.leads_to(copy.lags)(self.is_current))

    def refresh(self, s):
        """The copy becomes what it is a copy of."""
        self.copy.refresh(s)

    def is_current(self, s):
        """The copy catches up with what it is a copy of."""
        return not self.copy.lags(s)
