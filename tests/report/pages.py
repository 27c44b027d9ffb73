"""Pages as a browser reads them: elements, texts, places, and what the script steps through."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

VOID = {"meta", "link", "br", "hr", "img", "input"}
SHAPES = {"path", "rect", "polygon", "circle"}


@dataclass
class Element:
    """One element: its name, its attributes, and the texts that stand in it."""

    tag: str
    attributes: dict[str, str | None]
    texts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Return its text on one line."""
        return " ".join("".join(self.texts).split())


class Page(HTMLParser):
    """Reads a page; elements that are not closed in their order are an error."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[Element] = []
        self.open: list[Element] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, dict(attrs))
        assert len(attrs) == len(element.attributes), f"{tag} has an attribute twice"
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in SHAPES
        self.elements.append(Element(tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        for element in self.open:
            element.texts.append(data)

    def all(self, tag: str) -> list[Element]:
        """Return every element of a name."""
        return [element for element in self.elements if element.tag == tag]

    def by_class(self, name: str) -> list[Element]:
        """Return every element of a class."""
        return [e for e in self.elements if name in (e.attributes.get("class") or "").split()]

    @property
    def steps(self) -> dict[str, Any]:
        """Return what the script is handed."""
        (found,) = (e for e in self.all("script") if e.attributes.get("type") is not None)
        steps: dict[str, Any] = json.loads("".join(found.texts))
        return steps


def without_looks(page: str) -> str:
    """Return what a page says, without style, script, policy and version."""
    page = re.sub(r"<style>.*?</style>", "<style></style>", page, flags=re.DOTALL)
    page = re.sub(r"<script>.*?</script>", "<script></script>", page, flags=re.DOTALL)
    page = re.sub(r'(http-equiv="[^"]*" content=)"[^"]*"', r'\1""', page)
    return re.sub(r"fencecheck \d[\w.]*\.", "fencecheck VERSION.", page)


def words_of(page: str) -> str:
    """Return all that a page shows or says to a reader: texts, titles, labels; no looks."""
    read = Page(without_looks(page))
    shown = [e.text for e in read.elements if e.tag == "body"]
    for element in read.elements:
        shown += [element.attributes.get(name) or "" for name in ("title", "aria-label")]
    return "\n".join(shown)
