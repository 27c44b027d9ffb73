"""Values of a spec: variants, expectations, scripted orders, and what a command line adds.

These are plain values, filled in by reading.py from TOML and read by check.py and the
analyses. A Spec is complete: every name in it is known to its model and every design is one that
the model accepts. Nothing here reads a file or runs a model.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from fencecheck.errors import UsageError, not_among
from fencecheck.model.declaring.any_number import HowMany
from fencecheck.model.family import Design, Family

Verdict = Literal["holds", "violated", "undetermined"]
RELATIONS = ("<", "<=", "=", ">=", ">")
Named = TypeVar("Named")


@dataclass(frozen=True)
class Expectation:
    """What a spec says must come out for one property; ``events`` None leaves the length open."""

    verdict: Verdict
    events: int | None = None


@dataclass(frozen=True)
class Overrides:
    """What a command line puts on top of every variant of every spec.

    ``properties`` are the only ones to check, if any are named; one that a spec only reports
    stays reported. Expectations stay as they are written.
    """

    mechanisms: dict[str, str] = field(default_factory=dict)
    bounds: dict[str, HowMany] = field(default_factory=dict)
    properties: tuple[str, ...] = ()


@dataclass(frozen=True)
class Variant:
    """A design by name, with what is expected of it."""

    name: str
    design: Design
    expect: dict[str, Expectation]


@dataclass(frozen=True)
class Scenario:
    """A scripted order of events (see orders.py for the notation) and whom it asks.

    ``bounds`` come on top of a variant's own: the budgets that the order spends. ``show`` names
    variables as a trace does, each with a word for it; their values are told beside the answer,
    once the actor that was asked has gone on as far as it can.
    """

    name: str
    bounds: dict[str, HowMany]
    order: tuple[str, ...]
    ask: str
    note: str
    show: tuple[tuple[str, str], ...] = ()
    variants: tuple[str, ...] = ()

    def is_for(self, variant: Variant) -> bool:
        """Tell whether it is run on a variant: on all, or on those that it names."""
        return not self.variants or variant.name in self.variants


@dataclass(frozen=True)
class CostClaim:
    """That a cost of variant ``of`` is related so to that of another variant, or to a number."""

    cost: str
    of: str
    relation: str
    than: str | float


@dataclass(frozen=True)
class Claim:
    """What somebody says of designs, and all that decides it (analysis/compare/claims.py).

    ``verdicts`` are by variant and property, ``cells`` by variant and scenario. Instead,
    ``not_expressible`` says why no model here can tell. ``expected`` is what must come out.
    """

    name: str
    text: str
    source: str
    verdicts: dict[str, dict[str, Expectation]]
    cells: dict[str, dict[str, str]]
    costs: tuple[CostClaim, ...]
    not_expressible: str
    expected: str | None


@dataclass
class Spec:
    """What to check: a model, its variants, which properties, what is expected and claimed.

    ``path`` is as the user wrote it. ``claims`` says, for a variant and a scenario, what somebody
    claims the order gives; a claim is compared and shown, and fails nothing. ``statements`` are
    claims about whole designs. ``also`` are the paths of specs that are read with this one.
    """

    path: str | None
    family: Family
    title: str
    note: str
    required: tuple[str, ...]
    reported: tuple[str, ...]
    variants: list[Variant]
    scenarios: list[Scenario]
    claims: dict[str, dict[str, str]]
    has_expectations: bool
    statements: list[Claim] = field(default_factory=list)
    also: tuple[str, ...] = ()

    def variant(self, name: str) -> Variant:
        """Return the variant ``name``; raises UsageError if there is none."""
        return self._named("variant", name, {v.name: v for v in self.variants})

    def scenario(self, name: str) -> Scenario:
        """Return the scenario ``name``; raises UsageError if there is none."""
        return self._named("scenario", name, {s.name: s for s in self.scenarios})

    def _named(self, kind: str, name: str, there: Mapping[str, Named]) -> Named:
        if name in there:
            return there[name]
        place = f"{self.path}: " if self.path else ""
        raise UsageError(f'{place}{kind} "{name}" {not_among(name, there)}')
