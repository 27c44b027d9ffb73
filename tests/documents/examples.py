"""Run what a document shows: commands, models with lines added, the cells of its tables.

Each function takes code as a document shows it and gives the words for what came of it: the
verdict, the value, the change, the message. A folder is where the document's files stand.
"""

from __future__ import annotations

import itertools
import os
import re
import shlex
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from fencecheck.errors import FencecheckError, SpecError, UsageError
from fencecheck.interface.calls import check, load
from fencecheck.interface.loaded import LoadedModel
from fencecheck.model.ask.questions import with_questions
from fencecheck.model.domains import Array, Record
from fencecheck.model.files.loading import load_family
from fencecheck.model.system import System
from fencecheck.report.words.trace_words import describe_change
from fencecheck.spec.files import load_specs

_numbers = itertools.count()
_VERDICT = re.compile(r"^# (\w+): (.+)$", re.MULTILINE)
ACTOR = "added_actor = model.actor('added')\n\n\n"


# -- commands -----------------------------------------------------------------------------------
def printed(command: str, folder: Path) -> str:
    """Return what a fencecheck command prints to stdout when it is run in ``folder``.

    It may begin with variables of the environment: ``COLUMNS=100 fencecheck ...``.
    """
    settings, _, rest = command.rpartition("fencecheck ")
    env = {**os.environ, **dict(setting.split("=", 1) for setting in settings.split())}
    program = [sys.executable, "-m", "fencecheck", *shlex.split(rest)]
    done = subprocess.run(program, cwd=folder, env=env, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 2, 3):
        raise RuntimeError(f"{command}: {done.stderr}")
    out = done.stdout or done.stderr
    return out.rstrip().replace(f"{folder.resolve()}/", "").replace(f"{folder}/", "")


# -- models -------------------------------------------------------------------------------------
def with_lines(base: str, lines: str, folder: Path) -> Path:
    """Save the model ``base`` (if there is one) with ``lines`` added, under a new name."""
    path = folder / f"{Path(base).stem}_{next(_numbers)}.py"
    known = folder / base
    start = known.read_text(encoding="utf-8") + "\n\n" if known.exists() else ""
    path.write_text(start + lines, encoding="utf-8")
    return path


def system_with(base: str, lines: str, folder: Path) -> System:
    """Return the model ``base`` with ``lines`` added, ready to run with every budget at 1."""
    loaded = load(with_lines(base, lines, folder))
    assert isinstance(loaded, LoadedModel)
    family = loaded.family
    budgets = {bound.name: 1 for bound in family.declared.bounds if bound.budget}
    return System(family, family.design({}, budgets))


def said_verdicts(lines: str) -> dict[str, str]:
    """Return the verdicts that comments ``# NAME: VERDICT`` state."""
    return dict(_VERDICT.findall(lines))


def verdicts(base: str, lines: str, folder: Path) -> dict[str, str]:
    """Return what comes out for each property that a comment of ``lines`` speaks of."""
    names = said_verdicts(lines)
    path = with_lines(base, lines, folder)
    if not names:
        load(path)
        return {}
    budgets = dict.fromkeys(re.findall(r'^\w+\.budget\("(\w+)"', path.read_text(), re.M), 1)
    found = check(path, {}, budgets, properties=tuple(names))
    return {name: _verdict_in_words(found[name]) for name in names}


def _verdict_in_words(found: Any) -> str:
    if found.verdict == "violated":
        return f"violated, {found.events} event{'s' * (found.events != 1)}"
    return "vacuous" if found.vacuous else str(found.verdict)


# -- cells of tables ----------------------------------------------------------------------------
def _function(name: str, body: str) -> str:
    return f'def {name}(s):\n    """Added."""\n' + textwrap.indent(body, "    ") + "\n\n\n"


def as_guard(expression: str) -> str:
    """Return an action whose guard is ``expression``."""
    guard = _function("added_guard", f"return {expression}")
    return ACTOR + guard + "@added_actor.action(when=added_guard)\n" + _function("act", "pass")


def as_effect(statements: str) -> str:
    """Return an action whose effect is ``statements``."""
    return ACTOR + "@added_actor.action()\n" + _function("act", statements)


PLACES: dict[str, Callable[[str], str]] = {
    "guard": as_guard,
    "effect": as_effect,
    "declaration": lambda lines: lines + "\n",
    "file": lambda lines: lines + "\n",
}


def refusal(base: str, place: str, code: str, folder: Path) -> str:
    """Return the message with which ``code`` is refused, without the place it names."""
    if place == "spec":
        return _refused_spec(base, code, folder)
    if place == "predicate":
        return _refused_predicate(base, code)
    try:
        system_with(base, PLACES[place](code), folder)
    except FencecheckError as error:
        return _without_place(str(error), folder)
    raise AssertionError(f"{code}: it is not refused")


def _refused_spec(base: str, code: str, folder: Path) -> str:
    path = folder / f"spec_{next(_numbers)}.toml"
    path.write_text((folder / base).read_text(encoding="utf-8") + code, encoding="utf-8")
    try:
        load_specs([path])
    except SpecError as error:
        return str(error).replace(f"{path.as_posix()}: ", "")
    raise AssertionError(f"{code}: it is not refused")


def _refused_predicate(model: str, predicate: str) -> str:
    family = load_family(model)
    try:
        with_questions(family, family.design(), (predicate,), ())
    except UsageError as error:
        return str(error).splitlines()[0].removeprefix("--reach: ")
    raise AssertionError(f"{predicate}: it is not refused")


def _without_place(message: str, folder: Path) -> str:
    message = message.replace(f"{folder.resolve()}/", "").replace(f"{folder}/", "")
    message = re.sub(r"^\w+\.py:\d+: (in \w+: )?", "", message)
    return re.sub(r"\w+_\d+\.py(:\d+)?", "model.py", message)


def value(base: str, place: str, code: str, folder: Path) -> str:
    """Return what an expression gives in the initial state."""
    lines = _function("added_value", f"return {code}")
    same = f"any(added_value(s) == x for x in ({code},))"
    system = system_with(base, lines + PLACES[place](same), folder)
    (function,) = [a.guard for a in system.actions if a.actor == "added"]
    assert function is not None
    return repr(function.__globals__["added_value"](system.view(system.initial)))


def change(base: str, place: str, code: str, folder: Path) -> str:
    """Return what statements change in the initial state, as people see it, and the outcome."""
    system = system_with(base, PLACES[place](code), folder)
    (number,) = [i for i, a in enumerate(system.actions) if a.actor == "added"]
    after, outcome = system.steps[number](system.initial)
    told = [
        words
        for name, domain, old, new in zip(
            system.names, system.domains, system.initial, after, strict=True
        )
        for words in _changes(name, domain, old, new)
    ]
    told += [] if outcome is None else [f"outcome {outcome}"]
    return "; ".join(told) or "nothing"


def _changes(name: str, domain: Any, old: Any, new: Any) -> Iterator[str]:
    """Yield what became of a variable, for an array or a record in one of each of its parts."""
    if isinstance(domain, Array):
        for i, (was, now) in enumerate(zip(old, new, strict=True)):
            yield from _changes(f"{name}[{domain.label(i)}]", domain.element, was, now)
    elif isinstance(domain, Record) and domain.nested:
        for field, inner in domain.fields.items():
            yield from _changes(f"{name}.{field}", inner, getattr(old, field), getattr(new, field))
    elif old != new:
        change = describe_change(f".{name}", domain.show(old), domain.show(new))
        arrow = "" if change.before is None else f"{change.before} → "
        yield f"{change.name} {arrow}{change.after}"


def failure(base: str, place: str, code: str, folder: Path) -> str:
    """Return how a model that loads goes wrong in a run."""
    path = with_lines(base, PLACES[place](code), folder)
    try:
        check(path)
    except FencecheckError as error:
        message = _without_place(str(error).splitlines()[0], folder)
        return re.sub(r"^variant .*?: model \w+ goes wrong in added.act: ", "", message)
    raise AssertionError(f"{code}: nothing goes wrong")


MAKERS: dict[str, Callable[[str, str, str, Path], str]] = {
    "refused by": refusal,
    "given by": value,
    "changed by": change,
    "failed by": failure,
}
