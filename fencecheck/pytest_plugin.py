"""pytest plugin: specs as tests, one item for each variant and property.

Collects ``*.fence.toml`` and the files and folders that the ini option ``fencecheck_specs`` names.
An item fails with the counterexample as its text, and as an error where a search was cut before
an answer: that never passes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest


class VerdictNotExpected(Exception):
    """Carries the text of a failure: a verdict that is not the one it should be."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the ini option."""
    parser.addini("fencecheck_specs", "specs or folders of specs to collect", "linelist", [])


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> SpecFile | None:
    """Collect a spec by its name, or because the configuration names it or its folder."""
    if file_path.suffix != ".toml":
        return None
    named = [parent.config.rootpath / line for line in parent.config.getini("fencecheck_specs")]
    below = any(file_path == path or path in file_path.parents for path in named)
    if below or file_path.name.endswith(".fence.toml"):
        collected: SpecFile = SpecFile.from_parent(parent, path=file_path)
        return collected
    return None


class SpecFile(pytest.File):
    """One spec; each variant is checked once, when its first item runs."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield an item for each variant and property."""
        from fencecheck.spec.files import load_specs

        (self.spec,) = load_specs([self.path])
        self.results: dict[str, Any] = {}
        for variant in self.spec.variants:
            for name in (*self.spec.required, *self.spec.reported):
                item = f"{variant.name}::{name}"
                yield PropertyItem.from_parent(self, name=item, variant=variant, property_name=name)

    def result_of(self, variant: Any) -> Any:
        """Return the result of a variant's check."""
        if variant.name not in self.results:
            from dataclasses import replace

            from fencecheck.checking.check import check_spec

            self.results[variant.name] = check_spec(replace(self.spec, variants=[variant]))
        return self.results[variant.name]


class PropertyItem(pytest.Item):
    """One property of one variant."""

    def __init__(self, *, variant: Any, property_name: str, **rest: Any) -> None:
        super().__init__(**rest)
        self.variant, self.property_name = variant, property_name

    def runtest(self) -> None:
        """Check, and fail with the counterexample where the verdict is not what it should be."""
        from dataclasses import replace

        from fencecheck.report.results.text import render_text

        assert isinstance(self.parent, SpecFile)
        result = self.parent.result_of(self.variant)
        (checked,) = result.variants
        only = replace(checked, findings=[checked[self.property_name]])
        alone = replace(result, variants=[only])
        if alone.exit_code:
            raise VerdictNotExpected(render_text(alone))

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        """Return the text of the failure."""
        if isinstance(excinfo.value, VerdictNotExpected):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return where the item comes from."""
        return self.path, 0, self.name
