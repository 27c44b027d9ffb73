"""Domains: the finite sets of values that variables, record fields and parameters range over.

A domain is declared with sizes that may depend on the run (``Int(0, lambda k: k.steps)``) and
resolved against one run's sizes; only a resolved domain answers questions about values. Scalars
are Python bools, ints and strings; records are named tuples; a set, bag or sequence at rest is a
tuple, sets and bags in ascending order, so that equal contents are equal states.
"""

from fencecheck.model.domains.containers import (
    Array,
    Bag,
    Order,
    Seq,
    Set,
    Subset,
    bag,
    order_of,
    parts_of,
    shape_of,
)
from fencecheck.model.domains.counts import Count, counting
from fencecheck.model.domains.optional import Maybe, counted
from fencecheck.model.domains.records import Ghost, Record, replace
from fencecheck.model.domains.scalars import (
    LARGEST,
    MOST,
    Bool,
    Domain,
    Enum,
    Index,
    Int,
    Left,
    Scalar,
    Size,
)
from fencecheck.model.domains.tagged import OneOf, held_here, held_in
from fencecheck.model.domains.unlimited import Fresh, RoomySizes, Unlimited, Version

__all__ = [
    "LARGEST",
    "MOST",
    "Array",
    "Bag",
    "Bool",
    "Count",
    "Domain",
    "Enum",
    "Fresh",
    "Ghost",
    "Index",
    "Int",
    "Left",
    "Maybe",
    "OneOf",
    "Order",
    "Record",
    "RoomySizes",
    "Scalar",
    "Seq",
    "Set",
    "Size",
    "Subset",
    "Unlimited",
    "Version",
    "bag",
    "counted",
    "counting",
    "held_here",
    "held_in",
    "order_of",
    "parts_of",
    "replace",
    "shape_of",
]
