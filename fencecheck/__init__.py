"""fencecheck: explicit-state model checking of agent-execution protocols.

``fencecheck.checking`` checks a spec, or a model with a design and bounds, from Python; everything
else is in the command line and in the subpackages. Importing this loads nothing heavy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["__version__", "check"]

if TYPE_CHECKING:
    from fencecheck.checking.check import check


def __getattr__(name: str) -> Any:
    if name == "check":
        from fencecheck.checking.check import check

        return check
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
