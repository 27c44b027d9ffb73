"""What the tests of an implementation import to have it driven through a model's event orders.

    from fencecheck.conform import Adapter, on

An adapter connects the code to a model. ``Task`` and ``Process`` hold the code at named points.
``TestCase`` and ``machine`` are tests for pytest, unittest and Hypothesis; what is heavy is loaded
where it is asked for.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from fencecheck.conform.adapter import ANY, Adapter, on

if TYPE_CHECKING:
    from fencecheck.conform.points import point
    from fencecheck.conform.processes import Process
    from fencecheck.conform.tasks import Killed, Task, holding

_PLACES = {
    "Killed": "conform.tasks",
    "Process": "conform.processes",
    "Task": "conform.tasks",
    "TestCase": "interface.conformance",
    "holding": "conform.tasks",
    "machine": "interface.machines",
    "point": "conform.points",
}
__all__ = ["ANY", "Adapter", "Killed", "Process", "Task", "holding", "on", "point"]


class _Callable(ModuleType):
    """This module, which can be called: ``fencecheck.conform(spec, log)`` explains logs."""

    def __call__(self, *args: Any, **given: Any) -> Any:
        return importlib.import_module("fencecheck.interface.logs").conform(*args, **given)


sys.modules[__name__].__class__ = _Callable


def __getattr__(name: str) -> Any:
    if name in _PLACES:
        return getattr(importlib.import_module(f"fencecheck.{_PLACES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
