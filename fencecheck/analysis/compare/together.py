"""Put results of several specs side by side: one table where model and bounds agree.

Verdicts are comparable only where the same model was searched within the same bounds; so specs
are gathered by both, in the order in which they were asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath

from fencecheck.checking.results import Cell, Result, VariantResult, alike_variants
from fencecheck.model.declaring.any_number import HowMany

FEW = 4  # specs that are named one by one


def side_by_side(results: Sequence[Result]) -> list[Result]:
    """Return one result for each group of results with one model and equal bounds.

    A result that is alone in its group is returned as it is. In the others each variant bears the
    name of its spec before its own, and so do scripted orders' cells; notes are left out.
    """
    groups: dict[tuple[object, ...], list[Result]] = {}
    for number, result in enumerate(results):
        bounds = _bounds(result)
        key = (number,) if bounds is None else (result.model_hash, result.model, bounds)
        groups.setdefault(key, []).append(result)
    return [_merged(group) if len(group) > 1 else group[0] for group in groups.values()]


def _bounds(result: Result) -> tuple[tuple[str, HowMany], ...] | None:
    """Return the bounds that all variants have in common; None where they have several."""
    found = {tuple(variant.design.bounds.items()) for variant in result.variants}
    return found.pop() if len(found) == 1 else None


def names_of(results: Sequence[Result]) -> list[str]:
    """Return a name for each spec: its file's, with as many folders as tell it from the others."""
    paths = [PurePath(result.spec or result.model).with_suffix("").parts for result in results]
    for depth in range(1, max(map(len, paths), default=1) + 1):
        names = ["/".join(parts[-depth:]) for parts in paths]
        if len(set(names)) == len(names):
            break
    return names


def design_name(spec: str, result: Result, variant: VariantResult) -> str:
    """Return ``spec: variant``, or the spec's name alone where it is a spec of one design."""
    return spec if variant.name == result.title else f"{spec}: {variant.name}"


def differences(results: Sequence[Result]) -> list[str]:
    """Return why results have several tables: models, bounds, and specs with several bounds."""
    names = dict(zip(map(id, results), names_of(results), strict=True))
    models: dict[str, list[Result]] = {}
    for result in results:
        models.setdefault(result.model, []).append(result)
    told = list[str]()
    if len(models) > 1:
        groups = (
            f"{PurePath(model).stem} ({_some([names[id(r)] for r in group])})"
            for model, group in models.items()
        )
        told.append(f"models differ: {', '.join(groups)}")
    for model, group in models.items():
        values = _values_of_bounds(group, names)
        if values:
            of = f" of model {PurePath(model).stem}" if len(models) > 1 else ""
            told.append(f"bounds differ{of}: {'; '.join(values)}")
    several = [names[id(result)] for result in results if _bounds(result) is None]
    if several:
        told.append(f"bounds differ from design to design: {_some(several)}")
    return told


def _values_of_bounds(group: Sequence[Result], names: dict[int, str]) -> list[str]:
    """Return the bounds that have several values, each with the specs of each value."""
    whole = [(names[id(result)], dict(own)) for result in group if (own := _bounds(result))]
    told = []
    for bound in dict.fromkeys(bound for _, bounds in whole for bound in bounds):
        specs: dict[str, list[str]] = {}
        for name, bounds in whole:
            specs.setdefault(str(bounds.get(bound, "none")), []).append(name)
        if len(specs) > 1:
            values = (f"{value} ({_some(found)})" for value, found in sorted(specs.items()))
            told.append(f"{bound.replace('_', ' ')} {', '.join(values)}")
    return told


def _some(names: Sequence[str]) -> str:
    """Return names, or how many there are where they are many."""
    return ", ".join(names) if len(names) <= FEW else f"{len(names)} specs"


def _merged(results: list[Result]) -> Result:
    variants, cells = list[VariantResult](), list[Cell]()
    for name, result in zip(names_of(results), results, strict=True):
        named = {v.name: design_name(name, result, v) for v in result.variants}
        variants += [replace(v, name=named[v.name]) for v in result.variants]
        cells += [replace(cell, variant=named[cell.variant]) for cell in result.cells]
    merged = Result(
        spec=None,
        model=results[0].model,
        model_hash=results[0].model_hash,
        title=f"{len(results)} specs side by side",
        note="",
        variants=variants,
        has_expectations=any(result.has_expectations for result in results),
        cells=cells,
        claims=[claim for result in results for claim in result.claims],
        strict=results[0].strict,
        show_coverage=results[0].show_coverage,
    )
    merged.alike = alike_variants(merged)
    return merged
