"""A flat model in Promela: variables and events, with guards and effects as C in a file beside it.

What is asked of states and events is said once, with the number of events that led there, and
ends no run, unless the program is compiled with -DSTOP. In a search with -DBFS that number is the
shortest. What makes the model go wrong ends a run always.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator

from fencecheck.export.flat import FlatField, FlatModel, FlatRule, Truths
from fencecheck.export.head import Head
from fencecheck.export.names import comment_text
from fencecheck.export.printing import SAID, SAW, Block, Local
from fencecheck.model.lower.dag import Node

SAYS = "fencecheck says"
BROKEN, TESTED, WRONG = "broken", "tested", "the model goes wrong"
INCLUDED = "model.h"
_KINDS = (
    ("bit", 0, 1),
    ("byte", 0, 255),
    ("short", -(1 << 15), 1 << 15),
    ("int", -(1 << 31), 1 << 31),
)
_WORD = 1 << 31
_START = f"""
typedef long long num;
extern long depth;
extern void (*uerror)(char *);

static void say(int number, const char *what, const char *name, long events)
{{
  static unsigned char said[ASKED];
  if (said[number]) return;
  said[number] = 1;
#ifdef STOP
  if (what[0] == 'b') uerror((char *) name);
#endif
  printf("{SAYS}: %s: %s: %ld events\\n", what, name, events);
}}
"""


class _C:
    own = {
        "eq": "({0} == {1})", "and": "({0} && {1})", "or": "({0} || {1})", "bit": "(1LL << {0})",
        "int": "{0}",
        "floordiv": "({1} == 0 ? 0 : {0} / {1})", "mod": "({1} == 0 ? 0 : {0} % {1})",
    }  # fmt: skip

    def number(self, value: int) -> str:
        return f"{value}{'LL' if abs(value) >= _WORD else ''}" if value >= 0 else f"({value}LL)"

    def truth(self, value: bool) -> str:
        return "1" if value else "0"


def promela_texts(model: FlatModel, head: Head, *, telling: bool = False) -> tuple[str, str]:
    """Return the model, and the C that it includes as ``model.h``.

    With ``telling`` the program prints every event, with the state before and the one after.
    """
    printer = _Printer(model, telling)
    program = "\n".join(printer.program(head)) + "\n"
    return program, "\n".join(printer.functions(head)) + "\n"


class _Printer:
    def __init__(self, model: FlatModel, telling: bool) -> None:
        self.model, self.telling = model, telling
        self.fields = {known.number: known for known in model.fields}
        self.numbers: dict[tuple[str, str], int] = {}

    # -- Promela ----------------------------------------------------------------------------------
    def program(self, head: Head) -> Iterator[str]:
        """Yield the lines of the model."""
        yield "/*"
        yield from head.comment(" * ")
        yield f' */\nc_code {{\n\\#include "{INCLUDED}"\n}}\n'
        first = self.model.starts[0]
        for known in self.model.fields:
            yield _declaration(known, first[known.number])
        yield "\nactive proctype system()\n{"
        yield from self._starts()
        yield "end:\n  do\n  :: c_expr { LOOK } -> skip"
        for rule in self.model.rules:
            label = rule.label
            yield f"  /* {comment_text(rule.name)} */"
            yield f"  :: d_step {{ c_expr {{ CAN_{label} }} -> c_code {{ do_{label}(); }} }}"
        yield "  od\n}"

    def _starts(self) -> Iterator[str]:
        """Yield the choice of a state to begin in, where there are several."""
        if len(self.model.starts) > 1:
            yield "  if"
            for number in range(1, len(self.model.starts) + 1):
                yield f"  :: c_code {{ start_{number}(); }}"
            yield "  fi;"

    # -- C ----------------------------------------------------------------------------------------
    def functions(self, head: Head) -> Iterator[str]:
        """Yield the lines of the file that is included."""
        yield "/*"
        yield from head.comment(" * ")
        yield " */"
        body = [line for lines in self._bodies() for line in lines]
        yield f"#define ASKED {len(self.numbers) + 1}"
        yield _START
        yield from body

    def _bodies(self) -> Iterator[Iterator[str]]:
        if self.model.representative:
            yield self._representative()
        for number, start in enumerate(self.model.starts, 1):
            if len(self.model.starts) > 1:
                yield self._start(number, start)
        yield self._look()
        for rule in self.model.rules:
            yield self._guard(rule)
            yield self._effect(rule)

    def _start(self, number: int, start: list[int]) -> Iterator[str]:
        yield f"\nstatic void start_{number}(void)\n{{"
        yield from (f"  now.{f.name} = {_C().number(start[f.number])};" for f in self.model.fields)
        yield "}"

    def _read(self, state: int, number: int) -> str:
        return f"now.{self.fields[number].name}"

    def _representative(self) -> Iterator[str]:
        """Yield the function that puts in place of a state the one that stands for it."""
        kept = self.model.representative
        block = Block(_C(), self._read, kept.values())
        block.prepare(*kept.values())
        yield "\nstatic void representative(void)\n{"
        yield from _computed(block.locals)
        yield from self._new(block, kept)
        yield from self._put(kept)
        yield "}"

    def _new(self, block: Block, writes: dict[int, Node]) -> Iterator[str]:
        for number, node in writes.items():
            yield f"  num {self.fields[number].new} = {block.text(node)};"

    def _put(self, writes: dict[int, Node]) -> Iterator[str]:
        for number in writes:
            yield f"  {self._read(0, number)} = {self.fields[number].new};"

    def _guard(self, rule: FlatRule) -> Iterator[str]:
        block = Block(_C(), self._read, [rule.guard])
        block.prepare(rule.guard)
        yield f"\n#define CAN_{rule.label} can_{rule.label}()"
        yield f"static int can_{rule.label}(void)\n{{"
        yield from _computed(block.locals)
        yield f"  return {block.text(rule.guard)};\n}}"

    def _effect(self, rule: FlatRule) -> Iterator[str]:
        read = functools.partial(self._after, rule)
        block = Block(_C(), read, rule.effect)
        first, rest = block.prepare(*rule.writes.values()), block.prepare(*rule.effect)
        yield f"\nstatic void do_{rule.label}(void)\n{{"
        yield from self._tell(f"{SAW} {rule.label}:", "->")
        yield from _computed(first)
        yield from self._new(block, rule.writes)
        yield from _computed(rest)
        if rule.error.constant != 0:
            yield f'  if ({block.text(rule.error)}) uerror("{WRONG}: {comment_text(rule.name)}");'
        for name, one in rule.asked.items():
            yield from self._asked(name, one, block, self._events(1))
        yield from self._put(rule.writes)
        if self.model.representative:
            yield "  representative();"
        yield from self._tell("", f"{SAID}\\n")
        yield "}"

    def _tell(self, before: str, after: str) -> Iterator[str]:
        """Yield what prints the state between two texts, if that is asked for."""
        if self.telling:
            values = ", ".join(
                f"(num) {self._read(0, known.number)}" for known in self.model.fields
            )
            places = " %lld" * len(self.model.fields)
            yield f'  printf("{before}{places} {after}"{", " * bool(values)}{values});'

    def _after(self, rule: FlatRule, state: int, number: int) -> str:
        """Return what a field is called before or after an event of a rule."""
        new = state == 1 and number in rule.writes
        return self.fields[number].new if new else self._read(state, number)

    def _look(self) -> Iterator[str]:
        """Yield what looks at each state once; nothing can happen by it."""
        asked = [node for one in self.model.of_states.values() for node in one.nodes]
        block = Block(_C(), self._read, [self.model.wrong, *asked])
        block.prepare(*block.roots)
        yield "\n#define LOOK look()\nstatic int look(void)\n{"
        yield from _computed(block.locals)
        if self.model.wrong.constant != 0:
            yield f'  if ({block.text(self.model.wrong)}) uerror("{WRONG}");'
        for name, one in self.model.of_states.items():
            yield from self._asked(name, one, block, self._events(0))
        yield "  return 0;\n}"

    def _events(self, more: int) -> str:
        """Return how many events have happened; the choice of a first state is none."""
        more -= len(self.model.starts) > 1
        return f"depth + {more}" if more > 0 else f"depth - {-more}" if more else "depth"

    def _asked(self, name: str, one: Truths, block: Block, events: str) -> Iterator[str]:
        for what, node in ((BROKEN, one.broken), (TESTED, one.tested)):
            if node is not None:
                number = self.numbers.setdefault((what, name), len(self.numbers))
                said = f'say({number}, "{what}", "{comment_text(name)}", {events});'
                yield f"  if ({block.text(node)}) {said}"


def _declaration(known: FlatField, start: int) -> str:
    """Return a variable with the value that it begins with; Promela has none of over 32 bits."""
    for kind, low, high in _KINDS:
        if low <= known.low and known.high <= high - (high > 255):
            return f"{kind} {known.name} = {start};  /* {known.comment} */"
    return f'c_state "long {known.name}" "Global" "{start}L"  /* {known.comment} */'


def _computed(made: list[Local]) -> list[str]:
    return [f"  num {local.name} = {local.text};" for local in made]
