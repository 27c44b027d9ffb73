"""What ``fencecheck export --to`` does: write the model of each variant for another checker."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fencecheck.cli.terminal import put_text

if TYPE_CHECKING:
    from fencecheck.spec.files import Spec, Variant

LIMIT = 1_000_000


def write_models(
    spec: Spec, variants: list[Variant], form: str, out: Path, limit: int | None
) -> None:
    """Write a folder for each variant, and print its path.

    A search of more than ``limit`` states is cut, and what must come out then stays open.
    """
    from fencecheck.analysis.crosscheck.exported import export_variant
    from fencecheck.checking.question import Options
    from fencecheck.cli.files import slug, write
    from fencecheck.errors import UsageError
    from fencecheck.explore.graph import Limits
    from fencecheck.report.words.visible import visible

    options = Options(Limits(states=limit or LIMIT))
    place = out / slug(Path(spec.path or spec.family.name).stem)
    for variant in variants:
        try:
            files = export_variant(spec, variant, options).files(form)
        except UsageError as error:
            title = spec.path or spec.title
            raise UsageError(f'{title}: variant "{variant.name}": {error}') from None
        folder = place / f"{slug(variant.name)}.{form}"
        for name, text in files.items():
            write(folder / name, visible(text).encode())
        put_text(str(folder))
