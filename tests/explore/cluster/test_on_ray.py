"""The cluster on Ray itself, with two processes of this machine: same answers, and deaths."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fencecheck.analysis.driving.drive import By, Manner, drive_spec
from fencecheck.analysis.fuzz import Draw, fuzz_spec
from fencecheck.checking.check import check_spec
from fencecheck.checking.judge import Deadline, Judge
from fencecheck.checking.question import Options
from fencecheck.checking.results import Exploration, VariantResult
from fencecheck.checking.tasks import Cluster
from fencecheck.conform import Adapter
from fencecheck.explore.cluster.connection import disconnect
from fencecheck.explore.cluster.search import ClusterExplorer
from fencecheck.explore.compiled.engine import explore_compiled
from fencecheck.explore.graph import Limits
from fencecheck.explore.resources import Resources, Tick
from fencecheck.explore.watch import Watch
from fencecheck.model.system import System
from fencecheck.spec.files import builtin_spec, load_specs
from fencecheck.spec.values import Spec
from tests.conform.driving import spec_of
from tests.conform.systems.letters import Letters, Raising, Silent, Slow
from tests.conform.test_parts import LETTERS
from tests.explore.cluster.processes import SECONDS, awaited, owners_of
from tests.explore.cluster.test_owners import SYSTEMS, system_named
from tests.explore.compiled.engines import told_in_any_order

pytestmark = pytest.mark.cluster
WHERE = "local:2"
F4 = {"steps": 2, "edits": 2, "retries": 2, "lost_acks": 1, "duplicates": 1}
SLOW_SPEC = """#:schema ./none.json
model = "fence"
title = "A long search"
[bounds]
steps = 3
edits = 2
lost_replies = 2
duplicates = 2
preemptions = 2
swaps = 1
[properties]
require = ["no_lost_update"]
[[variant]]
name = "long"
"""


@pytest.fixture(autouse=True, scope="module")
def _leave() -> Iterator[None]:
    yield
    disconnect()


def tour() -> Spec:
    (spec,) = load_specs([builtin_spec("tour")])
    return spec


def over_ray(system: System, **resources: Any) -> Any:
    given = Resources(every=0.0, **resources)
    explorer = ClusterExplorer("auto", given, address=WHERE, alone=500)
    return explorer.explore(system, Watch(system), Limits())


def figures(variant: VariantResult) -> Exploration:
    """Return the figures of a search that do not depend on where it ran."""
    return replace(variant.exploration, seconds=0.0, threads=1)


def test_variants_are_checked_as_in_one_process() -> None:
    here = check_spec(tour(), Options())
    there = check_spec(tour(), Options(elsewhere=Cluster(WHERE)))
    for one, other in zip(here.variants, there.variants, strict=True):
        assert (one.name, one.findings, one.coverage) == (
            other.name,
            other.findings,
            other.coverage,
        )
        assert figures(one) == figures(other)


def test_seeds_are_drawn_as_in_one_process() -> None:
    draw = Draw(seeds=70_000, options=Options())
    spec = tour()
    spec.variants = spec.variants[:2]
    here = fuzz_spec(spec, draw)
    there = fuzz_spec(spec, replace(draw, options=Options(elsewhere=Cluster(WHERE))))
    for one, other in zip(here.variants, there.variants, strict=True):
        assert [(r.broke, r.seed, r.shrunk, r.trace) for r in one.rates] == [
            (r.broke, r.seed, r.shrunk, r.trace) for r in other.rates
        ]
        assert (one.seeds, one.events, one.over, one.cut) == (
            other.seeds, other.events, other.over, other.cut,
        )  # fmt: skip


def test_designs_are_judged_as_in_one_process() -> None:
    spec = tour()
    designs = [variant.design for variant in spec.variants] * 5
    found = []
    for place in (None, Cluster(WHERE)):
        options = Options(elsewhere=place)
        judge = Judge(spec.family, spec.required, designs[0].bounds, options, Deadline())
        found.append([replace(j, seconds=0.0, engine="") for j in judge.sound_each(designs)])
    assert found[0] == found[1]


@pytest.mark.parametrize("by", ["lockstep", "runs", "walks"])
@pytest.mark.parametrize("kind", [Letters, Silent, Raising])
def test_an_implementation_is_driven_as_in_one_process(by: By, kind: type[Adapter]) -> None:
    named = kind.__name__, kind
    here, there = (
        drive_spec(spec_of(LETTERS, "at once"), named, Manner(by, walks=60, elsewhere=place))
        for place in (None, Cluster(WHERE))
    )
    for one, other in zip(here.variants, there.variants, strict=True):
        assert (figures(one), one.findings) == (figures(other), other.findings)


@pytest.mark.parametrize("by", ["lockstep", "runs"])
def test_a_call_that_does_not_return_is_cut_in_another_process(by: By) -> None:
    manner = Manner(by, seconds=0.2, most=1, elsewhere=Cluster(WHERE))
    (variant,) = drive_spec(spec_of(LETTERS, "at once"), ("Slow", Slow), manner).variants
    (finding,) = variant.findings
    assert finding.trace is not None
    assert finding.trace.violation is not None
    assert finding.trace.violation.says == "the implementation does not return within 0.2 s."


@pytest.mark.parametrize("name", ["no fence", "agent", "tokens"])
def test_one_design_is_searched_as_in_one_process(name: str) -> None:
    system = system_named(name)
    graph = over_ray(system)
    alone = explore_compiled(system, Watch(system), Limits())
    assert told_in_any_order(system, graph) == told_in_any_order(system, alone)


@pytest.mark.parametrize("depth", [6, 8, 10, 12, 14])
def test_an_owner_that_is_killed_is_made_up_for(depth: int) -> None:
    killed = list[int]()

    def kill(tick: Tick) -> None:
        if tick.depth >= depth and not killed:
            killed.append(owners_of(os.getpid())[0])
            os.kill(killed[0], signal.SIGKILL)

    SYSTEMS["F4"] = ("pipelined.py", {}, F4)
    system = system_named("F4")
    graph = over_ray(system, progress=kill)
    assert killed
    assert (graph.search.count, graph.search.transitions, graph.search.depth) == (
        24_279, 82_885, 15,
    )  # fmt: skip


DIES = """
import os, pathlib, signal, sys
from fencecheck.model import Int, Model
flag = pathlib.Path({flag!r})
if "default_worker" in " ".join(sys.argv) and not flag.exists():
    flag.touch()
    os.kill(os.getpid(), signal.SIGKILL)
model = Model("dies", "A worker dies while it loads this")
model.mechanism("way", ("up", "down"), "up", "which way")
model.variable("at", Int(0, 3), owner=model.store("store"))
worker = model.actor("worker")
@worker.action(when=lambda s: s.at < 3)
def count(s):
    s.at += 1
@model.invariant()
def small(s):
    "It is small."
    return s.at < 3
"""
DIES_SPEC = """#:schema ./none.json
model = "dies.py"
[properties]
require = ["small"]
[[variant]]
name = "up"
[[variant]]
name = "down"
mechanisms = { way = "down" }
"""


def test_a_task_whose_worker_dies_is_done_again(tmp_path: Path) -> None:
    flag = tmp_path / "died"
    (tmp_path / "dies.py").write_text(DIES.format(flag=str(flag)))
    (tmp_path / "dies.toml").write_text(DIES_SPEC)
    (spec,) = load_specs([tmp_path / "dies.toml"])
    result = check_spec(spec, Options(elsewhere=Cluster(WHERE)))
    assert flag.exists()
    assert [v.findings[0].events for v in result.variants] == [3, 3]


@pytest.fixture
def long_spec(tmp_path: Path) -> Path:
    (tmp_path / "long.toml").write_text(SLOW_SPEC)
    return tmp_path / "long.toml"


def command(*args: str | Path) -> list[str]:
    return [sys.executable, "-m", "fencecheck", *map(str, args)]


@contextlib.contextmanager
def over_owners(folder: Path, *args: str | Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run a search until there are two owners; what it prints is in files of a folder."""
    disconnect()
    log = folder / "printed"
    with log.open("wb") as printed, (folder / "told").open("wb") as told:
        process = subprocess.Popen(
            command(*args, "--cluster", WHERE), stdin=subprocess.DEVNULL, stdout=told,
            stderr=printed,
        )  # fmt: skip
    try:
        awaited(process, log, lambda: len(owners_of(process.pid)) == 2)
        yield process
    finally:
        process.kill()
        process.wait()


def test_an_interrupt_leaves_what_is_open_undetermined(long_spec: Path, tmp_path: Path) -> None:
    with over_owners(tmp_path, "check", long_spec, "--format", "json") as process:
        process.send_signal(signal.SIGINT)
        assert process.wait(SECONDS) == 130
    (variant,) = json.loads((tmp_path / "told").read_bytes())["variants"]
    assert variant["exploration"]["stopped_by"] == "interrupt"
    assert variant["properties"][0]["verdict"] in ("undetermined", "violated")


def test_a_driver_that_was_killed_goes_on(long_spec: Path, tmp_path: Path) -> None:
    saved = tmp_path / "saved"
    limits = ("--checkpoint", saved, "--format", "json", "--max-states", "2000000", "--exact")
    with over_owners(tmp_path, "check", long_spec, *limits) as process:
        log = tmp_path / "printed"
        (head,) = awaited(process, log, lambda: list(saved.glob("*/cluster.json")))
    assert list(head.parent.glob("generation-*/owner-*.bin"))
    again = subprocess.run(
        command("check", long_spec, "--cluster", "local:3", *limits),
        capture_output=True, check=False, timeout=300,
    )  # fmt: skip
    alone = subprocess.run(
        command("check", long_spec, "--engine", "compiled", *limits[2:]),
        capture_output=True, check=False, timeout=300,
    )  # fmt: skip
    told = []
    for done in (again, alone):
        assert done.stdout, done.stderr
        (variant,) = json.loads(done.stdout)["variants"]
        found = variant["exploration"]
        told.append([found[k] for k in ("states", "transitions", "depth", "stopped_by")])
    assert told[0] == told[1]


def test_each_owner_says_how_far_it_is() -> None:
    SYSTEMS["F6"] = ("pipelined.py", {}, F4 | {"steps": 3, "edits": 3})
    ticks, system = list[Tick](), system_named("F6")
    graph = over_ray(system, progress=ticks.append)
    heard = [tick for tick in ticks if tick.owners]
    assert {len(tick.owners) for tick in heard} == {2}
    assert len({tick.states for tick in heard}) > graph.search.depth / 2
    assert heard[-1].states > 1_000_000
    for one in heard[-1].owners:
        assert one.states > 400_000
        assert one.memory > 32 << 20
        assert one.speed > 10_000


def test_a_terminal_shows_owners_while_they_search(long_spec: Path) -> None:
    disconnect()
    master, terminal = pty.openpty()
    process = subprocess.Popen(
        command("check", long_spec, "--cluster", WHERE), stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=terminal, env={**os.environ, "COLUMNS": "120"},
    )  # fmt: skip
    os.close(terminal)
    shown, line = (
        b"",
        re.compile(rb"\r[\d,]+ states [^\r]* owners: (\d+\.\d+ ){2}M states, [^\r]* M/s"),
    )
    try:
        with contextlib.suppress(OSError):  # the terminal's other end is closed
            while not line.search(shown):
                shown += os.read(master, 4_096)
        process.send_signal(signal.SIGINT)
        assert line.search(shown), shown
        assert process.wait(SECONDS) == 130
    finally:
        process.kill()
        process.wait()
        os.close(master)


def test_a_process_that_ends_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("model = 3\n")
    with (
        pytest.raises(pytest.fail.Exception, match=r"ended with 2:\n(.|\n)*bad\.toml"),
        over_owners(tmp_path, "check", tmp_path / "bad.toml"),
    ):
        raise AssertionError
