"""Logs of other programs than the design: what is told of them, and in which order."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from fencecheck.analysis.explaining.conform import Explaining, conform_spec
from fencecheck.checking.logged import LogsReport, RunReport
from fencecheck.report.logs.text import logs_text
from fencecheck.runs.logged.log import Logging, Logs
from fencecheck.runs.logged.reading import LogReading, read_logs
from fencecheck.runs.replay import replay
from fencecheck.spec.files import Spec
from tests.analysis.logs.walks import Line, spec_of, supposing, walk_lines, write_log

JOURNAL, PRINTED = "designs/step_fence_journal", "designs/as_printed"
SILENT = ("network", "substrate")


def held_against(
    spec: Spec, folder: Path, logs: Sequence[list[Line]], how: Explaining | None = None
) -> LogsReport:
    """What a spec makes of logs of which all but network and substrate is known to be logged."""
    paths = [write_log(folder / f"{n}.jsonl", lines) for n, lines in enumerate(logs, 1)]
    names = {a.name for a in spec.family.declared.actions if a.actor not in SILENT}
    read = Logs(read_logs(paths, LogReading()).runs, Logging(frozenset(names)))
    report = conform_spec(spec, read, how or supposing(2)).variants[0].logs
    assert report is not None
    return report


def first_edit(lines: list[Line]) -> int | None:
    """The place of the first edit that something follows of the executor."""
    for place, line in enumerate(lines):
        if line["event"] == "human.edit" and any(
            later["event"] in ("executor.apply", "executor.reject") for later in lines[place:]
        ):
            return place
    return None


def test_an_edit_that_nobody_logged_is_named(tmp_path: Path) -> None:
    """As the one thing that explains the whole log: a gap in the log, and no fault."""
    spec, logs = spec_of(JOURNAL), list[list[Line]]()
    for seed in range(1, 40):
        lines = walk_lines(spec, seed)
        place = first_edit(lines)
        if place is not None and len(logs) < 4:
            logs.append(lines[:place] + lines[place + 1 :])
    assert len(logs) == 4
    for run in held_against(spec, tmp_path, logs).runs:
        assert run.verdict == "violated"
        assert [text.startswith("human.edit(1) ") for text in run.additions].count(True) == 1
        assert all("not in the log" in text for text in run.additions)


def test_a_faulty_executor_has_no_such_gap(tmp_path: Path) -> None:
    """Logs of the printed executor: what blocks them is named, and no addition explains them."""
    logs = [walk_lines(spec_of(PRINTED), seed) for seed in range(1, 9)]
    found = held_against(spec_of(JOURNAL), tmp_path, logs, supposing(1)).runs
    refused = [run for run in found if run.verdict == "violated"]
    assert len(refused) >= 6
    assert sum(bool(run.additions) for run in refused) <= 1
    for run in refused:
        assert run.blocked
        assert run.trace is not None
        assert run.trace.violation is not None
        assert [words for words, _ in run.trace.violation.compare] == [
            "the log says",
            "the model allows",
        ]
        assert replay(spec_of(JOURNAL).family, run.trace).misfit is None


LATE: list[Line] = [
    {"process": "client", "event": "client.dispatch", "args": {"step": 1}},
    {"process": "human", "event": "human.edit", "args": {"file": 1}},
    {"process": "executor", "event": "executor.apply", "args": {"step": 1}, "outcome": "applied"},
]


def one_process(lines: list[Line]) -> list[Line]:
    return [line | {"process": "all"} for line in lines]


def the_run(name: str, folder: Path, lines: list[Line], unlogged: int = 0) -> RunReport:
    return held_against(spec_of(name), folder, [lines], supposing(unlogged)).runs[0]


def test_the_part_of_the_guard_that_decides_is_told(tmp_path: Path) -> None:
    """Unfolded through the functions it calls, with the model's own remark on what it has."""
    run = the_run("designs/step_fence", tmp_path, one_process(LATE))
    assert (run.explained, run.ends) == (2, 1)
    (blocked,) = run.blocked
    assert blocked.words == "executor.apply(step=1) -> applied"
    (reason,) = blocked.reasons
    assert reason.text.startswith("executor.reject comes before it, and is possible: ")
    assert 's.fence != "none" and base != s.rev is true' in reason.text
    assert [way.text for way in blocked.instead] == [
        "executor.reject(1) -> stale_rev (base 0 ≠ rev 1)"
    ]


@pytest.mark.parametrize(
    ("last", "said"),
    [
        (
            {"event": "executor.reject", "args": {"step": 1}, "outcome": "pre_hash"},
            "executor.reject(1) -> stale_rev, where the log says pre_hash",
        ),
        (
            {
                "event": "executor.reject",
                "args": {"step": 1},
                "outcome": "stale_rev",
                "after": {"workspace.rev": 2},
            },
            "workspace.rev is 1 after it, where the log says 2",
        ),
        ({"event": "executor.reply", "args": {"step": 2}}, "s.phase"),
        ({"event": "client.receive", "args": {"step": 1}}, "there is nothing in replies"),
    ],
)
def test_what_the_model_has_instead_is_told(last: Line, said: str, tmp_path: Path) -> None:
    """Another outcome, another value, nothing to take, a guard."""
    lines = one_process([*LATE[:2], last])
    (blocked,) = the_run("designs/step_fence", tmp_path, lines).blocked
    assert any(said in reason.text for reason in blocked.reasons)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (
            [LATE[0], LATE[2] | {"after": {"workspace.rev": 2}}],
            ["human.edit(1) at the beginning, not in the log"],
        ),
        (
            [LATE[0], {"event": "client.receive", "args": {"step": 1}}],
            ["without client.receive(step=1)"],
        ),
        (
            [*LATE[:2], {"event": "executor.reject", "args": {"step": 1}, "outcome": "pre_hash"}],
            ["without executor.reject(step=1) -> pre_hash"],
        ),
    ],
)
def test_the_least_addition_comes_first(lines: list[Line], said: list[str], tmp_path: Path) -> None:
    """An interference before an event that is left out, that before an outcome left open."""
    name = "designs/no_fence" if "after" in lines[-1] else "designs/step_fence"
    run = the_run(name, tmp_path, one_process(lines))
    assert run.verdict == "violated"
    assert [text.partition(" (")[0] for text in run.additions] == said


def test_what_happened_is_judged_where_a_log_is_explained(tmp_path: Path) -> None:
    """No explanation of the printed executor's logs keeps what its design loses."""
    judged = ("no_lost_update", "at_most_once", "fresh_apply", "truthful_reply")
    spec = spec_of(PRINTED, 0, *judged)
    logs = [walk_lines(spec, seed) for seed in range(1, 7)]
    found = held_against(spec, tmp_path, logs).runs
    assert all(run.verdict == "holds" for run in found)
    broken = [{p.name for p in run.judged if p.verdict == "violated"} for run in found]
    assert sum("no_lost_update" in names for names in broken) >= 4
    assert not any({"fresh_apply", "truthful_reply"} & names for names in broken)
    for run in found:
        for prop in run.judged:
            if prop.trace is not None:
                assert replay(spec.family, prop.trace).misfit is None


def test_a_property_that_one_explanation_keeps_is_kept(tmp_path: Path) -> None:
    """The edit may have been before the dispatch, or after it: the log does not say."""
    apart = [LATE[0], LATE[1], LATE[2]]
    spec = spec_of("designs/no_fence", 0, "no_lost_update")
    loose = held_against(spec, tmp_path, [apart]).runs[0]
    assert [p.verdict for p in loose.judged] == ["holds"]
    strict = held_against(spec, tmp_path, [one_process(apart)]).runs[0]
    assert [p.verdict for p in strict.judged] == ["violated"]


def test_what_no_run_had_is_told(tmp_path: Path) -> None:
    """Events of the design, and outcomes of events that happened; nothing that it excludes."""
    report = held_against(spec_of("designs/step_fence"), tmp_path, [[LATE[0]]])
    assert "executor.reject" in report.never
    assert "executor.replay" not in report.never  # there is no journal


def test_the_report_is_in_its_order(tmp_path: Path) -> None:
    """How far, what is next, why, what else, what would explain it, the run."""
    spec = spec_of("designs/step_fence")
    path = write_log(tmp_path / "run.jsonl", one_process(LATE))
    result = conform_spec(spec, read_logs([path], LogReading()), supposing(0))
    assert result.exit_code == 1
    text = " ".join(logs_text(result, width=10_000).split())
    parts = [
        "2 of 3 events explained, 1 state of the model is left",
        "executor.apply(step=1) -> applied (all, ",
        "executor.reject comes before it",
        "the model allows: executor.reject(1) -> stale_rev",
        "all of it would be explained",
        "a run that goes as far",
        "the log says: executor.apply(step=1) -> applied",
        "1 run: 0 explained, 1 not",
        "1 of 1 run not explained",
    ]
    places = [text.find(part) for part in parts]
    assert -1 not in places, dict(zip(parts, places, strict=True))
    assert places == sorted(places)


def test_additions_that_were_not_all_tried_are_open(tmp_path: Path) -> None:
    """Nothing is said to explain nothing where a limit was reached."""
    spec = spec_of("designs/step_fence")
    lines = one_process([*LATE, *LATE])
    run = held_against(spec, tmp_path, [lines], supposing(0, max_states=4)).runs[0]
    assert run.verdict == "violated"
    assert (run.additions, run.additions_known) == ((), False)


def test_a_property_is_open_where_a_limit_was_reached(tmp_path: Path) -> None:
    """The explanation that was found breaks it; that none keeps it was not seen to the end."""
    spec = spec_of("designs/no_fence", 0, "no_lost_update")
    (path,) = [write_log(tmp_path / "run.jsonl", one_process(LATE))]
    read = read_logs([path], LogReading())
    for pairs in range(3, 40):
        report = conform_spec(spec, read, supposing(2, max_states=pairs)).variants[0].logs
        assert report is not None
        (run,) = report.runs
        if run.judged and run.judged[0].verdict == "undetermined":
            break
        assert not run.judged
    else:
        pytest.fail("there is no such limit")
    whole = conform_spec(spec, read, supposing(2)).variants[0].logs
    assert whole is not None
    assert whole.runs[0].judged[0].verdict == "violated"
