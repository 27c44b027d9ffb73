"""fencecheck: explicit-state model checking of agent-execution protocols.

    import fencecheck as fc

    result = fc.check("specs/tour.toml")
    result["no fence"]["at_most_once"].trace.draw("twice.svg")

``check``, ``compare``, ``explain``, ``drive`` and ``conform`` do what the commands of that name
do; ``load`` reads a model or a spec, and ``conforms`` makes tests of an adapter. Importing this
loads nothing heavy.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from fencecheck.version import __version__

if TYPE_CHECKING:
    from fencecheck.errors import FencecheckError
    from fencecheck.interface.calls import check, compare, explain, load
    from fencecheck.interface.conformance import conforms, drive
    from fencecheck.interface.counterexample import Counterexample
    from fencecheck.interface.explanations import ExplainResult
    from fencecheck.interface.verdicts import CheckResult, DesignResult, PropertyResult

_PLACES = {
    "CheckResult": "interface.verdicts",
    "Counterexample": "interface.counterexample",
    "DesignResult": "interface.verdicts",
    "ExplainResult": "interface.explanations",
    "FencecheckError": "errors",
    "PropertyResult": "interface.verdicts",
    "check": "interface.calls",
    "compare": "interface.calls",
    "conforms": "interface.conformance",
    "drive": "interface.conformance",
    "explain": "interface.calls",
    "load": "interface.calls",
}
__all__ = [
    "CheckResult",
    "Counterexample",
    "DesignResult",
    "ExplainResult",
    "FencecheckError",
    "PropertyResult",
    "__version__",
    "check",
    "compare",
    "conform",
    "conforms",
    "drive",
    "explain",
    "load",
]


def __getattr__(name: str) -> Any:
    if name == "conform":  # a module that can be called
        return importlib.import_module("fencecheck.conform")
    if name in _PLACES:
        return getattr(importlib.import_module(f"fencecheck.{_PLACES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
