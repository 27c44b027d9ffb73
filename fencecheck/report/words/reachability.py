"""Answers to whether a state can be reached, in words that all formats share.

In: an Answer. Out: plain texts. ``not reachable`` is said of a complete search only, and of its
bounds; what a cut search did not find is undetermined.
"""

from __future__ import annotations

from fencecheck.checking.results import ReachAnswer, VariantResult
from fencecheck.report.words.columns import Paint, plain
from fencecheck.report.words.orders import order_lines
from fencecheck.report.words.outcomes import count

TONES = {"reached": "head", "not reachable": "head", "undetermined": "undetermined"}


def status(answer: ReachAnswer) -> str:
    """Return ``reached``, ``not reachable`` or ``undetermined``."""
    if answer.reached is None:
        return "undetermined"
    return "reached" if answer.reached else "not reachable"


def remark(answer: ReachAnswer) -> str:
    """Return in how many events a state is reached, or what its being unreachable rests on."""
    if answer.events is not None:
        return f"in {count(answer.events, 'event')}"
    return "" if answer.reached is None else "within these bounds (complete)"


def answer_words(answer: ReachAnswer) -> str:
    """Return an answer in words, without its question."""
    return f"{status(answer)} {remark(answer)}".rstrip()


def answer_lines(variant: VariantResult, paint: Paint = plain) -> list[str]:
    """Return one line for each question and its answer."""
    lines = []
    for answer in variant.answers:
        words = status(answer)
        tail = f"  {remark(answer)}" if remark(answer) else ""
        lines.append(f"{paint(TONES[words], words)}{' ' * (13 - len(words))} {answer.text}{tail}")
    return lines


def witness_lines(variant: VariantResult, width: int = 100, paint: Paint = plain) -> list[str]:
    """Return the event order that leads to each state that is reached."""
    lines: list[str] = []
    for answer in variant.answers:
        if answer.trace is not None:
            head = f"{answer.text}: {answer_words(answer)}"
            lines += ["", f"  {paint('head', head)}"]
            lines += order_lines(answer.trace, width, "    ", paint)
    return lines
