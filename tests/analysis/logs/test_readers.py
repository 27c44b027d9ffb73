"""How logs are read: maps, readers, spans, traces in ITF, heads, files, names for values."""

import json
from pathlib import Path
from typing import Any

import pytest

import fencecheck as fc
from fencecheck.checking.logged import RunReport
from fencecheck.runs.itf.writing import itf_object
from fencecheck.runs.logged.log import LogError
from fencecheck.runs.logged.mapping import read_map
from fencecheck.runs.logged.reading import LogReading
from fencecheck.runs.logged.schema import log_schema
from fencecheck.spec.files import Spec
from tests.analysis.logs.walks import (
    Line,
    conformed,
    one_report,
    spec_of,
    supposing,
    walk_lines,
    write_log,
)
from tests.documents.refresh import schema_of_logs
from tests.test_spec_schema import Judge

JOURNAL = "designs/step_fence_journal"


def runs(spec: Spec, paths: list[Path], reading: LogReading | None = None) -> list[RunReport]:
    report = conformed(spec, paths, supposing(1), reading).variants[0].logs
    assert report is not None
    return report.runs


def foreign(line: Line) -> dict[str, Any]:
    """A line as a program of its own would log it."""
    args, after = dict(line["args"]), dict(line["after"])
    return {
        "msg": "protocol",
        "what": {"name": line["event"]},
        "who": line["process"],
        "number": args.get("step"),
        "revision": after.get("workspace.rev"),
        **({"result": line["outcome"]} if "outcome" in line else {}),
    }


MAP = """
group = "$.run"
[[event]]
where = { msg = "protocol", "what.name" = ["human.edit", "planner.replan"] }
is = "$.what.name"
process = "$.who"

[[event]]
where = { msg = "protocol" }
is = "$.what.name"
process = "$.who"
args = { step = "$.number" }
outcome = "$.result"
"""


def test_a_map_takes_events_from_records(tmp_path: Path) -> None:
    """What no rule fits is left out; the group tells the runs of one file apart."""
    lines = [foreign(line) | {"run": n} for n in (1, 2) for line in walk_lines(spec_of(JOURNAL), n)]
    lines.insert(3, {"msg": "heartbeat", "run": 1})
    log = write_log(tmp_path / "own.jsonl", lines)
    (tmp_path / "own.toml").write_text(MAP)
    found = runs(spec_of(JOURNAL), [log], LogReading(map=read_map(tmp_path / "own.toml")))
    assert [run.name.rpartition(": ")[2] for run in found] == ["1", "2"]
    assert [run.verdict for run in found] == ["holds", "holds"]
    assert found[0].skipped == 1


def test_what_no_rule_can_produce_is_not_expected(tmp_path: Path) -> None:
    """A map of the executor's outcomes alone: what else its actor does may happen unlogged."""
    rules = "".join(
        f'[[event]]\nwhere = {{ event = "{name}" }}\nis = "{name}"\nprocess = "$.process"\n'
        f'args = "$.args"\noutcome = "$.outcome"\n'
        for name in ("executor.apply", "executor.replay", "executor.reject")
    )
    (tmp_path / "m.toml").write_text(rules)
    log = write_log(tmp_path / "l.jsonl", walk_lines(spec_of(JOURNAL), 2))
    result = conformed(spec_of(JOURNAL), [log], None, LogReading(map=read_map(tmp_path / "m.toml")))
    report = result.variants[0].logs
    assert report is not None
    assert "executor.reply" in report.unlogged
    assert "executor.apply" not in report.unlogged
    assert report.runs[0].verdict == "holds"


def test_a_reader_makes_events_of_records(tmp_path: Path) -> None:
    lines = [foreign(line) for line in walk_lines(spec_of(JOURNAL), 3)]

    def read(record: dict[str, Any]) -> dict[str, Any] | None:
        if record["msg"] != "protocol":
            return None
        event = {"event": record["what"]["name"], "process": record["who"]}
        return event | ({"outcome": record["result"]} if "result" in record else {})

    log = write_log(tmp_path / "own.jsonl", lines)
    (run,) = runs(spec_of(JOURNAL), [log], LogReading(reader=read))
    assert (run.verdict, run.explained) == ("holds", len(lines))


# -- spans --------------------------------------------------------------------------------------
def attributes(**values: Any) -> list[dict[str, Any]]:
    kinds = {bool: "boolValue", int: "intValue", str: "stringValue"}
    return [
        {"key": key, "value": {kinds[type(v)]: str(v) if type(v) is int else v}}
        for key, v in values.items()
    ]


def otlp(lines: list[Line]) -> dict[str, Any]:
    """The log as span events, a resource for each process, in no order at all."""
    resources = []
    for process in sorted({line["process"] for line in lines}):
        own = [line for line in lines if line["process"] == process]
        events = []
        for line in reversed(own):
            told: dict[str, Any] = {"fencecheck": True}
            told |= {f"fencecheck.args.{k}": v for k, v in line["args"].items()}
            told |= {"fencecheck.outcome": line["outcome"]} if "outcome" in line else {}
            nano = str(int(line["time"] * 1e9))
            events.append(
                {"timeUnixNano": nano, "name": line["event"], "attributes": attributes(**told)}
            )
        events.append({"timeUnixNano": "0", "name": "gc", "attributes": []})
        span = {"traceId": "t", "spanId": f"span-{process}", "name": "run", "events": events}
        resources.append(
            {
                "resource": {"attributes": attributes(**{"service.name": process})},
                "scopeSpans": [{"spans": [span]}],
            }
        )
    return {"resourceSpans": resources}


def test_span_events_are_read_with_the_map_that_ships(tmp_path: Path) -> None:
    """Those of one resource in the order of their times, whatever their order in the file."""
    path = tmp_path / "spans.json"
    lines = walk_lines(spec_of(JOURNAL), 3)
    path.write_text(json.dumps(otlp(lines)))
    (run,) = runs(spec_of(JOURNAL), [path])
    assert (run.verdict, run.explained) == ("holds", len(lines))
    moved = [dict(line) for line in lines]
    own = [line for line in moved if line["process"] == "executor"]
    own[0]["time"], own[-1]["time"] = own[-1]["time"], own[0]["time"]
    path.write_text(json.dumps(otlp(moved)))
    (run,) = runs(spec_of(JOURNAL), [path])
    assert run.verdict == "violated"


def test_a_parent_comes_before_also_through_spans_that_are_no_events(tmp_path: Path) -> None:
    """The apply is under the dispatch; the log's times would have it the other way round."""
    rule = '[[event]]\nwhere = {{ kind = "span", name = "{0}" }}\nis = "{0}"\n'
    rest = (
        'process = "$.resource.service.name"\nid = "$.id"\ncauses = "$.causes"\ntime = "$.time"\n'
    )
    (tmp_path / "m.toml").write_text(
        "".join(rule.format(name) + rest for name in ("client.dispatch", "executor.apply"))
    )

    def resource(process: str, *spans: dict[str, Any]) -> dict[str, Any]:
        own = {"attributes": attributes(**{"service.name": process})}
        return {"resource": own, "scopeSpans": [{"spans": list(spans)}]}

    client = {"spanId": "c", "name": "client.dispatch", "startTimeUnixNano": "9"}
    http = {"spanId": "h", "parentSpanId": "c", "name": "POST", "startTimeUnixNano": "2"}
    apply = {"spanId": "e", "parentSpanId": "h", "name": "executor.apply"}
    path = tmp_path / "spans.json"
    spans = [resource("client", client), resource("executor", http, apply)]
    path.write_text(json.dumps({"resourceSpans": spans}))
    how = LogReading(map=read_map(tmp_path / "m.toml"))
    (run,) = runs(spec_of(JOURNAL), [path], how)
    assert run.verdict == "holds"
    client["parentSpanId"], apply["parentSpanId"] = "e", ""
    path.write_text(
        json.dumps({"resourceSpans": [resource("client", client), resource("executor", apply)]})
    )
    (run,) = runs(spec_of(JOURNAL), [path], how)
    assert run.verdict == "violated"


# -- states -------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["designs/no_fence", "ledger/sound_design"])
def test_a_trace_in_itf_is_a_sequence_of_states(name: str, tmp_path: Path) -> None:
    """Ours with the events that led there, or without; a state that is changed is refused."""
    spec = spec_of(name)
    trace = one_report(spec, tmp_path, walk_lines(spec, 4)).trace
    assert trace is not None
    document = itf_object(trace)
    path = tmp_path / "run.itf.json"
    path.write_text(json.dumps(document))
    assert runs(spec, [path])[0].verdict == "holds"
    for state in document["states"]:
        del state["mbt::actionTaken"], state["mbt::nondetPicks"]
    path.write_text(json.dumps(document))
    assert runs(spec, [path])[0].verdict == "holds"
    if name == "designs/no_fence":
        del document["states"][2]
        path.write_text(json.dumps(document))
        assert runs(spec, [path])[0].verdict == "violated"


# -- the log format -----------------------------------------------------------------------------
def test_values_that_are_only_compared_with_themselves(tmp_path: Path) -> None:
    """Hashes tell as much as contents: one for two contents, or two for one, is refused."""
    spec, lines = spec_of(JOURNAL), walk_lines(spec_of(JOURNAL), 3)
    for line in lines:
        for name, value in line["after"].items():
            if "content" in name:
                line["after"][name] = {"as": f"sha-{value}"}
    assert one_report(spec, tmp_path, lines).verdict == "holds"
    held = [line["after"] for line in lines if "workspace.content[1]" in line["after"]]
    held[-1]["workspace.content[1]"] = held[0]["workspace.content[1]"]
    run = one_report(spec, tmp_path, lines)
    assert run.verdict == "violated"
    assert run.trace is not None


def test_two_names_are_never_one_value(tmp_path: Path) -> None:
    """The reply changes no file, so the hash is the one that was."""
    spec = spec_of(JOURNAL)
    for name, verdict in (("b", "holds"), ("c", "violated"), ("a", "violated")):
        lines = [
            {"process": "client", "event": "client.dispatch", "after": content("a")},
            {"process": "executor", "event": "executor.apply", "after": content("b")},
            {"process": "executor", "event": "executor.reply", "after": content(name)},
        ]
        told = [line | {"process": "all"} for line in lines]
        run = one_report(spec, tmp_path, told, supposing(0))
        assert run.verdict == verdict, name


def content(name: str) -> dict[str, Any]:
    return {"workspace.content[1]": {"as": name}}


def test_the_head_of_a_log_says_what_is_not_in_it(tmp_path: Path) -> None:
    """Without it, who logs one of its events is taken to log all of them."""
    lines = [x for x in walk_lines(spec_of(JOURNAL), 3) if x["event"] != "executor.reply"]
    assert one_report(spec_of(JOURNAL), tmp_path, lines).verdict == "violated"
    head = {"schema": "fencecheck/log/1", "hidden": ["executor.reply"], "ignored": ["disk.flush"]}
    noise = {"process": "executor", "event": "disk.flush"}
    run = one_report(spec_of(JOURNAL), tmp_path, [head, *lines, noise])
    assert (run.verdict, run.skipped) == ("holds", 1)


def test_files_of_one_run(tmp_path: Path) -> None:
    """A file for each process: alone none is a run of the design, together they are one."""
    lines = walk_lines(spec_of(JOURNAL), 3)
    paths = [
        write_log(tmp_path / f"{name}.jsonl", [x for x in lines if x["process"] == name])
        for name in ("client", "executor", "human", "planner")
        if any(x["process"] == name for x in lines)
    ]
    (run,) = runs(spec_of(JOURNAL), paths, LogReading(one_run=True))
    assert (run.verdict, run.explained) == ("holds", len(lines))
    assert len(runs(spec_of(JOURNAL), paths)) == len(paths)


def test_causes_are_before(tmp_path: Path) -> None:
    """And nothing else is known of the order of two processes."""
    apply = {"process": "executor", "id": "e", "event": "executor.apply", "args": {"step": 1}}
    send = {"process": "client", "id": "c", "event": "client.dispatch", "args": {"step": 1}}
    spec = spec_of(JOURNAL)
    assert one_report(spec, tmp_path, [apply, send]).verdict == "holds"
    assert one_report(spec, tmp_path, [apply | {"causes": ["c"]}, send]).verdict == "holds"
    assert one_report(spec, tmp_path, [apply, send | {"causes": ["e"]}]).verdict == "violated"


def test_the_schema_of_a_line_is_that_of_what_is_read(tmp_path: Path) -> None:
    """It ships; every line of a walk is accepted, and what is refused by it is by the reader."""
    path, text = schema_of_logs()
    assert path.read_text("utf-8") == text
    schema = log_schema()
    judge = Judge(schema)
    lines = [
        *walk_lines(spec_of(JOURNAL), 3),
        {"schema": "fencecheck/log/1", "hidden": ["network"]},
    ]
    assert all(judge.accepts(schema, line) for line in lines)
    for bad in (
        {"event": "client.dispatch"},
        {"process": "p", "evnt": "x"},
        {"process": "p", "args": 3},
    ):
        assert not judge.accepts(schema, bad)
        with pytest.raises(LogError):
            conformed(spec_of(JOURNAL), [write_log(tmp_path / "bad.jsonl", [bad])])


def test_from_python(tmp_path: Path) -> None:
    """``fc.conform`` gives the runs, and what a check has; the module can be called as well."""
    log = write_log(tmp_path / "run.jsonl", walk_lines(spec_of(JOURNAL), 3))
    spec = Path(fc.__file__).parents[1] / "specs" / f"{JOURNAL}.toml"
    result = fc.conform(spec, log)
    assert result.explained
    assert result.exit_code == 0
    assert result.runs[0].trace is not None
    assert not fc.conform(spec, log, mechanisms={"journal": "none"}, unlogged=0).explained
    with pytest.raises(fc.FencecheckError, match='did you mean "unlogged"'):
        fc.conform(spec, log, unloged=1)


def test_the_map_of_the_document_is_one(tmp_path: Path) -> None:
    """And makes of a record what stands beside it; the event shown there is one of the format."""
    text = (Path(fc.__file__).parents[1] / "specs" / "README.md").read_text("utf-8")
    lines = text.split('    group = "$.trace_id"', 1)[1].split("\n\nWhat no rule", 1)[0]
    path = tmp_path / "map.toml"
    path.write_text("\n".join(line.strip() for line in f'group = "$.trace_id"{lines}'.split("\n")))
    record = {
        "trace_id": "t1",
        "level": "info",
        "pod": "executor-2",
        "msg": {"kind": "write", "step": 1, "rev": 2, "sha": "9f3c"},
        "span": "e17",
        "parents": ["c9"],
    }
    shown = text.split('\n    {"process": ', 1)[1].split("\n\n", 1)[0]
    assert read_map(path).native(record) == {**json.loads('{"process": ' + shown), "run": "t1"}
