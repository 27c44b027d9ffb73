"""The mechanisms and bounds of a spec, held against its model.

Takes the tables of a spec and what the command line adds; gives what the model accepts, and
notes the rest in the model's own words. Names and values are judged where they stand, once;
rules that combine them are judged on complete designs only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fencecheck.errors import DesignError
from fencecheck.model.declaring.any_number import AnyNumber, how_many
from fencecheck.model.family import Design, Family
from fencecheck.spec.table import TomlTable
from fencecheck.spec.values import Overrides


class Switches:
    """Reads mechanisms and bounds; without a ``family`` none is known and none is wrong."""

    def __init__(self, family: Family | None, overrides: Overrides, problems: list[str]) -> None:
        self.family, self.overrides, self.problems = family, overrides, problems
        self._wrong: set[str] = set()

    def known(self, table: TomlTable, kind: str) -> dict[str, Any]:
        """Return the ``kind`` (mechanisms or bounds) in ``table`` that the model accepts."""
        given = table.table(kind).raw
        for problem in self._refused(kind, given):
            table.say(problem)
            self._wrong.add(table.within)
        return self._accepted(kind, given)

    def added(self, kind: str) -> dict[str, Any]:
        """Return what the command line adds and the model accepts."""
        option = "--set" if kind == "mechanisms" else "--bound"
        given: dict[str, Any] = dict(getattr(self.overrides, kind))
        for name, value in given.items():
            if kind == "mechanisms" and self._is_on_off(name) and value in ("true", "false"):
                given[name] = "on" if value == "true" else "off"
        for problem in self._refused(kind, given):
            line = f"{option}: {problem}"
            self._wrong.add(option)
            if line not in self.problems:
                self.problems.append(line)
        return self._accepted(kind, given)

    def design(
        self, table: TomlTable, place: str, mechanisms: Mapping[str, Any], bounds: Mapping[str, Any]
    ) -> Design | None:
        """Return the complete design, or None where a rule of the model refuses it.

        Rules are not asked about a design of which a part was refused already.
        """
        if self.family is None or self._wrong & {"", "--set", "--bound", table.within}:
            return None
        try:
            return self.family.design(mechanisms, bounds)
        except DesignError as error:
            for problem in error.problems:
                table.say(place + problem)
            return None

    def _is_on_off(self, name: str) -> bool:
        known = self.family.mechanisms.get(name) if self.family else None
        return known is not None and known.on_off

    def _accepts(self, kind: str, name: str, value: Any) -> bool:
        assert self.family is not None
        if kind == "mechanisms":
            mechanism = self.family.mechanisms.get(name)
            as_truth = isinstance(value, bool) and self._is_on_off(name)
            as_text = str(value) if type(value) is int else value
            return mechanism is not None and (as_truth or as_text in mechanism.values)
        bound = self.family.bounds.get(name)
        if bound is not None and bound.budget and isinstance(how_many(value), AnyNumber):
            return True
        return bound is not None and type(value) is int and value >= bound.least

    def _accepted(self, kind: str, given: Mapping[str, Any]) -> dict[str, Any]:
        if self.family is None:
            return {}
        return {n: v for n, v in given.items() if self._accepts(kind, n, v)}

    def _refused(self, kind: str, given: Mapping[str, Any]) -> list[str]:
        """Return the model's words for every name and value that it does not accept."""
        if self.family is None:
            return []
        bad = {n: v for n, v in given.items() if not self._accepts(kind, n, v)}
        try:
            if bad:
                self.family.design(**{kind: bad})
        except DesignError as error:
            return error.problems
        return []
