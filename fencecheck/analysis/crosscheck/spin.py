"""SPIN as a peer: one breadth-first run answers everything."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from fencecheck.analysis.crosscheck.exported import ExportedDesign
from fencecheck.analysis.crosscheck.peer import (
    SMALL,
    Events,
    Installed,
    PeerAnswer,
    PeerFailed,
    PeerLimits,
    Workplace,
    beside_compiler,
    events_told,
)
from fencecheck.explore.machine import most_resident
from fencecheck.export.flat import flat_model
from fencecheck.export.names import comment_text
from fencecheck.export.promela import BROKEN, INCLUDED, SAYS, TESTED, WRONG, promela_texts
from fencecheck.model.property import LeadsTo, Liveness, Possibility, Recurrence

_SAID = re.compile(rf"^{SAYS}: ({BROKEN}|{TESTED}): (.*): (-?\d+) events$", re.MULTILINE)
_COUNT = r"^\s*(\d+) {}"
_DEPTH = re.compile(r"depth reached (\d+)")
_STOPPED = re.compile(
    r"^(?:pan: |error: |Warning: ).*(?:reached|out of memory|not completed).*$", re.M
)
_WRONG = re.compile(rf"^pan:\d+: ({WRONG}.*) \(at depth", re.MULTILINE)
_FIELD = 8  # bytes of a field at most


class Spin:
    """SPIN, which searches breadth first here, so that its runs are shortest ones."""

    name: ClassVar[str] = "spin"
    language: ClassVar[str] = "promela"
    cannot: ClassVar[Mapping[str, str]] = {
        Possibility.kind: "it has no branching time",
        Liveness.kind: "its fairness is by process",
        LeadsTo.kind: "its fairness is by process",
        Recurrence.kind: "its fairness is by process",
    }

    def installed(self) -> Installed | None:
        return beside_compiler("spin", "-V")

    def missing(self) -> str:
        return "SPIN and a C compiler (Debian: apt-get install spin gcc)"

    def ask(self, design: ExportedDesign, folder: Path, limits: PeerLimits) -> PeerAnswer:
        work = Workplace(folder, limits)
        try:
            count = design.answers.states or SMALL
            return _answer(_printed(work, design, limits, max(16, count.bit_length() + 1)), design)
        except PeerFailed as failed:
            return PeerAnswer(failed=str(failed))

    def events(self, design: ExportedDesign, limits: PeerLimits) -> Events:
        model = flat_model(design.system, [])
        texts = promela_texts(model, design.head, telling=True)
        with tempfile.TemporaryDirectory(prefix="fencecheck-") as scratch:
            work = Workplace(Path(scratch), limits)
            for name, text in zip(("model.pml", INCLUDED), texts, strict=True):
                (work.folder / name).write_text(text)
            told = _printed(work, design, limits, 20)
        return events_told(told, {rule.label: rule.event for rule in model.rules})


def _printed(work: Workplace, design: ExportedDesign, limits: PeerLimits, room: int) -> str:
    """Return what the verifier of a model prints, with a table of 2 to the power of ``room``."""
    work.run("spin", "-a", "model.pml")
    work.compile("pan.c", "pan", _options(design, limits))
    return work.run("./pan", f"-w{room}", expected=range(256))


def _options(design: ExportedDesign, limits: PeerLimits) -> list[str]:
    fields = len(design.system.lowered.layout.fields)
    states = design.answers.states
    return [
        "-O0" if states is not None and states < SMALL else "-O2",
        "-DSAFETY", "-DNOREDUCE", "-DBFS",
        f"-DVECTORSZ={max(1024, _FIELD * fields + 512)}",
        f"-DMEMLIM={max(64, most_resident(limits.memory) >> 20)}",
    ]  # fmt: skip


def _answer(told: str, design: ExportedDesign) -> PeerAnswer:
    """Return what a run printed; raises PeerFailed where it did not come to its end."""
    wrong = _WRONG.search(told)
    if wrong is not None:
        return PeerAnswer(wrong=wrong.group(1))
    stopped = _STOPPED.search(told)
    if stopped is not None:
        raise PeerFailed(stopped.group().strip())
    starts = design.answers.starts
    chosen = 0 if starts == 1 else 1  # the choice of a first state is a state before it
    depth = _DEPTH.search(told)
    answer = PeerAnswer(
        _count(told, "states, stored") - chosen,
        _count(told, "transitions") - 1 - chosen * starts,
        int(depth.group(1)) - chosen if depth else None,
        tested=set(),
    )
    named = {comment_text(name): name for name in design.names}
    for kind, said, events in _SAID.findall(told):
        name = named[said]
        if kind == BROKEN:
            answer.broken[name] = int(events)
        elif answer.tested is not None:
            answer.tested.add(name)
    return answer


def _count(told: str, what: str) -> int:
    found = re.search(_COUNT.format(what), told, re.MULTILINE)
    if found is None:
        last = next((line for line in reversed(told.splitlines()) if line.strip()), "nothing")
        raise PeerFailed(f"pan printed no number of {what}, but: {last.strip()}")
    return int(found.group(1))
