"""What driving costs: lockstep and runs of the executors that the tests drive.

    python -m tests.bench.driving

Prints, for each executor and way, how many states and transitions its model has, how many pairs or
runs and calls there were, the seconds and the microseconds of a call. Nothing else should run on
the machine meanwhile.
"""

from __future__ import annotations

import time
from typing import Any

from fencecheck.conform import Adapter
from tests.conform.driving import DESIGNS, OURS, driven, spec_of
from tests.conform.systems.disk import DiskSteps
from tests.conform.systems.executors import StepFence, StepFenceJournal
from tests.conform.systems.ledger import ByEvent
from tests.conform.systems.printed import PlanFence, Printed

STEP = DESIGNS / "step_fence_journal.toml"
CASES: list[tuple[str, type[Adapter], dict[str, Any]]] = [
    ("no fence", Printed, {}),
    ("step fence + journal", StepFenceJournal, {}),
    ("step fence + journal", StepFenceJournal, {"by": "runs", "cover": "events"}),
    ("step fence + journal", StepFenceJournal, {"by": "runs", "cover": "pairs"}),
    ("step fence + journal", StepFenceJournal, {"by": "runs"}),
    ("step fence + journal", StepFenceJournal, {"by": "runs", "cover": "all"}),
    ("step fence + journal", StepFenceJournal, {"by": "walks"}),
    ("step fence", StepFence, {}),
    ("plan fence", PlanFence, {"by": "runs"}),
    ("ledger", ByEvent, {}),
    ("a process", DiskSteps, {"by": "runs", "cover": "events"}),
]  # fmt: skip
SPECS = {
    "no fence": (DESIGNS / "no_fence.toml", None),
    "step fence + journal": (STEP, None),
    "step fence": (DESIGNS / "step_fence.toml", None),
    "plan fence": (DESIGNS / "plan_fence.toml", None),
    "ledger": (OURS / "ledger.toml", "looks as it acts"),
    "a process": (OURS / "disk.toml", "all at once"),
}
HEAD = ("model", "driven by", "states", "transitions", "pairs", "runs", "calls", "s", "µs a call")


def measured(name: str, kind: type[Adapter], how: dict[str, Any]) -> tuple[str, ...]:
    """Return a row of the table; raises AssertionError where an executor does not conform."""
    path, variant = SPECS[name]
    spec = spec_of(path, variant)
    started = time.perf_counter()
    found = driven(spec, kind, **how)
    seconds = time.perf_counter() - started
    assert found["conforms"].verdict == "holds", name
    search, conduct = found.exploration, found.exploration.conduct
    assert conduct is not None
    by = f"{conduct.by}, {conduct.cover}" if conduct.cover else conduct.by
    counts = (search.states, search.transitions, conduct.pairs, conduct.runs, conduct.calls)
    each = f"{1e6 * seconds / conduct.calls:,.0f}"
    return (name, by, *(f"{n:,}" for n in counts), f"{seconds:.1f}", each)


def main() -> None:
    rows = [HEAD, *(measured(*case) for case in CASES)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEAD))]
    for row in rows:
        left = [cell.ljust(width) for cell, width in zip(row[:2], widths[:2], strict=True)]
        right = [cell.rjust(width) for cell, width in zip(row[2:], widths[2:], strict=True)]
        print("  ".join([*left, *right]).rstrip())


if __name__ == "__main__":
    main()
