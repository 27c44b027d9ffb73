"""Results as Python has them: a check has designs, a design has verdicts on properties.

Each shows itself: a short line by ``repr``, a table in a notebook. A name that is not there is
answered with the names that are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from fencecheck.checking.results import Finding, Result, VariantResult
from fencecheck.errors import UsageError, nearest
from fencecheck.interface.counterexample import Counterexample
from fencecheck.report.results.html import verdicts_html
from fencecheck.report.results.json import outcome_object, render_json
from fencecheck.report.results.table import render_table
from fencecheck.report.results.text import render_text
from fencecheck.report.review.document import render_markdown
from fencecheck.report.words.outcomes import conclusion, count, finding_words, search_words


class UnknownName(UsageError, KeyError):
    """A name that a result does not have; the message lists those that it has."""

    __str__ = Exception.__str__  # KeyError would show the message in quotes


class PropertyResult:
    """The verdict on one property of one design."""

    def __init__(self, finding: Finding) -> None:
        self._finding = finding
        self.name, self.kind, self.meaning = finding.name, finding.kind, finding.meaning
        self.verdict, self.events, self.vacuous = finding.verdict, finding.events, finding.vacuous
        self.required, self.as_expected = finding.required, finding.as_expected

    @property
    def holds(self) -> bool:
        """Tell whether it holds in every order within the bounds; False where that is open too."""
        return self.verdict == "holds"

    @property
    def trace(self) -> Counterexample | None:
        """Return the shortest event order that breaks it; None where nothing does."""
        return None if self._finding.trace is None else Counterexample(self._finding.trace)

    def __repr__(self) -> str:
        return f"<{self.name}: {finding_words(self._finding)}>"


class DesignResult:
    """What came out for one design: its verdicts in order, and the numbers of its search."""

    def __init__(self, result: Result, variant: VariantResult) -> None:
        self._result, self._variant = result, variant
        self.name = variant.name
        self.mechanisms, self.bounds = variant.design.mechanisms, variant.design.bounds
        search = variant.exploration
        self.states, self.transitions, self.depth = search.states, search.transitions, search.depth
        self.complete, self.stopped_by = search.complete, search.stopped_by
        self.seconds, self.costs = search.seconds, dict(variant.costs)
        self.error = None if variant.error is None else variant.error.message
        self.properties = [PropertyResult(finding) for finding in variant.findings]

    @property
    def holds(self) -> bool:
        """Tell whether every required property holds; False where none is required."""
        required = [prop.holds for prop in self.properties if prop.required]
        return bool(required) and all(required)

    def __len__(self) -> int:
        return len(self.properties)

    def __iter__(self) -> Iterator[PropertyResult]:
        return iter(self.properties)

    def __getitem__(self, name: str) -> PropertyResult:
        """Return the verdict on the property ``name``; raises UnknownName for another name."""
        found = {prop.name: prop for prop in self.properties}
        if name not in found:
            raise _unknown("property", name, found)
        return found[name]

    def __repr__(self) -> str:
        broken = [prop.name for prop in self.properties if prop.verdict == "violated"]
        told = f"violated: {', '.join(broken)}" if broken else f"{count(len(self), 'verdict')}"
        return f'<design "{self.name}": {told}; {search_words(self._variant.exploration)}>'

    def _repr_html_(self) -> str:
        return verdicts_html(self._result, [self._variant])


class CheckResult:
    """What came out of a check or a comparison: its designs, in order.

    ``result["at_most_once"]`` is the verdict on a property where there is one design;
    ``result["no fence"]`` is the design of that name.
    """

    def __init__(self, result: Result) -> None:
        self._result = result
        self.title, self.note, self.model = result.title, result.note, result.model
        self.exit_code: int = result.exit_code
        self.designs = [DesignResult(result, variant) for variant in result.variants]

    @property
    def holds(self) -> bool:
        """Tell whether every required property of every design holds; False where none is there."""
        return bool(self.designs) and all(design.holds for design in self.designs)

    @property
    def as_expected(self) -> bool:
        """Tell whether all is as the spec expects, or holds where it expects nothing."""
        return self.exit_code == 0

    def __len__(self) -> int:
        return len(self.designs)

    def __iter__(self) -> Iterator[DesignResult]:
        return iter(self.designs)

    def __getitem__(self, name: str) -> Any:
        """Return the design ``name``, or the only design's verdict on the property ``name``.

        Raises UnknownName for another name.
        """
        named = {design.name: design for design in self.designs}
        if name in named:
            return named[name]
        if len(self.designs) == 1:
            return self.designs[0][name]
        raise _unknown("design", name, named)

    def table(self, width: int = 100) -> str:
        """Return the verdict table: designs down, properties across."""
        return render_table(self._result, width=width)

    def to_text(self, width: int = 100) -> str:
        """Return every verdict with its shortest event order, as ``fencecheck check`` prints it."""
        return render_text(self._result, width=width)

    def to_markdown(self) -> str:
        """Return the verdicts as Markdown, with a Mermaid diagram of each event order."""
        return render_markdown([self._result])

    def to_html(self) -> str:
        """Return a page of its own, in which each counterexample is stepped through."""
        from fencecheck.report.page.page import results_page

        return results_page([self._result])

    def to_json(self) -> str:
        """Return the result as ``fencecheck check --format json`` prints it."""
        return render_json([self._result])

    def to_dict(self) -> dict[str, Any]:
        """Return the same as plain values (schema fencecheck/results/1)."""
        return outcome_object(self._result)

    def __repr__(self) -> str:
        name = self._result.spec or self._result.title
        amount = count(len(self.designs), "design")
        return f"<{name}: {amount}; {conclusion(self._result) or 'nothing was checked'}>"

    def __str__(self) -> str:
        return self.table()

    def _repr_html_(self) -> str:
        return verdicts_html(self._result, self._result.variants)


def _unknown(kind: str, name: object, names: Iterable[str]) -> UnknownName:
    known = list(names)
    told = ", ".join(f'"{one}"' for one in known) or "none"
    return UnknownName(f'there is no {kind} "{name}"; there is {told}{nearest(str(name), known)}')
