"""Where in a spec's file a design and what is asked of it stand.

In: a path, names of a variant and a property. Out: the file's path from a root, and a line where
that is known. TOML's reader keeps no lines, so the text is looked through for what people write
one below the other; where that does not agree with what was read, there is no line.
"""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

_HEAD = re.compile(r"\s*\[\[?\s*([^\[\]#]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r"\s*[\"']?([\w-]+)[\"']?\s*[=.]")
_LONG = re.compile("\"\"\"|'''")


@dataclass(frozen=True)
class FilePlace:
    """A file, and a line of it that counts from 1; None where one is not known."""

    file: str | None
    line: int | None = None


@dataclass
class _Section:
    """The lines below one head of a table: each key with its line, and its text."""

    head: str
    line: int
    keys: dict[str, int] = field(default_factory=dict)
    texts: list[tuple[int, str]] = field(default_factory=list)

    def line_of(self, name: str) -> int | None:
        """Return the line that begins with a key, or else the first that names it."""
        if name in self.keys:
            return self.keys[name]
        word = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
        return next((line for line, text in self.texts if word.search(text)), None)


class Locator:
    """Finds places of specs, whose files are named from ``root`` where they are below it."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self._read: dict[str, tuple[list[_Section], list[str]]] = {}

    def place(self, spec: str | None, variant: str = "", name: str = "") -> FilePlace:
        """Return where a property of a variant is asked for; of a spec without names, its file."""
        if spec is None:
            return FilePlace(None)
        if spec not in self._read:
            self._read[spec] = _sections(Path(spec))
        sections, variants = self._read[spec]
        return FilePlace(self._file(spec), _line(sections, variants, variant, name))

    def _file(self, spec: str) -> str:
        whole = Path(spec).resolve()
        inside = whole.is_relative_to(self.root)
        return whole.relative_to(self.root).as_posix() if inside else Path(spec).as_posix()


def _line(sections: list[_Section], variants: list[str], variant: str, name: str) -> int | None:
    """Return the line of a property in its variant's own tables, else in those of the file."""
    heads = [number for number, s in enumerate(sections) if s.head == "variant"]
    if len(heads) == len(variants) and variant in variants:
        first = heads[variants.index(variant)]
        own = [sections[first]]
        for section in sections[first + 1 :]:
            if not section.head.startswith("variant."):
                break
            own.append(section)
        found = (section.line_of(name) for section in own if name)
        return next((line for line in found if line), own[0].keys.get("name", own[0].line))
    if variants:
        return None
    asked = (s for head in ("expect", "properties", "") for s in sections if s.head == head)
    found = (section.line_of(name) for section in asked if name)
    top = sections[0].keys.get("model") if sections else None
    return next((line for line in found if line), top)


def _sections(path: Path) -> tuple[list[_Section], list[str]]:
    """Return the tables of a file in order, and its variants' names; nothing if unreadable."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
        raw = tomllib.loads(text)
        variants = [str(variant["name"]) for variant in raw.get("variant", [])]
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return [], []
    sections, within = [_Section("", 1)], ""
    for number, line in enumerate(text.splitlines(), 1):
        if within:
            within = "" if within in line else within
            continue
        head = _HEAD.match(line)
        if head:
            sections.append(_Section(head[1].replace(" ", ""), number))
        else:
            key = _KEY.match(line)
            if key:
                sections[-1].keys.setdefault(key[1], number)
            sections[-1].texts.append((number, line))
        marks = _LONG.findall(line)
        within = marks[-1] if len(marks) % 2 else ""
    return sections, variants


def repository_root() -> Path:
    """Return the folder from which a build server names files: GITHUB_WORKSPACE, or this one."""
    named = os.environ.get("GITHUB_WORKSPACE", "")
    inside = bool(named) and Path().resolve().is_relative_to(Path(named).resolve())
    return Path(named) if inside else Path()
