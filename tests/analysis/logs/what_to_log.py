"""How many faults logs of the real ledger give away, by what is logged: a table for the documents.

``python -m tests.analysis.logs.what_to_log`` prints it. The runs are those of the tests; the
design is that of the system as it should be, and the faulty systems are the others.
"""

import json
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from fencecheck.analysis.explaining.search import LogSearch
from fencecheck.analysis.explaining.setting import LogSetting, Supposing
from fencecheck.runs.logged.log import LoggedRun, Logging
from fencecheck.runs.logged.order import RunOrder
from fencecheck.runs.logged.reading import LogReading, read_logs
from tests.analysis.logs.ledger_system import Built, logs_of
from tests.analysis.logs.test_ledger_system import SYSTEMS, design_of

Line = dict[str, Any]
RUNS = range(1, 31)
EVENTS = {
    "sink": {"worker.effect", "worker.deduped"},
    "worker": {"worker.intend", "worker.reject_drift", "worker.replay", "worker.commit"},
    "scheduler": {"scheduler.assign", "scheduler.requeue", "worker.ack", "clock.expire_lease"},
    "operator": {"operator.edit_payload"},
}


def of(*who: str) -> set[str]:
    return {event for name in who for event in EVENTS[name]}


def without(*keys: str) -> Callable[[Line], Line]:
    return lambda line: {key: value for key, value in line.items() if key not in keys}


LOGGED: dict[str, tuple[set[str], Callable[[Line], Line]]] = {
    "everything": (of(*EVENTS), without()),
    "everything, without causes": (of(*EVENTS), without("causes")),
    "everything, without values": (of(*EVENTS), without("after")),
    "sink and workers": (of("sink", "worker"), without()),
    "sink and operator": (of("sink", "operator"), without()),
    "the sink alone": (of("sink"), without()),
    "the scheduler alone": (of("scheduler"), without()),
}


def explained(paths: list[Path], names: set[str], kept: Callable[[Line], Line]) -> tuple[int, int]:
    """How many runs the right design explains of a part of the logs, and of how many."""
    with tempfile.TemporaryDirectory() as name:
        parts = []
        for path in paths:
            lines = [json.loads(line) for line in path.read_text().splitlines()]
            chosen = [kept(line) for line in lines if line["event"] in names]
            known = {line["id"] for line in chosen}
            for line in chosen:
                if "causes" in line:
                    line["causes"] = [cause for cause in line["causes"] if cause in known]
            if chosen:
                part = Path(name) / path.name
                part.write_text("".join(f"{json.dumps(line)}\n" for line in chosen))
                parts.append(part)
        runs = read_logs(parts, LogReading(one_run=True)).runs
        return sum(is_explained(run, runs, names) for run in runs), len(runs)


def is_explained(run: LoggedRun, runs: Sequence[LoggedRun], names: set[str]) -> bool:
    """Whether the right design explains a run; the verdict alone."""
    spec = design_of(Built())
    design, logging = spec.variants[0].design, Logging(frozenset(names))
    setting = LogSetting(spec.family, design, runs, logging, Supposing(1))
    known, order = setting.known(run), RunOrder(run)
    for allowed in setting.stages(run, known):
        found = LogSearch(known, order, 1_000_000).explain(allowed)
        assert found.whole or not found.stopped_by
        if found.whole:
            return True
    return False


def main() -> None:
    """Print a row for each way to log: faults found, and the runs of each that give it away."""
    with tempfile.TemporaryDirectory() as name:
        made = {}
        for system, built in SYSTEMS.items():
            folder = Path(name) / system.replace(" ", "_")
            folder.mkdir()
            made[system] = logs_of(built, folder, RUNS)
        for words, (names, kept) in LOGGED.items():
            told = {system: explained(paths, names, kept) for system, paths in made.items()}
            right, many = told.pop("as it should be")
            assert right == many, f"{words}: {many - right} runs of the right system not explained"
            faults = {system: many - right for system, (right, many) in told.items()}
            found = sum(bool(n) for n in faults.values())
            print(
                f"| {words} | {found} of {len(faults)} | {', '.join(map(str, faults.values()))} |"
            )


if __name__ == "__main__":
    main()
