"""pytest plugin: specs as tests, one item for each variant and property; adapters that are driven.

Collects ``*.fence.toml`` and the files and folders that the ini option ``fencecheck_specs`` names;
a name that leads nowhere is an error. The node id is SPEC::VARIANT::PROPERTY. An item fails with
the counterexample as its text, is an error where there is no answer, and is skipped where what is
violated is only reported. What holds without having been put to the test is VACUOUS, and said so
below the results. A variant is searched once, also by the workers of pytest-xdist together.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

NOTHING = "(nothing is required)"
REMARK = "fencecheck"  # the user property that says what a passed or skipped item leaves open
SHARED = "fencecheck_shared"


def _fail(text: str) -> NoReturn:
    """End an item with a text; its first line stands in pytest's summary too."""
    from fencecheck.report.words.visible import visible

    pytest.fail(visible(text), pytrace=False)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the ini option."""
    parser.addini("fencecheck_specs", "specs or folders of specs to collect", "linelist", [])


def pytest_configure(config: pytest.Config) -> None:
    """Refuse names that lead nowhere; collect what is named beside the configured test paths."""
    named = _named(config)
    for path in named:
        problem = _problem(path)
        if problem:
            raise pytest.UsageError(f"fencecheck_specs: {path}: {problem}")
    if config.args_source is config.ArgsSource.TESTPATHS:
        given = [(config.invocation_params.dir / arg).resolve() for arg in config.args]
        for path in named:
            if not any(path == place or place in path.parents for place in given):
                config.args.append(str(path))


def _named(config: pytest.Config) -> list[Path]:
    return [(config.rootpath / line).resolve() for line in config.getini("fencecheck_specs")]


def _problem(path: Path) -> str:
    """Return why a name of the configuration stands for no spec; empty where it does."""
    if path.is_dir():
        from fencecheck.spec.folders import none_below, toml_below

        specs, others = toml_below(path)
        return "" if specs else none_below(others)
    if not path.exists():
        from fencecheck.errors import nearest

        around = [p.name for p in path.parent.iterdir()] if path.parent.is_dir() else []
        return f"there is no such file or folder{nearest(path.name, around)}"
    return "" if path.suffix == ".toml" else "a spec is a *.toml file"


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> SpecFile | None:
    """Collect a spec by its name, or because the configuration names it or its folder."""
    if file_path.suffix != ".toml":
        return None
    whole = file_path.resolve()
    named = _named(parent.config)
    below = any(path in whole.parents for path in named) and _names_model(file_path)
    if below or whole in named or file_path.name.endswith(".fence.toml"):
        collected: SpecFile = SpecFile.from_parent(parent, path=file_path)
        return collected
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(
    collector: pytest.Module | pytest.Class, name: str, obj: object
) -> ConformanceNode | None:
    """Collect an adapter that is to be driven, in the module in which its class stands."""
    if "fencecheck" not in sys.modules or not isinstance(obj, type):
        return None
    if obj.__module__ != collector.obj.__name__ or not _is_driven(obj):
        return None
    node: ConformanceNode = ConformanceNode.from_parent(collector, name=name, kind=obj)
    return node


def _is_driven(kind: type) -> bool:
    """Tell whether a class is a test of an adapter, without loading what drives one."""
    conformance = sys.modules.get("fencecheck.interface.conformance")
    return conformance is not None and conformance.subject_of(kind) is not None


class ConformanceNode(pytest.Collector):
    """One adapter that is driven; what there is to test is known once its model is explored."""

    def __init__(self, *, kind: type, **rest: Any) -> None:
        super().__init__(**rest)
        self.kind = kind

    def collect(self) -> Iterator[pytest.Item]:
        """Yield an item for lockstep, for each hundred runs, for the walks, for each trace."""
        from fencecheck.errors import FencecheckError
        from fencecheck.interface.conformance import subject_of

        subject = subject_of(self.kind)
        assert subject is not None
        taken: set[str] = set()
        try:
            for test in subject.tests():
                yield DrivingItem.from_parent(self, name=_id(test.name, taken), test=test)
        except FencecheckError as error:
            raise self.CollectError(str(error)) from None


class DrivingItem(pytest.Item):
    """One part of driving an implementation."""

    def __init__(self, *, test: Any, **rest: Any) -> None:
        super().__init__(**rest)
        self.test = test

    def runtest(self) -> None:
        """Fail with the event order, the difference under it and the command that repeats it."""
        from fencecheck.errors import FencecheckError

        try:
            failure = self.test.failure()
        except FencecheckError as error:
            failure = str(error)
        if failure:
            _fail(failure)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return where the item comes from, and its head line."""
        return self.path, 0, f"{self.parent.name if self.parent else ''}: {self.name}"


def _names_model(path: Path) -> bool:
    from fencecheck.spec.folders import is_spec

    return is_spec(path)


class SpecFile(pytest.File):
    """One spec."""

    def collect(self) -> Iterator[pytest.Collector]:
        """Yield a node for each variant."""
        from fencecheck.errors import FencecheckError
        from fencecheck.spec.files import load_specs

        try:
            (spec,) = load_specs([self.path])
        except FencecheckError as error:
            raise self.CollectError(str(error)) from None
        taken: set[str] = set()
        for variant in spec.variants:
            name = _id(variant.name, taken)
            yield VariantNode.from_parent(self, name=name, spec=spec, variant=variant)


def _id(name: str, taken: set[str]) -> str:
    """Return a name as part of a node id that selects its test again, each once.

    pytest splits what it is given at ``::`` and at the first ``[``.
    """
    from fencecheck.report.words.visible import one_line

    plain = re.sub(":{2,}", ":", one_line(name)).replace("[", "(").replace("]", ")") or "unnamed"
    found, number = plain, 1
    while found in taken:
        number += 1
        found = f"{plain} #{number}"
    taken.add(found)
    return found


class VariantNode(pytest.Collector):
    """One variant of a spec; it is searched when its first item is set up."""

    def __init__(self, *, spec: Any, variant: Any, **rest: Any) -> None:
        super().__init__(**rest)
        self.spec, self.variant = spec, variant
        self.outcome: Any = None

    def collect(self) -> Iterator[pytest.Item]:
        """Yield an item for each property, or one that says that there is none."""
        names = [*self.spec.required, *self.spec.reported]
        taken: set[str] = set()
        for name in names:
            yield PropertyItem.from_parent(self, name=_id(name, taken), property_name=name)
        if not names:
            yield PropertyItem.from_parent(self, name=NOTHING, property_name=None)

    def result(self) -> Any:
        """Return the result of the variant's check, or fail with what went wrong in it."""
        if self.outcome is None:
            from fencecheck.checking.shared import once_for_all

            folder = getattr(self.config, "workerinput", {}).get(SHARED)
            if folder:
                self.outcome = once_for_all(Path(folder), str(self.nodeid), self._check)
            else:
                self.outcome = self._check()
        if isinstance(self.outcome, str):
            _fail(self.outcome)
        return self.outcome

    def _check(self) -> Any:
        """Return the result, or the text of what went wrong."""
        from dataclasses import replace

        from fencecheck.checking.check import check_spec
        from fencecheck.errors import FencecheckError

        try:
            return check_spec(replace(self.spec, variants=[self.variant]))
        except FencecheckError as error:
            return str(error)


class PropertyItem(pytest.Item):
    """One property of one variant."""

    def __init__(self, *, property_name: str | None, **rest: Any) -> None:
        super().__init__(**rest)
        self.property_name = property_name
        self.alone: Any = None

    def setup(self) -> None:
        """Have the variant searched; an error where that gives no answer."""
        from dataclasses import replace

        from fencecheck.report.results.text import render_text

        assert isinstance(self.parent, VariantNode)
        if self.property_name is None:
            _fail("undetermined: no property is required of this spec or reported")
        result = self.parent.result()
        (checked,) = result.variants
        only = replace(checked, findings=[checked[self.property_name]])
        self.alone = replace(result, variants=[only])
        if only.findings[0].verdict == "undetermined":
            _fail(f"{self.property_name}: undetermined\n\n{render_text(self.alone)}")

    def runtest(self) -> None:
        """Fail with the counterexample where the verdict is not what it should be."""
        from fencecheck.report.results.text import render_text
        from fencecheck.report.words.outcomes import (
            expectation,
            expected_words,
            finding_words,
            untested_words,
        )
        from fencecheck.report.words.scope import scope_texts

        finding = self.alone.variants[0].findings[0]
        wanted, words = expectation(finding), f"{finding.name}: {finding_words(finding)}"
        for text in scope_texts(self.alone.variants[0]):
            what, _, of_it = text.partition(": ")
            self.user_properties.append((what, of_it))
        if self.alone.exit_code:
            said = finding.expected
            expected = "" if said is None else f"; expected: {expected_words(said)}"
            _fail(f"{words}{expected}\n\n{render_text(self.alone)}")
        if wanted is None and finding.verdict == "violated":
            remark = f"{words}; reported, not required"
            self.user_properties.append((REMARK, remark))
            raise pytest.skip.Exception(remark, _use_item_location=True)
        if finding.vacuous:
            self.user_properties.append((REMARK, untested_words(finding)))

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return where the item comes from, and its head line.

        The head line must not end the node id: pytest would print ``::`` for its dots.
        """
        names = self.nodeid.split("::")[1:]
        return self.path, 0, ": ".join(names)


# -- what is told of items that did not fail -------------------------------------------------------
def _remark(report: Any) -> str:
    """Return what a passed or skipped item leaves open; empty where it is nothing."""
    return next((str(said) for name, said in report.user_properties if name == REMARK), "")


def pytest_report_teststatus(report: Any) -> tuple[str, str, Any] | None:
    """Show a vacuous pass as what it is."""
    if report.when == "call" and report.passed and _remark(report):
        return "passed", "v", ("VACUOUS", {"yellow": True})
    return None


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """List what did not fail and yet is no plain pass."""
    stats = terminalreporter.stats
    reports = [r for kind in ("passed", "skipped") for r in stats.get(kind, ())]
    told = [(r.nodeid, _remark(r)) for r in reports if r.when == "call" and _remark(r)]
    if told:
        terminalreporter.section("fencecheck: neither failed nor simply passed")
        for node, remark in told:
            terminalreporter.line(f"{node} - {remark}")


# -- one search for all workers of pytest-xdist ----------------------------------------------------
@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker of pytest-xdist the folder in which all of them share what they found."""
    config = node.config
    if not hasattr(config, "_fencecheck_shared"):
        config._fencecheck_shared = tempfile.mkdtemp(prefix="fencecheck-")
    node.workerinput[SHARED] = config._fencecheck_shared


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the folder that the workers shared."""
    folder = getattr(config, "_fencecheck_shared", None)
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)
