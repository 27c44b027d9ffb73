"""ITF: each domain has an encoding, traces come back as they were, and nothing else passes."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from fencecheck.checking.check import check_spec
from fencecheck.checking.question import Options, Predicates
from fencecheck.cli.inputs import read_traces
from fencecheck.errors import FencecheckError, TraceError
from fencecheck.model.declaring.any_number import ANY
from fencecheck.model.domains import (
    Array,
    Bag,
    Bool,
    Count,
    Domain,
    Enum,
    Fresh,
    Index,
    Int,
    Left,
    Maybe,
    OneOf,
    Record,
    Seq,
    Set,
    Subset,
    Version,
)
from fencecheck.model.files.loading import load_family
from fencecheck.runs.itf.reading import Misfit, read_itf
from fencecheck.runs.itf.values import from_itf, to_itf
from fencecheck.runs.itf.writing import itf_object
from fencecheck.runs.replay import replay
from fencecheck.runs.trace import Trace
from fencecheck.spec.files import load_specs
from tests.runs.checked import check
from tests.runs.test_trace_json import BARE, mutated

ROOT = Path(__file__).parents[2]
SAVED = sorted([*ROOT.glob("specs/regressions/*.json"), *ROOT.glob("reports/sample/*.json")])
SIZES = SimpleNamespace(n=3, k=SimpleNamespace(), edits=2)
W = Index(3, "w")
PAIR = Record("Pair", who=W, on=Bool())
DOMAINS: dict[type[Domain], tuple[Domain, list[Any]]] = {
    Bool: (Bool(), [True, False]),
    Int: (Int(-2, 2), [-2, 0, 2, 1 << 60]),
    Index: (W, [0, 2]),
    Count: (Count(2), [0, 2]),
    Left: (Left("edits"), [0, 2, ANY]),
    Enum: (Enum("b", "a"), ["a", "b"]),
    Maybe: (Maybe(W, "nobody"), [None, 0, 2]),
    Version: (Version("rev"), [0, 7]),
    Fresh: (Fresh("ids"), [0, 7]),
    OneOf: (OneOf("Phase", idle=None, at=W, with_=PAIR), []),
    Record: (Record("Row", pair=PAIR, marks=Array(W, Bool())), []),
    Array: (Array(Enum("x", "y"), Maybe(W, "nobody")), []),
    Set: (Set(Record("Key", of=Maybe(W, "nobody"))), []),
    Subset: (Subset(W), [(), (0, 2)]),
    Bag: (Bag(PAIR, 4), []),
    Seq: (Seq(W, 4), [(), (2, 0, 0)]),
}


def kinds(of: type[Domain]) -> Iterator[type[Domain]]:
    for kind in of.__subclasses__():
        yield kind
        yield from kinds(kind)


def values_of(kind: type[Domain], domain: Any) -> list[Any]:
    """Return the values of a domain to try, where they are not written above."""
    if kind is OneOf:
        held = {"idle": None, "at": 2, "with_": domain.tags["with_"].make(1, True)}
        return [domain.make(tag, value) for tag, value in held.items()]
    if kind is Set:
        return [(), tuple(domain.element.make(who) for who in (None, 0, 2))]
    if kind is Bag:
        return [(), tuple(domain.element.make(*p) for p in ((0, True), (0, True), (1, False)))]
    return [domain.value(rank) for rank in range(min(domain.count, 40))] or [domain.default]


@pytest.mark.parametrize("kind", DOMAINS, ids=lambda kind: kind.__name__)
def test_the_values_of_a_domain_come_back(kind: type[Domain]) -> None:
    """Through JSON text, with their types."""
    declared, values = DOMAINS[kind]
    domain = declared.resolve(SIZES)
    if kind is Array:
        values = [domain.default, domain.row([0, None])]  # type: ignore[attr-defined]
    for value in values or values_of(kind, domain):
        told = json.loads(json.dumps(to_itf(domain, value)))
        back = from_itf(domain, told, "x")
        assert (back, type(back)) == (value, type(value))


def test_every_domain_is_tried() -> None:
    """A domain that is new needs an encoding; what only others are made of is none."""
    inner = {"Scalar", "Unlimited"}
    declared = {k for k in kinds(Domain) if k.__module__.startswith("fencecheck.model.domains")}
    assert {k.__name__ for k in declared} - inner == {k.__name__ for k in DOMAINS}


@pytest.mark.parametrize(
    ("kind", "told", "words"),
    [
        (Bool, 1, "true or false"),
        (Int, "1", "whole number"),
        (Int, {"#bigint": "x"}, "whole number"),
        (Enum, "c", "one of b, a"),
        (Maybe, {"tag": "Other", "value": 1}, "x"),
        (OneOf, {"tag": "gone", "value": {}}, "one of at, idle, with_"),
        (Record, {"pair": {}}, "a record with pair, marks"),
        (Array, {"#map": [["x", 1]]}, "a #map of x, y"),
        (Set, [1], '"#set"'),
        (Bag, {"#map": [[1]]}, '"#map"'),
        (Bag, {"#map": [[{"who": 1, "on": True}, 99]]}, "up to 4 elements"),
        (Seq, {}, "a list"),
    ],
)
def test_another_encoding_is_refused_with_its_place(
    kind: type[Domain], told: Any, words: str
) -> None:
    """The message says where, and how the value is written."""
    with pytest.raises(TraceError, match=r"^x") as error:
        from_itf(DOMAINS[kind][0].resolve(SIZES), told, "x")
    assert words in str(error.value)


def test_plain_numbers_of_older_tools_are_read() -> None:
    """What the format allowed before all numbers were ``#bigint``."""
    assert from_itf(Int(0, 3), 2, "x") == 2


# -- traces -------------------------------------------------------------------------------------
def round_trip(trace: Trace, folder: Path = ROOT) -> Trace:
    """Return a trace written and read again, through JSON text."""
    return read_itf(json.loads(json.dumps(itf_object(trace, folder))), "x", folder)


@pytest.mark.parametrize("path", SAVED, ids=lambda path: path.stem)
def test_saved_traces_come_back(path: Path) -> None:
    """They are the same run, told anew on today's model, and break the same property."""
    for _, trace in read_traces(path):
        again = round_trip(trace, path.parent)
        assert [(e.name, e.args) for e in again.events] == [(e.name, e.args) for e in trace.events]
        assert (again.shows.name, again.verdict) == (trace.shows.name, trace.verdict)
        assert replay(load_family(again.model), again).misfit is None


def traces_of(*specs: str) -> Iterator[Trace]:
    """Yield the counterexamples of specs that ship."""
    for spec in load_specs([ROOT / "specs" / name for name in specs]):
        for variant in check_spec(spec).variants:
            yield from (f.trace for f in variant.findings if f.trace is not None)


QUICK = (
    "incidents/n49_waiter_lapsed.toml", "incidents/n53_slow_worker.toml",
    "incidents/n19_conditional_create.toml",
)  # fmt: skip


def test_counterexamples_come_back_as_they_were() -> None:
    """All of a trace: its words, its loop, its way on, its evidence; models of one's own too."""
    trap = check("ledger", {"poison": "ack", "effect_key": "none"}, {"steps": 1})
    traces = [*traces_of(*QUICK), *(f.trace for f in trap.findings if f.trace is not None)]
    assert any(trace.onward_loop is not None for trace in traces)
    assert any(trace.loop_start is not None for trace in traces)
    assert any(trace.model.endswith(".py") for trace in traces)
    for trace in traces:
        assert round_trip(trace) == trace


@pytest.mark.slow
def test_all_counterexamples_of_the_specs_that_ship_come_back() -> None:
    """Every domain as the families and the incidents use it."""
    for trace in traces_of("tour.toml", "facts", "ledger", "agent", "incidents", "catalogue"):
        assert round_trip(trace) == trace


TRACE = next(iter(traces_of("facts/no_fence.toml")))
DOCUMENT = json.loads(json.dumps(itf_object(TRACE)))


def test_the_format_is_that_of_other_tools() -> None:
    """Variables by name, a state more than events, the event and its arguments beside each."""
    assert DOCUMENT["vars"][-2:] == ["mbt::actionTaken", "mbt::nondetPicks"]
    assert len(DOCUMENT["states"]) == len(TRACE.events) + 1
    assert [state["#meta"] for state in DOCUMENT["states"]] == [
        {"index": i} for i in range(len(TRACE.events) + 1)
    ]
    first, second = DOCUMENT["states"][:2]
    assert first["mbt::actionTaken"] == "init"
    assert second["mbt::actionTaken"] == TRACE.events[0].name
    assert first["rev"] == {"#bigint": "0"}
    assert set(first) == {*DOCUMENT["vars"], "#meta"}
    assert set(first["mbt::nondetPicks"]) == set(second["mbt::nondetPicks"])


def edited(change: Any) -> Any:
    document = copy.deepcopy(DOCUMENT)
    change(document)
    return document


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: d["states"][3].update(rev={"#bigint": "7"}), "event 3: rev is 2 after it, the"),
        (lambda d: d["states"][0].update(rev={"#bigint": "1"}), "no initial state of the model"),
        (
            lambda d: d["states"][1].update({"mbt::actionTaken": "human.edti"}),
            'the model has no event human.edti (did you mean "human.edit"?)',
        ),
        (
            lambda d: d["states"].pop(1),
            "event 1: view is todo, todo after it, the file says sent, todo",
        ),
        (
            lambda d: d["states"][1].update({"mbt::actionTaken": "executor.apply"}),
            "event 1: executor.apply with these arguments is not possible in this state",
        ),
        (
            lambda d: d["#meta"]["fencecheck"]["property"].update(name="at_most_once"),
            "at_most_once",
        ),
    ],
)
def test_a_run_that_no_longer_fits_says_where(change: Any, words: str) -> None:
    """A state, an event, an order, or a property that it does not break."""
    with pytest.raises(Misfit) as error:
        read_itf(edited(change), "x", ROOT)
    assert "x: does not replay: " in str(error.value)
    assert words in str(error.value)


def test_itf_of_another_tool_is_refused_in_words() -> None:
    """It names no model that it could be run on."""
    with pytest.raises(TraceError, match="names its model"):
        read_itf({"vars": [], "states": []}, "x", ROOT)


def test_a_document_of_any_kind_is_read_or_refused() -> None:
    """No value in any place is a fault of the reader."""
    numbers = random.Random(5)
    for _ in range(40):
        with suppress(FencecheckError):
            read_itf(mutated(numbers, [DOCUMENT]), "x", ROOT)


def test_budgets_of_any_come_back() -> None:
    """What is left of any is any, in every state."""
    result = check("fence", BARE, {"edits": ANY, "steps": 1})
    traces = [f.trace for f in result.findings if f.trace is not None]
    assert traces
    for trace in traces:
        assert round_trip(trace) == trace


WRONG = """
from fencecheck.model import Int, Model

model = Model("wrong", "Too far")
model.variable("n", Int(0, 1))


@model.actor("a").action()
def go(s):
    s.n += 1


@model.invariant()
def low(s):
    '''It stays low.'''
    return s.n < 9
"""


def test_questions_and_errors_come_back(tmp_path: Path) -> None:
    """What a witness reaches, what a predicate is refuted by, and how a model goes wrong."""
    (tmp_path / "wrong.py").write_text(WRONG)
    (tmp_path / "right.py").write_text(WRONG.replace("action()", "action(when=lambda s: s.n < 1)"))
    for name in ("wrong", "right"):
        (tmp_path / f"{name}.toml").write_text(f'model = "{name}.py"\n')
    asked = Options(predicates=Predicates(("n == 1",), ("n == 0",)))
    traces = []
    for spec in load_specs([tmp_path]):
        (answered,) = check_spec(spec, asked).variants
        traces += [answer.trace for answer in answered.answers]
        traces += [finding.trace for finding in answered.findings]
        traces += [answered.error.trace] if answered.error else []
    told = [trace for trace in traces if trace is not None]
    assert {trace.verdict for trace in told} == {"witness", "violated", "error"}
    for trace in told:
        assert round_trip(trace, tmp_path) == trace
