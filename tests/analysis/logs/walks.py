"""Logs made of random runs of designs that ship, and what a spec makes of logs."""

import json
import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from fencecheck.analysis.explaining.conform import Explaining, conform_spec
from fencecheck.analysis.explaining.setting import Supposing
from fencecheck.checking.logged import RunReport
from fencecheck.checking.results import Result
from fencecheck.model.system import System
from fencecheck.runs.logged.names import Vocabulary
from fencecheck.runs.logged.reading import LogReading, read_logs
from fencecheck.runs.random_run import random_walk
from fencecheck.runs.told.concrete import concrete_run
from fencecheck.runs.told.teller import Teller
from fencecheck.spec.files import Spec, load_specs

SPECS = Path(__file__).parents[3] / "specs"
Line = dict[str, Any]
FENCE = ("no_fence", "plan_fence", "step_fence", "step_fence_journal", "as_printed")


def spec_of(name: str, variant: int = 0, *judged: str) -> Spec:
    """A spec that ships, with one of its variants; these properties are judged."""
    (spec,) = load_specs([SPECS / f"{name}.toml"])
    spec.variants = [spec.variants[variant]]
    spec.required, spec.reported = judged, ()
    return spec


def walk_lines(
    spec: Spec, seed: int, silent: Iterable[str] = ("network", "substrate"), *, values: bool = True
) -> list[Line]:
    """The log of a random run, in the order in which it happened; ``silent`` actors log nothing."""
    system = System(spec.family, spec.variants[0].design)
    teller, seen = Teller(system), set(Vocabulary(system).seen)
    run = concrete_run(system, random_walk(system, [], seed, 60).events)
    lines: list[Line] = []
    for number, event in enumerate(teller.events(run)):
        actor = event.name.partition(".")[0]
        if actor in tuple(silent):
            continue
        line: Line = {"process": event.actor, "event": event.name, "args": dict(event.args)}
        line["time"] = number / 10
        if event.outcome is not None:
            line["outcome"] = event.outcome
        stores = {n: c.after for n, c in event.changes.items() if n in seen - teller.silent()}
        lines.append(line | ({"after": stores} if values else {}))
    return lines


def without_some(lines: Sequence[Line], seed: int) -> list[Line]:
    """The log without a tenth of its lines, which are drawn by a seed."""
    gone = random.Random(seed).sample(range(len(lines)), max(1, len(lines) // 10))
    return [line for number, line in enumerate(lines) if number not in gone]


def shifted(lines: Sequence[Line], seed: int, most: float) -> list[Line]:
    """The log with the clock of each process shifted, process by process."""
    draw = random.Random(seed)
    shifts = {process: draw.uniform(0, most) for process in sorted({x["process"] for x in lines})}
    moved = [line | {"time": line["time"] + shifts[line["process"]]} for line in lines]
    return sorted(moved, key=lambda line: str(line["process"]))


def write_log(path: Path, lines: Iterable[Line]) -> Path:
    """The file of a log."""
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    return path


def conformed(
    spec: Spec,
    paths: Sequence[Path],
    how: Explaining | None = None,
    reading: LogReading | None = None,
) -> Result:
    """What a spec makes of logs."""
    return conform_spec(spec, read_logs(paths, reading or LogReading()), how or Explaining())


def reports(
    spec: Spec, folder: Path, logs: Iterable[Iterable[Line]], how: Explaining | None = None
) -> list[RunReport]:
    """What a spec with one variant makes of several logs."""
    paths = [write_log(folder / f"{n}.jsonl", lines) for n, lines in enumerate(logs, 1)]
    report = conformed(spec, paths, how).variants[0].logs
    assert report is not None
    return report.runs


def one_report(
    spec: Spec, folder: Path, lines: Iterable[Line], how: Explaining | None = None
) -> RunReport:
    """What a spec with one variant makes of one log."""
    return reports(spec, folder, [lines], how)[0]


def supposing(unlogged: int = 2, **given: Any) -> Explaining:
    """How logs are explained where so much interference may be supposed."""
    return Explaining(Supposing(unlogged), **given)
