"""``fencecheck walk``: step through a model by hand.

Reads one command a line from stdin, a terminal's or a pipe's; the end of the file is ``q``. What
is shown after each event is what it changed and what can happen next.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fencecheck.cli.options import SearchSettings, search_options
from fencecheck.cli.terminal import paint, put_text, screen_width
from fencecheck.errors import StateError, UsageError, nearest

if TYPE_CHECKING:
    from fencecheck.runs.stepping import Choice, Stepping
    from fencecheck.spec.files import Spec, Variant

HELP = (
    "a number: let that event happen; u: undo; r: restart (r NUMBER: in that initial state); "
    "s FILE.json: save the run as a trace; p: what the properties say here; "
    "a: every variable; h: this help; q: quit"
)


@click.command()
@click.argument("spec", metavar="SPEC")
@click.option("--variant", metavar="NAME", help="Which variant; the first where none is named.")
@search_options
def walk(spec: str, variant: str | None, search: SearchSettings) -> int:
    """Step through a model by hand.

    Shown are what an event changed, the messages in flight, and the events that can happen,
    numbered. One command a line, from a terminal or a pipe: a number lets that event happen, u
    undoes the last one, r restarts (r 2: in the second of several initial states), s FILE.json
    saves the run as a trace (for `draw` and `replay`), p says which properties hold or broke on
    this run, a shows every variable, q quits.

    \b
    Exit code: 0  ended with q or the end of the input
               2  wrong usage, an unreadable spec, a model that goes wrong in the chosen event
    """
    loaded = search.load([spec])
    if len(loaded) != 1:
        raise UsageError(f"{spec}: name one spec, not a folder of {len(loaded)}")
    stepping = _stepping(loaded[0], _variant(loaded[0], variant))
    put_text(f"{paint('head', stepping.origin.variant or stepping.origin.title)}\n{HELP}")
    _show(stepping)
    for line in _lines():
        if not _obey(stepping, line.split()):
            break
    return 0


def _variant(spec: Spec, name: str | None) -> Variant:
    known = [variant.name for variant in spec.variants]
    if name is None:
        return spec.variants[0]
    if name not in known:
        raise UsageError(
            f"--variant {name}: is not one of {', '.join(known)}{nearest(name, known)}"
        )
    return spec.variants[known.index(name)]


def _stepping(spec: Spec, variant: Variant) -> Stepping:
    from fencecheck.model.system import System
    from fencecheck.runs.stepping import Stepping
    from fencecheck.runs.trace import Origin

    system = System(spec.family, variant.design)
    properties = system.properties([*spec.required, *spec.reported])
    return Stepping(system, properties, Origin(spec.path, variant.name, spec.title))


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


def _obey(stepping: Stepping, words: list[str]) -> bool:
    """Do what a line says; False to stop. A mistake is said, and the walk goes on."""
    command, rest = words[0], " ".join(words[1:])
    if command.isdecimal():
        choices = stepping.choices()
        if not 1 <= int(command) <= len(choices):
            put_text(
                f"{command} is not one of 1 to {len(choices)}" if choices else "nothing can happen"
            )
        else:
            _take(stepping, choices[int(command) - 1])
    elif command == "q":
        return False
    elif command == "u":
        put_text("undone" if stepping.undo() else "there is nothing to undo")
        _show(stepping)
    elif command == "r":
        _restart(stepping, rest)
    elif command == "s":
        _save(stepping, rest)
    elif command == "p":
        put_text("\n".join(_verdicts(stepping)))
    elif command == "a":
        put_text("\n".join(_everything(stepping)))
    else:
        put_text(HELP if command == "h" else f'"{command}" is no command; {HELP}')
    return True


def _restart(stepping: Stepping, rest: str) -> None:
    """Go back to the start, or to the initial state of a number."""
    count = len(stepping.starts)
    if rest and not (rest.isdecimal() and 1 <= int(rest) <= count):
        put_text(f"{rest} is not one of 1 to {count}, the initial states")
        return
    stepping.restart(int(rest) if rest else None)
    _show(stepping)


def _take(stepping: Stepping, choice: Choice) -> None:
    """Let an event happen and show what it did; a model that goes wrong stays where it was."""
    try:
        stepping.take(choice)
    except StateError as error:
        put_text(paint("violated", f"{choice.name}: {error}"))
        return
    _show(stepping)


def _show(stepping: Stepping) -> None:
    """Show the last event, what broke in it, the messages in flight and what can happen."""
    lines = [""]
    if stepping.events:
        lines += _last_event(stepping)
    elif len(stepping.starts) > 1:
        lines += _start(stepping)
    for prop in stepping.properties:
        if stepping.first_broken(prop) == len(stepping.events):
            lines.append(paint("violated", f"{prop.name} breaks here: {stepping.says(prop)}"))
    lines += _in_flight(stepping)
    choices = stepping.choices()
    for number, choice in enumerate(choices, 1):
        tail = "  (interference)" if choice.interference else ""
        tail += f"  goes wrong: {choice.wrong}" if choice.wrong else ""
        tone = "interference" if choice.interference else ""
        label = f"  {choice.label}" if choice.label else ""
        lines.append(f"{number:>3}  {paint(tone, choice.name + label + tail)}")
    put_text("\n".join(lines if choices else [*lines, "nothing can happen any more"]))


def _start(stepping: Stepping) -> list[str]:
    """Return which of several initial states a run begins in."""
    from fencecheck.report.words.trace_words import initial_values

    number, count = stepping.starts.index(stepping.state) + 1, len(stepping.starts)
    values = [
        f"{lane}.{name} {value}"
        for lane, told in initial_values(stepping.trace()).items()
        for name, value in told
    ]
    words = ", ".join(values)
    return [f"initial state {number} of {count} (r NUMBER: another): {words}"]


def _last_event(stepping: Stepping) -> list[str]:
    from fencecheck.report.words.orders import event_details, event_line, wrapped

    trace = stepping.trace()
    event, number = trace.events[-1], len(trace.events)
    tail = "  (interference)" if event.interference else ""
    lines = [paint("head", f"after event {number}, {event_line(event)}{tail}")]
    for detail in event_details(trace, event):
        lines += wrapped(detail, screen_width(), "  ", "  ")
    return lines


def _in_flight(stepping: Stepping) -> list[str]:
    """Return the messages that are under way."""
    from fencecheck.runs.told.teller import Teller

    lines = []
    for name, (shown, _, variable) in Teller(stepping.system).values(stepping.told_state).items():
        if variable.messages and shown:
            lines.append(f"{name}: {', '.join(map(str, shown))}")
    return lines


def _everything(stepping: Stepping) -> list[str]:
    """Return every variable with its value; ghosts are marked."""
    from fencecheck.model.wording.templates import value_text
    from fencecheck.runs.told.teller import Teller

    told = Teller(stepping.system).values(stepping.told_state).items()
    return [
        f"{name}: {value_text(shown)}{'  (ghost)' if variable.ghost else ''}"
        for name, (shown, _, variable) in told
    ]


def _verdicts(stepping: Stepping) -> list[str]:
    """Return what this run says of each property; of those about all runs it says nothing."""
    room = max((len(prop.name) for prop in stepping.properties), default=0)
    lines = []
    for prop in stepping.properties:
        broken = stepping.first_broken(prop)
        words = "not broken on this run" if not prop.temporal else "says nothing of one run"
        if broken is not None:
            words = paint(
                "violated", f"broke at event {broken}" if broken else "broke at the start"
            )
        lines.append(f"{prop.name.ljust(room)}  {words}")
    return lines


def _save(stepping: Stepping, name: str) -> None:
    """Save the run as a trace, under a name that is not somebody else's file."""
    from fencecheck.cli.files import write
    from fencecheck.report.results.json import trace_json

    if not name.endswith(".json"):
        put_text("write s FILE.json")
        return
    try:
        put_text(
            f"wrote {write(Path(name), trace_json(stepping.trace(), Path(name).parent).encode())}"
        )
    except UsageError as error:
        put_text(str(error))
