"""What reaches the user: results on stdout, progress and notes on stderr, colour where it is seen.

A reader that goes away (``| head``) is no error: the rest is dropped and the verdict still
decides the exit code. Streams that cannot show a character show its escape instead.
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import sys
from typing import IO, Any

import click

PIPE_WIDTH = 120  # where there is no terminal: the table of the widest family in one block
LEAST_WIDTH, MOST_WIDTH = 60, 160
TONES: dict[str, dict[str, Any]] = {
    "head": {"bold": True},
    "holds": {"fg": "green"},
    "violated": {"fg": "red", "bold": True},
    "undetermined": {"fg": "yellow", "bold": True},
    "vacuous": {"fg": "cyan"},
    "interference": {"fg": "yellow"},
}


def prepare_streams() -> None:
    """Make both streams show an escape where their encoding lacks a character."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def is_coloured(stream: IO[str]) -> bool:
    """Tell whether a stream is a terminal that may show colour."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def paint(tone: str, text: str) -> str:
    """Return the text in the colour of its tone, where stdout shows colour."""
    if tone not in TONES or not is_coloured(sys.stdout):
        return text
    return click.style(text, **TONES[tone])


def screen_width() -> int:
    """Return the columns that a result may take."""
    if not sys.stdout.isatty():
        return PIPE_WIDTH
    return max(LEAST_WIDTH, min(MOST_WIDTH, shutil.get_terminal_size().columns))


def _drop(stream: IO[str]) -> None:
    """Send what a stream still holds nowhere, so that leaving does not fail on it."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def put(text: str) -> None:
    """Write a result to stdout."""
    try:
        click.echo(text, nl=not text.endswith("\n"), color=is_coloured(sys.stdout))
        sys.stdout.flush()
    except BrokenPipeError:
        _drop(sys.stdout)


def put_bytes(content: bytes) -> None:
    """Write a picture to stdout."""
    try:
        sys.stdout.buffer.write(content)
        sys.stdout.flush()
    except BrokenPipeError:
        _drop(sys.stdout)


def note(text: str) -> None:
    """Write a note or an error to stderr."""
    with contextlib.suppress(BrokenPipeError):
        click.echo(text, err=True)


class Progress:
    """Says on a terminal's stderr what is being done, and takes it back afterwards."""

    def __init__(self, quiet: bool) -> None:
        self.shown = not quiet and sys.stderr.isatty()
        self.width = 0

    def say(self, text: str) -> None:
        """Replace what was said by ``text``."""
        if self.shown:
            room = max(20, shutil.get_terminal_size().columns - 1)
            text = text[:room]
            click.echo(f"\r{text.ljust(self.width)}", nl=False, err=True)
            self.width = len(text)

    def clear(self) -> None:
        """Take back what was said, before anything else is printed."""
        if self.shown and self.width:
            click.echo(f"\r{' ' * self.width}\r", nl=False, err=True)
            self.width = 0
