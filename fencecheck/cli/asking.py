"""The options that ask more of a check than verdicts, and what they amount to.

``asking_options`` gives a command all of them as one argument ``asking``: coverage, strictness,
further counterexamples, and questions in the model's own words. ``thorough_options`` are those of
them that make sense for a table of designs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from fencecheck.cli.options import gathered

if TYPE_CHECKING:
    from fencecheck.checking import Options

Command = Callable[..., Any]


@dataclass(frozen=True)
class Thorough:
    """What a command was told about coverage; the fields are the options' names."""

    coverage: bool
    strict: bool

    def add(self, options: Options) -> Options:
        """Return options of a check with what was asked for."""
        return replace(options, coverage=self.coverage, strict=self.strict)


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


def thorough_options(command: Command) -> Command:
    """Give a command the options on coverage; it gets them as one argument ``thorough``."""
    wrapper = gathered("thorough", Thorough)(command)
    for option in reversed(THOROUGH):
        wrapper = option(wrapper)
    return wrapper
