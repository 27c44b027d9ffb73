"""Specs: what to check, from TOML files, with every mistake of every file at once.

Files and folders go in, complete Spec values come out; one SpecError carries all that is wrong.
The values are in values.py, the reading of one file in reading.py, the JSON Schema
that editors use in schema.py. Nothing here explores.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from fencecheck.errors import SpecError, UsageError, nearest, not_among
from fencecheck.spec.folders import none_below, toml_below
from fencecheck.spec.reading import read_spec
from fencecheck.spec.schema import spec_schema
from fencecheck.spec.values import Expectation, Overrides, Scenario, Spec, Variant, Verdict

__all__ = [
    "Expectation",
    "Overrides",
    "Scenario",
    "Spec",
    "Variant",
    "Verdict",
    "builtin_spec",
    "load_specs",
    "spec_schema",
]
_PLAIN = Overrides()


def load_specs(
    paths: Sequence[Path | str],
    overrides: Overrides = _PLAIN,
    *,
    builtin_only: bool = False,
    also: bool = False,
    passed_over: Callable[[Path], None] = lambda path: None,
) -> list[Spec]:
    """Read every spec that ``paths`` name, in order, each file once.

    A folder stands for every ``*.toml`` below it that names a model, sorted; ``passed_over`` hears
    of the others. With ``builtin_only`` a model of one's own is refused instead of executed; with
    ``also`` the specs that a spec names so are read behind it. Raises SpecError with every problem
    of every file.
    """
    specs: list[Spec] = []
    problems: list[str] = []
    seen: set[Path] = set()
    for given in paths:
        files, missing = _expand(Path(given), passed_over)
        problems += missing
        while files:
            path = files.pop(0)
            if path.resolve() in seen:
                continue
            seen.add(path.resolve())
            spec, wrong = read_spec(path.as_posix(), path, overrides, builtin_only=builtin_only)
            problems += wrong
            if spec is not None:
                specs.append(spec)
                for name in spec.also if also else ():
                    more, missing = _expand(path.parent / name, passed_over)
                    files, problems = more + files, problems + missing
    if problems:
        raise SpecError(dict.fromkeys(problems))
    return specs


def _expand(given: Path, passed_over: Callable[[Path], None]) -> tuple[list[Path], list[str]]:
    """Return the spec files that a path stands for, or what is wrong with it."""
    if given.is_dir():
        files, others = toml_below(given)
        for path in others:
            passed_over(path)
        return files, [] if files else [f"{given.as_posix()}: {none_below(others)}"]
    if given.exists():
        return [given], []
    near = nearest(given.as_posix(), (path.as_posix() for path in _neighbours(given)))
    return [], [f"{given.as_posix()}: there is no such file or folder{near}"]


def _neighbours(given: Path) -> Iterator[Path]:
    if given.parent.is_dir():
        yield from (p for p in given.parent.iterdir() if p.is_dir() or p.suffix == ".toml")


def builtin_spec(name: str) -> Path:
    """Return the path of a spec that ships with fencecheck, by its name below specs/.

    ``tour`` or ``designs/no_fence``. Raises UsageError for a name that does not ship.
    """
    package = importlib.import_module("fencecheck.specs")
    folder = Path(next(iter(package.__path__)))
    path = folder / f"{name}.toml"
    if not path.is_file():
        files = sorted(folder.rglob("*.toml"))
        names = [p.relative_to(folder).with_suffix("").as_posix() for p in files]
        raise UsageError(f'built-in spec: "{name}" {not_among(name, names)}')
    return path
