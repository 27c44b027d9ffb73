"""Amounts as people write them: memory as ``500M`` or ``8G``, time as ``90s`` or ``1h30m``."""

from __future__ import annotations

import operator
import re
from typing import Any

from fencecheck.errors import UsageError

MOST_THREADS = 64
_SECONDS = {"h": 3600.0, "m": 60.0, "s": 1.0, "": 1.0}


def bytes_of(amount: str | int) -> int:
    """Return an amount of memory in bytes; a plain number is taken for bytes.

    Raises UsageError for what is no amount, and for nothing at all.
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?", str(amount).strip(), re.IGNORECASE)
    if not match or not float(match[1]):
        raise UsageError(f'"{amount}" is no amount of memory; write 500M or 8G')
    return int(float(match[1]) * 1024 ** " KMGT".index(match[2].upper() or " "))


def seconds_of(span: str | float) -> float:
    """Return a span of time in seconds; a plain number is taken for seconds.

    Raises UsageError for what is no span of time, and for one that no search fits into.
    """
    text = str(span).strip()
    parts = re.findall(r"(\d+(?:\.\d+)?)\s*([hms]?)", text)
    if not parts or not re.fullmatch(r"(?:\d+(?:\.\d+)?\s*[hms]?\s*)+", text):
        raise UsageError(f'"{span}" is no span of time; write 90s, 10m or 1h30m')
    seconds = sum(float(number) * _SECONDS[unit] for number, unit in parts)
    if seconds <= 0:
        raise UsageError(f'"{span}": no search fits into that; write 90s, 10m or 1h30m')
    return seconds


def short_seconds_of(span: str | float) -> float:
    """Return a span of time in seconds that may be one of milliseconds: ``50ms``, or none: ``0``.

    Raises UsageError for what is no span of time.
    """
    text = str(span).strip()
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(ms|[smh]?)", text)
    if found is None:
        raise UsageError(f'"{span}" is no span of time; write 50ms, 2s or 1m')
    return float(found[1]) * {**_SECONDS, "ms": 0.001}[found[2]]


def share_of(given: str) -> tuple[int, float]:
    """Return (number, percent) of an amount that is either: ``3`` or ``10%``.

    Raises UsageError for what is neither.
    """
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*%\s*|\s*(\d+)\s*", str(given))
    if found is None or float(found[1] or 0) > 100:
        raise UsageError(f'"{given}" is neither a number nor a share; write 3 or 10%')
    return (int(found[2]), 0.0) if found[1] is None else (0, float(found[1]))


def whole_of(name: str, given: Any, least: int, most: int | None = None) -> int:
    """Return a whole number within its range; raises UsageError, in the words of the options."""
    span = f"x>={least}" if most is None else f"{least}<=x<={most}"
    advice = f"{least} or more" if most is None else f"{least} to {most}"
    try:
        number = None if isinstance(given, bool) else operator.index(given)
    except TypeError:
        number = None
    if number is None:
        raise UsageError(f"{name}: {given!r} is no whole number; write {advice}")
    if number < least or (most is not None and number > most):
        raise UsageError(f"{name}: {number} is not in the range {span}; write {advice}")
    return number
