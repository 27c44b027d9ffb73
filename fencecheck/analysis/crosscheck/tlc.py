"""TLC as a peer: it reads the model's own functions as TLA+, and nothing of what was lowered.

What holds is asked together, of whole runs under fairness; what we say is violated is asked alone,
for the shortest run to it. It needs a Java, and the jar that FENCECHECK_TLC or ``--tlc`` names.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from fencecheck.analysis.crosscheck.exported import ExportedDesign
from fencecheck.analysis.crosscheck.peer import (
    Events,
    Installed,
    PeerAnswer,
    PeerFailed,
    PeerLimits,
    Workplace,
    first_line,
)
from fencecheck.export.tla.files import MODULE, configuration
from fencecheck.export.tla.module import write_model
from fencecheck.export.tla.promises import TEMPORAL, Promise
from fencecheck.model.property import Possibility

JAR = "FENCECHECK_TLC"
_ASKED = "Asked.cfg"
_STATES = re.compile(r"([\d,]+) distinct states found")
_DEPTH = re.compile(r"depth of the complete state graph search is (\d+)")
_BROKEN = re.compile(r"(?:Invariant|Action property|Property|property) (\w+) is violated")
_AT_FIRST = re.compile(r"(?:Invariant|Property) (\w+) is violated by the initial state")
_OF_RUNS = "Temporal properties were violated"
_RIGHT = "No error has been found"
_STEP = re.compile(r"^State \d+:", re.MULTILINE)


class Tlc:
    """TLC with one worker, so that its runs are shortest ones."""

    name: ClassVar[str] = "tlc"
    language: ClassVar[str] = "tla"
    cannot: ClassVar[Mapping[str, str]] = {
        Possibility.kind: "TLA+ cannot say that something can always still be reached",
        "transitions": "TLC counts each way in which a guard's alternatives hold",
    }
    jar: str | None = None

    def _place(self) -> str | None:
        found = self.jar or os.environ.get(JAR)
        return str(Path(found).absolute()) if found and Path(found).is_file() else None

    def installed(self) -> Installed | None:
        jar, java = self._place(), shutil.which("java")
        if jar is None or java is None:
            return None
        told = first_line([java, "-cp", jar, "tlc2.TLC", "-help"])
        version = re.search(r"Version (\S+)", told)
        return Installed(jar, version.group(1) if version else "of an unknown version")

    def missing(self) -> str:
        return f"Java 11 or newer, and tla2tools.jar at the path that --tlc or {JAR} names"

    def ask(self, design: ExportedDesign, folder: Path, limits: PeerLimits) -> PeerAnswer:
        model = write_model(design.system, design.names)
        why_not = {p.prop.name: p.why_not for p in model.promises if p.why_not}
        true = {p.prop.name: "it is true by itself as written" for p in model.promises if p.holds}
        asked = [p for p in model.promises if p.kind]
        needs_none = "CONSTANT None" in (folder / f"{MODULE}.tla").read_text("utf-8")
        run = _Runs(self._place() or "", Workplace(folder, limits), limits, needs_none)
        violated = design.answers.lengths
        answer = PeerAnswer(not_asked=why_not | true)
        try:
            sound = [p for p in asked if p.prop.name not in violated]
            run.together([p for p in sound if p.kind != TEMPORAL], answer)
            run.under_fairness([p for p in sound if p.kind == TEMPORAL], answer)
            for promise in asked:
                if promise.prop.name in violated:
                    run.alone(promise, answer)
        except PeerFailed as failed:
            return PeerAnswer(failed=str(failed))
        if design.system.representatives:
            answer.depth = None  # of states that are alike only the nearest is in ours
        return answer

    def events(self, design: ExportedDesign, limits: PeerLimits) -> Events:
        raise PeerFailed("TLC tells states, and not which event leads to them")


class _Runs:
    """Runs of TLC in one folder."""

    def __init__(self, jar: str, work: Workplace, limits: PeerLimits, needs_none: bool) -> None:
        self.work, self.needs_none = work, needs_none
        memory = [] if limits.memory is None else [f"-Xmx{max(64, limits.memory >> 20)}m"]
        self.command = ["java", "-Xss64m", *memory, f"-Djava.io.tmpdir={work.folder}", "-cp", jar]
        self.command += ["tlc2.TLC", "-deadlock", "-workers", "1", "-nowarning"]

    def together(self, promises: Sequence[Promise], answer: PeerAnswer) -> None:
        """Ask of several properties, again without each that breaks; counts come of a whole run."""
        waiting = list(promises)
        while True:
            told = self._told(waiting)
            broken = self._broken(told, waiting)
            if broken is None:
                break
            answer.broken[broken.prop.name] = _events(told)
            waiting.remove(broken)
        answer.states = int(_last(_STATES, told).replace(",", ""))
        answer.depth = int(_last(_DEPTH, told)) - 1

    def under_fairness(self, promises: Sequence[Promise], answer: PeerAnswer) -> None:
        """Ask of several properties of whole runs; of each alone where one of them breaks."""
        if promises and _OF_RUNS in self._told(promises):
            for promise in promises:
                self.alone(promise, answer)

    def alone(self, promise: Promise, answer: PeerAnswer) -> None:
        """Ask of one property."""
        told = self._told([promise])
        if promise.kind == TEMPORAL:
            if _OF_RUNS in told:
                answer.broken[promise.prop.name] = None
        elif self._broken(told, [promise]) is not None:
            answer.broken[promise.prop.name] = _events(told)

    def _told(self, promises: Sequence[Promise]) -> str:
        config = configuration(promises, needs_none=self.needs_none)
        (self.work.folder / _ASKED).write_text(config, "utf-8")
        told = self.work.run(
            *self.command, "-metadir", "states", "-config", _ASKED, f"{MODULE}.tla",
            expected=range(256),
        )  # fmt: skip
        if not (_RIGHT in told or _OF_RUNS in told or _BROKEN.search(told)):
            raise PeerFailed(f"TLC: {next(_own_words(told), 'it printed nothing')}")
        return told

    def _broken(self, told: str, promises: Sequence[Promise]) -> Promise | None:
        """Return which property breaks; raises PeerFailed for what is none of them."""
        found = _BROKEN.search(told)
        if found is None:
            return None
        for promise in promises:
            if promise.name == found.group(1):
                return promise
        raise PeerFailed(f"TLC: {found.group()}")


def _events(told: str) -> int:
    """Return how many events the run has that TLC shows."""
    return 0 if _AT_FIRST.search(told) else len(_STEP.findall(told)) - 1


def _last(pattern: re.Pattern[str], told: str) -> str:
    found = pattern.findall(told)
    if not found:
        raise PeerFailed(f"TLC: {next(_own_words(told), 'it printed nothing')}")
    return str(found[-1])


def _own_words(told: str) -> Iterator[str]:
    """Yield the lines in which TLC says what is wrong."""
    lines = [line.strip() for line in told.splitlines() if line.strip()]
    yield from (line for line in lines if "rror" in line and "Errors: 0" not in line)
    yield from lines[-1:]
