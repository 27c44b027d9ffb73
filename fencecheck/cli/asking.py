"""The options that ask more of a check than verdicts, and what they amount to.

``thorough_options`` gives a command those on coverage, as one argument ``thorough``;
``asking_options`` gives it these and questions in predicates, as one argument ``asking``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from fencecheck.cli.options import SearchSettings, gathered, with_options

if TYPE_CHECKING:
    from fencecheck.checking.question import Options
    from fencecheck.checking.results import Result
    from fencecheck.spec.files import Spec

Command = Callable[..., Any]


@dataclass(frozen=True)
class Thorough:
    """What a command was told about coverage; the fields are the options' names."""

    coverage: bool
    strict: bool

    def add(self, options: Options, search: SearchSettings) -> Options:
        """Return options of a check with what was asked for."""
        return replace(options, coverage=self.coverage, strict=self.strict)

    def further(self, spec: Spec, result: Result, options: Options) -> None:
        """Add to a result what is found by going on from it."""


@dataclass(frozen=True)
class Asking(Thorough):
    """What a command was asked beside its spec; the fields are the options' names."""

    reach: tuple[str, ...]
    invariants: tuple[str, ...]
    counterexamples: int

    def add(self, options: Options, search: SearchSettings) -> Options:
        """Return options with the questions too; a --property is checked beside them."""
        from fencecheck.checking.question import Predicates

        asked = Predicates(self.reach, self.invariants, alone=not search.properties)
        return replace(super().add(options, search), predicates=asked)

    def further(self, spec: Spec, result: Result, options: Options) -> None:
        """Add further counterexamples to a result, where more than one is asked for."""
        if self.counterexamples > 1:
            from fencecheck.analysis.counterexamples import add_counterexamples

            add_counterexamples(spec, result, options, self.counterexamples)


THOROUGH = (
    click.option(
        "--coverage",
        is_flag=True,
        help="Show how often each event occurred, after how many events first, and why one never "
        "did.",
    ),
    click.option(
        "--strict",
        is_flag=True,
        help="Exit with 1 where something was never put to the test: a property whose trigger "
        "never occurs, an event never enabled though the design does not exclude it, a fault "
        "that never fired within its budget, a switch that made no difference.",
    ),
)
QUESTIONS = (
    click.option(
        "--reach",
        metavar="PREDICATE",
        multiple=True,
        help="Ask for an event order to a state, in place of the spec's properties: "
        "'view[2] == \"done\" and edits_used == 1'. Variables, switches and bounds by name; of a "
        "budget NAME_left and NAME_used; steps, files and workers count from 1; repeatable.",
    ),
    click.option(
        "--invariant",
        "invariants",
        metavar="PREDICATE",
        multiple=True,
        help="Ask whether this is true in every reachable state, in place of the spec's "
        "properties; repeatable.",
    ),
    click.option(
        "--counterexamples",
        type=click.IntRange(1, 100),
        default=1,
        show_default=True,
        metavar="K",
        help="Show up to K counterexamples of each property that differ in kind: in the "
        "interference they need, or in an order that is more than a swap of independent events.",
    ),
)


def thorough_options(command: Command) -> Command:
    """Give a command the options on coverage; it gets them as one argument ``thorough``."""
    return with_options(gathered("thorough", Thorough)(command), THOROUGH)


def asking_options(command: Command) -> Command:
    """Give a command all options of this module; it gets them as one argument ``asking``."""
    return with_options(gathered("asking", Asking)(command), (*QUESTIONS, *THOROUGH))
