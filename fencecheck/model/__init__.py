"""What the author of a model imports: domains, records, parts, and the model itself.

A model is written in a restricted subset of Python that two engines run; models/ has examples.
"""

from fencecheck.model.declare import Each
from fencecheck.model.domains import (
    Array,
    Bag,
    Bool,
    Count,
    Enum,
    Fresh,
    Ghost,
    Index,
    Int,
    Maybe,
    OneOf,
    Record,
    Seq,
    Set,
    Subset,
    Version,
    bag,
    replace,
)
from fencecheck.model.drills import Control, DrillPlan, InjectedFailure
from fencecheck.model.parts import Model, Part

__all__ = [
    "Array",
    "Bag",
    "Bool",
    "Control",
    "Count",
    "DrillPlan",
    "Each",
    "Enum",
    "Fresh",
    "Ghost",
    "Index",
    "InjectedFailure",
    "Int",
    "Maybe",
    "Model",
    "OneOf",
    "Part",
    "Record",
    "Seq",
    "Set",
    "Subset",
    "Version",
    "bag",
    "replace",
]
