"""Driving in parts that other processes make: the same text and JSON as in one process."""

from __future__ import annotations

import pickle
import shutil
import sys
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, cast

import pytest
from click.testing import CliRunner

import fencecheck as fc
from fencecheck.analysis.driving.calling import AdapterError
from fencecheck.analysis.driving.drive import Manner, drive_spec
from fencecheck.checking.question import Elsewhere
from fencecheck.checking.results import Result, VariantResult
from fencecheck.cli import main
from fencecheck.cli.commands.check import whole
from fencecheck.conform import Adapter
from fencecheck.conform.loading import load_adapter
from fencecheck.errors import UsageError
from fencecheck.explore.cluster.parcel import parcel_of_adapter
from fencecheck.explore.graph import Limits
from fencecheck.spec.values import Spec
from tests.conform.driving import DESIGNS, OURS, spec_of
from tests.conform.systems import letters
from tests.conform.systems.executors import StepFenceJournal
from tests.conform.systems.printed import Printed

LETTERS = OURS / "letters.toml"


class AsElsewhere:
    """Calls in this process what others would be sent, some ahead of what is asked for."""

    def __init__(self, ahead: int = 3) -> None:
        self.ahead, self.parts = ahead, 0

    def each(
        self, function: Callable[..., Any], given: Iterator[Any], *, hurried: bool
    ) -> Iterator[Any]:
        waiting = deque[Any]()
        while True:
            waiting.extend(islice(given, self.ahead - len(waiting)))
            if not waiting:
                return
            self.parts += 1
            found = function(*pickle.loads(pickle.dumps(waiting.popleft())))
            found = pickle.loads(pickle.dumps(found))
            if isinstance(found, Exception):
                raise found
            yield from found


def told(result: Result) -> list[str]:
    """What is printed of a result, without what tells how long it took."""
    for variant in result.variants:
        variant.exploration = replace(variant.exploration, seconds=0.0)
    return [whole([result], form, quiet=False, array=False) for form in ("json", "markdown")]


def twice(path: Path, kind: type[Adapter]) -> Spec:
    """A spec with a variant that an adapter is of, and the same again."""
    spec = spec_of(path)
    variant = spec.variants[1 if kind is letters.Patient else 0]
    spec.variants = [variant, replace(variant, name="again")]
    return spec


def both(path: Path, kind: type[Adapter], **how: Any) -> tuple[list[str], list[str], int]:
    """What is told of driving in one process, in parts, and in how many parts."""
    named, place = (kind.__name__, kind), AsElsewhere()
    here = told(drive_spec(twice(path, kind), named, Manner(**how)))
    there = Manner(**how, elsewhere=cast("Elsewhere", place))
    return here, told(drive_spec(twice(path, kind), named, there)), place.parts


@pytest.mark.parametrize("by", ["lockstep", "runs", "walks"])
@pytest.mark.parametrize(
    "kind",
    [letters.Letters, letters.Patient, letters.Overriding, letters.Silent, letters.Raising],
)
def test_what_is_told_is_what_one_process_tells(kind: type[Adapter], by: str) -> None:
    """Also where it diverges in the first event, in some, or does what else the model may."""
    here, there, parts = both(LETTERS, kind, by=by, walks=60)
    assert here == there
    assert parts > 1


@pytest.mark.parametrize("cover", ["events", "pairs", "all"])
def test_runs_that_go_another_way_are_planned_anew(cover: str) -> None:
    """The implementation closes edges of the tour, and the rest of it goes round them."""
    here, there, parts = both(LETTERS, letters.Patient, by="runs", cover=cover)
    assert here == there
    assert parts > 3


@pytest.mark.slow
@pytest.mark.parametrize("cover", ["events", "pairs", "seen"])
def test_a_large_tour_goes_round_what_diverges(cover: str) -> None:
    here, there, parts = both(DESIGNS / "step_fence.toml", Printed, by="runs", cover=cover)
    assert here == there
    assert parts > 3


def test_what_turns_out_not_to_be_saved_is_driven_by_runs() -> None:
    here, there, _ = both(LETTERS, letters.Unpicklable)
    assert here == there


class Unclosed(letters.Letters):
    """It cannot be closed once it took a letter."""

    def close(self) -> None:
        if self.taken:
            raise OSError("still open")


@pytest.mark.parametrize("kind", [letters.Elsewhere, Unclosed])
def test_what_is_wrong_with_an_adapter_is_raised_as_in_one_process(kind: type[Adapter]) -> None:
    said = []
    for place in (None, cast("Elsewhere", AsElsewhere())):
        with pytest.raises(AdapterError) as raised:
            drive_spec(twice(LETTERS, kind), (kind.__name__, kind), Manner(elsewhere=place))
        said.append(str(raised.value))
    assert len(set(said)) == 1


@pytest.mark.parametrize("by", ["lockstep", "runs", "walks"])
def test_time_is_up_for_parts_too(by: Any) -> None:
    manner = Manner(by=by, limits=Limits(seconds=0.0))
    place = cast("Elsewhere", AsElsewhere())
    for chosen in (manner, replace(manner, elsewhere=place)):
        result = drive_spec(twice(LETTERS, letters.Letters), ("Letters", letters.Letters), chosen)
        assert {v["conforms"].verdict for v in result.variants} == {"undetermined"}
        assert {v.exploration.stopped_by for v in result.variants} == {"time"}


def test_a_limit_on_pairs_holds_in_parts() -> None:
    here, there, _ = both(LETTERS, letters.Letters, limits=Limits(states=40))
    assert here == there


# -- an adapter that travels ------------------------------------------------------------------
SERVICE = "LATE = False\n"
ADAPTER = """
from service import LATE
from tests.conform.systems.letters import Letters
class Sent(Letters):
    late = LATE
"""


@pytest.fixture
def sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Adapter]]:
    """An adapter of a file that imports one beside it."""
    (tmp_path / "service.py").write_text(SERVICE)
    (tmp_path / "sent_adapter.py").write_text(ADAPTER)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.chdir(tmp_path)
    yield load_adapter("sent_adapter.py:Sent")
    for name in ("sent_adapter", "service"):
        sys.modules.pop(name, None)


def as_elsewhere(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Be a process that has neither the files nor the modules."""
    shutil.rmtree(folder)
    monkeypatch.chdir("/")
    sys.path[:] = [path for path in sys.path if path != str(folder)]
    for name in ("sent_adapter", "service"):
        del sys.modules[name]


def test_an_adapter_is_loaded_where_its_files_are_not(
    sent: type[Adapter], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With what it imports from beside it."""
    parcel = pickle.loads(pickle.dumps(parcel_of_adapter(sent)))
    as_elsewhere(monkeypatch, tmp_path)
    there = parcel.opened()
    assert (there.__name__, there.late) == ("Sent", False)
    assert there is not sent


def test_an_adapter_is_loaded_from_its_own_files_where_they_are(sent: type[Adapter]) -> None:
    assert parcel_of_adapter(sent).opened() is sent
    assert parcel_of_adapter(letters.Letters).opened() is letters.Letters


def test_an_adapter_of_another_version_is_refused(sent: type[Adapter]) -> None:
    parcel = replace(parcel_of_adapter(sent), version="0.0.0")
    with pytest.raises(UsageError, match=r"has fencecheck .* and 0\.0\.0 asks"):
        parcel.opened()


def test_an_adapter_that_no_module_holds_cannot_be_sent() -> None:
    class Local(letters.Letters):
        pass

    with pytest.raises(UsageError, match=r"adapter .*Local was made in this process"):
        parcel_of_adapter(Local)


# -- the command and the call -----------------------------------------------------------------
def test_one_run_is_not_divided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    adapter = "tests.conform.systems.letters:Silent"
    args = ["drive", str(LETTERS), adapter, "--variant", "at once", "--quiet"]
    CliRunner().invoke(main, [*args, "--out", str(tmp_path)])
    trace = next(tmp_path.glob("**/*conforms*.json"))
    result = CliRunner().invoke(main, [*args, "--run", str(trace), "--cluster", "auto"])
    assert result.exit_code == 2
    assert "--run: one event order is not divided; leave out --cluster" in result.output
    with pytest.raises(UsageError, match="trace: one event order is not divided"):
        fc.drive(LETTERS, letters.Silent, trace=trace, cluster="auto")


def test_the_tour_of_a_whole_design_in_parts() -> None:
    def figures(variant: VariantResult) -> Any:
        return variant.exploration.conduct

    how: dict[str, Any] = {"by": "runs", "cover": "events"}
    spec, named = spec_of(DESIGNS / "step_fence_journal.toml"), ("x", StepFenceJournal)
    place = AsElsewhere()
    (here,) = drive_spec(spec, named, Manner(**how)).variants
    there = Manner(**how, elsewhere=cast("Elsewhere", place))
    assert figures(here) == figures(drive_spec(spec, named, there).variants[0])
    assert place.parts > 2
