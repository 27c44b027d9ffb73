"""Measure fencecheck, SPIN and Rumur on the same systems, in one run, in turns; print medians.

    python -m tests.bench.compare [--repeats 5] [--quick] [--case NAME] [--without CHECKER]

One table has a row for each case. Each case is printed with all that was measured of it as soon as
it is done, and last what a whole process takes, and what it takes to make a kernel. Which peer is
missing is said, and the rest is measured.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench import growing, ours, peers, warm  # noqa: E402 (the checkout is not installed)
from tests.bench.cases import (  # noqa: E402
    ANY_NUMBER,
    BOUNDS,
    CASES,
    LADDER,
    QUICK,
    SPLIT,
    TINY,
    Case,
    Run,
)
from tests.bench.table import (  # noqa: E402
    COLD,
    ONE,
    TWO,
    Measured,
    median,
    print_all,
    print_case,
    print_seconds,
    print_table,
)

OURS = (ONE, TWO, COLD)
GROWING = ((50, 16, 0), (200, 16, 0), (500, 16, 0), (1000, 16, 0))


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--repeats", type=int, default=5, help="runs of each, of which the median")
    parser.add_argument("--quick", action="store_true", help="once, and some small systems only")
    parser.add_argument("--case", action="append", help="only this system; repeatable")
    parser.add_argument("--without", action="append", default=[], help="leave this checker out")
    return parser.parse_args()


def one(name: str, case: Case, warm_cache: Path, sizes: tuple[int, ...] | None = None) -> Run:
    """Run one checker once on one case."""
    if name in peers.PEERS:
        return peers.run(name, case, sizes)
    threads = 2 if name == TWO else 1
    if name != COLD:
        return ours.run(case, threads, warm_cache, sizes)
    with tempfile.TemporaryDirectory() as cold:
        ours.make_loops(Path(cold))
        return ours.run(case, threads, Path(cold), sizes)


def measure(names: Sequence[str], case: Case, repeats: int, cache: Path) -> Measured:
    """Return the runs of a case by checker, the checkers taking turns."""
    found = Measured(case)
    ours.run(case, 1, cache)
    for turn in range(repeats):
        for name in names:
            print(f"{turn + 1}/{repeats} {case.name} {name}", file=sys.stderr, flush=True)
            found.runs.setdefault(name, []).append(one(name, case, cache))
    for name in names:  # SPIN's table, and so its start-up, is sized by the case
        one(name, case, cache, TINY[case.kind])  # its kernel is made, which takes memory
        found.started[name] = one(name, case, cache, TINY[case.kind]).resident
    return found


def print_any_number(repeats: int, cache: Path) -> None:
    """Print what one system takes with budgets that have an end, and without one."""
    rows: list[tuple[str, ...]] = [("", "states", "bits", "transitions", "search s")]
    for case in LADDER:
        ours.run(case, 1, cache)
    for case in LADDER:
        print(f"{ANY_NUMBER}: {case.name}", file=sys.stderr, flush=True)
        runs = [ours.run(case, 1, cache) for _ in range(repeats)]
        counts = (f"{case.states:,}", str(runs[0].bits), f"{case.transitions:,}")
        rows.append((case.name, *counts, f"{median(r.search for r in runs):.3f}"))
    print(
        f"\n{ANY_NUMBER}: family fence, 3 steps, at most 2 requests and 2 replies in flight; "
        "budgets"
        "\nof lost replies, edits, duplicates and preemptions (1 thread):"
    )
    print_table(rows)


def print_split(case: Case, cache: Path) -> None:
    """Print where the time of a search goes."""
    print(f"\nWhere the seconds of {case.name} go, one thread:")
    print_seconds(ours.split(case, cache))
    if case.kind in BOUNDS:
        print(f"\nWhether {case.name} can finish, and does, one thread:")
        print_seconds(ours.liveness(case, cache))


def print_processes(case: Case, repeats: int, cache: Path) -> None:
    """Print what whole processes take: one where kernels are kept, and the first of all."""
    warm.check(cache)
    seconds = [warm.check(cache) for _ in range(repeats)]
    print(f"\nfencecheck check, {warm.STATES:,} states, kernels kept, seconds of processor:")
    print(f"  {median(seconds):.2f} ({min(seconds):.2f} - {max(seconds):.2f})")
    first = ours.first_run(case)
    print(f"\nThe first search after an install, of {case.name}, all told: {first:.1f} s")


def print_growing(repeats: int) -> None:
    """Print how the seconds before a search grow with the number of actions."""
    print("\nSeconds of processor before a search, by actions:")
    print_table([growing.HEADS, *growing.rows(GROWING, repeats)])


def print_machine() -> None:
    """Print the machine's limit."""
    from tests.bench.machine import random_access

    print("\nRandom read-modify-writes of this machine, one thread:")
    for mebibytes in (32, 256, 512):
        print(f"  within {mebibytes:4} MiB{random_access(mebibytes) / 1e6:8.1f} million/s")


def main() -> None:
    """Measure and print."""
    asked = arguments()
    every = (*CASES, LADDER[-1])
    wanted = asked.case or (QUICK if asked.quick else [case.name for case in every])
    cases = [case for case in every if case.name in wanted]
    if unknown := set(wanted) - {case.name for case in cases}:
        raise SystemExit(f"no case {', '.join(unknown)}; cases: {', '.join(c.name for c in every)}")
    lacking = peers.missing()
    for line in lacking:
        print(f"missing: {line}", file=sys.stderr)
    names = [
        name
        for name in (*OURS, *([] if lacking else peers.PEERS))
        if name == ONE or name not in asked.without
    ]
    repeats = 1 if asked.quick else asked.repeats
    with tempfile.TemporaryDirectory() as folder:
        cache, found = Path(folder), list[Measured]()
        for case in cases:
            found.append(measure(names, case, repeats, cache))
            print_case(found[-1])
        if ANY_NUMBER in wanted:
            print_any_number(repeats, cache)
        for case in cases:
            if case.name in SPLIT:
                print_split(case, cache)
        print_all(found)
        print_processes(cases[0], repeats, cache)
    print_growing(repeats)
    print_machine()


if __name__ == "__main__":
    main()
