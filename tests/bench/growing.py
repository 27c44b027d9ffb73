"""Measure how the time before a search grows with a model, and print it.

    python -m tests.bench.growing [--repeats 3]

Of models of many small actions over several words, of many ways of one action, and of states of
many words: seconds until the model is loaded and lowered, until the text of its kernel is there,
and until that is machine code. Each is measured in a process of its own, as processor time, of
which the least of some runs is printed.
"""

from __future__ import annotations

import argparse
import itertools
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.models_for_tests.many_small import many_small  # noqa: E402

SIZES = (
    (50, 16, 0), (100, 16, 0), (200, 16, 0), (500, 16, 0), (1000, 16, 0), (500, 36, 0),
    (1, 16, 100), (1, 16, 500), (1, 64, 500), (1, 16, 2016),
)  # fmt: skip
HEADS = ("actions", "ways of one", "variables", "words", "lowered", "text", "code", "bytes")


def measured(path: str) -> list[float]:
    """Return words of a state, seconds of three kinds, and bytes of machine code."""
    from fencecheck.explore.compiled.kernel.plan import plan_kernel
    from fencecheck.explore.compiled.kernel.text import KernelText
    from fencecheck.explore.compiled.storage.packing import pack_fields
    from fencecheck.explore.native import object_code
    from fencecheck.model.files.loading import load_family
    from fencecheck.model.system import System

    moments = [time.process_time()]
    family = load_family(path)
    system = System(family, family.default_design())
    moments.append(time.process_time())
    watched = [p for p in system.properties() if not p.temporal]
    plan = plan_kernel(system.lowered, system.actions, watched)
    packing = pack_fields(system.lowered.layout, narrow=True)
    text = KernelText(plan, packing).text()
    moments.append(time.process_time())
    code, cached = object_code.machine_code(text)
    moments.append(time.process_time())
    assert not cached
    seconds = [after - before for before, after in itertools.pairwise(moments)]
    return [packing.words, *seconds, len(code)]


def run(path: Path) -> list[float]:
    """Measure one model in a process of its own, without any cache."""
    found: list[float] = json.loads(
        subprocess.run(
            [sys.executable, __file__, "--model", str(path)],
            env={"PYTHONPATH": str(ROOT), "FENCECHECK_CACHE": str(path.with_suffix(""))},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    )
    for entry in path.with_suffix("").glob("*"):
        entry.unlink()
    return found


def rows(sizes: Iterable[tuple[int, int, int]], repeats: int) -> Iterator[tuple[str, ...]]:
    """Return what is printed of each model: its sizes, the least seconds of some runs, bytes."""
    with tempfile.TemporaryDirectory() as folder:
        for actions, variables, ways in sizes:
            path = Path(folder) / f"model_{actions}_{variables}_{ways}.py"
            path.write_text(many_small(actions, variables, ways=ways))
            runs = [run(path) for _ in range(repeats)]
            words, lowered, text, code, size = map(min, zip(*runs, strict=True))
            cells = (actions, 2 * ways, variables, int(words))
            seconds = (f"{each:.2f}" for each in (lowered, text, code))
            yield (*map(str, cells), *seconds, f"{int(size):,}")


def main() -> None:
    """Measure all sizes, or with ``--model`` one model, of which JSON is printed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--repeats", type=int, default=3, help="runs of each")
    parser.add_argument("--model", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.model:
        print(json.dumps(measured(asked.model)))
        return
    print("  ".join(head.rjust(11) for head in HEADS))
    for row in rows(SIZES, asked.repeats):
        print("  ".join(cell.rjust(11) for cell in row), flush=True)


if __name__ == "__main__":
    main()
