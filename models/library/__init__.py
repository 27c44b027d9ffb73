"""Parts to write models from: each is made to size by who uses it, and many stand on another."""

from fencecheck.models.library.keys.bound_record import BoundRecord
from fencecheck.models.library.keys.inbox import Inbox
from fencecheck.models.library.keys.record import KeyRecord
from fencecheck.models.library.keys.sweeper import Sweeper
from fencecheck.models.library.keys.window import Window
from fencecheck.models.library.leases.clock import Clock
from fencecheck.models.library.leases.expiry import Expiry
from fencecheck.models.library.leases.lock import Lock
from fencecheck.models.library.leases.numbered_lock import NumberedLock
from fencecheck.models.library.leases.skewed_clock import SkewedClock
from fencecheck.models.library.messages.delay import Delay
from fencecheck.models.library.messages.duplication import Duplication
from fencecheck.models.library.messages.fifo import Queue
from fencecheck.models.library.messages.loss import Loss
from fencecheck.models.library.messages.mailbox import Mailbox
from fencecheck.models.library.messages.outbox import Outbox
from fencecheck.models.library.values.cell import Cell
from fencecheck.models.library.values.checkpoint import Checkpoint
from fencecheck.models.library.values.edits import Edits
from fencecheck.models.library.values.overrides import Overrides
from fencecheck.models.library.values.refusals import Refusals
from fencecheck.models.library.values.reverts import Reverts
from fencecheck.models.library.values.row import StatusRow
from fencecheck.models.library.values.touches import Touches
from fencecheck.models.library.values.view import Copy
from fencecheck.models.library.values.watcher import Watcher

__all__ = [
    "BoundRecord",
    "Cell",
    "Checkpoint",
    "Clock",
    "Copy",
    "Delay",
    "Duplication",
    "Edits",
    "Expiry",
    "Inbox",
    "KeyRecord",
    "Lock",
    "Loss",
    "Mailbox",
    "NumberedLock",
    "Outbox",
    "Overrides",
    "Queue",
    "Refusals",
    "Reverts",
    "SkewedClock",
    "StatusRow",
    "Sweeper",
    "Touches",
    "Watcher",
    "Window",
]
