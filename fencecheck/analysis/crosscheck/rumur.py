"""Rumur as a peer: one run counts and says what ever breaks, one more for each shortest run."""

from __future__ import annotations

import platform
import tempfile
import xml.etree.ElementTree as ET
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
from fencecheck.export.flat import flat_model
from fencecheck.export.murphi import BROKEN, TESTED, WRONG, murphi_text
from fencecheck.export.names import comment_text
from fencecheck.model.property import LeadsTo, Liveness, Possibility, Recurrence

_ALWAYS = ("--deadlock-detection", "off", "--symmetry-reduction", "off")
_FORM = ("--output-format", "machine-readable", "--counterexample-trace", "diff")


class Rumur:
    """Rumur, which with one thread searches breadth first, so that its runs are shortest ones."""

    name: ClassVar[str] = "rumur"
    language: ClassVar[str] = "murphi"
    cannot: ClassVar[Mapping[str, str]] = {
        "depth": "it tells none",
        Possibility.kind: "its liveness goes over all events, not those of the system",
        Liveness.kind: "it has no fairness",
        LeadsTo.kind: "it has no fairness",
        Recurrence.kind: "it has no fairness",
    }

    def installed(self) -> Installed | None:
        return beside_compiler("rumur", "--version")

    def missing(self) -> str:
        return "Rumur and a C compiler (Debian: apt-get install rumur gcc)"

    def ask(self, design: ExportedDesign, folder: Path, limits: PeerLimits) -> PeerAnswer:
        work = Workplace(folder, limits)
        named = {comment_text(name): name for name in design.names}
        try:
            answer = _answer(self._told(work, design, (design.names, []), limits.threads))
            broken = {named[said]: said for said in answer.broken}
            answer.broken = {
                name: _length(self._told(work, design, ([name], [name]), 1), said)
                for name, said in broken.items()
            }
            answer.tested = answer.tested and {named[said] for said in answer.tested}
            return answer
        except PeerFailed as failed:
            return PeerAnswer(failed=str(failed))

    def _told(
        self,
        work: Workplace,
        design: ExportedDesign,
        asked: tuple[list[str], list[str]],
        threads: int,
    ) -> ET.Element:
        """Return what a run says as XML; ``asked``: which properties, and which of them end it."""
        names, ending = asked
        text = murphi_text(flat_model(design.system, names), design.head, ending)
        return _read(_printed(work, design, text, threads))

    def events(self, design: ExportedDesign, limits: PeerLimits) -> Events:
        model = flat_model(design.system, [])
        text = murphi_text(model, design.head, (), telling=True)
        with tempfile.TemporaryDirectory(prefix="fencecheck-") as scratch:
            printed = _printed(Workplace(Path(scratch), limits), design, text, 1)
        return events_told(printed, {rule.label: rule.event for rule in model.rules})


def _printed(work: Workplace, design: ExportedDesign, text: str, threads: int) -> str:
    """Return what the verifier of a model prints."""
    (work.folder / "asked.m").write_text(text)
    options = [*_ALWAYS, *_FORM, "--threads", str(threads)]
    work.run("rumur", *options, "--output", "asked.c", "asked.m")
    states = design.answers.states
    x86 = platform.machine().lower() in ("x86_64", "amd64")
    flags = ["-O0" if states is not None and states < SMALL else "-O2"]
    work.compile("asked.c", "asked", [*flags, *(["-mcx16"] if x86 else [])])
    return work.run("./asked", expected=range(256))


def _read(printed: str) -> ET.Element:
    try:
        told = ET.fromstring(printed)
    except ET.ParseError:
        last = next((line for line in reversed(printed.splitlines()) if line.strip()), "nothing")
        raise PeerFailed(f"the verifier did not come to its end; it printed {last[:200]}") from None
    if told.find("summary") is None:
        raise PeerFailed("the verifier printed no summary")
    return told


def _answer(told: ET.Element) -> PeerAnswer:
    error = told.find("error")
    if error is not None:
        message = error.findtext("message") or "an error without a message"
        if WRONG not in message:
            raise PeerFailed(message)
        return PeerAnswer(wrong=message)
    summary = told.find("summary")
    assert summary is not None
    answer = PeerAnswer(
        int(summary.get("states", "")), int(summary.get("rules_fired", "")), tested=set()
    )
    for cover in told.iter("cover_result"):
        message = cover.get("message") or ""
        if int(cover.get("count") or 0):
            if message.startswith(BROKEN):
                answer.broken[message.removeprefix(BROKEN)] = None
            elif message.startswith(TESTED) and answer.tested is not None:
                answer.tested.add(message.removeprefix(TESTED))
    return answer


def _length(told: ET.Element, name: str) -> int | None:
    """Return how many events the run has that breaks a property."""
    error = told.find("error")
    if error is None:
        raise PeerFailed(f"it counted where {name} breaks, and found no run to it")
    return len(list(error.iter("transition"))) - 1  # the first sets up a state to begin in
