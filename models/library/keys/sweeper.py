"""Part `sweeper`: claims lapse whose owner does not complete them."""

from fencecheck.model import Part
from fencecheck.models.library.keys.record import KeyRecord


class Sweeper(Part):
    """Drops claims of a KeyRecord: at any time, unless its user guards the event.

    A user that knows whether the owner of a claim lives includes it with
    ``guard={"sweeper.abandon_NAME": lambda s, key: ...}``.
    """

    record: KeyRecord

    def __init__(self, record):
        super().__init__(f"sweeper of {record.name}")
        self.record, name = record, f"abandon_{record.name}"
        self.include(record)
        sweeper = self.actor("sweeper")
        sweeper.action(when=record.is_in_progress, name=name, key=record.key)(self.abandon)

    def abandon(self, s, key):
        """A claim lapses."""
        self.record.forget(s, key)
