"""Measure a deep graph of one state a level, by either engine, in turns: processor seconds.

python -m tests.bench.deep [--last 100000] [--repeats 3]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from fencecheck.explore.compiled.engine import explore_compiled
from fencecheck.explore.graph import Limits, StateGraph
from fencecheck.explore.reference import explore
from fencecheck.explore.watch import Watch
from fencecheck.model.system import System
from tests.models_for_tests import counting, system_of

ENGINES: dict[str, Callable[[System, Watch, Limits], StateGraph]] = {
    "reference": explore,
    "compiled": explore_compiled,
}


def measured(engine: str, system: System, last: int) -> float:
    """Return the processor seconds of one search; its depth must be the one that is known."""
    started = time.process_time()
    search = ENGINES[engine](system, Watch(system), Limits()).search
    seconds = time.process_time() - started
    if (search.count, search.depth) != (last + 1, last):
        raise SystemExit(f"{engine}: {search.count} states, depth {search.depth}; known is {last}")
    return seconds


def main() -> None:
    """Measure and print the least of each engine."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--last", type=int, default=100_000, help="how far the counter counts")
    parser.add_argument("--repeats", type=int, default=3, help="runs of each engine")
    asked = parser.parse_args()
    system = system_of(counting.model, last=asked.last)
    measured("compiled", system, asked.last)  # the kernel is made, or loaded
    found: dict[str, list[float]] = {name: [] for name in ENGINES}
    for _ in range(asked.repeats):
        for name, seconds in found.items():
            seconds.append(measured(name, system, asked.last))
    for name, seconds in found.items():
        print(f"{name:12}{min(seconds):8.3f} s  {asked.last / min(seconds):12,.0f} levels/s")


if __name__ == "__main__":
    main()
