"""Parts to write models from, each made to size by who uses it."""

from fencecheck.models.library.cell import Cell
from fencecheck.models.library.clock import Clock
from fencecheck.models.library.inbox import Inbox
from fencecheck.models.library.lock import Lock
from fencecheck.models.library.mailbox import Mailbox
from fencecheck.models.library.outbox import Outbox
from fencecheck.models.library.record import KeyRecord
from fencecheck.models.library.row import StatusRow
from fencecheck.models.library.view import Copy

__all__ = ["Cell", "Clock", "Copy", "Inbox", "KeyRecord", "Lock", "Mailbox", "Outbox", "StatusRow"]
