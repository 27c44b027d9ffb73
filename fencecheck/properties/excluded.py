"""Which events a design excludes, whatever the state is, told from the intermediate form.

Three reasons are found: the event's budget is zero; its condition folds to false once the values
of the switches are known; or it needs a value that nothing ever gives (``phase checked``, where
the event that would is excluded itself). What is not found here may still never occur: then it is
for whoever reads the coverage to say why. Explores nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, MutableMapping, Sequence
from pathlib import Path
from weakref import WeakKeyDictionary

from fencecheck.model.domains import Bool, Enum, Maybe, OneOf
from fencecheck.model.files.kept import (
    digest_of_sources,
    digest_of_texts,
    keep_entry,
    kept_entry,
)
from fencecheck.model.folding import Folding
from fencecheck.model.lower.dag import Node, nodes_of
from fencecheck.model.lower.lowered import Lowered
from fencecheck.model.system import System


def excluded_events(system: System, suspects: Sequence[int]) -> dict[int, str]:
    """Return why each of the action numbers ``suspects`` can never occur, where that is known."""
    found: dict[int, str] = {}
    for number in suspects:
        budget = system.actions[number].budget
        if budget is not None and not system.design.bounds[budget]:
            found[number] = f"{budget} 0"
    rest = [number for number in suspects if number not in found]
    for number, why in _kept_reasons(system, rest, list(found)).items():
        found[number] = why if isinstance(why, str) else _nothing_makes(system, *why)
    return found


# why an event is excluded: the switches, in words, or a field and the value that it needs there
_Reason = str | tuple[int, int]


def _kept_reasons(
    system: System, suspects: Sequence[int], excluded: Sequence[int]
) -> dict[int, _Reason]:
    """Return why events are excluded; it is kept beside what the model is lowered to."""
    lowered, starts = system.lowered, [system.lowered.layout.numbers(s) for s in system.initials]
    if not lowered.name or not suspects:
        return _reasons(system, suspects, excluded)
    own = digest_of_sources(Path(__file__))
    given = (sorted(system.design.mechanisms.items()), suspects, excluded, starts)
    name = digest_of_texts([lowered.name, own, *map(repr, given)]) + ".excluded"
    try:
        told = json.loads(kept_entry(name) or b"")
        return {
            int(number): why if isinstance(why, str) else (int(why[0]), int(why[1]))
            for number, why in told
        }
    except (ValueError, TypeError, IndexError):
        found = _reasons(system, suspects, excluded)
        keep_entry(name, json.dumps(list(found.items())).encode())
        return found


def _reasons(
    system: System, suspects: Sequence[int], excluded: Iterable[int]
) -> dict[int, _Reason]:
    """Return why some events can never occur, given that those ``excluded`` cannot."""
    by_switches = {number: _by_switches(system, number) for number in suspects}
    found: dict[int, _Reason] = {number: why for number, why in by_switches.items() if why}
    rest = [number for number in suspects if number not in found]
    full = Folding(system, system.family.mechanisms)
    while rest:
        never = {*excluded, *found}
        needed = {number: _by_values(system, full, number, never) for number in rest}
        more = {number: why for number, why in needed.items() if why is not None}
        if not more:
            break
        found |= more
        rest = [number for number in rest if number not in more]
    return found


def _conditions(system: System, number: int) -> list[Node]:
    return [case.enabled for case in system.lowered.cases if case.action == number]


# what was found of an event: the switches that it reads, and what excludes it at their values
_Found = tuple[list[str], dict[tuple[str, ...], str]]
_found: MutableMapping[Lowered, dict[int, _Found]] = WeakKeyDictionary()


def _by_switches(system: System, number: int) -> str:
    """Return switches that exclude an event, none of which can be left out.

    It is looked for once for all designs of one structure with equal values of what it reads.
    """
    known = _found.setdefault(system.lowered, {})
    if number not in known:
        read = (n for n in nodes_of(_conditions(system, number)) if n.op == "switch")
        known[number] = sorted({str(n.extra[0]) for n in read}), {}
    used, answers = known[number]
    values = tuple(system.design.mechanisms[name] for name in used)
    if values not in answers:
        answers[values] = _needed_switches(system, number, used)
    return answers[values]


def _needed_switches(system: System, number: int, used: list[str]) -> str:
    conditions, design = _conditions(system, number), system.design.mechanisms
    if not used or not Folding(system, used).excludes(conditions):
        return ""
    needed = used
    for name in used:
        fewer = [other for other in needed if other != name]
        if Folding(system, fewer).excludes(conditions):
            needed = fewer
    return ", ".join(f"{name} {design[name]}" for name in needed)


def _by_values(
    system: System, full: Folding, number: int, excluded: set[int]
) -> tuple[int, int] | None:
    """Return a field and a value that an event needs there and nothing gives."""
    folded = [full.fold(condition) for condition in _conditions(system, number)]
    again = Folding(system, ())
    for node in {n.number: n for c in folded for n in nodes_of([c])}.values():
        needed = _needed(node)
        if needed is None or not again.excludes(folded, node):
            continue
        if not _is_given(system, full, needed, excluded):
            return needed
    return None


def _nothing_makes(system: System, field: int, value: int) -> str:
    """Say that an event needs a value that nothing gives: ``nothing makes phase checked``."""
    path = system.lowered.layout.fields[field].path
    return f"nothing makes {_in_words(system, path, value)}"


def _needed(node: Node) -> tuple[int, int] | None:
    """Return (field, value) of a node that compares a field of the state with a constant."""
    if node.op == "read" and node.truth:
        return int(node.extra[1]), 1
    if node.op == "eq":
        for read, const in (node.args, node.args[::-1]):
            if read.op == "read" and const.constant is not None:
                return int(read.extra[1]), const.constant
    return None


def _is_given(system: System, full: Folding, needed: tuple[int, int], excluded: set[int]) -> bool:
    """Tell whether a field starts with a value or an event that can occur may write it."""
    field, value = needed
    if any(system.lowered.layout.numbers(start)[field] == value for start in system.initials):
        return True
    for case in system.lowered.cases:
        if case.action not in excluded and field in case.writes:
            values = _values(full.fold(case.writes[field]), field)
            if values is None or value in values:
                return True
    return False


def _values(root: Node, field: int) -> set[int] | None:
    """Return the constants that a node chooses among beside the field itself; None: any."""
    values, stack = set[int](), [root]
    while stack:
        node = stack.pop()
        if node.constant is not None:
            values.add(node.constant)
        elif node.op == "select":
            stack += node.args[1:]
        elif not (node.op == "read" and int(node.extra[1]) == field):
            return None
    return values


def _in_words(system: System, path: str, value: int) -> str:
    """Return a field's value as people name it, where it is a variable of its own."""
    place = system.place.get(path)
    if place is None:
        return f"{path} {value}"
    domain = system.domains[place]
    shown = domain.show(domain.value(value)) if isinstance(domain, Enum) else value
    if isinstance(domain, OneOf):
        shown = domain.show(domain.value(value))
    if isinstance(domain, Maybe):
        shown = domain.show(None if value < 0 else value)
    if isinstance(domain, Bool):
        shown = "true" if value else "false"
    return f"{path} {shown}"
