"""What a model declares of its drills: controls, failures to inject, failure domains, owners.

Plain values: which switches a control stands for, with what interference it is tried, which
property its absence breaks, and which event answers instead; which event is a failure. Running
them is for analysis/drill.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fencecheck.model.declaring.any_number import HowMany

Mechanisms = Mapping[str, str]
Bounds = Mapping[str, HowMany | str]  # a budget may be "any"

KEPT = ("holds", "violated")  # what may come out of a control's property in the design with it
RECOVERED = ("recovers", "none", "cannot happen")


@dataclass(frozen=True)
class Control:
    """A control: what its absence shows, what answers where it is there.

    Mechanisms ``without`` it break the property ``symptom``; under ``fenced`` the event ``answer``
    happens in place of that, which is the ``verdict`` in a word. Both are laid over the base.
    ``expect`` says what comes out of the property under ``fenced``, one of KEPT.
    """

    name: str
    without: Mechanisms
    symptom: str
    answer: str
    verdict: str
    bounds: Bounds
    fenced: Mechanisms = field(default_factory=dict)
    expect: str | None = None


@dataclass(frozen=True)
class InjectedFailure:
    """A failure: the interference event that is it, in which design, and when it counts.

    It may happen any number of times, unless ``bounds`` give its budget; they say what else may
    happen. ``when(before, args)`` picks out of the event's moments those meant. ``expect`` says
    whether it is recovered from, one of RECOVERED: in every design, or in each by name.
    """

    name: str
    event: str
    bounds: Bounds = field(default_factory=dict)
    mechanisms: Mechanisms = field(default_factory=dict)
    when: Callable[[Any, tuple[Any, ...]], bool] | None = None
    expect: str | Mapping[str, str] | None = None

    def expected(self, design: str) -> str | None:
        """Return what is expected of a design."""
        return self.expect.get(design) if isinstance(self.expect, Mapping) else self.expect


@dataclass(frozen=True)
class DrillPlan:
    """All drills of one model.

    ``base`` is the design that controls are left out of; ``designs`` are those that failures are
    injected into. ``owners`` says who answers for an event (with its outcome) that settles a
    failure, the most decisive one first. ``domains`` gives for each scripted order of the spec
    ``domain_spec`` by what its failure is detected, and whose the recovery is.
    """

    base: Mechanisms
    controls: tuple[Control, ...]
    designs: Mapping[str, Mechanisms]
    failures: tuple[InjectedFailure, ...]
    owners: Mapping[str, str]
    domain_spec: str
    domains: Mapping[str, tuple[str, str]]
