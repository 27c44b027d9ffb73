"""Verdicts, counts and what puts a property to the test, beside the third judge."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Options, Question
from fencecheck.errors import ModelError, StateError
from fencecheck.model.family import Family
from tests.judge import disagreements, truth_of
from tests.models_for_tests import HEADER, load
from tests.models_for_tests.random_graphs import OTHERS, graph_model
from tests.properties import defects

ENGINES = ("reference", "compiled", "auto")


def family_of(folder: Path, text: str) -> Family:
    """Return the family that a text declares."""
    return Family(load(folder, text).model)


def checked(family: Family, engine: Any = "auto", **bounds: int) -> Any:
    """Check every property of a family's default design with these bounds."""
    question = Question(tuple(family.properties))
    return check_design(family, family.design(None, bounds), question, Options(engine=engine))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_cycle_that_avoids_the_excuse_refutes_recurrence(tmp_path: Path, engine: str) -> None:
    """Components are those of the graph without excusing states."""
    family = family_of(tmp_path, defects.TRIANGLE)
    found = checked(family, engine)
    assert disagreements(family, engine=engine) == []
    assert found["only_through_a"].verdict == "violated"
    told = [event.name for event in found["only_through_a"].trace.events]
    assert told == ["w.retry", "w.back"]


STEPS = ("Int(0, 0)", "Int(1, 1)", "Int(-2, -1)", 'Enum("x", "y")', "Bool()", 'Index("ways")')


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("domain", STEPS)
def test_a_step_may_count_from_anywhere(tmp_path: Path, domain: str, engine: str) -> None:
    """Edges of interference are interference's, whatever a parameter is called or ranges over."""
    text = defects.STEPS.replace("STEP", f"step={domain}")
    family = family_of(tmp_path, text)
    assert disagreements(family, None, {"helps": 1}, engine) == []
    found = checked(family, engine, helps=1)
    assert (found["done"].verdict, found["done"].events) == ("violated", 0)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", ["toggle", "toggle (again)", "toggle(1)", "a(b"])
def test_an_event_is_known_by_its_whole_name(tmp_path: Path, name: str, engine: str) -> None:
    """Brackets in a name are letters like others."""
    family = family_of(tmp_path, defects.NAMED.replace("{name}", name))
    assert disagreements(family, engine=engine) == []
    assert checked(family, engine)["ends"].verdict == "violated"


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("kind", defects.RAISING_PROPERTIES)
def test_a_truth_that_goes_wrong_is_an_error_of_the_model(
    tmp_path: Path, kind: str, engine: str
) -> None:
    """The error names the line, and its trace leads to the state in which it was raised."""
    text = defects.RAISING.replace("{property}", defects.RAISING_PROPERTIES[kind])
    family = family_of(tmp_path, text)
    with pytest.raises(StateError, match=r"ZeroDivisionError.*\.py:\d+") as raised:
        checked(family, engine)
    assert raised.value.exit_code == 2
    assert [event.name for event in raised.value.trace.events] == 3 * ["w.down"]
    assert disagreements(family, engine=engine) == []


@pytest.mark.parametrize("engine", ENGINES)
def test_any_number_of_temporal_properties_can_be_asked(tmp_path: Path, engine: str) -> None:
    """Forty of them with triggers are eighty truths of a state."""
    props = "\n\n\n".join(
        f"@model.leads_to(lambda s: s.x == {i % 4})\n"
        f'def p{i}(s):\n    """P."""\n    return s.x == {i // 10}'
        for i in range(40)
    )
    family = family_of(tmp_path, defects.RAISING.replace("{property}", props))
    assert disagreements(family, engine=engine) == []
    verdicts = [finding.verdict for finding in checked(family, engine).findings]
    assert verdicts == ["holds" if i // 10 <= i % 4 else "violated" for i in range(40)]


@pytest.mark.parametrize(
    ("job", "fair", "verdict"),
    [
        ("step", "", "holds"),
        ("job", "", "holds"),
        ("step", ", fair_by=()", "violated"),
        ("job", ', fair_by="job"', "holds"),
    ],
)
def test_fairness_is_declared_and_does_not_follow_a_name(
    tmp_path: Path, job: str, fair: str, verdict: str
) -> None:
    """Without a word each index is served fairly; as one class, the server may forget one."""
    text = defects.JOBS.replace("{job}", job).replace("{fair}", fair)
    family = family_of(tmp_path, text)
    for engine in ENGINES:
        assert disagreements(family, engine=engine) == []
        assert checked(family, engine)["all_served"].verdict == verdict


@pytest.mark.parametrize(
    ("fair", "message"),
    [
        (', fair_by="jop"', r"server.serve: fair_by names 'jop'; .* job \(did you mean"),
        (", fair_by=('job', 'x')", r"fair_by names 'x'; its arguments are job"),
    ],
)
def test_fairness_by_what_is_no_argument_is_refused(
    tmp_path: Path, fair: str, message: str
) -> None:
    """The message says which arguments there are."""
    with pytest.raises(ModelError, match=message):
        family_of(tmp_path, defects.JOBS.replace("{job}", "job").replace("{fair}", fair))


def test_recurrence_of_nothing_is_refused(tmp_path: Path) -> None:
    """A recurrence without events would hold whatever happens."""
    text = defects.NAMED.replace("{name}", "toggle").replace('"w.toggle"', "")
    with pytest.raises(ModelError, match="without events says nothing"):
        family_of(tmp_path, text)


QUIET = (
    '@model.{kind}({inside})\ndef p({args}):\n    """P."""\n    return {truth}\n',
    {
        "possibility, always there": ("possibility", "", "s", "s.x >= 0", True),
        "possibility": ("possibility", "", "s", "s.x == 0", False),
        "possibility, trigger": ("possibility", "trigger=lambda s: s.x > 3", "s", "s.x == 0", True),
        "liveness, there at once": ("liveness", "", "s", "s.x == 3", True),
        "liveness": ("liveness", "", "s", "s.x == 0", False),
        "leads_to, no lead": ("leads_to", "lambda s: s.x > 3", "s", "s.x == 0", True),
        "recurrence, no event": ("recurrence", '"w.never"', "s", "False", True),
        "recurrence": ("recurrence", '"w.down"', "s", "False", False),
        "transition, no event": ("transition", '"w.never"', "before, s", "False", True),
        "transition, any event": (
            "transition",
            '"w.never", trigger=lambda before, after: after.x == 1, trigger_on=()',
            "before, s",
            "False",
            False,
        ),
        "transition, another event": (
            "transition",
            '"w.never", trigger=lambda before, after: after.x == 1, trigger_on=["w.down"]',
            "before, s",
            "False",
            False,
        ),
        "transition, a state": (
            "transition",
            '"w.never", trigger=lambda s: s.x == 1',
            "before, s",
            "False",
            False,
        ),
        "transition, no state": (
            "transition",
            '"w.down", trigger=lambda s: s.x > 3',
            "before, s",
            "True",
            True,
        ),
    },
)
NEVER = '@w.action(when=lambda s: s.x > 3)\ndef never(s):\n    """Never."""\n    s.x = 0\n\n\n'


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("case", QUIET[1])
def test_what_was_never_put_to_the_test_is_vacuous(tmp_path: Path, case: str, engine: str) -> None:
    """Every kind of property says what puts it to the test, or its trigger does."""
    kind, inside, args, truth, vacuous = QUIET[1][case]
    text = QUIET[0].format(kind=kind, inside=inside, args=args, truth=truth)
    family = family_of(tmp_path, defects.RAISING.replace("{property}", NEVER + text))
    assert disagreements(family, engine=engine) == []
    (finding,) = checked(family, engine).findings
    assert (finding.verdict, finding.vacuous) == ("holds", vacuous)


@pytest.mark.parametrize("block", range(5))
def test_random_graphs_are_judged_rightly(tmp_path: Path, block: int) -> None:
    """Counts, verdicts of every kind, least events and vacuity are those of the third judge."""
    for seed in range(40 * block, 40 * block + 40):
        text, bounds = graph_model(seed)
        family = family_of(tmp_path, text)
        assert disagreements(family, None, bounds, "reference") == [], f"seed {seed}"
        if seed % 40 == 0:
            assert disagreements(family, None, bounds, "compiled") == [], f"seed {seed}"


@pytest.mark.slow
@pytest.mark.parametrize("block", range(10))
def test_the_compiled_engine_judges_random_graphs_rightly(tmp_path: Path, block: int) -> None:
    """The same, compiled."""
    for seed in range(20 * block, 20 * block + 20):
        text, bounds = graph_model(seed)
        family = family_of(tmp_path, text)
        assert disagreements(family, None, bounds, "compiled") == [], f"seed {seed}"


def test_random_graphs_break_and_keep_properties_of_every_kind(tmp_path: Path) -> None:
    """The graphs made up by chance are no easy ones: each verdict of each kind is among them."""
    seen = set[tuple[str, str]]()
    for seed in range(120):
        text, bounds = graph_model(seed)
        family = family_of(tmp_path, text)
        for name, verdict in truth_of(family, None, bounds).verdicts.items():
            said = "vacuous" if verdict.vacuous else "holds" if verdict.holds else "violated"
            seen.add((name.rstrip("01"), said))
    kinds = ("invariant", "transition", "deadlock", "possibility", "liveness", "leads_to")
    wanted = {(k, v) for k in (*kinds, "recurrence") for v in ("holds", "violated", "vacuous")}
    assert wanted - seen == set()


def _told(result: Any) -> Any:
    """Return counts and verdicts; how long a run for ever is may follow the order of names."""
    numbers = result.exploration
    lasting = ("liveness", "leads_to", "recurrence")
    verdicts = [
        (f.name, f.verdict, f.vacuous, None if f.kind in lasting else f.events)
        for f in result.findings
    ]
    return (numbers.states, numbers.transitions, numbers.depth), verdicts


def test_other_names_change_nothing(tmp_path: Path) -> None:
    """Renaming parameters, actors, variables and events changes no count and no verdict."""
    for seed in range(40):
        texts = [graph_model(seed), graph_model(seed, OTHERS)]
        one, other = (checked(family_of(tmp_path, t), "reference", **bounds) for t, bounds in texts)
        assert _told(one) == _told(other), f"seed {seed}"


def test_the_classes_of_fairness_are_shown(tmp_path: Path) -> None:
    """A result and a listing say by what the classes of each event are told apart."""
    from fencecheck.report.results.json import variant_object
    from fencecheck.report.words.outcomes import fairness_words

    text = defects.JOBS.replace("{job}", "job").replace("{fair}", "")
    text += '\n\n@server.action()\ndef rest(s):\n    """Nothing."""\n'
    result = checked(family_of(tmp_path, text))
    assert variant_object(result)["fairness"] == {"server.serve": ["job"], "server.rest": []}
    assert fairness_words(result.fairness) == ("each system event by job; server.rest as one class")


@pytest.mark.parametrize("engine", ENGINES)
def test_more_classes_than_can_be_told_apart_are_refused(tmp_path: Path, engine: str) -> None:
    """The message names the event and what to write; with fewer arguments it is judged."""
    text = (
        HEADER
        + '''
model = Model("many", "More classes than labels")
model.bound("n", 300, "numbers")
M = Record("M", a=Index("n"), b=Index("n"))
model.variable("bag", Bag(M, 1), lambda k: (M(a=299, b=299),))
w = model.actor("w")


@w.action(job=Each("bag", "a", "b")FAIR)
def take(s, job):
    """Take it."""
    s.bag.remove(job)


@model.liveness()
def taken(s):
    """It is taken."""
    return len(s.bag) == 0
'''
    )
    with pytest.raises(ModelError, match=r"w.take has 90,000 fairness classes.* fair_by"):
        checked(family_of(tmp_path, text.replace("FAIR", "")), engine)
    family = family_of(tmp_path, text.replace("FAIR", ', fair_by="a"'))
    assert disagreements(family, engine=engine) == []
