"""What a whole process takes: processor seconds of ``fencecheck check`` with kernels kept.

The spec, ``warm.toml``, has 109,860 states; starting, loading, lowering, searching and printing
are all in it.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

SPEC = Path(__file__).with_name("warm.toml")
STATES = 109_860


def check(cache: Path, spec: Path = SPEC, states: int = STATES) -> float:
    """Return the processor seconds of a check of a spec of one variant, of all its threads."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.run(
        [sys.executable, "-m", "fencecheck", "check", str(spec), "--exact", "--format", "json"],
        env={**os.environ, "FENCECHECK_CACHE": str(cache)},
        capture_output=True,
        text=True,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if process.returncode:
        raise SystemExit(f"{spec}: fencecheck failed:\n{process.stdout}{process.stderr}")
    (variant,) = json.loads(process.stdout)["variants"]
    if variant["exploration"]["states"] != states:
        raise SystemExit(f"{spec}: {variant['exploration']}; known are {states} states")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
