"""Parts to write models from, each made to size by who uses it."""

from fencecheck.models.library.cell import Cell
from fencecheck.models.library.lock import Lock
from fencecheck.models.library.mailbox import Mailbox
from fencecheck.models.library.record import KeyRecord

__all__ = ["Cell", "KeyRecord", "Lock", "Mailbox"]
