"""``fencecheck list``: what models there are, and all that a spec can name of them."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from fencecheck.cli.completion import complete_bound, complete_model, complete_switch
from fencecheck.cli.option_types import Pair
from fencecheck.cli.options import builtin_only_option
from fencecheck.cli.terminal import paint, put_note, put_text, screen_width
from fencecheck.model.declaring.any_number import HowMany

if TYPE_CHECKING:
    from fencecheck.model.declare import Action
    from fencecheck.model.family import Family
    from fencecheck.model.property import Property

Pairs = tuple[tuple[str, str], ...]


@click.command("list")
@click.argument("models", nargs=-1, metavar="[MODEL]...", shell_complete=complete_model)
@click.option("--layout", is_flag=True, help="The packed layout of a state instead.")
@click.option("--schema", is_flag=True, help="The JSON Schema of specs instead, for editors.")
@click.option(
    "--set",
    "mechanisms",
    type=Pair("SWITCH=VALUE", whole=False),
    multiple=True,
    shell_complete=complete_switch,
    help="With --layout: give a switch a value; repeatable.",
)
@click.option(
    "--bound",
    "bounds",
    type=Pair("NAME=N", whole=True),
    multiple=True,
    shell_complete=complete_bound,
    help="With --layout: give a bound a number; repeatable.",
)
@builtin_only_option
def list_models(
    models: tuple[str, ...],
    layout: bool,
    schema: bool,
    mechanisms: Pairs,
    bounds: tuple[tuple[str, HowMany], ...],
    builtin_models_only: bool,
) -> int:
    """Show what there is to switch on and check.

    Of each model: switches with values and defaults, bounds and budgets, properties with their
    meaning, events; and the specs that ship, with their variants.

    A MODEL is a built-in family or a .py file; without one, every built-in family.
    """
    from fencecheck.model.files.loading import builtin_models, load_family

    names = list(models) or builtin_models()
    families = [load_family(name, builtin_only=builtin_models_only) for name in names]
    _note_warnings(families)
    if schema:
        put_text(_schema(names))
    elif layout:
        told = [_layout_lines(f, dict(mechanisms), dict(bounds)) for f in families]
        put_text("\n\n".join("\n".join(lines) for lines in told))
    else:
        told = [family_lines(family, screen_width()) for family in families]
        if not models:
            told.append(_shipped_lines())
        put_text("\n\n".join("\n".join(lines) for lines in told if lines))
    return 0


def _note_warnings(families: Iterable[Family]) -> None:
    """Say on stderr what people should know of models, at the sizes they have by default."""
    from fencecheck.model.checks.ways import warned_ways
    from fencecheck.model.system import System

    for family in families:
        for text in warned_ways(System(family, family.default_design())):
            put_note(f"warning: {family.name}: {text}")


def family_lines(family: Family, width: int) -> list[str]:
    """Return all that a spec can name of a model, in sections."""
    from fencecheck.model.declaring.actors import meaning_of
    from fencecheck.report.words.outcomes import fairness_words

    declared = family.declared
    lines = [paint("head", f"{family.name}: {family.title}")]
    for title, environment in (("switches", False), ("switches of the environment", True)):
        chosen = [m for m in declared.mechanisms if m.environment == environment]
        told = [(f"{m.name} = {_values(m.values, m.default)}", m.doc) for m in chosen]
        lines += _section(title, told, width)
    sizes = [(f"{b.name} = {b.default}", b.doc) for b in declared.bounds if not b.budget]
    budgets = [(b.name, b.doc) for b in declared.bounds if b.budget]
    lines += _section("bounds", sizes, width)
    lines += _section("budgets of interference, 0 unless a spec says otherwise", budgets, width)
    lines += _section("properties", [(_promised(p), p.doc) for p in declared.properties], width)
    limits = [(c.name, c.doc) for c in declared.constraints]
    lines += _section("no state is expanded in which this is false", limits, width)
    starts = [(f"{x.name}{_params(x.params)}", meaning_of(x.function)) for x in declared.starts]
    lines += _section("initial states", starts, width)
    for title, interference in (("system events", False), ("interference", True)):
        acts = [a for a in declared.actions if a.interference == interference]
        told = [(f"{a.name}{_params(a.params)}", f"{a.doc}{_unless(a)}".strip()) for a in acts]
        lines += _section(title, told, width)
    tidied = [(f.function.__name__, meaning_of(f.function)) for f in declared.forgets if f.always]
    lines += _section("put away after every event", tidied, width)
    classes = [(fairness_words(family.fairness, family.strengths), "")] if family.fairness else []
    return lines + _section("classes of weak fairness", classes, width)


def _promised(prop: Property) -> str:
    """Return a property's name, its kind, and for what it is promised."""
    each = "".join(f", for each {name}" for name in prop.params)
    return f"{prop.name} ({prop.kind}{each})"


def _values(values: Sequence[str], default: str) -> str:
    return " | ".join(f"[{value}]" if value == default else value for value in values)


def _params(params: Iterable[str]) -> str:
    names = ", ".join(params)
    return f"({names})" if names else ""


def _unless(action: Action) -> str:
    """Return which events come before an alternative, as a sentence."""
    before = getattr(action.guard, "before", ())
    return f" Only where no {' or '.join(before)} is possible." if before else ""


def _section(title: str, items: Sequence[tuple[str, str]], width: int) -> list[str]:
    if not items:
        return []
    lines = ["", f"  {paint('head', title)}"]
    for name, meaning in items:
        lines.append(f"    {name}")
        lines += textwrap.wrap(
            meaning, width, initial_indent=" " * 8, subsequent_indent=" " * 8,
            break_long_words=False, break_on_hyphens=False,
        )  # fmt: skip
    return lines


def _layout_lines(
    family: Family, mechanisms: dict[str, str], bounds: dict[str, HowMany]
) -> list[str]:
    from fencecheck.model.system import System

    system = System(family, family.design(mechanisms, bounds))
    known = system.lowered.spending
    told = dict.fromkeys(known.only, "  spent only")
    told |= {name: f"  read by {', '.join(who)}" for name, who in known.readers.items() if who}
    fields = system.lowered.layout.fields
    total = sum(field.bits for field in fields)
    room = max(len(_counted(field.path)) for field in fields)
    lines = [paint("head", f"{family.name}: a state takes {total} bits in {len(fields)} fields")]
    for field in fields:
        ghost = "  ghost" if field.ghost else ""
        path = _counted(field.path).ljust(room)
        spent = told.get(field.path, "")
        lines.append(f"  {path}  {field.bits:>3}  {field.low}..{field.high}{ghost}{spent}")
    return lines


def _counted(path: str) -> str:
    """Return a field's path with steps, slots and chunks counted from 1, as people do."""
    return re.sub(r"(?<=[\[#|])\d+", lambda found: str(int(found[0]) + 1), path)


def _shipped_lines() -> list[str]:
    """Return the specs that ship, with their variants: the named designs are among them."""
    import importlib
    from pathlib import Path

    from fencecheck.spec.files import load_specs

    package = importlib.import_module("fencecheck.specs")
    folder = Path(next(iter(package.__path__)))
    if not any(folder.rglob("*.toml")):
        return []
    lines = [paint("head", f"specs that ship, in {folder}")]
    for spec in load_specs([folder]):
        name = Path(spec.path or "").resolve().relative_to(folder.resolve())
        lines.append(f"    {name.as_posix()}: {spec.title}")
        if len(spec.variants) > 1:
            told = f"variants: {'; '.join(v.name for v in spec.variants)}"
            lines += textwrap.wrap(
                told, screen_width(), initial_indent=" " * 8, subsequent_indent=" " * 10
            )
    return lines


def _schema(names: Sequence[str]) -> str:
    from fencecheck.report.words.visible import json_text
    from fencecheck.spec.files import spec_schema

    return json_text(spec_schema(names))
