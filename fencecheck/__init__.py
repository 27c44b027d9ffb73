"""fencecheck: explicit-state model checking of agent-execution protocols.

``fencecheck.check`` checks a spec, or a model with a design and bounds, from Python; everything
else is in the command line and in the subpackages. Importing this loads nothing heavy.
"""

__version__ = "0.1.0"

# the function takes the place of the module of the same name, which is bound when it is imported
from fencecheck.check import check

__all__ = ["__version__", "check"]
