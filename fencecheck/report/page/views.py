"""What the templates of a page lay out: tables, designs, claims, results, as plain texts.

Nothing here is escaped: templates do that. A ``tone`` is a verdict, ``vacuous``, or "" for none; a
``run`` is the name of the place in the page where an event order is told, "" where there is none.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from fencecheck.report.page.run_view import RunView


@dataclass(frozen=True)
class CellView:
    """One cell: its mark, the same in words, its tone, and the run it leads to ("" for none)."""

    mark: str
    words: str
    tone: str = ""
    run: str = ""


@dataclass(frozen=True)
class TableView:
    """A table with a head for each column but the first, and named rows of cells."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[CellView, ...]], ...]
    corner: str = ""
    meanings: tuple[str, ...] = ()

    @property
    def leads(self) -> bool:
        """Tell whether a cell of it leads to a run."""
        return any(cell.run for _, cells in self.rows for cell in cells)


@dataclass(frozen=True)
class ClaimView:
    """A claim: the words it was made in, what came out, by what, and the run behind that."""

    name: str
    text: str
    verdict: str
    tone: str
    why: tuple[str, ...]
    unexpected: str
    run: str


@dataclass(frozen=True)
class DesignView:
    """One design: its settings, its verdicts one by one, what is wrong with its model, coverage."""

    name: str
    settings: tuple[tuple[str, str], ...]
    verdicts: TableView
    error: str
    error_run: str
    coverage: TableView | None
    partial: str


@dataclass
class ResultView:
    """An outcome; ``error`` is set where there is none, and then the rest is empty."""

    title: str
    where: str
    model: str
    note: str = ""
    conclusion: str = ""
    tone: str = ""
    error: str = ""
    error_run: str = ""
    scope: tuple[str, ...] = ()
    table: TableView | None = None
    legend: tuple[tuple[str, str], ...] = ()
    gaps: tuple[str, ...] = ()
    numbers: TableView | None = None
    designs: list[DesignView] = field(default_factory=list)
    scenarios: TableView | None = None
    claims: list[ClaimView] = field(default_factory=list)
    claims_summary: str = ""
    runs: list[RunView] = field(default_factory=list)
