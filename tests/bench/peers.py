"""Runs of other checkers: SPIN and Rumur, which generate, compile and run a program for a model.

Their models stand in ``systems``, a text for each kind of case. The sizes are written above it, as
constants named as the bounds of our model. Family fence is what ``fencecheck export`` writes of it.
GNU time measures the run.
"""

from __future__ import annotations

import functools
import importlib
import math
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from tests.bench import ours
from tests.bench.cases import BOUNDS, SYSTEMS, Case, Run

NEEDED = {
    "spin": "the Debian package spin",
    "rumur": "the Debian package rumur",
    "gcc": "the Debian package gcc",
    "/usr/bin/time": "the Debian package time",
}
PEERS = ("SPIN DFS", "SPIN BFS", "Rumur")
SPIN = (
    # -o1: local variables keep what they hold, as in our models, where nobody reads it any more
    "spin -a -o1 model.pml",
    "gcc -O2 -w -DSAFETY -DNOREDUCE {search} -o pan pan.c",
)
RUMUR = (
    "rumur --threads 1 --deadlock-detection off --symmetry-reduction off -o model.c model.m",
    "gcc -std=c11 -O3 -march=native -mcx16 -w -o pan model.c -lpthread -latomic",
)


def missing() -> list[str]:
    """Return what the peers need and this machine does not have, a line each."""
    return [f"{p}: not found; it is in {w}" for p, w in NEEDED.items() if not shutil.which(p)]


def files_of(peer: str, kind: str, sizes: tuple[int | str, ...]) -> dict[str, str]:
    """Return the files of a peer's model of a system at some size, by their names."""
    form, name = ("murphi", "model.m") if peer == "Rumur" else ("promela", "model.pml")
    if kind in BOUNDS:
        return _exported(form, kind, sizes)
    return {name: text_of(peer, kind, sizes)}


@functools.cache
def _exported(form: str, kind: str, sizes: tuple[int | str, ...]) -> dict[str, str]:
    return ours.export(form, kind, sizes)


def text_of(peer: str, kind: str, sizes: tuple[int | str, ...]) -> str:
    """Return a peer's model of a system that stands in ``systems``, at some size."""
    bounds = importlib.import_module(f"tests.models_for_tests.{kind}").BOUNDS
    constants = dict(zip(map(str.upper, bounds), sizes, strict=True))
    if peer == "Rumur":
        lines = [f"const {name}: {value};" for name, value in constants.items()]
        return "\n".join([*lines, (SYSTEMS / f"{kind}.m").read_text("utf-8")])
    lines = [f"#define {name} {value}" for name, value in constants.items()]
    text = (SYSTEMS / f"{kind}.pml").read_text("utf-8")
    if "EACH(" in text:
        each = [f"m({i})" for i in range(int(sizes[0]))]
        lines.append(f"#define EACH(m) {' '.join(each)}")
        lines.append(f"#define ANY(m) ({' || '.join(each)})")
    return "\n".join([*lines, text])


def run(peer: str, case: Case, sizes: tuple[int, ...] | None = None) -> Run:
    """Let a peer search one case, or its system at other sizes."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for name, text in files_of(peer, case.kind, sizes or case.sizes).items():
            (folder / name).write_text(text, "utf-8")
        compiled = _compiled(peer, folder)
        said = _said(["/usr/bin/time", "-v", "./pan", *_options(peer, case)], folder)
    try:
        found = _read(said, compiled)
    except ValueError as error:
        raise SystemExit(f"{peer} on {case.name}: {error}; it said:\n{said}") from None
    counts = found.states, found.transitions
    if sizes is None and counts != (case.states, case.transitions):
        raise SystemExit(f"{peer} on {case.name}: it found {counts}, which is not what is known")
    return found


def _compiled(peer: str, folder: Path) -> float:
    """Make the program of a peer, and return the seconds that it took."""
    started = time.perf_counter()
    search = "-DBFS" if peer == "SPIN BFS" else ""
    for command in RUMUR if peer == "Rumur" else SPIN:
        said = _said(command.format(search=search).split(), folder)
        if "rror" in said:
            raise SystemExit(f"{peer}: {command} failed:\n{said}")
    return time.perf_counter() - started


def _options(peer: str, case: Case) -> list[str]:
    """Return how a peer's program is called: SPIN's table is sized by what will be in it."""
    if peer == "Rumur":
        return []
    table = min(27, max(24, math.ceil(math.log2(case.states)) + 1))
    return ["-E", "-n", "-m1000000", f"-w{table}"]


def _said(command: list[str], folder: Path) -> str:
    process = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return process.stdout + process.stderr


def _read(said: str, compiled: float) -> Run:
    """Return a run from what a peer and GNU time printed."""
    minutes, rest = _last(r"\(h:mm:ss or m:ss\): (?:\d+:)??(\d+:[\d.]+)", said).split(":")
    elapsed = 60 * int(minutes) + float(rest)
    itself = re.findall(r"^pan: elapsed time ([\d.]+) seconds", said, re.MULTILINE)
    search = max(float(itself[-1]) if itself else elapsed, 0.01)
    resident = 1024 * int(_last(r"Maximum resident set size \(kbytes\): (\d+)", said))
    if itself:
        states = int(_last(r"(\d+) states, stored", said))
        transitions = int(_last(r"(\d+) transitions \(=", said)) - 1  # it counts the initial state
    else:
        states = int(_last(r"(\d+) states, \d+ rules fired", said))
        transitions = int(_last(r"(\d+) rules fired", said))
    return Run(states, transitions, search, compiled + elapsed, resident)


def _last(pattern: str, text: str) -> str:
    found = re.findall(pattern, text, re.MULTILINE)
    if not found:
        raise ValueError(f"no {pattern}")
    return str(found[-1])
