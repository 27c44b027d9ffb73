"""Why an event is not possible in a state, in lines for people.

Takes a system, a state and the words for an event in the notation of scripted orders; arguments
may be left out. Says, for each event meant, that it is possible or what keeps it from happening:
a constraint, its budget, an alternative that comes before it, the part of its guard that is
false, or a bound that holds it back. Explores nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fencecheck.errors import UsageError, nearest
from fencecheck.model.declare import Action, Alternative, Each
from fencecheck.model.forgetting import remembering
from fencecheck.model.property import Function
from fencecheck.model.system import Args, State, System
from fencecheck.model.wording.fields import parameter_domains, state_fields
from fencecheck.runs.event import MODEL_ERRORS, why_held
from fencecheck.runs.guards.false_part import DecidingPart, deciding_parts
from fencecheck.runs.guards.scope import FunctionCall
from fencecheck.runs.notation import OrderError, parse, told_apart

MOST = 12  # events of a name that are told one by one


def why_not(system: System, state: State, text: str) -> list[str]:
    """Return the lines that say of each event meant by ``text`` whether and why it can happen.

    Raises UsageError where the text names no event of the model.
    """
    numbers = _meant(system, text)
    call = parse(text)
    lines: list[str] = []
    for number in numbers:
        action, found = system.actions[number], list[Args]()
        with remembering():
            for args in system.arguments(number, state):
                shown = system.shown_args(number, args)
                if call.fits(action, shown, system.exact_args(number, args)):
                    found.append(args)
        if not found:
            lines.append(no_such_event(system, state, number, text))
        names = _names(system, number, found)
        for name, args in list(zip(names, found, strict=True))[:MOST]:
            lines += _told(system, state, number, args, name)
        if len(found) > MOST:
            lines.append(f"and {len(found) - MOST} more of {action.name}; name its arguments")
    return lines


def _meant(system: System, text: str) -> list[int]:
    """Return the numbers of the actions that a text names: an event, or all of an actor."""
    try:
        call = parse(text)
    except OrderError as error:
        raise UsageError(str(error)) from None
    known = [(a.name if call.is_event else a.actor) for a in system.actions]
    if call.name not in known:
        names = list(dict.fromkeys(known))
        meant = [a.name for a in system.actions if a.name.endswith(f".{call.name}")]
        hint = f" (did you mean {' or '.join(meant)}?)" if meant else nearest(call.name, names)
        raise UsageError(f'"{call.name}" is not one of {", ".join(names)}{hint}')
    return [number for number, name in enumerate(known) if name == call.name]


def _names(system: System, number: int, ways: list[Args]) -> list[str]:
    """Return the names of the events of an action, with what tells apart those that look alike."""
    action, alike = system.actions[number].name, dict[str, list[int]]()
    names = []
    for place, args in enumerate(ways):
        shown = ", ".join(map(str, system.shown_args(number, args).values()))
        names.append(f"{action}({shown})" if shown else action)
        alike.setdefault(names[-1], []).append(place)
    for name, places in alike.items():
        if len(places) > 1:
            exact = [system.exact_args(number, ways[place]) for place in places]
            for place, apart in zip(places, told_apart(name, exact), strict=True):
                names[place] = apart
    return names


def no_such_event(system: System, state: State, number: int, text: str) -> str:
    """Say that there is no event with the arguments that were named."""
    action = system.actions[number]
    held = [p.variable for p in system.params[number].values() if isinstance(p, Each)]
    empty = [name for name in held if not state[system.place[name]]]
    if empty:
        return f"{action.name} is not possible: there is nothing in {', '.join(empty)}"
    names = _names(system, number, system.arguments(number, state))
    return f"{text} is not possible: there is {', '.join(dict.fromkeys(names)) or 'no such event'}"


def _told(system: System, state: State, number: int, args: Args, name: str) -> list[str]:
    reasons = list(reasons_against(system, state, number, args))
    if not reasons:
        return [f"{name} is possible"]
    return [f"{name} is not possible", *(f"  {line}" for line in reasons)]


def reasons_against(system: System, state: State, number: int, args: Args) -> Iterator[str]:
    """Yield what keeps an event from happening, the first thing that does and no more.

    Nothing where it is possible.
    """
    action, view = system.actions[number], system.view(state)
    for constraint in system.family.declared.constraints:
        if not constraint.within(view):
            yield f"nothing is: constraint {constraint.name} is false here"
            return
    if action.budget is not None and state[system.place[action.budget]] <= 0:
        total = system.design.bounds[action.budget]
        yield f"its budget is used up: {action.budget.replace('_', ' ')} 0 left of {total}"
        return
    try:
        yield from _guarded(system, view, action, args)
    except MODEL_ERRORS as error:
        yield f"its guard goes wrong: {type(error).__name__}: {error}"
        return
    held = why_held(system, state, number, args)
    if held is not None:
        yield f"it is held back: {held}"


def _guarded(system: System, view: Any, action: Action, args: Args) -> Iterator[str]:
    """Yield the lines on the part of a guard that is false; none where it is true.

    Where another event comes before it, the part for which that one's guard is true.
    """
    for functions, wanted, before in _conditions(action.guard):
        false = next((function for function in functions if not function(view, *args)), None)
        if (false is None) == wanted:
            continue
        named = dict(zip(system.names, system.domains, strict=True))
        params = parameter_domains(action, named).values()
        domains = [state_fields(system.family.declared, named), *params]
        decides = functions[-1] if false is None else false
        call = FunctionCall(decides, (view, *args), dict(enumerate(domains)))
        parts = deciding_parts(call, false is not None)
        if false is not None:
            yield from _lines(parts)
            return
        yield f"{before} comes before it, and is possible"
        yield from (f"  {line}" for line in _lines(parts) if parts)
        return


def _lines(parts: list[DecidingPart]) -> Iterator[str]:
    if not parts:
        yield "its guard is false"
    for depth, part in enumerate(parts):
        truth = "true" if part.truth else "false"
        last = depth == len(parts) - 1
        read = f": {'; '.join(part.readings)}" if part.readings and last else ""
        yield f"{'  ' * depth}{part.place}: {part.text} is {truth}{read}"


def _conditions(guard: Function | None) -> list[tuple[tuple[Function, ...], bool, str]]:
    """Return what decides a guard, whether all of each must be true, and whose guard it is."""
    if not isinstance(guard, Alternative):
        return [] if guard is None else [((guard,), True, "")]
    names = (*guard.before, *[""] * len(guard.earlier))
    earlier = [(others, False, name) for others, name in zip(guard.earlier, names, strict=False)]
    return [*_conditions(guard.group), *earlier, *(((own,), True, "") for own in guard.own)]
