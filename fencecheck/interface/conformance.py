"""Driving an implementation from Python, and as tests of pytest and unittest.

``drive`` does what the command does. A class that inherits from ``TestCase``, or an adapter under
``conforms``, becomes tests: one for lockstep or one for each hundred runs, one for the walks if
there are any, one for each saved trace.
"""

from __future__ import annotations

import inspect
import sys
import unittest
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, TypeVar, get_args

from fencecheck.analysis.driving.drive import By, Manner, can_be_saved, drive_spec, survey_of
from fencecheck.analysis.driving.survey import Survey
from fencecheck.analysis.driving.tours import COVERS, Cover, tour_of
from fencecheck.checking.question import cluster_at
from fencecheck.checking.results import Result
from fencecheck.conform.adapter import Adapter, is_adapter
from fencecheck.conform.loading import load_adapter
from fencecheck.errors import UsageError, check_names
from fencecheck.explore.amounts import bytes_of, seconds_of, whole_of
from fencecheck.explore.graph import Limits
from fencecheck.interface.verdicts import CheckResult
from fencecheck.model.files.texts import near
from fencecheck.report.results.text import render_text
from fencecheck.runs.trace import Trace
from fencecheck.spec.files import load_specs
from fencecheck.spec.values import Overrides, Spec, Variant

Kind = TypeVar("Kind", bound=type[Adapter])
RUNS = 100  # runs of one test
MARK = "_fencecheck_conforms"


@dataclass(frozen=True)
class DriveOptions:
    """How to drive; the fields are keyword arguments of ``drive``.

    ``by`` is lockstep, runs or walks (None: lockstep, or runs where the adapter cannot be saved).
    ``trace`` is the path of a saved trace to drive alone. Times and memory are numbers or texts
    such as ``"10s"`` and ``"8G"``. No result depends on the ``cluster`` in whose processes the
    adapter is driven: ``"auto"``, ``"local:N"`` or ``"ray://HOST:PORT"``.
    """

    variant: str | None = None
    by: By | None = None
    cover: Cover = "seen"
    walks: int = 1_000
    seed: int = 1
    trace: str | Path | None = None
    event_timeout: float | str = 10.0
    counterexamples: int = 10
    strict: bool = False
    max_states: int | None = None
    max_memory: int | str | None = None
    timeout: float | str | None = None
    cluster: str | None = None

    def manner(self) -> Manner:
        """Return the same for the driver; raises UsageError for what makes no sense."""
        for name, given, known in (("by", self.by, get_args(By)), ("cover", self.cover, COVERS)):
            check_names(f'{name} "{{}}"', [] if given is None else [given], known)
        if self.trace is not None and self.cluster is not None:
            raise UsageError("trace: one event order is not divided; leave out cluster")
        limits = Limits(
            None if self.max_states is None else whole_of("max_states", self.max_states, 1),
            None if self.max_memory is None else bytes_of(self.max_memory),
            None if self.timeout is None else seconds_of(self.timeout),
        )
        return Manner(
            self.by,
            self.cover,
            whole_of("walks", self.walks, 1),
            whole_of("seed", self.seed, 0),
            seconds=seconds_of(self.event_timeout),
            most=whole_of("counterexamples", self.counterexamples, 1),
            strict=self.strict,
            limits=limits,
            trace=None if self.trace is None else _trace(Path(self.trace)),
            elsewhere=cluster_at(self.cluster),
        )


def drive(
    spec: str | Path,
    adapter: str | type[Adapter],
    mechanisms: Mapping[str, Any] | None = None,
    bounds: Mapping[str, Any] | None = None,
    **how: Any,
) -> CheckResult:
    """Drive an implementation through every variant of a spec; ``how`` are those of DriveOptions.

    ``adapter`` is a class that inherits from ``conform.Adapter``, or ``FILE.py:Class``. The result
    has one property, ``conforms``; its trace is the shortest event order in which model and
    implementation differ. Raises UsageError with all that is wrong with the adapter.
    """
    check_names('argument "{}"', how, DriveOptions.__dataclass_fields__)
    options = DriveOptions(**how)
    manner = options.manner()
    loaded = _loaded(spec, options.variant, Overrides(dict(mechanisms or {}), dict(bounds or {})))
    return CheckResult(drive_spec(loaded, _named(adapter), manner))


def _loaded(spec: str | Path, variant: str | None, over: Overrides) -> Spec:
    (loaded,) = load_specs([spec], over)
    if variant is not None:
        loaded.variants = [loaded.variant(variant)]
    return loaded


def _named(adapter: str | type[Adapter]) -> tuple[str, type[Adapter]]:
    """Return a class of adapters with the name by which the command finds it."""
    if isinstance(adapter, str):
        return adapter, load_adapter(adapter)
    if not is_adapter(adapter):
        raise UsageError(f"{adapter!r} is no class of adapters; inherit from conform.Adapter")
    file = getattr(sys.modules.get(adapter.__module__), "__file__", None)
    return f"{near(file) if file else adapter.__module__}:{adapter.__qualname__}", adapter


def _trace(path: Path) -> Trace:
    from fencecheck.cli.inputs import read_traces

    traces = read_traces(path)
    if len(traces) != 1:
        raise UsageError(f"{path}: it holds {len(traces)} traces; name a file of one")
    return traces[0][1]


# -- tests ----------------------------------------------------------------------------------------
@dataclass
class Subject:
    """An adapter with what it is held against, for tests; ``home`` is where paths begin."""

    adapter: type[Adapter]
    spec: str | Path
    home: Path
    variant: str | None = None
    by: By | None = None
    cover: Cover = "seen"
    walks: int = 0
    seed: int = 1
    traces: Sequence[str | Path] = ()
    surveys: dict[str, Survey] = field(default_factory=dict)

    def place(self, path: str | Path) -> Path:
        """Return a path that begins where the test's file is, or else in the current folder."""
        here = self.home / path
        return here if here.exists() else Path(path)

    def tests(self) -> Iterator[DrivingTest]:
        """Yield the tests of every variant; explores their models to know how many there are."""
        spec = _loaded(self.place(self.spec), self.variant, Overrides())
        for variant in spec.variants:
            only = replace(spec, variants=[variant])
            head = f"{variant.name}: " if len(spec.variants) > 1 else ""
            for name, manner in self._manners(only, variant):
                yield DrivingTest(f"{head}{name}", self, only, manner)
        for path in self.traces:
            manner = Manner(trace=_trace(self.place(path)))
            yield DrivingTest(f"trace {Path(path).name}", self, spec, manner)

    def _manners(self, spec: Spec, variant: Variant) -> Iterator[tuple[str, Manner]]:
        base = Manner(self.by, self.cover, seed=self.seed, known=self.surveys)
        if self.by != "walks":
            by = self.by or ("lockstep" if can_be_saved(spec, variant, self.named) else "runs")
            if by == "lockstep":
                yield "lockstep", replace(base, by="lockstep")
            else:
                yield from self._batches(spec, variant, replace(base, by="runs"))
        if self.walks or self.by == "walks":
            yield "walks", replace(base, by="walks", walks=self.walks or 1_000)

    def _batches(self, spec: Spec, variant: Variant, base: Manner) -> Iterator[tuple[str, Manner]]:
        survey = self.surveys[variant.name] = survey_of(spec, variant, Limits())
        many = len(tour_of(survey, self.cover))
        for first in range(1, many + 1, RUNS):
            batch = range(first, min(first + RUNS, many + 1))
            yield f"runs {batch.start} to {batch.stop - 1}", replace(base, batch=batch)

    @property
    def named(self) -> tuple[str, type[Adapter]]:
        """Return the adapter with its name."""
        return _named(self.adapter)


@dataclass
class DrivingTest:
    """One test of a subject."""

    name: str
    subject: Subject
    spec: Spec
    manner: Manner

    def failure(self) -> str:
        """Drive; return the text of what went wrong, empty where nothing did."""
        result = drive_spec(self.spec, self.subject.named, self.manner)
        if not result.exit_code:
            return ""
        finding = result.variants[0]["conforms"]
        head = finding.verdict if finding.events is None else f"diverges in {finding.events} events"
        return f"conforms: {head}\n\n{render_text(result)}\nagain: {self._command(result)}"

    def _command(self, result: Result) -> str:
        """Return the command that repeats it."""
        parts = ["fencecheck drive", near(str(self.spec.path)), self.subject.named[0]]
        if self.manner.trace is not None:
            return " ".join([*parts, "--run", f"(the trace of {self.name})"])
        parts += ["--variant", f'"{result.variants[0].name}"', "--by", str(self.manner.by)]
        parts += ["--cover", self.manner.cover] if self.manner.by == "runs" else []
        if self.manner.by == "walks":
            parts += [f"--walks {self.manner.walks} --seed {self.manner.seed}"]
        return " ".join(parts)


class TestCase(unittest.TestCase):
    """Tests of an adapter, for unittest one and for pytest as many as there are parts of it.

    Say in a subclass which ``adapter`` and ``spec``; paths begin in the folder of its file.
    """

    adapter: ClassVar[type[Adapter] | None] = None
    spec: ClassVar[str | Path] = ""
    variant: ClassVar[str | None] = None
    by: ClassVar[By | None] = None
    cover: ClassVar[Cover] = "seen"
    walks: ClassVar[int] = 0
    seed: ClassVar[int] = 1
    traces: ClassVar[Sequence[str | Path]] = ()

    def test_conforms(self) -> None:
        """After every event, what can be seen of the implementation is what the model says."""
        subject = subject_of(type(self))
        if subject is None:
            self.skipTest("a subclass says which adapter and which spec")
        for test in subject.tests():
            with self.subTest(test.name):
                failure = test.failure()
                if failure:
                    self.fail(failure)


def conforms(spec: str | Path, **how: Any) -> Callable[[Kind], Kind]:
    """Have pytest drive an adapter through a spec; ``how`` are the attributes of TestCase."""
    own = ("adapter", "spec", "home", "surveys")
    check_names('conforms: "{}"', how, [n for n in Subject.__dataclass_fields__ if n not in own])

    def decorate(kind: Kind) -> Kind:
        setattr(kind, MARK, (kind.__qualname__, Subject(kind, spec, _home(kind), **how)))
        return kind

    return decorate


def subject_of(found: Any) -> Subject | None:
    """Return what a class is to be tested for; None where it is no test of an adapter."""
    if not inspect.isclass(found):
        return None
    name, marked = vars(found).get(MARK, (None, None))
    if name == found.__qualname__:
        subject: Subject = marked
        return subject
    if not issubclass(found, TestCase) or found.adapter is None:
        return None
    names = ("variant", "by", "cover", "walks", "seed", "traces")
    how = {name: getattr(found, name) for name in names}
    return Subject(found.adapter, found.spec, _home(found), **how)


def _home(kind: type[Any]) -> Path:
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    return Path(file).resolve().parent if file else Path()
