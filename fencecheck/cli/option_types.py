"""Types of options: NAME=VALUE, and amounts with a unit. They fail with what to write instead.

Also the options of searches, which a command's help lists in a group of their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from fencecheck.errors import UsageError
from fencecheck.explore.amounts import share_of
from fencecheck.model.declaring.any_number import ANY

if TYPE_CHECKING:
    Type = click.ParamType[Any]
else:
    Type = click.ParamType  # not generic in the older releases of click


class Pair(Type):
    """NAME=VALUE; the value is text, or for bounds a whole number or any."""

    def __init__(self, name: str, whole: bool) -> None:
        self.name, self.whole = name, whole

    def get_metavar(self, *_: Any, **__: Any) -> str:
        """Return what stands in the help."""
        return self.name

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, Any]:
        """Split the pair; fail with what to write instead."""
        if isinstance(value, tuple):
            return value[0], value[1]
        key, equals, said = (part.strip() for part in str(value).partition("="))
        if not equals or not key or not said:
            self.fail(f'"{value}": write {self.name}', param, ctx)
        if not self.whole:
            return key, said
        if said == ANY:
            return key, ANY
        if not re.fullmatch(r"\d+", said):
            wanted = f"{said} is neither a whole number nor any; write {self.name}"
            self.fail(f'"{value}": {wanted}', param, ctx)
        return key, int(said)


class Amount(Type):
    """An option whose text ``read`` turns into a number, or raises UsageError for."""

    def __init__(self, name: str, read: Callable[[str], float]) -> None:
        self.name, self.read = name, read

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number; fail with what to write instead."""
        try:
            return self.read(value)
        except UsageError as error:
            self.fail(str(error), param, ctx)


class Share(Type):
    """A number, or a share of something: ``3`` or ``10%``."""

    name = "number or share"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, float]:
        """Return (number, percent); fail with what to write instead."""
        if isinstance(value, tuple):
            return value[0], value[1]
        try:
            return share_of(value)
        except UsageError as error:
            self.fail(str(error), param, ctx)


class SearchOption(click.Option):
    """An option that says how far and with what a search goes, and changes no verdict."""


class SearchCommand(click.Command):
    """A command that searches: its help lists such options in a group of their own."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, those of searches last."""
        groups: dict[str, list[tuple[str, str]]] = {"Options": [], "Search options": []}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None and isinstance(param, click.Option):
                searches = isinstance(param, SearchOption)
                groups["Search options" if searches else "Options"].append(record)
        for title, records in groups.items():
            with formatter.section(title):
                formatter.write_dl(records)
