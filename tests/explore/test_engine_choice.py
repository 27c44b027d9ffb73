"""One choice of engine for all: what is asked for is what explores, and `auto` goes over once."""

from pathlib import Path

import pytest

from fencecheck.checking.question import Options
from fencecheck.explore import engine as choice
from fencecheck.explore.engine import EngineName, Explorer
from fencecheck.explore.graph import Limits, Search
from fencecheck.explore.resources import Resources, Tick
from fencecheck.explore.watch import Watch
from fencecheck.model.files.loading import load_family
from fencecheck.model.system import System


def fence(bounds: dict[str, int]) -> System:
    family = load_family("fence")
    return System(family, family.design({}, bounds))


@pytest.fixture(autouse=True)
def as_if_new(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the compiled engine treated as one that was never loaded."""
    monkeypatch.setattr(choice, "_ENGINE", "")


@pytest.fixture(scope="module")
def system() -> System:
    return fence({"steps": 2, "edits": 1})


def engine_of(explorer: Explorer, system: System, limits: Limits | None = None) -> Search:
    limits = limits or Limits()
    return explorer.explore(system, Watch(system, []), limits).search


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_the_engine_that_is_asked_for_explores(system: System, engine: EngineName) -> None:
    for shared in (False, True):
        search = engine_of(Explorer(engine, shared=shared), system)
        assert (search.engine, search.complete) == (engine, True)


def test_auto_leaves_small_spaces_to_the_reference_engine(system: System) -> None:
    assert engine_of(Explorer(), system).engine == "reference"


def test_auto_goes_over_at_its_own_limit_and_not_at_one_that_was_given(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choice, "SMALL", 10)
    assert engine_of(Explorer(), system).engine == "compiled"
    given = engine_of(Explorer(), system, Limits(states=10))
    assert (given.engine, given.stopped_by) == ("reference", "states")
    late = engine_of(Explorer(), system, Limits(seconds=0.0))
    assert (late.engine, late.stopped_by) == ("reference", "time")


def test_searches_that_share_a_kernel_go_over_once(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choice, "SMALL", 10)
    explorer, begun = Explorer(shared=True), list[object]()
    assert engine_of(explorer, system).engine == "compiled"
    monkeypatch.setattr(choice, "explore", lambda *a: begun.append(a))
    assert engine_of(explorer, system).engine == "compiled"
    assert begun == []


def test_searches_that_share_a_kernel_go_over_when_patience_is_used_up(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choice, "PATIENCE", 0.0)
    assert engine_of(Explorer(shared=True), system).engine == "compiled"
    assert engine_of(Explorer(), system).engine == "reference"


def test_progress_says_when_a_kernel_is_made(system: System) -> None:
    ticks: list[Tick] = []
    engine_of(Explorer("compiled", Resources(progress=ticks.append)), system)
    assert ticks[0].compiling


def test_auto_goes_over_early_where_the_kernel_is_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It asks once for each search, after some hundreds of states, and never compiles to ask."""
    monkeypatch.setenv("FENCECHECK_CACHE", str(tmp_path))
    large = fence({"steps": 2, "edits": 2, "duplicates": 1, "test_failures": 1})
    cold = engine_of(Explorer(), large)
    assert (cold.engine, cold.complete) == ("reference", True)
    assert choice.FEW < cold.count < choice.SMALL
    assert not list(tmp_path.glob("*.o"))
    assert engine_of(Explorer("compiled"), large).levels == cold.levels
    again = fence({"steps": 2, "edits": 2, "duplicates": 1, "test_failures": 1})
    warm = engine_of(Explorer(), again)
    assert (warm.engine, warm.complete) == ("compiled", True)
    assert (warm.levels, warm.transitions) == (cold.levels, cold.transitions)
    assert warm.happened == cold.happened
    few = engine_of(Explorer(), again, Limits(states=choice.FEW // 2))
    assert (few.engine, few.stopped_by) == ("reference", "states")


def test_auto_takes_a_kept_kernel_at_once_where_the_engine_is_loaded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A few states are enough then; without a kernel it stays with the reference engine."""
    monkeypatch.undo()
    monkeypatch.setenv("FENCECHECK_CACHE", str(tmp_path))
    small = {"steps": 1, "lost_replies": 1}
    engine_of(Explorer("compiled"), fence({"steps": 3}))
    cold = engine_of(Explorer(), fence(small))
    assert (cold.engine, cold.count < choice.FEW) == ("reference", True)
    engine_of(Explorer("compiled"), fence(small))
    warm = engine_of(Explorer(), fence(small))
    assert (warm.engine, warm.levels, warm.happened) == ("compiled", cold.levels, cold.happened)


def test_searches_that_could_share_a_kernel_have_it_made_when_that_pays(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One search is never interrupted for it; the next of the same lowering begins with it."""
    monkeypatch.setattr(choice, "PATIENCE", 0.0)
    options = Options()
    engines = [engine_of(options.explorer(), one).engine for one in (system, fence({}), system)]
    assert engines == ["reference", "reference", "compiled"]
    assert engine_of(Options().explorer(), system).engine == "reference"
    limited = Limits(memory=1 << 33)
    assert engine_of(options.explorer(), system, limited).engine == "reference"


def test_a_kernel_that_cannot_be_started_is_not_gone_over_to(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none() -> None:
        raise MemoryError

    monkeypatch.setattr(choice, "FEW", 0)
    monkeypatch.setattr(choice, "NODES", 1 << 30)
    engine_of(Explorer("compiled"), system)
    assert engine_of(Explorer(), system).engine == "compiled"
    monkeypatch.setattr(choice, "_look_for_room", none)
    assert engine_of(Explorer(), system).engine == "reference"
