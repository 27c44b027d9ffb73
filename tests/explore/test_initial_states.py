"""Several initial states: counts, the run that is shown, and whatever begins somewhere."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from fencecheck.analysis.explain.building import lattice_of
from fencecheck.analysis.fuzz import Draw, fuzz_spec
from fencecheck.checking.check import check_design
from fencecheck.checking.question import Options, Question
from fencecheck.errors import ModelError
from fencecheck.explore.compiled.engine import explore_compiled
from fencecheck.explore.compiled.random_runs.batches import Walkers
from fencecheck.explore.graph import Limits
from fencecheck.explore.resources import Resources
from fencecheck.explore.watch import Watch
from fencecheck.model.family import Family
from fencecheck.model.system import System
from fencecheck.properties.excluded import excluded_events
from fencecheck.runs.random_run import random_walk
from fencecheck.runs.replay import replay
from fencecheck.runs.trace import Trace
from fencecheck.runs.trace_json import read_trace, trace_object
from fencecheck.spec.files import load_specs
from tests.judge import disagreements
from tests.models_for_tests import HEADER, load

RING = (
    HEADER
    + """
model = Model("ring", "A token goes round")
model.bound("nodes", 3, "nodes")
model.mechanism("begins", ("anywhere", "first"), "anywhere", "where the token may be at first")
NODE = Index("nodes", "n")
node = model.actor("node")
model.variable("has", NODE, owner=node)
model.variable("ready", Array(NODE, Bool()), owner=node)
model.variable("steps", Int(0, 4), owner=node)

def allowed(s, n, r):
    return not (n == 0 and r) and (s.begins == "anywhere" or n == 0)

@model.initial(n=NODE, r=Bool(), when=allowed)
def somewhere(s, n, r):
    \"\"\"The token is somewhere, and that node may be ready.\"\"\"
    s.has = n
    s.ready[n] = r

@node.action(n=NODE, when=lambda s, n: s.has == n and s.steps < 4)
def give(s, n):
    \"\"\"A node gives the token on.\"\"\"
    s.has = (n + 1) % s.nodes
    s.steps += 1

@node.action(when=lambda s: s.ready[0])
def boast(s):
    \"\"\"The first node is ready, which it never is.\"\"\"
    s.steps = 0

@model.invariant()
def not_two(s):
    \"\"\"The second has no token while the third is ready.\"\"\"
    return not (s.has == 1 and s.ready[2])

@model.invariant()
def starts_well(s):
    \"\"\"The second is not ready with the token.\"\"\"
    return not (s.has == 1 and s.ready[1])

@model.liveness()
def comes_home(s):
    \"\"\"The first gets the token while nobody is ready.\"\"\"
    return s.has == 0 and not any(s.ready)

@model.possibility()
def can_end(s):
    \"\"\"It can end at the third.\"\"\"
    return s.steps == 4 and s.has == 2
"""
)


@pytest.fixture
def family(tmp_path: Path) -> Family:
    return Family(load(tmp_path, RING).model)


def traces(family: Family, engine: str) -> dict[str, Trace | None]:
    question = Question(tuple(family.properties))
    result = check_design(family, family.design(), question, Options(engine=engine))  # type: ignore[arg-type]
    numbers = result.exploration
    assert (numbers.states, numbers.initials, numbers.depth) == (25, 5, 4)
    return {finding.name: finding.trace for finding in result.findings}


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_each_run_begins_where_it_must(family: Family, engine: str) -> None:
    """A shortest run says which initial state it begins in, with no event or with several."""
    found = traces(family, engine)
    starts = {
        name: (trace.initial["node.has"], len(trace.events))
        for name, trace in found.items()
        if trace is not None
    }
    assert starts == {
        "not_two": ("n3", 2),
        "starts_well": ("n2", 0),
        "comes_home": ("n2", 4),
        "can_end": ("n1", 0),
    }  # fmt: skip
    assert found["not_two"] is not None
    assert found["not_two"].relevant == ("node.has", "node.ready[2]", "node.ready[3]")
    assert disagreements(family, None, None, engine) == []


def test_a_saved_trace_replays_from_its_own_start(family: Family) -> None:
    """What a file says of the start decides where the replay begins."""
    for trace in traces(family, "reference").values():
        assert trace is not None
        again = read_trace(json.loads(json.dumps(trace_object(trace))), "trace")
        assert replay(family, again).misfit is None
        other = replace(again, initial={**again.initial, "node.steps": 3})
        misfit = replay(family, other).misfit
        assert misfit == "no initial state of the model is the one it begins in"


def test_random_runs_begin_anywhere(family: Family) -> None:
    """A seed chooses the initial state too, in both engines the same one."""
    system = System(family, family.design())
    watched = [p for p in family.declared.properties if not p.temporal]
    batch = Walkers(system, watched).walk(1, 60, 10)
    walks = [random_walk(system, watched, seed, 10) for seed in range(1, 61)]
    assert {walk.start for walk in walks} == set(system.initials)
    for row, walk in zip(batch.first.tolist(), walks, strict=True):
        assert row == [walk.first.get(prop.name, -1) for prop in watched]


def test_what_a_seed_broke_is_shrunk_from_its_start(tmp_path: Path) -> None:
    """A run of a seed is shrunk and told from the state in which it began."""
    (tmp_path / "ring.py").write_text(RING)
    (tmp_path / "ring.toml").write_text('model = "ring.py"\n[[variant]]\nname = "a"\n')
    (spec,) = load_specs([tmp_path / "ring.toml"])
    (fuzzed,) = fuzz_spec(spec, Draw(seeds=60)).variants
    assert [rate.shrunk for rate in fuzzed.rates if rate.judged] == [2, 0]


def test_a_checkpoint_goes_on_from_several_states(family: Family, tmp_path: Path) -> None:
    """A search that is cut at the first level and resumed is the whole search."""
    system = System(family, family.design())
    for states in (1, 6, 0):
        resources = Resources(1, None, tmp_path / "kept", 0.0)
        limits = Limits(states=states or None)
        graph = explore_compiled(system, Watch(system), limits, resources)
    assert graph.search.complete
    assert graph.search.levels == [0, 5, 10, 15, 20, 25]


def test_the_order_of_initial_states_is_that_of_names_and_arguments(family: Family) -> None:
    """It depends neither on the order of declarations nor on that of parameters."""
    system = System(family, family.design())
    assert [(s[0], s[1]) for s in system.initials] == [
        (0, (False, False, False)),
        (1, (False, False, False)),
        (1, (False, True, False)),
        (2, (False, False, False)),
        (2, (False, False, True)),
    ]
    first = System(family, family.design({"begins": "first"}))
    assert len(first.initials) == 1
    assert excluded_events(system, [1]) == {1: "nothing makes ready[0] 1"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("s.steps = 7", "somewhere, which sets up an initial state, goes wrong: steps is 7"),
        ("s.ready[n + 1] = True", "which sets up an initial state, goes wrong: IndexError"),
        ("s.has = sorted(s.ready)", "in somewhere: unknown name sorted"),
    ],
)
def test_a_start_that_goes_wrong_is_refused(tmp_path: Path, text: str, message: str) -> None:
    """What an effect may not do is refused, and so is a value outside its domain."""
    module = load(tmp_path, RING.replace("s.has = n\n", f"{text}\n"))
    family = Family(module.model)
    with pytest.raises(ModelError) as error:
        System(family, family.design())
    assert message in str(error.value)


def test_what_decides_where_a_run_begins_tells_designs_apart(family: Family) -> None:
    """A switch that only what sets up initial states reads makes a difference all the same."""
    lattice = lattice_of(family, family.design(), ["starts_well"])
    assert [leaf.known for leaf in lattice.leaves] == [
        {"begins": "anywhere"},
        {"begins": "first"},
    ]
    assert len({leaf.number for leaf in lattice.leaves}) == 2
