"""A flat model in Murphi, as Rumur and CMurphi's descendants read it.

Each guard is a function and each event a rule. What is asked is an invariant of states, or an
assertion in the rules of its events; what may break, and what puts a property to the test, is a
cover, whose count says whether it ever did.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterator

from fencecheck.export.flat import FlatField, FlatModel, FlatRule, Truths
from fencecheck.export.head import Head
from fencecheck.export.names import comment_text
from fencecheck.export.printing import SAID, SAW, Block, Local
from fencecheck.model.lower.dag import Node

BROKEN, TESTED, WRONG = "broken: ", "tested: ", "the model goes wrong"
# that there is a type as wide makes Rumur reckon with 64 bits, whatever the types of variables
_WORD = """
type word: -4611686018427387904..4611686018427387904;"""


class _Murphi:
    own = {
        "eq": "({0} = {1})", "and": "({0} & {1})", "or": "({0} | {1})", "bit": "(1 << {0})",
        "int": "({0} ? 1 : 0)",
        "floordiv": "({1} = 0 ? 0 : {0} / {1})", "mod": "({1} = 0 ? 0 : {0} % {1})",
    }  # fmt: skip

    def number(self, value: int) -> str:
        return str(value) if value >= 0 else f"({value})"

    def truth(self, value: bool) -> str:
        return "true" if value else "false"


def murphi_text(
    model: FlatModel, head: Head, must_hold: Collection[str], *, telling: bool = False
) -> str:
    """Return the whole model; the properties of ``must_hold`` end a run that breaks them.

    With ``telling`` the program prints every event, with the state before and the one after.
    """
    return "\n".join(_Printer(model, set(must_hold), telling).lines(head)) + "\n"


class _Printer:
    def __init__(self, model: FlatModel, must_hold: set[str], telling: bool) -> None:
        self.model, self.must_hold, self.telling = model, must_hold, telling
        self.fields = {known.number: known for known in model.fields}

    def lines(self, head: Head) -> Iterator[str]:
        """Yield the lines of the file."""
        yield from head.comment("-- ")
        yield _WORD
        if self.model.fields:
            yield "\nvar"
        for known in self.model.fields:
            kind = _range(known.low, known.high, known.truth)
            yield f"  {known.name}: {kind};  -- {known.comment}"
        for rule in self.model.rules:
            yield from self._function(f"can_{rule.label}", rule.guard)
        if self.model.representative:
            yield from self._representative()
        for number, start in enumerate(self.model.starts, 1):
            yield f'\nstartstate "{number}"\nbegin'
            for known in self.model.fields:
                value = start[known.number]
                yield f"  {known.name} := {_value(value, known.truth)};"
            yield "end;"
        for rule in self.model.rules:
            yield from self._rule(rule)
        yield from self._of_states()

    def _read(self, state: int, number: int) -> str:
        return self.fields[number].name

    def _function(self, name: str, root: Node) -> Iterator[str]:
        block = Block(_Murphi(), self._read, [root])
        block.prepare(root)
        yield f"\nfunction {name}(): boolean;"
        yield from _declared(block.locals)
        yield "begin"
        yield from _computed(block.locals)
        yield f"  return {block.text(root)};\nend;"

    def _representative(self) -> Iterator[str]:
        """Yield the procedure that puts in place of a state the one that stands for it."""
        kept = self.model.representative
        block = Block(_Murphi(), self._read, kept.values())
        block.prepare(*kept.values())
        yield "\nprocedure representative();"
        yield from _declared(block.locals, self._new(kept))
        yield "begin"
        yield from _computed(block.locals)
        yield from self._put(block, kept)
        yield "end;"

    def _new(self, writes: dict[int, Node]) -> list[str]:
        """Return the declarations of what fields become; where an event goes wrong, anything."""
        return [
            f"  {known.new}: "
            f"{_range(min(known.low, node.low), max(known.high, node.high), known.truth)};"
            for known, node in self._written(writes)
        ]

    def _written(self, writes: dict[int, Node]) -> list[tuple[FlatField, Node]]:
        return [(self.fields[number], node) for number, node in writes.items()]

    def _put(self, block: Block, writes: dict[int, Node]) -> Iterator[str]:
        for known, node in self._written(writes):
            yield f"  {known.new} := {block.text(node)};"
        for known, _ in self._written(writes):
            yield f"  {known.name} := {known.new};"

    def _rule(self, rule: FlatRule) -> Iterator[str]:
        read = functools.partial(self._after, rule)
        block = Block(_Murphi(), read, rule.effect)
        first, rest = block.prepare(*rule.writes.values()), block.prepare(*rule.effect)
        yield f'\nrule "{comment_text(rule.name)}"\n  can_{rule.label}() ==>'
        yield from _declared(block.locals, self._new(rule.writes))
        yield "begin"
        yield from self._tell(f"{SAW} {rule.label}:\\n", "->\\n")
        yield from _computed(first)
        for known, node in self._written(rule.writes):
            yield f"  {known.new} := {block.text(node)};"
        yield from _computed(rest)
        if rule.error.constant != 0:
            yield f'  assert "{WRONG}" !{block.text(rule.error)};'
        for name, one in rule.asked.items():
            yield from self._asked(name, one, block, "  assert")
        for known, _ in self._written(rule.writes):
            yield f"  {known.name} := {known.new};"
        if self.model.representative:
            yield "  representative();"
        yield from self._tell("", f"{SAID}\\n")
        yield "end;"

    def _tell(self, before: str, after: str) -> Iterator[str]:
        """Yield what prints the state between two texts, if that is asked for."""
        if self.telling:
            yield f'  put "{before}";'
            yield from (f"  put {known.name};" for known in self.model.fields)
            yield f'  put "{after}";'

    def _after(self, rule: FlatRule, state: int, number: int) -> str:
        """Return what a field is called before or after an event of a rule."""
        known = self.fields[number]
        return known.new if state == 1 and number in rule.writes else known.name

    def _asked(self, name: str, one: Truths, block: Block, word: str) -> Iterator[str]:
        """Yield what is asked for a property, as a statement or at the top level."""
        cover = "  cover" if word.startswith(" ") else "cover"
        if one.broken is not None and name in self.must_hold:
            yield f'{word} "{comment_text(name)}" !{block.text(one.broken)};'
        elif one.broken is not None:
            yield f'{cover} "{BROKEN}{comment_text(name)}" {block.text(one.broken)};'
        if one.tested is not None:
            yield f'{cover} "{TESTED}{comment_text(name)}" {block.text(one.tested)};'

    def _of_states(self) -> Iterator[str]:
        """Yield what is asked of states, each formula as a function: there are no locals here."""
        if self.model.wrong.constant != 0:
            yield from self._function("goes_wrong", self.model.wrong)
            yield f'\ninvariant "{WRONG}" !goes_wrong();'
        for number, (name, one) in enumerate(self.model.of_states.items(), 1):
            texts = _Called()
            for word, node in (("broken", one.broken), ("tested", one.tested)):
                if node is not None:
                    yield from self._function(f"{word}_{number}", node)
                    texts.calls[node.number] = f"{word}_{number}()"
            yield ""
            yield from self._asked(name, one, texts, "invariant")


class _Called(Block):
    """Formulas that are called by the names of functions."""

    def __init__(self) -> None:
        super().__init__(_Murphi(), lambda state, number: "", ())
        self.calls: dict[int, str] = {}

    def text(self, node: Node) -> str:
        return self.calls[node.number]


def _range(low: int, high: int, truth: bool) -> str:
    return "boolean" if truth else f"{low}..{high}"


def _value(value: int, truth: bool) -> str:
    return _Murphi().truth(bool(value)) if truth else str(value)


def _declared(made: list[Local], more: list[str] | None = None) -> list[str]:
    """Return the declarations of locals, if there are any."""
    lines = [
        f"  {local.name}: {_range(local.node.low, local.node.high, local.node.truth)};"
        for local in made
    ] + (more or [])
    return ["var", *lines] if lines else []


def _computed(made: list[Local]) -> list[str]:
    return [f"  {local.name} := {local.text};" for local in made]
