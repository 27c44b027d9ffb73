"""Parameters of events, properties and beginnings: what they range over, what stands for them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from fencecheck.export.tla.functions.calls import Body
from fencecheck.export.tla.syntax.trees import Tree, Word
from fencecheck.export.tla.values import NO_VALUE, KnownValue, Term, only_value
from fencecheck.model.domains import Domain


@dataclass
class Parameters:
    """``ranges`` are those that have more than one value, by their names in the module.

    ``given`` is what stands for each of all, by its name in the model.
    """

    ranges: list[tuple[str, Tree]] = field(default_factory=list)
    given: dict[str, Any] = field(default_factory=dict)

    def add(self, body: Body, wanted: str, domain: Domain) -> None:
        """Take a parameter that ranges over all values of a domain."""
        value = only_value(domain)
        if value is not NO_VALUE:
            self.given[wanted] = KnownValue(value, domain)
        else:
            self.add_over(body, wanted, domain, body.script.values_of(domain))

    def add_over(self, body: Body, wanted: str, domain: Domain, places: Tree) -> None:
        """Take a parameter that ranges over ``places``, whose members are of a domain."""
        name = body.script.names.free(wanted, body.used)
        body.used.add(name)
        self.ranges.append((name, places))
        self.given[wanted] = Term(Word(name), domain)
