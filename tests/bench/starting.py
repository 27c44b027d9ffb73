"""Measure what a run takes before and beside its search, from an empty and from a warm cache.

    python tests/bench/starting.py [--repeats 3] [--folder]

Of a small spec and of one of about 100,000 states: processor seconds of whole processes, start of
Python included, the first with an empty cache and the least of some with what that one left. With
``--folder`` the same of ``check specs/``, whose first run takes minutes, and of ``explain`` of the
tour's designs.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SMALL = 'model = "fence"\n[mechanisms]\nfence = "step"\n[bounds]\nsteps = 2\nedits = 1\n'
LARGE = (
    'model = "fence"\n[mechanisms]\nfence = "step"\n[bounds]\nsteps = 3\nedits = 3\n'
    "duplicates = 1\nlost_replies = 3\npreemptions = 1\n"
)


def seconds_of(arguments: list[str], cache: Path) -> float:
    """Return the processor seconds of a process that runs fencecheck."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    env = {**os.environ, "FENCECHECK_CACHE": str(cache)}
    command = [sys.executable, "-m", "fencecheck", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr.decode())
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main() -> None:
    """Measure all of them and print a line each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--repeats", type=int, default=3, help="runs with a warm cache")
    parser.add_argument("--folder", action="store_true", help="also what takes minutes")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        small, large = Path(folder) / "small.toml", Path(folder) / "large.toml"
        small.write_text(SMALL)
        large.write_text(LARGE)
        runs = {"a small spec": ["check", str(small)], "100,000 states": ["check", str(large)]}
        if asked.folder:
            runs["check specs/"] = ["check", "specs"]
            more = ["--part", "designs", "--timeout", "10m"]
            runs["explain, designs"] = ["explain", "specs/tour.toml", *more]
        print(f"{'':18}{'empty cache':>14}{'warm cache':>14}")
        for name, arguments in runs.items():
            cache = Path(folder) / f"cache of {name.replace('/', '')}"
            first = seconds_of(arguments, cache)
            warm = min(seconds_of(arguments, cache) for _ in range(asked.repeats))
            print(f"{name:18}{first:12.2f} s{warm:12.2f} s", flush=True)


if __name__ == "__main__":
    main()
