"""The table of a family that ships: its files, what each holds, its events and properties.

Takes a family's name, gives the table in Markdown, made from the modules themselves.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import fencecheck.models
from fencecheck.model.family import Family
from fencecheck.model.files.loading import load_family
from fencecheck.model.parts import Part

MODELS = Path(fencecheck.models.__file__).parent
HEAD = "| file | holds | events | properties and costs |\n| --- | --- | --- | --- |\n"


def table_of(name: str) -> str:
    """Return the table of a built-in family, a row for each file that declares part of it."""
    family = load_family(name)
    rows = [_row(family, file) for file in _files(family)]
    return HEAD + "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _files(family: Family) -> list[Path]:
    """Return the files that declare something of a family, its first file first."""
    own, order = MODELS / family.name, dict[Path, int]()
    for module in [m for n, m in sys.modules.items() if n.startswith("fencecheck.models.")]:
        file = Path(module.__file__ or "")
        made = [part for part in _made_in(module, file) if part in family.parts]
        if made and file.name != "__init__.py":
            order[file] = min(family.parts.index(part) for part in made)
    for function in _functions(family):
        order.setdefault(Path(function.__code__.co_filename), len(family.parts))
    return sorted(
        order, key=lambda f: (f != own / "family.py", not f.is_relative_to(own), order[f], str(f))
    )


def _made_in(module: ModuleType, file: Path) -> list[Part]:
    """Return the parts that a module makes, rather than imports."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    assigned = [node for node in tree.body if isinstance(node, ast.Assign)]
    targets = [n.targets[0].id for n in assigned if isinstance(n.targets[0], ast.Name)]
    values = [getattr(module, name, None) for name in targets]
    return [value for value in values if isinstance(value, Part)]


def _functions(family: Family) -> Iterator[Callable[..., Any]]:
    """Yield the functions of a family's events, properties and costs."""
    yield from (action.effect for action in family.declared.actions)
    yield from (prop.holds for prop in family.declared.properties)
    yield from (cost.count for cost in family.declared.costs)


def _row(family: Family, file: Path) -> list[str]:
    declared, shown = family.declared, file.relative_to(MODELS).as_posix()
    said = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    holds = said.split("\n\n")[0].replace("\n", " ").partition(": ")[2].rstrip(".")
    events = [f"`{a.name}`{'*' * a.interference}" for a in declared.actions if _in(file, a.effect)]
    judged = [f"`{p.name}`" for p in declared.properties if _in(file, p.holds)]
    paid = [c.name for c in declared.costs if _in(file, c.count)]
    return [f"[{shown}]({shown})", holds, _listed(events), _listed([*judged, *paid])]


def _in(file: Path, function: Callable[..., Any]) -> bool:
    return Path(function.__code__.co_filename) == file


def _listed(words: Iterable[str]) -> str:
    return ", ".join(words)
