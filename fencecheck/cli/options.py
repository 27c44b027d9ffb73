"""The options that commands share, and what they amount to.

``search_options`` is the one decorator of every command that explores specs: a new option is a
line in SEARCH and a field of SearchSettings, which is what the command gets in place of the
single values (EFFORT and Effort for a command that takes no spec). Importing this loads nothing
but click.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fencecheck.cli.completion import complete_bound, complete_property, complete_switch
from fencecheck.cli.option_types import Amount, Pair, SearchOption
from fencecheck.errors import UsageError
from fencecheck.explore.amounts import MOST_THREADS, bytes_of, seconds_of
from fencecheck.model.declaring.any_number import HowMany
from fencecheck.model.time_limit import hurried

if TYPE_CHECKING:
    from fencecheck.checking.question import Options
    from fencecheck.explore.engine import EngineName
    from fencecheck.explore.resources import Tick
    from fencecheck.spec.files import Overrides, Spec

Command = Callable[..., Any]
DEFAULT_OUT = "reports"


@dataclass(frozen=True)
class Effort:
    """How far and with which engine a command explores; the fields are the options' names."""

    max_states: int | None
    max_memory: int | None
    timeout: float | None
    engine: EngineName
    threads: int | None

    def options(self, progress: Callable[[Tick], None] | None = None) -> Options:
        """Return the limits and the ways of a search."""
        from fencecheck.checking.question import Options
        from fencecheck.explore.graph import Limits

        limits = Limits(states=self.max_states, memory=self.max_memory, seconds=self.timeout)
        threads = self.threads or len(os.sched_getaffinity(0))
        return Options(limits, self.engine, threads, progress=progress)


@dataclass(frozen=True)
class DesignSettings:
    """What a command was told to lay over specs; the fields are the options' names."""

    mechanisms: tuple[tuple[str, str], ...]
    bounds: tuple[tuple[str, HowMany], ...]
    properties: tuple[str, ...]
    builtin_models_only: bool

    def overrides(self) -> Overrides:
        """Return what is laid over every variant of every spec."""
        from fencecheck.spec.files import Overrides

        return Overrides(dict(self.mechanisms), dict(self.bounds), self.properties)

    def load_one(self, path: str) -> Spec:
        """Read one spec, without those that it names to be read with it.

        Raises UsageError for a folder that holds several.
        """
        from fencecheck.spec.files import load_specs

        found = load_specs([path], self.overrides(), builtin_only=self.builtin_models_only)
        if len(found) != 1:
            raise UsageError(f"{path}: name one spec, not a folder of {len(found)}")
        return found[0]


@dataclass(frozen=True)
class SearchSettings(Effort, DesignSettings):
    """What a command was told about how to explore; the fields are the options' names."""

    spill: str | None
    cluster: str | None
    checkpoint: str | None = None
    exact: bool = False

    def options(self, progress: Callable[[Tick], None] | None = None) -> Options:
        """Return the limits and the ways of a search.

        Raises UsageError for a folder that is none.
        """
        from fencecheck.checking.question import cluster_at

        for option, folder in (("--spill", self.spill), ("--checkpoint", self.checkpoint)):
            if folder is not None and not folder.strip():
                raise UsageError(f'{option} "": it names no folder; leave it out, or name one')
        if self.spill is not None and not Path(self.spill).is_dir():
            raise UsageError(f"--spill {self.spill}: there is no such folder; make it first")
        return replace(
            super().options(progress),
            spill=Path(self.spill) if self.spill else None,
            checkpoint=Path(self.checkpoint) if self.checkpoint else None,
            exact=self.exact,
            elsewhere=cluster_at(self.cluster),
        )

    def load(
        self,
        paths: Sequence[Path | str],
        seconds: float | None = None,
        passed_over: Callable[[Path], None] = lambda path: None,
        *,
        also: bool = False,
    ) -> list[Spec]:
        """Read every spec, with ``also`` those that a spec names so; nothing runs before that.

        Loading hurries where there is a limit on time: ``seconds``, else what --timeout says.
        ``passed_over`` hears of the TOML files in folders that name no model.
        """
        from fencecheck.spec.files import load_specs

        with hurried(self.timeout if seconds is None else seconds):
            return load_specs(
                paths,
                self.overrides(),
                builtin_only=self.builtin_models_only,
                also=also,
                passed_over=passed_over,
            )


builtin_only_option = click.option(
    "--builtin-models-only",
    is_flag=True,
    help="Refuse what names a .py file of one's own: such a file is executed.",
)
quiet_option = click.option(
    "--quiet", is_flag=True, help="No progress and no notes; of a result only the verdicts."
)
_search_option = functools.partial(click.option, cls=SearchOption)


def cluster_option(does: str, how: str) -> Callable[[Command], Command]:
    """Return the option ``--cluster`` with what a command does there, and how it is shared out."""
    return _search_option(
        "--cluster",
        metavar="WHERE",
        help=f"{does}: auto (this machine), local:N (N processes here) or ray://HOST:PORT. {how} "
        'Needs the extra: pip install "fencecheck[cluster]".',
    )


EFFORT = (
    _search_option(
        "--max-states",
        type=click.IntRange(min=1),
        metavar="N",
        help="Cut a search at the end of the level that reaches N distinct states.",
    ),
    _search_option(
        "--timeout",
        type=Amount("time", seconds_of),
        metavar="TIME",
        help="Cut the search of a variant after this time: 90s, 10m, 1h30m.",
    ),
    _search_option(
        "--max-memory",
        type=Amount("memory", bytes_of),
        metavar="SIZE",
        help="Cut a search before the process takes more than this: 500M, 8G. "
        "Without it: what the machine has free.",
    ),
    _search_option(
        "--engine",
        type=click.Choice(["auto", "reference", "compiled"]),
        default="auto",
        show_default=True,
        help="The engine that searches; auto takes the reference engine for small spaces.",
    ),
    _search_option(
        "--threads",
        type=click.IntRange(1, MOST_THREADS),
        metavar="N",
        help="Threads of the compiled engine; without it, one for each core. No result depends "
        "on it.",
    ),
)
MODEL = (
    click.option(
        "--set",
        "mechanisms",
        type=Pair("SWITCH=VALUE", whole=False),
        multiple=True,
        shell_complete=complete_switch,
        help="Give a switch a value in every variant; repeatable.",
    ),
    click.option(
        "--bound",
        "bounds",
        type=Pair("NAME=N", whole=True),
        multiple=True,
        shell_complete=complete_bound,
        help="Give a bound a number, or a budget one or any, in every variant; repeatable.",
    ),
)
DESIGN = (
    *MODEL,
    click.option(
        "--property",
        "properties",
        metavar="NAME",
        multiple=True,
        shell_complete=complete_property,
        help="Check only this property; repeatable.",
    ),
)
SEARCH = (
    *DESIGN,
    *EFFORT,
    _search_option(
        "--spill",
        metavar="DIR",
        help="Past --max-memory the compiled engine goes on in files of this folder.",
    ),
    cluster_option(
        "Search in the processes of a Ray cluster",
        "Several designs are shared out, one is searched by all.",
    ),
    builtin_only_option,
)
SAVED = (
    _search_option(
        "--exact",
        is_flag=True,
        help="Count every state. Without it a state of a large space is left out where another has "
        "no less of any budget; no verdict, length or event order depends on it.",
    ),
    _search_option(
        "--checkpoint",
        metavar="DIR",
        help="Save searches of the compiled engine here as they go, and go on from what is saved.",
    ),
)


def gathered(name: str, kind: type[Any]) -> Callable[[Command], Command]:
    """Hand the options that are fields of the dataclass ``kind`` on as one argument ``name``."""

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def wrapper(*args: Any, **values: Any) -> Any:
            names = [field.name for field in fields(kind) if field.name in values]
            found = kind(**{name: values.pop(name) for name in names})
            return command(*args, **{name: found}, **values)

        return wrapper

    return decorate


def effort_options(command: Command) -> Command:
    """Give a command the limits and the choice of engine; it gets them as ``effort``."""
    return with_options(gathered("effort", Effort)(command), EFFORT)


def design_options(command: Command) -> Command:
    """Give a command what is laid over specs; it gets it as one argument ``design``."""
    options = (*DESIGN, builtin_only_option)
    return with_options(gathered("design", DesignSettings)(command), options)


def search_options(command: Command) -> Command:
    """Give a command every option of a search; it gets them as one argument ``search``."""
    return with_options(gathered("search", SearchSettings)(command), (*SEARCH, *SAVED))


def unsaved_search_options(command: Command) -> Command:
    """Give a command the same without those that save searches, for one that makes many."""
    return with_options(gathered("search", SearchSettings)(command), SEARCH)


def with_options(command: Command, options: Sequence[Callable[[Command], Command]]) -> Command:
    """Give a command options, shown in this order."""
    for option in reversed(options):
        command = option(command)
    return command


def format_option(choices: Sequence[str], default: str, text: str) -> Callable[[Command], Command]:
    """Return the option ``--format`` with the formats that a command has."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(list(choices)),
        default=default,
        show_default=True,
        help=text,
    )


def out_option(text: str, default: str | None) -> Callable[[Command], Command]:
    """Return the option ``--out`` with what a command does with the folder."""
    return click.option(
        "--out", metavar="DIR", default=default, show_default=default is not None, help=text
    )
