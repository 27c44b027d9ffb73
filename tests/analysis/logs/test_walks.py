"""Logs of random runs: those of the design itself are explained, what it forbids is named."""

from pathlib import Path

import pytest

from fencecheck.analysis.explaining.conform import Explaining
from fencecheck.analysis.explaining.setting import MissingEvents, Supposing
from fencecheck.runs.replay import replay
from tests.analysis.logs.walks import (
    FENCE,
    Line,
    one_report,
    reports,
    shifted,
    spec_of,
    supposing,
    walk_lines,
    without_some,
    write_log,
)

LEDGER = "ledger/sound_design"


@pytest.mark.parametrize("name", [*(f"designs/{name}" for name in FENCE), LEDGER])
def test_a_log_of_the_design_is_explained(name: str, tmp_path: Path) -> None:
    """With the network and the substrate unlogged; the explanation replays."""
    spec = spec_of(name)
    for run in reports(spec, tmp_path, [walk_lines(spec, seed) for seed in range(1, 5)]):
        assert run.verdict == "holds", run.name
        assert run.explained == run.events
        assert run.trace is not None
        assert replay(spec.family, run.trace).misfit is None


@pytest.mark.parametrize("name", ["designs/step_fence_journal", "designs/as_printed", LEDGER])
def test_it_is_explained_without_a_tenth_of_its_lines(name: str, tmp_path: Path) -> None:
    """And with clocks that are off by less than the skew; no more is supposed than is not there."""
    spec, seeds = spec_of(name), range(1, 4)
    how = Explaining(Supposing(2, MissingEvents(percent=12)), skew=0.5)
    some = [without_some(walk_lines(spec, seed), seed) for seed in seeds]
    found = reports(
        spec, tmp_path, [shifted(x, s, 0.4) for x, s in zip(some, seeds, strict=True)], how
    )
    for run, seed, lines in zip(found, seeds, some, strict=True):
        assert run.verdict == "holds", seed
        assert len(run.supposed) <= len(walk_lines(spec, seed, ())) - len(lines)


def test_a_clock_that_is_further_off_than_the_skew_is_no_order(tmp_path: Path) -> None:
    """Wall clocks order events only with a skew, and only what is further apart."""
    spec = spec_of("designs/step_fence_journal")
    lines = shifted(walk_lines(spec, 3), 1, 0.0)
    for line in lines:
        line["time"] += 100.0 * (line["process"] == "client")
    assert one_report(spec, tmp_path, lines).verdict == "holds"
    assert one_report(spec, tmp_path, lines, supposing(skew=0.5)).verdict == "violated"


def moved_to_front(lines: list[Line], event: str) -> list[Line]:
    """The lines with the first one of an event before all others, of one process."""
    first = next(line for line in lines if line["event"] == event)
    rest = [line for line in lines if line is not first]
    return [{**line, "process": "all"} for line in (first, *rest)]


@pytest.mark.parametrize(
    ("name", "event"),
    [
        ("designs/step_fence_journal", "executor.apply"),
        ("designs/no_fence", "client.receive"),
        (LEDGER, "worker.effect"),
    ],
)
def test_an_event_where_the_design_forbids_it_is_named(
    name: str, event: str, tmp_path: Path
) -> None:
    """Before everything else it is the one that is next, and the saved run says so again."""
    spec = spec_of(name)
    run = one_report(spec, tmp_path, moved_to_front(walk_lines(spec, 2), event))
    assert (run.verdict, run.explained) == ("violated", 0)
    (blocked,) = run.blocked
    assert blocked.words.startswith(event)
    assert blocked.reasons
    assert run.trace is not None
    assert run.trace.events[-1].name == event
    assert run.trace.events[-1].refused is not None
    assert replay(spec.family, run.trace).misfit is None


def test_what_follows_from_the_log_alone(tmp_path: Path) -> None:
    """The same log gives the same report, and successors are shared by the runs of a command."""
    spec = spec_of("designs/step_fence_journal")
    lines = walk_lines(spec, 4)
    assert one_report(spec, tmp_path, lines) == one_report(spec, tmp_path, lines)
    assert write_log(tmp_path / "a.jsonl", lines).read_text().count("\n") == len(lines)
