"""The table of a folder of documented designs: what each buys, what it breaks, what closes that.

Takes the folder, gives the table in Markdown, made of what the specs expect; what closes something,
or a design that nothing closes, is searched anew with any number of faults. That everything comes
out as expected is for the test of all specs to say. A row stands for a variant with DOCUMENTED in
its name; what closes something stands below it in its spec.
"""

from __future__ import annotations

from pathlib import Path

from fencecheck.spec.files import load_specs
from fencecheck.spec.values import Spec, Variant
from tests.documents.any_number import at_any_number

DOCUMENTED = "documented"
HEAD = (
    "| design | it buys | it breaks, in events | what closes it | any number | file |\n"
    "| --- | --- | --- | --- | --- | --- |\n"
)


def designs_of(folder: Path) -> str:
    """Return the table of the designs of a folder's specs, files by name."""
    specs = load_specs(sorted(folder.glob("*.toml")))
    rows = [row for spec in specs for row in _rows(spec, folder)]
    return HEAD + "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _rows(spec: Spec, folder: Path) -> list[list[str]]:
    """Return a row for each documented variant of a spec."""
    path = Path(spec.path or "").name
    link = f"[{path}]({folder.name}/{path})"
    return [
        [
            f"{spec.title}: {variant.name}",
            ", ".join(_code(n) for n in spec.required if n not in broken(variant)) or "nothing",
            _in_words(broken(variant)),
            "; ".join(_repair(variant, other) for other in _repairs(spec, variant)) or "-",
            at_any_number(spec, _repairs(spec, variant) or [variant]),
            link,
        ]
        for variant in spec.variants
        if DOCUMENTED in variant.name
    ]


def broken(variant: Variant) -> dict[str, int]:
    """Return what a variant is expected to break, and in how many events."""
    expected = variant.expect.items()
    return {name: e.events or 0 for name, e in expected if e.verdict == "violated"}


def _repairs(spec: Spec, variant: Variant) -> list[Variant]:
    """Return the variants below this one that break less of what it breaks, and nothing else."""
    below = spec.variants[spec.variants.index(variant) + 1 :]
    return [other for other in below if broken(other).keys() < broken(variant).keys()]


def _repair(variant: Variant, other: Variant) -> str:
    """Return a variant's name, what it leaves broken, and whether it is less interfered with."""
    left = f" (leaves {_in_words(broken(other))})" if broken(other) else ""
    bounds, others = variant.design.bounds, other.design.bounds
    calmer = any(others[name] < bound for name, bound in bounds.items())
    return f"{'only if: ' if calmer else ''}{other.name}{left}"


def _in_words(found: dict[str, int]) -> str:
    return ", ".join(f"{_code(name)} {events}" for name, events in found.items()) or "nothing"


def _code(name: str) -> str:
    return f"`{name}`"
