"""The least addition that explains the whole of a log: what tells a gap in a log from a fault.

Tried are, in this order: one interference of each kind that is not in the log, those first that
the design has a budget for, one event of the log left out, one outcome or value left open. Each is
one search, in which an addition may be used once, anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence

from fencecheck.analysis.explaining.evidence import NOT_LOGGED
from fencecheck.analysis.explaining.search import Addition, Allowance, LogSearch, Move
from fencecheck.analysis.explaining.setting import LogSetting
from fencecheck.analysis.explaining.successors import Successors
from fencecheck.model.wording.templates import value_text
from fencecheck.runs.logged.order import RunOrder

SHARE = 4  # of the pairs that a search may look at, what each addition may


def least_additions(
    setting: LogSetting, order: RunOrder, most: int
) -> tuple[tuple[str, ...], bool]:
    """Return in words what would explain the whole log: all of the first sort that does.

    The second value tells whether that is all there is to say: no search for one was cut.
    """
    complete = True
    rest = [Addition(left_out=True)], [Addition(opened=True)]
    for sort in (_kinds(setting, tried=True), _kinds(setting, tried=False), *rest):
        tried = [_tried(setting, order, most, addition) for addition in sort]
        found = [words for words in tried if words]
        if found:
            return tuple(dict.fromkeys(found)), complete
        complete = complete and None not in tried
    return (), complete


def _kinds(setting: LogSetting, *, tried: bool) -> list[Addition]:
    """Return an addition for each kind of interference, in the order of their names.

    Those that the design has a budget for, and those that it has not, are asked apart.
    """
    budgets = {action.name: action.budget for action in setting.family.declared.actions}
    names = sorted(n for n, b in budgets.items() if b is not None and (b in setting.tried) == tried)
    return [Addition(kind=name) for name in names]


def _tried(setting: LogSetting, order: RunOrder, most: int, addition: Addition) -> str | None:
    """Return how an addition explains the log, "" where it does not, None where that is open."""
    known = setting.known(order.run, addition)
    search = LogSearch(known, order, max(1, most // SHARE))
    missing = setting.supposing.missing.of(order.run)
    found = search.explain(Allowance(setting.free, missing, addition=addition))
    ends = {node: reached for node, reached in found.ends.items() if node.added}
    if not found.whole or not ends:
        return None if found.stopped_by else ""
    moves = min(ends.values(), key=lambda reached: reached.cost).moves
    return _words(known, moves, addition)


def _words(known: Successors, moves: Sequence[Move], addition: Addition) -> str:
    for number, move in enumerate(moves):
        before = next((m.logged for m in reversed(moves[:number]) if m.logged is not None), None)
        after = "at the beginning" if before is None else f"after {before.words} ({before.place})"
        if addition.left_out and move.way is None and move.logged is not None:
            return f"without {move.logged.words} ({move.logged.place})"
        if addition.opened and move.skip and move.logged is not None and move.way is not None:
            return f"{_opened(move, known)} ({move.logged.place})"
        if move.way is not None and move.added:
            return f"{move.way.words} {after}, {NOT_LOGGED}"
    return ""


def _opened(move: Move, known: Successors) -> str:
    """Say what an outcome or value would have to be."""
    assert move.way is not None
    assert move.logged is not None
    kind, _, name = move.skip.partition(".")
    if kind == "outcome":
        now, told, what = move.way.seen.outcome, move.logged.outcome, "the outcome"
    elif kind == "after":
        now, told = known.values(move.way.to)[name][0], move.logged.after[name]
        what = f"{name} after it"
    else:
        fields = {**move.way.seen.fields(), **move.way.seen.args}
        now, told, what = fields.get(name), move.logged.args[name], f"its {name}"
    said = f"{value_text(now)} instead of {value_text(str(told))}"
    return f"{move.logged.words} with {what} {said}"
