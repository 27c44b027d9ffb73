"""The calls of the Python interface: check, compare, explain, load.

Each takes what a command takes: a spec (a path to a .toml file), or a model (the name of a
built-in family, a path to a .py file, or a Model) with a design. What is not named of mechanisms
and bounds has the spec's or the model's own value. Mistakes raise a FencecheckError that says
where, what was seen and what to write.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar, get_args, overload

from fencecheck.checking.check import check_spec
from fencecheck.checking.question import Options, cluster_at
from fencecheck.checking.results import Result
from fencecheck.errors import StateError, UsageError, check_names
from fencecheck.explore.amounts import MOST_THREADS, bytes_of, seconds_of, whole_of
from fencecheck.explore.engine import EngineName
from fencecheck.explore.graph import Limits
from fencecheck.interface.explanations import ExplainResult
from fencecheck.interface.loaded import LoadedModel, LoadedSpec
from fencecheck.interface.verdicts import CheckResult
from fencecheck.model.family import Family
from fencecheck.model.files.loading import forget_models, load_family
from fencecheck.model.parts import Model
from fencecheck.model.time_limit import hurried
from fencecheck.spec.files import builtin_spec, load_specs
from fencecheck.spec.values import Overrides, Spec, Variant

Number = TypeVar("Number", int, float)
What = str | Path | Model | LoadedModel | LoadedSpec


@dataclass(frozen=True)
class SearchOptions:
    """How to search; the fields are keyword arguments of every call that explores.

    ``max_states`` cuts at the end of the level that reaches it; ``max_memory`` is in bytes or a
    text such as ``"8G"``, ``timeout`` in seconds or a text such as ``"10m"``. A search that was
    cut gives ``undetermined`` and never ``holds``. With ``exact`` every state of a large space is
    counted, also those that are not needed. No result depends on ``threads``, nor on the
    ``cluster`` that is searched in: ``"auto"``, ``"local:N"`` or ``"ray://HOST:PORT"``.
    """

    engine: EngineName = "auto"
    threads: int = 1
    max_states: int | None = None
    max_memory: int | str | None = None
    timeout: float | str | None = None
    coverage: bool = False
    strict: bool = False
    exact: bool = False
    properties: Sequence[str] = ()
    cluster: str | None = None

    def options(self) -> Options:
        """Return the same for the explorer; raises UsageError for what the options do not take."""
        check_names('engine "{}"', [self.engine], get_args(EngineName))
        limits = Limits(
            None if self.max_states is None else whole_of("max_states", self.max_states, 1),
            None if self.max_memory is None else _amount("max_memory", bytes_of, self.max_memory),
            None if self.timeout is None else _amount("timeout", seconds_of, self.timeout),
        )
        threads = whole_of("threads", self.threads, 1, MOST_THREADS)
        for name in ("coverage", "strict", "exact"):
            if not isinstance(getattr(self, name), bool):
                raise UsageError(f"{name}: {getattr(self, name)!r}: write True or False")
        options = Options(limits, self.engine, threads)
        options = replace(options, coverage=self.coverage, strict=self.strict, exact=self.exact)
        return replace(options, elsewhere=cluster_at(self.cluster))


def check(
    what: What,
    mechanisms: Mapping[str, Any] | None = None,
    bounds: Mapping[str, Any] | None = None,
    **search: Any,
) -> CheckResult:
    """Explore every variant of a spec, or one design of a model, and judge its properties.

    ``mechanisms`` and ``bounds`` are laid over what the spec or the model says; ``search`` are
    the fields of SearchOptions. Raises StateError, with the trace that leads there, where the
    model itself goes wrong; among several variants the result says so of those that do.
    """
    asked = _search(search)
    return _told(check_spec(_spec(what, mechanisms, bounds, asked), asked.options()))


def compare(
    what: What = "tour",
    mechanisms: Mapping[str, Any] | None = None,
    bounds: Mapping[str, Any] | None = None,
    **search: Any,
) -> CheckResult:
    """Check as ``check`` does, and count costs, run the scripted orders and decide the claims.

    Without a spec: the tour that ships, the named designs of family fence.
    """
    from fencecheck.analysis.compare.compare import compare_spec

    asked = _search(search)
    return _told(compare_spec(_spec(what, mechanisms, bounds, asked), asked.options()))


def _told(result: Result) -> CheckResult:
    """Return a result for people; raise the error of the model if there is nothing else in it."""
    if result.variants and all(variant.went_wrong for variant in result.variants):
        fault = result.variants[0].error
        assert fault is not None
        raise StateError(fault.message, fault.trace)
    return CheckResult(result)


def explain(
    what: What,
    mechanisms: Mapping[str, Any] | None = None,
    bounds: Mapping[str, Any] | None = None,
    *,
    parts: Sequence[str] = (),
    keep: Sequence[str] = (),
    **search: Any,
) -> ExplainResult:
    """Explain what breaks a design, what keeps it, and what to do about it.

    ``parts`` are some of adversaries, designs, guards, orders, bounds (all these where none is
    named) and any (all sound designs at any number of faults); ``keep`` names switches that cannot
    be chosen. ``timeout`` is for the whole explanation, one minute without it; what it leaves open
    is said to be open. What goes wrong is told or raised as by ``check``.
    """
    from fencecheck.analysis.explain.explain import (
        ALL_PARTS,
        PARTS,
        SECONDS,
        ExplainPlan,
        explain_spec,
    )

    asked = _search(search)
    _names("parts", parts)
    _names("keep", keep)
    check_names('part "{}"', parts, ALL_PARTS)
    spec = _spec(what, mechanisms, bounds, asked)
    check_names('switch "{}"', keep, spec.family.mechanisms)
    options = asked.options()
    seconds = options.limits.seconds or SECONDS
    options = replace(options, limits=replace(options.limits, seconds=None))
    plan = ExplainPlan(tuple(parts) or PARTS, seconds, tuple(keep))
    found = explain_spec(spec, options, plan)
    _told(found.result)
    return ExplainResult(found)


@overload
def load(what: Model, *, again: bool = False) -> LoadedModel: ...
@overload
def load(what: str | Path, *, again: bool = False) -> Any: ...


def load(what: str | Path | Model, *, again: bool = False) -> LoadedModel | LoadedSpec:
    """Read a model or a spec without checking it: what it has, by name.

    A spec is a path that ends in .toml, and gives a LoadedSpec; all else a LoadedModel. A model of
    one's own is executed again where the text of its file, or of a module that it imports, changed.
    A data file or a variable of the environment that it reads is not watched: ``again`` has every
    model of one's own executed again, here and by the next check.
    """
    if again:
        forget_models()
    if not isinstance(what, Model) and str(what).endswith(".toml"):
        (spec,) = load_specs([what])
        return LoadedSpec(spec)
    return LoadedModel(_family(what))


def _search(given: Mapping[str, Any]) -> SearchOptions:
    """Return the options of a search; nothing is read before they are known to make sense."""
    check_names('argument "{}"', given, SearchOptions.__dataclass_fields__)
    asked = SearchOptions(**given)
    _names("properties", asked.properties)
    asked.options()
    return asked


def _names(argument: str, given: Any) -> None:
    """Raise UsageError unless an argument is several names: one text would be its letters."""
    several = isinstance(given, Iterable) and not isinstance(given, str)
    if not several or not all(isinstance(name, str) for name in given):
        raise UsageError(f'{argument}: {given!r}: write a list of names, as in ["name"]')


def _amount(argument: str, read: Callable[[Any], Number], given: Any) -> Number:
    """Read an amount as the command line does; say which argument it is of."""
    try:
        return read(given)
    except UsageError as error:
        raise UsageError(f"{argument}: {error}") from None


def _family(what: str | Path | Model | LoadedModel) -> Family:
    if isinstance(what, LoadedModel):
        return what.family
    return Family(what) if isinstance(what, Model) else load_family(str(what))


def _spec(
    what: What,
    mechanisms: Mapping[str, Any] | None,
    bounds: Mapping[str, Any] | None,
    asked: SearchOptions,
) -> Spec:
    """Return the spec that is named, or one with a single variant for a design of a model."""
    with hurried(asked.options().limits.seconds):
        return _loaded_spec(what, mechanisms, bounds, asked)


def _loaded_spec(
    what: What,
    mechanisms: Mapping[str, Any] | None,
    bounds: Mapping[str, Any] | None,
    asked: SearchOptions,
) -> Spec:
    over = Overrides(dict(mechanisms or {}), dict(bounds or {}), tuple(asked.properties))
    if isinstance(what, LoadedSpec):
        what = what.place
    if what == "tour":
        (spec,) = load_specs([builtin_spec("tour")], over)
        spec.path = "specs/tour.toml"  # not where this machine happens to keep it
        return spec
    if isinstance(what, str | Path) and str(what).endswith(".toml"):
        (spec,) = load_specs([what], over)
        return spec
    family = _family(what)
    required = tuple(asked.properties or family.properties)
    check_names('property "{}"', required, family.properties)
    variant = Variant(family.name, family.design(mechanisms, bounds), {})
    return Spec(
        None, family, family.title, "", required, (), [variant], [], {}, has_expectations=False
    )
