"""Text widths, estimated with a table of our own, and line breaking built on them.

In: a text, a font size in points, bold or not. Out: widths in points, and lines that fit a width.
The table holds the advance widths (thousandths of the size) of the Helvetica and Arial family, to
which most sans families stay close. It reads no font file, so a layout is the same everywhere.
"""

from __future__ import annotations

import unicodedata

# Room for renderers whose sans family runs a little wider than the table.
SLACK = 1.04

_REGULAR_GROUPS = {
    191: "'",
    222: "ijl",
    260: "|",
    278: " !,./:;I[\\]ft",
    333: "()-`r",
    334: "{}",
    355: '"',
    389: "*",
    469: "^",
    500: "Jcksvxyz",
    556: "#$0123456789?L_abdeghnopqu",
    584: "+<=>~",
    611: "FTZ",
    667: "&ABEKPSVXY",
    722: "CDHNRUw",
    778: "GOQ",
    833: "Mm",
    889: "%",
    944: "W",
    1015: "@",
}
_BOLD_GROUPS = {
    238: "'",
    278: " ,./I\\ijl",
    280: "|",
    333: "!()-:;[]`ft",
    389: "*r{}",
    474: '"',
    500: "z",
    556: "#$0123456789J_aceksvxy",
    584: "+<=>^~",
    611: "?FLTZbdghnopqu",
    667: "EPSVXY",
    722: "&ABCDHKNRU",
    778: "GOQw",
    833: "M",
    889: "%m",
    944: "W",
    975: "@",
}
_REGULAR = {char: width for width, chars in _REGULAR_GROUPS.items() for char in chars}
_BOLD = {char: width for width, chars in _BOLD_GROUPS.items() for char in chars}
_WIDE = 1000
_UNKNOWN = 667


def _advance(char: str, table: dict[str, int]) -> int:
    known = table.get(char)
    if known is not None:
        return known
    if unicodedata.combining(char):
        return 0
    base = unicodedata.normalize("NFD", char)[0]
    if base in table:
        return table[base]
    # Arrows, East Asian characters and pictures fill a whole square; other scripts do not.
    if unicodedata.east_asian_width(char) in "WF" or unicodedata.category(char)[0] == "S":
        return _WIDE
    return _UNKNOWN


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Return the estimated width of one line in points, with the slack for wider families."""
    table = _BOLD if bold else _REGULAR
    return sum(_advance(char, table) for char in text) * size * SLACK / 1000


def _pieces(word: str, size: float, limit: float, bold: bool) -> list[str]:
    """Cut a word that is wider than a line into parts that fit, at least one character each."""
    parts = [""]
    for char in word:
        if parts[-1] and text_width(parts[-1] + char, size, bold) > limit:
            parts.append("")
        parts[-1] += char
    return parts


def wrap(text: str, size: float, limit: float, bold: bool = False) -> list[str]:
    """Break a text into lines of at most `limit` points; runs of white space count as one space.

    A word wider than a line is cut. An empty text gives one empty line.
    """
    lines = [""]
    for word in text.split():
        for piece in _pieces(word, size, limit, bold):
            joined = f"{lines[-1]} {piece}" if lines[-1] else piece
            if not lines[-1] or text_width(joined, size, bold) <= limit:
                lines[-1] = joined
            else:
                lines.append(piece)
    return lines


def wrap_evenly(text: str, size: float, limit: float, bold: bool = False) -> list[str]:
    """Break a text as `wrap` does, in no more lines, but with lines of about the same length."""
    lines = wrap(text, size, limit, bold)
    narrowest = max(text_width(word, size, bold) for word in text.split() or [""])
    while len(lines) > 1 and limit - 4 > narrowest:
        limit -= 4
        tighter = wrap(text, size, limit, bold)
        if len(tighter) > len(lines):
            break
        lines = tighter
    return lines
