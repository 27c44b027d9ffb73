"""Part `expiry`: a lock lapses while it is held."""

from fencecheck.model import Part
from fencecheck.models.library.leases.lock import Lock


class Expiry(Part):
    """A Lock can lapse; whoever holds it does not notice."""

    lock: Lock

    def __init__(self, lock):
        super().__init__(f"expiry of {lock.name}")
        self.lock, name = lock, lock.name
        self.include(lock)
        budget = self.budget(f"{name}_expiries", f"times {name} lapses while it is held")
        clock = self.actor("clock", "interference")
        clock.interference(budget, when=self.is_held, name=f"expire_{name}")(self.expire)

    def is_held(self, s):
        return s[self.lock.holder] is not None

    def expire(self, s):
        """The lock lapses; its holder does not notice."""
        self.lock.lapse(s)
