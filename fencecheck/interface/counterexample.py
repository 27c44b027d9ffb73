"""A counterexample as Python has it: a sequence of events that shows itself as a diagram."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fencecheck.errors import FencecheckError, UsageError, nearest
from fencecheck.report.formats import ENDINGS, FORMATS, drawing
from fencecheck.report.words.orders import order_lines
from fencecheck.runs.trace import Trace, TracedEvent
from fencecheck.runs.trace_json import trace_object

_FORMS = {ENDINGS.get(form, form): form for form in (*FORMATS, "json")}


@dataclass(frozen=True)
class EventOfRun:
    """One event: its name, its arguments as people see them, its outcome, what it changed.

    ``changes`` has a pair (before, after) for each variable; ghosts are among them.
    """

    name: str
    args: dict[str, Any]
    outcome: str | None
    changes: dict[str, tuple[Any, Any]]

    def __str__(self) -> str:
        args = ", ".join(f"{name}={value}" for name, value in self.args.items())
        return f"{self.name}({args})" + (f" -> {self.outcome}" if self.outcome else "")


class Counterexample:
    """A shortest event order that breaks a property; in a notebook it is its diagram.

    It is a sequence of events. ``breaks`` names the property (empty where none is broken),
    ``says`` tells in a sentence what is wrong at its end, ``evidence`` has what the property read
    there, a pair (before, after) for each variable; where ``loop_start`` is a number, the events
    from that place on go round for ever.
    """

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self.events = tuple(_event(event) for event in trace.events)
        self.loop_start = trace.loop_start
        self.breaks = trace.shows.name if trace.verdict == "violated" else ""
        self.says = trace.violation.says if trace.violation else ""
        read = trace.violation.evidence if trace.violation else ()
        self.evidence = {one.variable: (one.before, one.after) for one in read}

    def __len__(self) -> int:
        return len(self.events)

    def __iter__(self) -> Iterator[EventOfRun]:
        return iter(self.events)

    def __getitem__(self, place: int) -> EventOfRun:
        return self.events[place]

    def draw(self, path: str | Path) -> Path:
        """Draw it into a file, as the ending says: a picture, a page, text, or json to save it.

        Endings are svg, png, pdf, html (a page to step through), dot, mmd, md and json.

        The ending itf.json is for the Informal Trace Format of other checkers.
        Overwrites the file. Raises UsageError for another ending, RenderError where a picture is
        asked for and the machine has nothing that draws it, and OSError where it cannot be written.
        """
        path = Path(path)
        itf = ENDINGS["itf"]
        ending = itf if path.name.endswith(f".{itf}") else path.suffix.removeprefix(".")
        if ending not in _FORMS:
            known = ", ".join(f".{name}" for name in _FORMS)
            raise UsageError(
                f"{path.as_posix()}: write one of {known}{nearest(path.suffix, known.split(', '))}"
            )
        path.write_bytes(drawing(self._trace, _FORMS[ending], folder=path.parent))
        return path

    def to_mermaid(self) -> str:
        """Return it as a Mermaid sequence diagram, which review threads draw by themselves."""
        return drawing(self._trace, "mermaid").decode()

    def to_markdown(self) -> str:
        """Return it as Markdown: the event order in words, and its Mermaid diagram."""
        return drawing(self._trace, "markdown").decode()

    def to_dot(self) -> str:
        """Return its swim-lane diagram as DOT source."""
        return drawing(self._trace, "dot").decode()

    def to_text(self, width: int = 100) -> str:
        """Return the event order as numbered lines, with what each event changed."""
        return "\n".join(order_lines(self._trace, width))

    def to_dict(self) -> dict[str, Any]:
        """Return the trace as its JSON file holds it (schema fencecheck/trace/1)."""
        return trace_object(self._trace)

    def __repr__(self) -> str:
        order = ", ".join(str(event) for event in self.events[:4])
        more = ", ..." if len(self.events) > 4 else ""
        noun = "event" if len(self.events) == 1 else "events"
        broken = f"{self.breaks} breaks in " if self.breaks else ""
        return f"<{broken}{len(self.events)} {noun}: {order}{more}>"

    def __str__(self) -> str:
        return self.to_text()

    def _repr_svg_(self) -> str | None:
        """Show the diagram in a notebook; where nothing draws it there, the notebook shows text."""
        try:
            return drawing(self._trace, "svg").decode()
        except FencecheckError:
            return None


def _event(event: TracedEvent) -> EventOfRun:
    changes = {**event.changes, **event.ghosts}
    pairs = {name: (change.before, change.after) for name, change in changes.items()}
    return EventOfRun(event.name, dict(event.args), event.outcome, pairs)
