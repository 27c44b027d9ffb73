"""``fencecheck doctor``: what this machine has for fencecheck to work with."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator

import click

from fencecheck.cli.terminal import put_text

Line = tuple[str, str]


@click.command()
def doctor() -> int:
    """Say what this machine has.

    Python, libraries, the renderer of pictures, memory, cores, other checkers.
    """
    lines = list(_lines())
    room = max(len(name) for name, _ in lines)
    put_text("\n".join(f"{name.ljust(room)}  {value}" for name, value in lines))
    return 0


def _lines() -> Iterator[Line]:
    from fencecheck.version import __version__

    yield "fencecheck", f"{__version__} in {os.path.dirname(os.path.dirname(__file__))}"
    yield "python", f"{platform.python_version()} at {sys.executable}"
    yield "system", f"{platform.system()} {platform.machine()}"
    yield "cores", str(_cores())
    yield "memory", _memory()
    for name in ("numba", "numpy", "networkx", "graphviz"):
        yield name, _version(name)
    yield "pictures", _renderer()
    yield from _peers()


def _cores() -> int:
    """Return the cores that this process may use, which a container may have limited."""
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1


def _memory() -> str:
    try:
        page, pages = os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return "unknown"
    return f"{page * pages / 2**30:.1f} GiB"


def _version(name: str) -> str:
    """Return a library's version from its metadata: importing it would take seconds."""
    from importlib import metadata

    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed; install fencecheck again with pip"


def _peers() -> Iterator[Line]:
    """Yield the other checkers that crosscheck can ask."""
    from fencecheck.analysis.crosscheck.crosscheck import PEERS

    for peer in PEERS:
        found = peer.installed()
        missing = f"none: crosscheck asks it with {peer.missing()}"
        yield peer.name, f"{found.version} at {found.path}" if found else missing


def _renderer() -> str:
    from fencecheck.report.picture.render import RenderError, renderer

    try:
        found = renderer()
    except RenderError as error:
        return f"none: {error}"
    return f"{found.name} {found.version} at {found.path} ({', '.join(found.formats)})"
