"""DOT source to picture bytes, by whichever Graphviz the machine has.

In: DOT text with all positions given, and a format (svg, png, pdf). Out: the bytes of the file. A
`neato` or `dot` on PATH is used first, else the executable of the graphviz-pure wheel, which needs
nothing from the system but draws no PDF. It writes no files.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

from fencecheck.errors import FencecheckError
from fencecheck.report.picture.styles import FONT

FORMATS = ("svg", "png", "pdf")
PNG_DPI = 144
TIMEOUT = 120


class RenderError(FencecheckError):
    """No renderer, a format that the renderer lacks, or a renderer that failed."""


@dataclass(frozen=True)
class Renderer:
    """The program that draws: its name, its version, the formats it can, and where it is."""

    name: str
    version: str
    formats: tuple[str, ...]
    path: Path


def _pure_folders() -> list[Path]:
    """Return where pip puts executables, for this interpreter and for the user, likeliest first."""
    folders = [sysconfig.get_path("scripts")]
    # A user install goes elsewhere; an interpreter that has no home folder has no such place.
    for scheme in (sysconfig.get_preferred_scheme("user"), f"{os.name}_user"):
        if scheme in sysconfig.get_scheme_names():
            folders.append(sysconfig.get_path("scripts", scheme))
    folders.append(str(Path(sys.executable).parent))
    return list(dict.fromkeys(Path(folder) for folder in folders if folder))


def _find_pure() -> Path | None:
    for folder in _pure_folders():
        for name in ("graphviz-pure", "graphviz-pure.exe"):
            if os.access(folder / name, os.X_OK) and (folder / name).is_file():
                return folder / name
    found = shutil.which("graphviz-pure")
    return Path(found) if found else None


def _find_system() -> Path | None:
    found = shutil.which("neato") or shutil.which("dot")
    return Path(found) if found else None


def _run(
    path: Path, arguments: list[str], source: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(
            [str(path), *arguments], input=source, capture_output=True, timeout=TIMEOUT, check=False
        )
    except OSError as error:
        raise RenderError(f"{path}: cannot be run ({error}); reinstall it") from error
    except subprocess.TimeoutExpired as error:
        raise RenderError(
            f"{path}: no picture after {TIMEOUT} seconds; write DOT instead"
        ) from error


def _version(path: Path) -> str:
    answer = _run(path, ["-V"])
    found = re.search(rb"version (\S+)", answer.stdout + answer.stderr)
    return found.group(1).decode() if found else "unknown"


def renderer() -> Renderer:
    """Return the renderer that `render` uses; raise RenderError where there is none."""
    system = _find_system()
    if system is not None:
        return Renderer("graphviz", _version(system), FORMATS, system)
    pure = _find_pure()
    if pure is not None:
        return Renderer("graphviz-pure", _version(pure), ("svg", "png"), pure)
    places = ", ".join(str(folder) for folder in _pure_folders())
    raise RenderError(
        "no renderer for pictures: looked for neato and dot on PATH, and for graphviz-pure in "
        f"{places} and on PATH; install one with `pip install graphviz-pure`, or ask for the "
        "formats dot or mermaid, which need none"
    )


def _check_format(format: str, tool: Renderer) -> None:
    if format not in FORMATS:
        raise RenderError(f'picture format "{format}" is not one of {", ".join(FORMATS)}')
    if format not in tool.formats:
        raise RenderError(
            f"{tool.name} {tool.version} has no {format}, only {', '.join(tool.formats)}; ask for "
            f"svg, or install Graphviz so that neato is on PATH (looked for neato and dot)"
        )


def render(source: str, format: str, tool: Renderer | None = None) -> bytes:
    """Draw DOT source whose positions are given, with `tool` or else what `renderer()` finds.

    `format` is svg, png (144 dots per inch) or pdf. Raises RenderError, with the renderer's own
    words where it failed.
    """
    tool = tool or renderer()
    _check_format(format, tool)
    arguments = ["-Kneato", "-n2", f"-T{format}"]
    if format == "png":
        arguments.append(f"-Gdpi={PNG_DPI}")
    answer = _run(tool.path, arguments, source.encode())
    if answer.returncode != 0 or not answer.stdout:
        words = answer.stderr.decode(errors="replace").strip() or "no output"
        raise RenderError(f"{tool.name} {tool.version} ({tool.path}) failed: {words}")
    if format == "svg":
        # The renderers know the metrics of one family; a viewer without it needs others to try.
        family = f'font-family="{FONT}'.encode()
        return answer.stdout.replace(family, family + b",Helvetica,sans-serif")
    return answer.stdout
