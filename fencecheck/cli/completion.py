"""Completion in shells: switches, bounds and properties of what a command line names.

Takes the words of a line that is not finished, gives what can stand next. The models are those of
the specs that are named anywhere on it, loaded as the command itself would; before one is named,
those that ship. What cannot be read completes to nothing.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    add_completion_class,
    split_arg_string,
)

from fencecheck.model.declaring.any_number import ANY

if TYPE_CHECKING:
    from fencecheck.model.family import Family

WORDS = "COMP_WORDS"  # where every shell puts the line
ONLY_BUILTIN = "--builtin-models-only"
MOST = 20  # files of a folder that are looked into


class WholeWords(BashComplete):
    """Completion in bash, which takes ``fence=step`` for three words, as one word."""

    name = "bash"
    _behind = False  # only what stands behind the sign replaces bash's last word

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the cursor, and the one that is not finished."""
        words = split_arg_string(os.environ[WORDS])
        place = int(os.environ["COMP_CWORD"])
        joined: list[str] = []
        for word, before in zip(words[: place + 1], ["", *words], strict=False):
            self._behind = bool(joined) and "=" in (word, before)
            if self._behind:
                joined[-1] += word
            else:
                joined.append(word)
        if place >= len(words):
            self._behind = False
            return joined[1:], ""
        return joined[1:-1], joined[-1]

    def format_completion(self, item: CompletionItem) -> str:
        """Return what bash puts in the place of its last word."""
        value = item.value.partition("=")[2] if self._behind else item.value
        return f"{item.type},{value}"


add_completion_class(WholeWords)


def complete_file(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the path of a spec, a trace or a folder."""
    return [CompletionItem(incomplete, type="file")]


def complete_model(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the name of a family that ships, or the path of a model."""
    from fencecheck.model.files.loading import builtin_models

    names = [name for name in builtin_models() if name.startswith(incomplete)]
    return [*map(CompletionItem, names), CompletionItem(incomplete, type="file")]


def complete_switch(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete ``SWITCH=VALUE``."""
    switches = {m.name: m for family in _families(ctx) for m in family.declared.mechanisms}
    return _pairs(incomplete, {name: (m.doc, m.values) for name, m in switches.items()})


def complete_bound(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete ``NAME=N``: a few numbers, and of a budget any."""
    bounds = {b.name: b for family in _families(ctx) for b in family.declared.bounds}
    numbers = {
        name: ("0", "1", "2", ANY) if b.budget else (str(b.default), str(b.default + 1))
        for name, b in bounds.items()
    }
    return _pairs(incomplete, {name: (b.doc, numbers[name]) for name, b in bounds.items()})


def complete_property(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the name of a property."""
    known = {p.name: p.doc for family in _families(ctx) for p in family.declared.properties}
    return [CompletionItem(n, help=doc) for n, doc in known.items() if n.startswith(incomplete)]


def _pairs(incomplete: str, known: dict[str, tuple[str, Iterable[str]]]) -> list[CompletionItem]:
    """Complete a name with its values where only one is left, else the name and its sign."""
    name, sign, _ = incomplete.partition("=")
    found = [n for n in known if n == name] if sign else [n for n in known if n.startswith(name)]
    if len(found) != 1:
        return [CompletionItem(f"{n}=", help=known[n][0]) for n in found]
    doc, values = known[found[0]]
    pairs = [f"{found[0]}={value}" for value in values]
    return [CompletionItem(pair, help=doc) for pair in pairs if pair.startswith(incomplete)]


# -- what the line names ------------------------------------------------------------------------
def _families(ctx: click.Context) -> list[Family]:
    """Return the models of what the line names; those that ship where it names nothing yet."""
    from fencecheck.model.files.loading import builtin_models, load_family

    words = split_arg_string(os.environ.get(WORDS, ""))
    named = [r for word in words[1:] for r in _references(word)]
    if {"model", "models"} & {param.name for param in ctx.command.params}:
        named += [word for word in words if word in builtin_models()]
    found = []
    for reference in dict.fromkeys(named or builtin_models()):
        with suppress(Exception):  # a mistake is told when the command is run
            found.append(load_family(reference, builtin_only=ONLY_BUILTIN in words))
    return found


def _references(word: str) -> Iterator[str]:
    """Yield what the models of a spec, a folder of specs or a model itself are loaded by."""
    path = Path(word)
    if path.suffix == ".py":
        yield word
        return
    if path.suffix != ".toml" and not path.is_dir():
        return
    for file in sorted(path.rglob("*.toml"))[:MOST] if path.is_dir() else [path]:
        with suppress(OSError, ValueError):
            model = tomllib.loads(file.read_text("utf-8")).get("model")
            if isinstance(model, str):
                yield str(file.parent / model) if model.endswith(".py") else model
