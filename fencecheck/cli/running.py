"""Check specs one after another and hand each outcome on as it comes.

All specs are read before the first one runs; after an interrupt no further one does. A model that
goes wrong in a run does not keep the other specs from their verdicts. Exit codes of several specs:
2 outranks 1 outranks 3.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fencecheck.cli.progress import Progress
from fencecheck.cli.terminal import put_note
from fencecheck.errors import DesignError, ModelError, SpecError, StateError, check_names
from fencecheck.explore import interrupt

if TYPE_CHECKING:
    from fencecheck.checking.question import Options
    from fencecheck.checking.results import Result
    from fencecheck.cli.asking import Thorough
    from fencecheck.cli.options import SearchSettings
    from fencecheck.report.words.outcomes import Outcome
    from fencecheck.spec.files import Spec
    from fencecheck.spec.values import Variant

RANK = {0: 0, 3: 1, 1: 2, 2: 3}


def worst(codes: Iterable[int]) -> int:
    """Return the exit code that outranks the others; 3 where there is none: nothing was checked."""
    return max(codes, key=lambda code: RANK.get(code, len(RANK)), default=3)


def choose_variants(specs: list[Spec], variants: Sequence[str]) -> list[Spec]:
    """Return the specs that have one of the variants, with those only; all where none is named."""
    known = [variant.name for spec in specs for variant in spec.variants]
    check_names("--variant {}:", variants, known)
    for spec in specs:
        spec.variants = [v for v in spec.variants if not variants or v.name in variants]
    return [spec for spec in specs if spec.variants]


def variants_of(spec: Spec, name: str | None) -> list[Variant]:
    """Return the variant of a name, or all where none is named."""
    (chosen,) = choose_variants([spec], [] if name is None else [name])
    return chosen.variants


def exit_code(outcomes: Iterable[Outcome]) -> int:
    """Return the exit code of several outcomes."""
    return worst(outcome.exit_code for outcome in outcomes)


def run_specs(
    specs: Iterable[Spec],
    search: SearchSettings,
    *,
    quiet: bool,
    show: Callable[[Outcome], None] | None = None,
    comparing: bool = False,
    asking: Thorough | None = None,
) -> list[Outcome]:
    """Check every spec, and show each outcome as soon as there is one.

    Without ``show`` what is wrong with models is said on stderr, as nobody may read the results.
    ``comparing`` also counts costs and runs the scripted orders; ``asking`` is what
    is asked for beside verdicts.
    A terminal sees how long each search of a single spec took.
    """
    from fencecheck.analysis.compare.compare import compare_spec
    from fencecheck.checking.check import check_spec

    progress, outcomes = Progress(quiet), list["Outcome"]()
    options = search.options(progress.tick)
    options = asking.add(options, search) if asking else options
    run = compare_spec if comparing else check_spec
    left = list(specs)
    _begin_elsewhere(left, options)
    times = len(left) == 1 and not quiet and sys.stderr.isatty()
    while left and not interrupt.heard():
        spec = left[0]
        progress.say(f"checking {spec.path or spec.family.name} ...")
        try:
            outcome = _outcome(spec, run, options, asking)
        except KeyboardInterrupt:
            if not interrupt.heard():
                raise
            break
        finally:
            progress.clear()
        del left[0]
        outcomes.append(outcome)
        if show is not None:
            show(outcome)
        _note(outcome, times=times, faults=show is None)
    if left:
        put_note(f"not checked: {', '.join(spec.path or spec.family.name for spec in left)}")
    return outcomes


def _begin_elsewhere(specs: Sequence[Spec], options: Options) -> None:
    """Have all variants of several specs under way, where they are checked in other processes."""
    from fencecheck.checking.check import begun

    place = options.elsewhere
    if place is not None and sum(len(spec.variants) for spec in specs) > 1:
        for spec in specs:
            for question, wait in begun(spec, options, alone=False):
                place.keep(question, wait)


def _outcome(
    spec: Spec,
    run: Callable[[Spec, Options], Result],
    options: Options,
    asking: Thorough | None,
) -> Outcome:
    """Check a spec, with what is asked for beside verdicts."""
    from fencecheck.report.words.outcomes import Failure

    try:
        result = run(spec, options)
        if asking and not interrupt.heard():
            asking.further(spec, result, options)
    except (ModelError, SpecError, DesignError) as error:
        trace = error.trace if isinstance(error, StateError) else None
        said = _without_place(str(error), spec.path)
        return Failure(spec.path, spec.family.reference, spec.title, said, trace)
    return result


def _without_place(message: str, path: str | None) -> str:
    """Return a message without its spec's path before each line: outcomes name their spec."""
    return "\n".join(line.removeprefix(f"{path}: ") for line in message.split("\n"))


def _note(outcome: Outcome, *, times: bool, faults: bool) -> None:
    """Say on stderr what an outcome's own output does not."""
    from fencecheck.report.words.outcomes import Failure

    if times:
        _note_times(outcome)
    if isinstance(outcome, Failure):
        put_note(f"error: {outcome.spec or outcome.model}: {outcome.message}")
    elif faults:
        note_faults(outcome)


def note_faults(result: Result) -> None:
    """Say what went wrong with a result's models, and what its searches warn of."""
    where = result.spec or result.model
    for variant in result.variants:
        for text in variant.exploration.warnings:
            put_note(f'warning: {where}: variant "{variant.name}": {text}')
        if variant.error is not None:
            put_note(f"error: {where}: {variant.error.message}")


def _note_times(outcome: Outcome) -> None:
    """Say how long each search took: to a terminal only, since it differs from run to run."""
    for variant in getattr(outcome, "variants", ()):
        found = variant.exploration
        put_note(
            f"{variant.name}: {found.states} states in {found.seconds:.2f} s, {found.engine} engine"
        )


def results_name(form: str) -> str:
    """Return the name of the file that holds the results in a format."""
    endings = {"text": "txt", "markdown": "md", "junit": "xml", "github": "github.txt"}
    return f"results.{endings.get(form, form)}"


def is_collection(paths: Iterable[str]) -> bool:
    """Tell whether several results are asked for: JSON is an array then, whatever is found."""
    given = list(paths)
    return len(given) != 1 or Path(given[0]).is_dir()
