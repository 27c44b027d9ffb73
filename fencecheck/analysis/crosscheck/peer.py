"""Peers: other checkers that can be asked about a model, and what they answer.

A peer is found on the machine or not, is given an exported design, and says what it found. Where
it fails, or stops before the end, its own words are all that it says. Processes run in folders of
their own, with a limit on time, and are ended with what they started.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Protocol

from fencecheck.analysis.crosscheck.exported import ExportedDesign
from fencecheck.explore.interrupt import heard
from fencecheck.export.printing import SAID, SAW

SMALL = 100_000  # states up to which compiling without optimising is faster
_WITHIN = 'ulimit -v "$0" && exec "$@"'  # a shell's: code run between fork and exec may stand still
_GLANCE = 0.1  # seconds between two looks at whether somebody interrupts
_TRUTHS = {"true": 1, "false": 0}
_SAID = 300  # characters of a peer's own words


@dataclass(frozen=True)
class Installed:
    """A peer as it is on this machine."""

    path: str
    version: str


@dataclass(frozen=True)
class PeerLimits:
    """How far a peer may go: seconds for a design, bytes of memory (None: as far as it can)."""

    seconds: float | None = None
    memory: int | None = None
    threads: int = 1


NO_LIMITS = PeerLimits()


@dataclass
class PeerAnswer:
    """What a peer says of a design; None where it does not say.

    ``broken`` has each property that it found violated, with the fewest events if it tells;
    ``tested`` those that something put to the test. ``wrong`` says how the model went wrong.
    ``failed`` is why there is no answer, in the peer's own words; ``not_asked`` has by name the
    properties that it was not asked of, and why.
    """

    states: int | None = None
    transitions: int | None = None
    depth: int | None = None
    broken: dict[str, int | None] = field(default_factory=dict)
    tested: set[str] | None = None
    wrong: str = ""
    failed: str = ""
    not_asked: dict[str, str] = field(default_factory=dict)


Numbers = tuple[int, ...]
# for each state, as the numbers of the fields that vary, the events out of it: name, state after
Events = dict[Numbers, Counter[tuple[str, Numbers]]]


class Peer(Protocol):
    """Another checker; ``language`` is the form it reads. Its runs are shortest ones.

    ``cannot`` has for each kind of property or count that it cannot be asked why not.
    """

    name: ClassVar[str]
    language: ClassVar[str]
    cannot: ClassVar[Mapping[str, str]]

    def installed(self) -> Installed | None:
        """Return where it is and which version; None where it is not, or lacks what it needs."""

    def missing(self) -> str:
        """Return what to install where it is not there."""

    def ask(self, design: ExportedDesign, folder: Path, limits: PeerLimits) -> PeerAnswer:
        """Return what it says of a design, with its files in ``folder``."""

    def events(self, design: ExportedDesign, limits: PeerLimits) -> Events:
        """Return every event that it has happen; raises PeerFailed where it cannot tell."""


def events_told(printed: str, names: Mapping[str, str]) -> Events:
    """Read the events that a printing program told: SAW, a rule's label, before ``->`` after.

    ``names`` has the event of each label. Of a state, only the numbers matter, in their order.
    """
    found: Events = {}
    for part in printed.split(f"{SAW} ")[1:]:
        label, _, rest = part.partition(":")
        before, after = rest.split(f"{SAID}\n")[0].split("->")
        source, target = _numbers(before), _numbers(after)
        found.setdefault(source, Counter())[names[label], target] += 1
    return found


def _numbers(text: str) -> Numbers:
    said = (word.rpartition(":")[2] for word in text.split())
    return tuple(_TRUTHS[word] if word in _TRUTHS else int(word) for word in said)


class PeerFailed(Exception):
    """A peer that did not come to an answer, in its own words."""


def first_line(command: Sequence[str]) -> str:
    """Return the first line that a program prints; nothing where it does not start."""
    with suppress(OSError, subprocess.SubprocessError):
        ran = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
        return next(iter((ran.stdout or ran.stderr).splitlines()), "")
    return ""


def compiler() -> str | None:
    """Return the C compiler."""
    return shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


def beside_compiler(name: str, flag: str) -> Installed | None:
    """Return a program that needs a C compiler, if both are there; ``flag`` asks its version."""
    path = shutil.which(name)
    if path is None or compiler() is None:
        return None
    found = re.search(r"v?\d[\w.\-]*", first_line([path, flag]))
    return Installed(path, found.group() if found else "of an unknown version")


class Workplace:
    """A folder in which a peer's programs run, one after another, within one limit on time."""

    def __init__(self, folder: Path, limits: PeerLimits) -> None:
        self.folder, self.limits = folder, limits
        self.deadline = None if limits.seconds is None else time.monotonic() + limits.seconds

    def run(self, *command: str, expected: Sequence[int] = (0,)) -> str:
        """Run a program and return what it printed; raises PeerFailed if it fails or is late."""
        with self._started(command) as process:
            out, said = self._waited(process, command[0])
        if process.returncode not in expected:
            ended = f"it ended with {process.returncode}"
            raise PeerFailed(f"{Path(command[0]).name}: {_own_words(said, out) or ended}")
        return out

    def compile(self, source: str, program: str, options: Sequence[str]) -> None:
        """Compile a C program."""
        made = compiler()
        if made is None:
            raise PeerFailed("there is no C compiler")
        self.run(made, "-w", *options, "-o", program, source, "-lpthread")

    @contextmanager
    def _started(self, command: Sequence[str]) -> Iterator[subprocess.Popen[str]]:
        try:
            process = subprocess.Popen(
                self._bounded(command), cwd=self.folder, text=True, errors="replace",
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise PeerFailed(f"{command[0]}: {error.strerror or error}") from None
        try:
            yield process
        finally:
            if process.poll() is None:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.communicate()

    def _bounded(self, command: Sequence[str]) -> Sequence[str]:
        """Return a command with the limit on memory in front of it where it is a search."""
        if self.limits.memory is None or not command[0].startswith("./"):
            return command
        return ["sh", "-c", _WITHIN, str(self.limits.memory >> 10), *command]

    def _waited(self, process: subprocess.Popen[str], name: str) -> tuple[str, str]:
        while True:
            with suppress(subprocess.TimeoutExpired):
                return process.communicate(timeout=_GLANCE)
            if heard():
                raise KeyboardInterrupt
            if self.deadline is not None and time.monotonic() > self.deadline:
                raise PeerFailed(f"{Path(name).name}: it was stopped by the limit on time")


def _own_words(*texts: str) -> str:
    """Return the lines in which a program says what is wrong, or its last one."""
    for text in texts:
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        errors = [line for line in lines if "error" in line.lower()]
        if lines:
            return (errors or lines[-1:])[0][:_SAID]
    return ""
