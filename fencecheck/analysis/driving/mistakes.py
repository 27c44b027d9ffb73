"""What is wrong with an adapter for a design, all of it, before anything is driven.

Takes the design's survey and the class; gives a line for each mistake: an event without a method,
two methods that take the same one, a name that the model has not, a method that takes other
arguments than its events have.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator

from fencecheck.analysis.driving.calling import AdapterError
from fencecheck.analysis.driving.driver import Driver
from fencecheck.analysis.driving.survey import Survey
from fencecheck.conform.adapter import Adapter, methods_of
from fencecheck.errors import nearest
from fencecheck.model.system import System


def mistakes_of(driver: Driver, survey: Survey) -> list[str]:
    """Return every mistake of an adapter, a text each; a fresh one is made to see what it shows."""
    found = [*_of_names(driver.kind, survey.system), *_missing(driver.kind, survey)]
    found += _of_arguments(driver.kind, survey.system)
    if not found:
        found += _observed(driver)
    return list(dict.fromkeys(f"{driver.name}: {text}" for text in found))


def _of_names(kind: type[Adapter], system: System) -> Iterator[str]:
    known = [action.name for action in system.actions]
    taken: dict[str, str] = {}
    for method, events in methods_of(kind):
        for event in events:
            if event not in known:
                yield f'{method}: the model has no event "{event}"{nearest(event, known)}'
            elif taken.setdefault(event, method) != method:
                yield f"{taken[event]} and {method} both take {event}; one of them may"


def _missing(kind: type[Adapter], survey: Survey) -> Iterator[str]:
    taken = {event for _, events in methods_of(kind) for event in events}
    unknown = taken - {action.name for action in survey.system.actions}
    for name, happening in survey.happenings.items():
        if name not in taken and not happening.moves:
            near = nearest(name, unknown)
            listed = ", ".join(happening.parameters)
            write = f'write one with @on("{name}") that takes ({listed})'
            yield f"no method takes {name}{near}; {write}"


def _of_arguments(kind: type[Adapter], system: System) -> Iterator[str]:
    parameters = {a.name: list(system.params[i]) for i, a in enumerate(system.actions)}
    for method, events in methods_of(kind):
        function = getattr(kind, method)
        if not callable(function):
            continue
        for event in events:
            if event in parameters and not _takes(function, len(parameters[event])):
                listed = ", ".join(["self", *parameters[event]])
                yield f"{method} cannot be called for {event}: it has to take ({listed})"


def _takes(function: object, many: int) -> bool:
    try:
        inspect.signature(function).bind(None, *[None] * many)  # type: ignore[arg-type]
    except TypeError:
        return False
    except ValueError:
        return True  # nothing is known of it
    return True


def _observed(driver: Driver) -> Iterator[str]:
    """Yield what is wrong with the names that a fresh adapter shows."""
    try:
        driver.start(driver.system.initial)
    except AdapterError as error:
        for line in str(error).splitlines():
            yield line.removeprefix(f"{driver.name}: ")
    finally:
        driver.close()
