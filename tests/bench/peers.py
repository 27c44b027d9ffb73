"""Runs of other checkers: SPIN and Rumur, by scripts that generate, compile, and run a model.

The scripts are not part of this repository: ``spin.sh`` and ``rumur.sh`` stand in a folder that
the caller names. What they print is read here; GNU time measures the run.
"""

from __future__ import annotations

import math
import re
import shutil
import subprocess
from pathlib import Path

from tests.bench.cases import Case, Run

NEEDED = {
    "spin": "the Debian package spin",
    "rumur": "the Debian package rumur",
    "gcc": "the Debian package gcc",
    "bc": "the Debian package bc",
    "/usr/bin/time": "the Debian package time",
}
PEERS = ("SPIN DFS", "SPIN BFS", "Rumur")


def missing(folder: Path) -> list[str]:
    """Return what the peers need and this machine does not have, a line each."""
    scripts = [folder / name for name in ("spin.sh", "rumur.sh")]
    lines = [
        f"{path}: no such file; name its folder by --peers"
        for path in scripts
        if not path.is_file()
    ]
    return lines + [
        f"{p}: not found; it is in {w}" for p, w in NEEDED.items() if not shutil.which(p)
    ]


def _command(peer: str, case: Case, sizes: tuple[int | str, ...]) -> list[str]:
    numbers = [str(size) for size in sizes]
    if peer == "Rumur":
        return ["rumur.sh", case.kind, "1", *numbers]
    table = min(27, max(24, math.ceil(math.log2(case.states)) + 1))
    flags = "-DSAFETY -DNOREDUCE" + (" -DBFS" if peer == "SPIN BFS" else "")
    return ["spin.sh", case.kind, flags, f"-E -n -m1000000 -w{table}", *numbers]


def run(peer: str, case: Case, folder: Path, sizes: tuple[int, ...] | None = None) -> Run:
    """Let a peer search one case."""
    script, *rest = _command(peer, case, sizes or case.sizes)
    process = subprocess.run(
        ["bash", str(folder / script), *rest], capture_output=True, text=True, check=False
    )
    said = process.stdout + process.stderr
    try:
        compiled = float(_last(r"^compile_s\s+([\d.]+)", said))
        minutes, seconds = _last(r"\(h:mm:ss or m:ss\): (?:\d+:)??(\d+:[\d.]+)", said).split(":")
        elapsed = 60 * int(minutes) + float(seconds)
        itself = re.findall(r"^pan: elapsed time ([\d.]+) seconds", said, re.MULTILINE)
        search = float(itself[-1]) if itself else elapsed
        resident = 1024 * int(_last(r"Maximum resident set size \(kbytes\): (\d+)", said))
        states = int(_last(r"(\d+) states, (?:stored|\d+ rules)", said))
    except ValueError as error:
        raise SystemExit(f"{peer} on {case.name}: {error}; it said:\n{said}") from None
    if sizes is None and states != case.states:
        raise SystemExit(f"{peer} on {case.name}: {states} states, known are {case.states}")
    return Run(states, max(search, 0.01), compiled + elapsed, resident)


def _last(pattern: str, text: str) -> str:
    found = re.findall(pattern, text, re.MULTILINE)
    if not found:
        raise ValueError(f"no {pattern}")
    return str(found[-1])
