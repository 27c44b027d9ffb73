"""The languages in which models are exported: which files each is, and how a reader runs them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from fencecheck.export.flat import flat_model
from fencecheck.export.head import Head
from fencecheck.export.murphi import murphi_text
from fencecheck.export.promela import INCLUDED, promela_texts
from fencecheck.export.tla.files import expected, tla_files
from fencecheck.model.system import System

Files = dict[str, str]
README = "README.md"


@dataclass(frozen=True)
class Language:
    """One language: ``write`` makes the files, ``commands`` run them, ``notes`` tell what differs.

    ``checker`` is what runs it, for people; ``expected`` gives what must come out, a line each.
    """

    checker: str
    write: Callable[[System, Sequence[str], Head], Files]
    commands: tuple[str, ...]
    notes: tuple[str, ...]
    expected: Callable[[Head], Iterator[str]] = Head.expected


def model_files(system: System, names: Sequence[str], form: str, head: Head) -> Files:
    """Return the files of a model with the properties ``names``, by their names, README first.

    Raises UsageError, with the place, for what the form cannot carry.
    """
    files = LANGUAGES[form].write(system, names, head)
    return {README: _readme(LANGUAGES[form], head), **files}


def _murphi(system: System, names: Sequence[str], head: Head) -> Files:
    return {"model.m": murphi_text(flat_model(system, names), head, head.answers.holds)}


def _promela(system: System, names: Sequence[str], head: Head) -> Files:
    program, functions = promela_texts(flat_model(system, names), head)
    return {"model.pml": program, INCLUDED: functions}


LANGUAGES = {
    "tla": Language(
        "TLC",
        tla_files,
        (
            "java -Xss64m -cp tla2tools.jar tlc2.TLC -deadlock Model.tla    # Java 11 or newer",
            "java -Xss64m -cp tla2tools.jar tlc2.TLC -deadlock -config Fair.cfg Model.tla",
        ),
        (
            "`-deadlock` is for TLC not to ask for deadlocks: a run may end, and where it may is a "
            "property of the model. Each property that is violated has a configuration of its own, "
            "named as it is (`-config NAME.cfg`); what holds is asked together, of whole runs in "
            "`Fair.cfg`, under fairness.",
            "TLC finds the shortest run with one worker (`-workers 1`), and counts its states: one "
            "more than events. It counts transitions by how a guard is written, and they are not "
            "compared. A property of steps is not asked of steps that change nothing.",
        ),
        expected,
    ),
    "murphi": Language(
        "Rumur",
        _murphi,
        (
            "rumur --deadlock-detection off --threads 1 --output model.c model.m",
            "cc -O2 -mcx16 -o model model.c -lpthread    # without -mcx16 on other than x86",
            "./model",
        ),
        (
            "A property that holds is an invariant, or an assertion in the rules it speaks of. One "
            "that is violated is a `cover` named `broken: ...`, which counts where it is; make it "
            "an `invariant` or `assert` of the opposite for the shortest run to it.",
            "A `cover` named `tested: ...` counts where a property is put to the test. Rumur calls "
            "a cover that was never hit an error; here it says that this never happens.",
        ),
    ),
    "promela": Language(
        "SPIN",
        _promela,
        (
            "spin -a model.pml",
            "cc -w -O2 -DSAFETY -DNOREDUCE -DBFS -o pan pan.c    # -DSTOP ends at what breaks",
            "./pan",
        ),
        (
            "SPIN counts the initial state as a transition: one more than below. With several "
            "states to begin in, their choice is a state and that many transitions more.",
            "What is violated, and what is put to the test, is printed once with its fewest events "
            "(in a depth-first search, without -DBFS, with those of the first run).",
        ),
    ),
}


def _readme(language: Language, head: Head) -> str:
    """Return what stands beside a model: how to run it, and what must come out."""
    lines = [
        f"# {head.title}: {head.variant}",
        "",
        f"Model `{head.model}` for {language.checker}. How it is run:",
        "",
        *(f"    {command}" for command in language.commands),
        "",
        *(f"- {line}" for line in language.expected(head)),
        "",
        *(line for note in language.notes for line in (note, "")),
        "<!-- fencecheck/markdown/1 -->",
    ]
    return "\n".join(line.rstrip() for line in lines) + "\n"
