"""In how many ways an action can happen: each is lowered to formulas of its own.

Above ``MANY`` that makes a model slow, which people are warned of; above ``TOO_MANY`` the model is
refused. Takes resolved domains; an ``Each`` stands for the variable that it ranges over.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from fencecheck.errors import ModelError
from fencecheck.model.domains import Bag, Index

if TYPE_CHECKING:
    from fencecheck.model.system import System

MANY, TOO_MANY = 2_000, 20_000


def check_ways(domains: Iterable[Any], what: str) -> None:
    """Refuse parameters that can be chosen in too many ways; ``what`` begins the message."""
    domains = list(domains)
    counts = _counts(domains)
    if math.prod(counts) > TOO_MANY:
        raise ModelError(
            f"{what}: {_product(counts)} ways in which it can happen (at most {TOO_MANY:,}); "
            f"lower {_bounds(domains)}"
        )


def warned_ways(system: System) -> list[str]:
    """Return a warning for each action of a system that can happen in many ways."""
    return [
        f"{action.name}: {_product(counts)} ways in which it can happen, each of which is lowered; "
        "a model loads faster where parameters have fewer values"
        for number, action in enumerate(system.actions)
        if math.prod(counts := _counts(system.ranges(number))) > MANY
    ]


def _counts(domains: Iterable[Any]) -> list[int]:
    """Return how many values each parameter has; of a bag's elements, how many there can be."""
    return [
        domain.capacity
        if isinstance(domain, Bag)
        else domain.count
        if hasattr(domain, "count")
        else domain.element.count
        for domain in domains
    ]


def _bounds(domains: Iterable[Any]) -> str:
    """Return the bounds that say how many values parameters have, as far as they are known."""
    names = dict.fromkeys(domain.bound for domain in domains if isinstance(domain, Index))
    named = [f"bound {name}" for name in names if name]
    return " or ".join(named) or "the bounds that its parameters depend on"


def _product(counts: list[int]) -> str:
    factors = " x ".join(f"{count:,}" for count in counts)
    total = f"{math.prod(counts):,}"
    return f"{factors} = {total}" if len(counts) > 1 else total
