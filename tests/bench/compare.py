"""Measure fencecheck, SPIN and Rumur on the same systems, in one run, interleaved; print medians.

    python tests/bench/compare.py [--repeats 5] [--quick] [--case NAME] [--peers FOLDER]

The peers' scripts are looked for in FOLDER, else in the folder that FENCECHECK_BENCH names, else in
``../shared/bench`` beside the checkout; what is missing is said, and the rest is measured.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench import ours, peers  # noqa: E402 (the checkout is not installed)
from tests.bench.cases import ANY_NUMBER, CASES, LADDER, QUICK, TINY, Case, Run  # noqa: E402

OURS = ("fencecheck, 1 thread", "fencecheck, 2 threads", "fencecheck, no cache")
HEADS = ("", "states/s", "of SPIN DFS", "search s", "whole s", "of SPIN DFS", "bytes a state")


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    beside = ROOT.parent / "shared" / "bench"
    default = Path(os.environ.get("FENCECHECK_BENCH", beside))
    parser.add_argument("--repeats", type=int, default=5, help="runs of each, of which the median")
    parser.add_argument("--quick", action="store_true", help="once, and the two small systems only")
    parser.add_argument("--case", action="append", help="only this system; repeatable")
    parser.add_argument("--peers", type=Path, default=default, help="folder of spin.sh, rumur.sh")
    return parser.parse_args()


def one(name: str, case: Case, warm: Path, folder: Path, sizes: tuple[int, ...] | None) -> Run:
    """Run one checker once on one case."""
    if name in peers.PEERS:
        return peers.run(name, case, folder, sizes)
    threads = 2 if "2 threads" in name else 1
    if "no cache" not in name:
        return ours.run(case, threads, warm, sizes)
    with tempfile.TemporaryDirectory() as cold:
        ours.make_loops(Path(cold))
        return ours.run(case, threads, Path(cold), sizes)


def measure(
    names: Sequence[str], case: Case, repeats: int, folder: Path, warm: Path
) -> dict[tuple[str, str], list[Run]]:
    """Return the runs of a case by (case, checker), the checkers taking turns."""
    found: dict[tuple[str, str], list[Run]] = {}
    ours.run(case, 1, warm)
    for turn in range(repeats):
        for name in names:
            print(f"{turn + 1}/{repeats} {case.name} {name}", file=sys.stderr, flush=True)
            run = one(name, case, warm, folder, None)
            found.setdefault((case.name, name), []).append(run)
    for name in names:  # SPIN's table, and so its start-up, is sized by the case
        one(name, case, warm, folder, TINY[case.kind])  # its kernel is made, which takes memory
        found[f"start-up {case.name}", name] = [one(name, case, warm, folder, TINY[case.kind])]
    return found


def median(values: Iterable[float]) -> float:
    """Return the median."""
    return float(statistics.median(list(values)))


def print_case(case: Case, names: Sequence[str], found: dict[tuple[str, str], list[Run]]) -> None:
    """Print the medians of one case as a table."""
    base = found.get((case.name, "SPIN DFS"))
    bits = found[case.name, OURS[0]][0].bits
    print(f"\n{case.name}: {case.states:,} states of {bits} bits, {case.transitions:,} transitions")
    rows: list[tuple[str, ...]] = [HEADS]
    for name in names:
        runs = found[case.name, name]
        search, whole = median(r.search for r in runs), median(r.whole for r in runs)
        start = found[f"start-up {case.name}", name][0].resident
        beyond = max(0.0, median(r.resident for r in runs) - start)
        faster = sooner = ""
        if base:
            faster = f"{median(r.search for r in base) / search:.2f} x"
            sooner = f"{median(r.whole for r in base) / whole:.2f} x"
        speed = f"{case.states / search:,.0f}"
        size = f"{beyond / case.states:.0f}"
        rows.append((name, speed, faster, f"{search:.3f}", f"{whole:.2f}", sooner, size))
    print_table(rows)


def print_any_number(repeats: int, warm: Path) -> None:
    """Print what one system takes with budgets that have an end, and without one."""
    rows: list[tuple[str, ...]] = [("", "states", "bits", "transitions", "search s")]
    for case in LADDER:
        ours.run(case, 1, warm)
    for case in LADDER:
        print(f"{ANY_NUMBER}: {case.name}", file=sys.stderr, flush=True)
        runs = [ours.run(case, 1, warm) for _ in range(repeats)]
        counts = (f"{case.states:,}", str(runs[0].bits), f"{case.transitions:,}")
        rows.append((case.name, *counts, f"{median(r.search for r in runs):.3f}"))
    print(
        f"\n{ANY_NUMBER}: family fence, 3 steps, at most 2 requests and 2 replies in flight; "
        "budgets"
        "\nof lost replies, edits, duplicates and preemptions (1 thread):"
    )
    print_table(rows)


def print_table(rows: Sequence[tuple[str, ...]]) -> None:
    """Print rows, the first column to the left and the others to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        _, *rest = (cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        print("  " + row[0].ljust(widths[0]) + "  " + "  ".join(rest))


def print_split(case: Case, warm: Path) -> None:
    """Print where the time of a search goes."""
    print(f"\nWhere the seconds of {case.name} go, one thread:")
    print_seconds(ours.split(case, warm))
    if not case.has_peers:
        print(f"\nWhether {case.name} can finish, and does, one thread:")
        print_seconds(ours.liveness(case, warm))


def print_seconds(found: Mapping[str, float]) -> None:
    """Print seconds by name."""
    for name, seconds in found.items():
        print(f"  {name:32}{seconds:8.3f}")


def print_machine() -> None:
    """Print the machine's limit."""
    from tests.bench.machine import random_access

    print("\nRandom read-modify-writes of this machine, one thread:")
    for mebibytes in (32, 256, 512):
        print(f"  within {mebibytes:4} MiB{random_access(mebibytes) / 1e6:8.1f} million/s")


def main() -> None:
    """Measure and print."""
    asked = arguments()
    every = [*(case.name for case in CASES), ANY_NUMBER]
    wanted = asked.case or (QUICK if asked.quick else every)
    cases = [case for case in CASES if case.name in wanted]
    lacking = peers.missing(asked.peers)
    for line in lacking:
        print(f"missing: {line}", file=sys.stderr)
    repeats = 1 if asked.quick else asked.repeats
    with tempfile.TemporaryDirectory() as warm:
        for case in cases:
            names = OURS if lacking or not case.has_peers else (*OURS, *peers.PEERS)
            print_case(case, names, measure(names, case, repeats, asked.peers, Path(warm)))
        if ANY_NUMBER in wanted:
            print_any_number(repeats, Path(warm))
        for case in cases[-2:]:
            print_split(case, Path(warm))
    if not cases:
        return
    first = ours.first_run(cases[0])
    print(f"\nThe first search after an install, of {cases[0].name}, all told: {first:.1f} s")
    print_machine()


if __name__ == "__main__":
    main()
