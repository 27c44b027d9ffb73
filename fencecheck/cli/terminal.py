"""What reaches the user: results on stdout, progress and notes on stderr, colour where it is seen.

A reader that goes away (``| head``) is no error: the rest is dropped and the verdict still
decides the exit code. A stream that is full is one, told on stderr. Nothing of a spec, a model or
a trace acts on a terminal: all that is printed is made visible here, and the only escape
sequences that get through are those that ``paint`` put in. A sign that a stream cannot encode
has a stand-in.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import secrets
import shutil
import sys
from collections.abc import Iterator
from typing import IO, Any

import click

from fencecheck.errors import UsageError
from fencecheck.report.words.visible import ENCODING_ERRORS, visible

PIPE_WIDTH = 120  # where there is no terminal: the table of the widest family in one block
LEAST_WIDTH, MOST_WIDTH = 60, 160
LAST_STREAM = 2
TONES: dict[str, dict[str, Any]] = {
    "head": {"bold": True},
    "holds": {"fg": "green"},
    "violated": {"fg": "red", "bold": True},
    "undetermined": {"fg": "yellow", "bold": True},
    "vacuous": {"fg": "cyan"},
    "interference": {"fg": "yellow"},
}
# What paint puts around a text; nothing that is read can hold it, since nobody knows the key.
_KEY = secrets.token_hex(8)
_PAINTED = re.compile(f"\x1b{_KEY}([a-z]*);")


def prepare_streams() -> None:
    """Make both streams write a stand-in where their encoding lacks a sign.

    A stream that was closed before the program began leads nowhere, and its number is taken, so
    that no file of ours gets it.
    """
    if None in (sys.stdin, sys.stdout, sys.stderr):
        while (number := os.open(os.devnull, os.O_RDWR)) <= LAST_STREAM:
            pass
        sys.stdin = sys.stdin or os.fdopen(os.dup(number), "r")
        sys.stdout = sys.stdout or os.fdopen(os.dup(number), "w")
        sys.stderr = sys.stderr or os.fdopen(os.dup(number), "w")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=ENCODING_ERRORS)


def is_coloured(stream: IO[str]) -> bool:
    """Tell whether a stream is a terminal that may show colour."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def paint(tone: str, text: str) -> str:
    """Return the text in the colour of its tone, where stdout shows colour."""
    if tone not in TONES or not is_coloured(sys.stdout):
        return text
    return f"\x1b{_KEY}{tone};{text}\x1b{_KEY};"


def _shown(text: str) -> str:
    """Return a text as it is printed: visible, with the colours that ``paint`` asked for."""
    parts = _PAINTED.split(text)
    shown = [visible(parts[0])]
    for tone, part in zip(parts[1::2], parts[2::2], strict=True):
        start = click.style("", **TONES[tone], reset=False) if tone else click.style("")
        shown += [start, visible(part)]
    return "".join(shown)


def screen_width() -> int:
    """Return how many columns a line has: the terminal's, COLUMNS where there is none."""
    told = os.environ.get("COLUMNS", "")
    if sys.stdout.isatty() or told.isdecimal():
        width = shutil.get_terminal_size((PIPE_WIDTH, 24)).columns
        return min(max(width, LEAST_WIDTH), MOST_WIDTH)
    return PIPE_WIDTH


def drop_rest(stream: IO[str]) -> None:
    """Send what a stream still holds nowhere, so that leaving does not fail on it."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def put_text(text: str) -> None:
    """Write a result to stdout; raise UsageError where stdout takes no more."""
    shown = _shown(text)
    with _leaving(sys.stdout):
        # not click.echo, which writes UTF-8 to a stream that asks for ASCII
        sys.stdout.write(shown if shown.endswith("\n") else f"{shown}\n")
        sys.stdout.flush()


def put_bytes(content: bytes) -> None:
    """Write a picture to stdout; raise UsageError where stdout takes no more."""
    with _leaving(sys.stdout):
        sys.stdout.buffer.write(content)
        sys.stdout.flush()


@contextlib.contextmanager
def _leaving(stream: IO[str]) -> Iterator[None]:
    """Drop the rest where the reader has gone away; say so where the stream is full."""
    try:
        yield
    except BrokenPipeError:
        drop_rest(stream)
    except OSError as error:
        drop_rest(stream)
        raise UsageError(f"stdout: cannot be written ({error.strerror or error})") from None


def put_note(text: str) -> None:
    """Write a note or an error to stderr; where nobody takes it, it is lost."""
    put_raw(f"{visible(text)}\n")


def put_raw(text: str) -> None:
    """Write a text to stderr as it is; where nobody takes it, it is lost."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        drop_rest(sys.stderr)
