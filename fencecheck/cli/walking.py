"""The dialogue of ``fencecheck walk``: commands a line each, and what is shown after each event.

Takes a Stepping, reads from stdin, a terminal's or a pipe's; the end of the file is ``q``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fencecheck.cli.terminal import paint, put_text, screen_width
from fencecheck.errors import StateError, UsageError

if TYPE_CHECKING:
    from fencecheck.runs.stepping import Choice, Stepping

HELP = (
    "a number: let that event happen; u: undo; r: restart (r NUMBER: in that initial state); "
    "why EVENT: what keeps it from happening; s FILE.json: save the run as a trace; "
    "p: what the properties say here; a: every variable; h: this help; q: quit"
)
FOLLOW = "n: the next event of the saved run, marked → (n NUMBER: so many)"


def converse(stepping: Stepping, ending: str = "") -> None:
    """Show where a run begins, then do what each line says, until it is over.

    ``ending`` says how the run ends that is followed, if one is.
    """
    dialogue = Dialogue(stepping, ending)
    put_text(paint("head", stepping.origin.variant or stepping.origin.title))
    dialogue.show_help()
    dialogue.show()
    for line in _lines():
        if not dialogue.obey(line.split()):
            break


def _lines() -> Iterator[str]:
    """Yield the commands, asking for each where somebody sits at a terminal."""
    asked = sys.stdin.isatty()
    while True:
        if asked:
            click.echo("> ", nl=False)
        line = sys.stdin.readline()
        if not line:
            return
        if line.strip():
            yield line


class Dialogue:
    """What a person is shown of a run, and what the commands do to it."""

    def __init__(self, stepping: Stepping, ending: str) -> None:
        self.stepping, self.ending = stepping, ending
        self.help = f"{FOLLOW}; {HELP}" if stepping.saved else HELP

    # -- commands -------------------------------------------------------------------------------
    def obey(self, words: list[str]) -> bool:
        """Do what a line says; False to stop. A mistake is said, and the walk goes on."""
        command, rest = words[0], " ".join(words[1:])
        if command.isdecimal():
            self._choose(int(command))
        elif command == "q":
            return False
        elif command == "n" and self.stepping.saved:
            self._follow(rest)
        elif command == "u":
            put_text("undone" if self.stepping.undo() else "there is nothing to undo")
            self.show()
        elif command == "r":
            self._restart(rest)
        elif command == "why":
            self._why(rest)
        elif command == "s":
            self._save(rest)
        elif command == "p":
            put_text("\n".join(self._verdicts()))
        elif command == "a":
            put_text("\n".join(self._everything()))
        else:
            self.show_help("" if command == "h" else f'"{command}" is no command; ')
        return True

    def show_help(self, before: str = "") -> None:
        """Say which commands there are."""
        from fencecheck.report.words.orders import wrapped

        put_text("\n".join(wrapped(before + self.help, screen_width(), "")))

    def _choose(self, number: int) -> None:
        choices = self.stepping.choices()
        if 1 <= number <= len(choices):
            self._take(choices[number - 1])
        else:
            put_text(
                f"{number} is not one of 1 to {len(choices)}" if choices else "nothing can happen"
            )

    def _follow(self, rest: str) -> None:
        """Let the next events of the saved run happen."""
        if rest and not (rest.isdecimal() and int(rest) > 0):
            put_text("write n, or n and how many events")
            return
        for _ in range(int(rest or 1)):
            choices = [c for c in self.stepping.choices() if self.stepping.is_next_saved(c)]
            if not choices:
                left = "was left; u goes back to it" if not self.stepping.follows else "is over"
                put_text(f"the saved run {left}")
                return
            if not self._take(choices[0]):
                return

    def _restart(self, rest: str) -> None:
        """Go back to the start, or to the initial state of a number."""
        count = len(self.stepping.starts)
        if rest and not (rest.isdecimal() and 1 <= int(rest) <= count):
            put_text(f"{rest} is not one of 1 to {count}, the initial states")
            return
        self.stepping.restart(int(rest) if rest else None)
        self.show()

    def _take(self, choice: Choice) -> bool:
        """Let an event happen and show what it did; a model that goes wrong stays where it was."""
        try:
            self.stepping.take(choice)
        except StateError as error:
            put_text(paint("violated", f"{choice.name}: {error}"))
            return False
        self.show()
        return True

    def _why(self, event: str) -> None:
        """Say what keeps an event from happening: which part of its guard is false."""
        if not event:
            put_text("write why EVENT: why actor.verb, or why actor.verb(1)")
            return
        try:
            put_text("\n".join(self.stepping.why_not(event)))
        except UsageError as error:
            put_text(str(error))

    def _save(self, name: str) -> None:
        """Save the run as a trace, under a name that is not somebody else's file."""
        from fencecheck.cli.files import write
        from fencecheck.report.results.json import trace_json

        if not name.endswith(".json"):
            put_text("write s FILE.json")
            return
        told = trace_json(self.stepping.trace(), Path(name).parent)
        try:
            put_text(f"wrote {write(Path(name), told.encode())}")
        except UsageError as error:
            put_text(str(error))

    # -- what is shown --------------------------------------------------------------------------
    def show(self) -> None:
        """Show the last event, what broke in it, the messages in flight and what can happen."""
        stepping, lines = self.stepping, [""]
        if stepping.events:
            lines += self._last_event()
        elif len(stepping.starts) > 1:
            lines += self._start()
        for prop in stepping.properties:
            if stepping.first_broken(prop) == len(stepping.events):
                lines.append(paint("violated", f"{prop.name} breaks here: {stepping.says(prop)}"))
        if stepping.saved and stepping.follows and stepping.next_saved is None:
            lines.append(f"the saved run ends here{self.ending}")
        lines += self._in_flight()
        choices = stepping.choices()
        lines += [self._choice(number, choice) for number, choice in enumerate(choices, 1)]
        put_text("\n".join(lines if choices else [*lines, "nothing can happen any more"]))

    def _choice(self, number: int, choice: Choice) -> str:
        """Return the line of what can happen; the next event of a saved run is marked."""
        tail = "  (interference)" if choice.interference else ""
        tail += f"  goes wrong: {choice.wrong}" if choice.wrong else ""
        tone = "interference" if choice.interference else ""
        label = f"  {choice.label}" if choice.label else ""
        mark = "→" if self.stepping.is_next_saved(choice) else " "
        return f"{mark}{number:>2}  {paint(tone, choice.name + label + tail)}"

    def _start(self) -> list[str]:
        """Return which of several initial states a run begins in."""
        from fencecheck.report.words.trace_words import initial_values

        stepping = self.stepping
        number, count = stepping.starts.index(stepping.state) + 1, len(stepping.starts)
        values = [
            f"{lane}.{name} {value}"
            for lane, told in initial_values(stepping.trace()).items()
            for name, value in told
        ]
        words = ", ".join(values)
        return [f"initial state {number} of {count} (r NUMBER: another): {words}"]

    def _last_event(self) -> list[str]:
        from fencecheck.report.words.orders import event_details, event_line, wrapped

        trace = self.stepping.trace()
        event, number = trace.events[-1], len(trace.events)
        tail = "  (interference)" if event.interference else ""
        lines = [paint("head", f"after event {number}, {event_line(event)}{tail}")]
        for detail in event_details(trace, event):
            lines += wrapped(detail, screen_width(), "  ", "  ")
        return lines

    def _in_flight(self) -> list[str]:
        """Return the messages that are under way."""
        from fencecheck.runs.told.teller import Teller

        told = Teller(self.stepping.system).values(self.stepping.told_state)
        return [
            f"{name}: {', '.join(map(str, shown))}"
            for name, (shown, _, variable) in told.items()
            if variable.messages and shown
        ]

    def _everything(self) -> list[str]:
        """Return every variable with its value; ghosts are marked."""
        from fencecheck.model.wording.templates import value_text
        from fencecheck.runs.told.teller import Teller

        told = Teller(self.stepping.system).values(self.stepping.told_state).items()
        return [
            f"{name}: {value_text(shown)}{'  (ghost)' if variable.ghost else ''}"
            for name, (shown, _, variable) in told
        ]

    def _verdicts(self) -> list[str]:
        """Return what this run says of each property; of those about all runs it says nothing."""
        properties = self.stepping.properties
        room = max((len(prop.name) for prop in properties), default=0)
        lines = []
        for prop in properties:
            broken = self.stepping.first_broken(prop)
            words = "not broken on this run" if not prop.temporal else "says nothing of one run"
            if broken is not None:
                words = paint(
                    "violated", f"broke at event {broken}" if broken else "broke at the start"
                )
            lines.append(f"{prop.name.ljust(room)}  {words}")
        return lines
