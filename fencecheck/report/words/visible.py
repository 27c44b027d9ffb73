"""Texts that show what is in them, whatever a spec, a model or a trace holds.

In: any text. Out: the same text with every character that acts on a terminal or on the order of
letters written as an escape (``\\x1b``, ``\\u202e``). Line ends and tabs stay. Everything that is
printed or written goes through here, at the moment it leaves the program. Also the signs that
stand in for those a stream cannot encode.
"""

from __future__ import annotations

import codecs
import json
import re
from typing import Any

# C0 without tab and line end, DEL and C1; marks and overrides of direction; line and paragraph
# separators; the byte order mark; halves of characters; annotations; tags nobody sees.
_ACTING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff"
    "\ud800-\udfff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
STAND_INS = {
    "→": "->", "←": "<-", "≠": "!=", "≤": "<=", "≥": ">=", "✓": "+", "✗": "x", "─": "-", "│": "|",
    "·": "-", "×": "x", "…": "...", "“": '"', "”": '"', "‘": "'", "’": "'", "–": "-", "—": "-",
}  # fmt: skip
ENCODING_ERRORS = "fencecheck.stand_ins"


def visible(text: str) -> str:
    """Return a text with each character that acts instead of being seen as an escape."""
    return _ACTING.sub(lambda match: _escape(match[0]), text)


def one_line(text: object) -> str:
    """Return a text on one line, visible: for names and titles, which cannot end a line."""
    return visible(" ".join(str(text).split()))


def json_text(value: Any) -> str:
    """Return a value as JSON with a line end; what acts on a terminal is written as ``\\uXXXX``."""
    text = json.dumps(value, indent=1, ensure_ascii=False) + "\n"
    return _ACTING.sub(lambda match: json.dumps(match[0])[1:-1], text)


def _escape(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def _stand_in(error: UnicodeError) -> tuple[str, int]:
    """Return what is written for the characters that a stream's encoding lacks."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(
        STAND_INS.get(char) or char.encode("ascii", "backslashreplace").decode() for char in lacking
    ), error.end


codecs.register_error(ENCODING_ERRORS, _stand_in)
