"""A limit on time holds while a model is lowered and compiled, and says so when it has passed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fencecheck.checking.check import check_design, check_spec
from fencecheck.checking.judge import Deadline, Judge
from fencecheck.checking.question import Options, Predicates, Question
from fencecheck.errors import ModelError
from fencecheck.explore import engine as choice
from fencecheck.explore.compiled import engine
from fencecheck.explore.compiled.kernel import compile as compiling
from fencecheck.explore.graph import Limits
from fencecheck.explore.native import object_code
from fencecheck.model import time_limit as limiting
from fencecheck.model.files.loading import load_family
from fencecheck.model.system import System
from fencecheck.model.time_limit import TimeUp, check_time, time_left, time_limit
from fencecheck.report.words.outcomes import search_words
from fencecheck.spec.files import load_specs
from tests.models_for_tests import HEADER, load, queue, system_of

COMPILING = "while the model was still being compiled"


def checked(bounds: dict[str, int], **options: Any) -> Any:
    """Check the ledger with bounds."""
    family = load_family("ledger")
    question = Question(tuple(family.properties)[:2])
    return check_design(family, family.design({}, bounds), question, Options(**options))


@pytest.mark.parametrize("engine_name", ["auto", "reference", "compiled"])
def test_time_that_is_up_while_lowering_leaves_everything_undetermined(engine_name: Any) -> None:
    """No state was seen, nothing is judged, and the words say why."""
    found = checked({"workers": 9}, limits=Limits(seconds=0.05), engine=engine_name)
    assert [f.verdict for f in found.findings] == ["undetermined", "undetermined"]
    assert (found.exploration.states, found.exploration.stopped_by) == (0, "time")
    assert not found.exploration.complete
    assert COMPILING in search_words(found.exploration)


def test_a_judge_of_many_designs_goes_on_without_one_that_takes_too_long() -> None:
    """Such a design is undetermined, cut by time, and not sound."""
    family = load_family("ledger")
    design = family.design({}, {"workers": 9})
    judge = Judge(family, list(family.properties), design.bounds, deadline=Deadline.after(0.05))
    for judged in (judge.judge(design), judge.is_sound(design)):
        assert (judged.sound, judged.cut, judged.states) == (None, "time", 0)


def test_questions_are_undetermined_too() -> None:
    """What was asked in predicates has no answer, alone or beside the properties."""
    asked = Predicates(reach=("job = done",), invariants=("job != done",), alone=True)
    found = checked({"workers": 9}, limits=Limits(seconds=0.0), predicates=asked)
    assert [(f.name, f.verdict) for f in found.findings] == [("job != done", "undetermined")]
    assert [(a.text, a.reached) for a in found.answers] == [("job = done", None)]


def test_time_that_is_up_while_the_kernel_is_compiled_keeps_what_was_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The reference engine's states and violations stand; nothing is said to hold."""

    def late(*_: Any) -> None:
        raise TimeUp

    monkeypatch.setattr(choice, "SMALL", 20)
    monkeypatch.setattr(engine, "compile_kernel", late)
    found = checked({"revocations": 1, "lost_acks": 1}, limits=Limits(seconds=600.0))
    assert found.exploration.stopped_by == "time"
    assert found.exploration.states >= 20
    assert "holds" not in [f.verdict for f in found.findings]
    alone = checked({"lost_acks": 1}, limits=Limits(seconds=600.0), engine="compiled")
    assert alone.exploration.states == 0


def test_a_large_kernel_is_compiled_by_a_process_that_can_be_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its code is the same; without time there is none, and a text that is wrong is an error."""
    monkeypatch.setattr(object_code, "kept_entry", lambda _: None)
    system = system_of(queue.model)
    texts: list[str] = []
    machine_code = object_code.machine_code

    def kept(text: str) -> tuple[bytes, bool]:
        texts.append(text)
        return machine_code(text)

    monkeypatch.setattr(compiling, "machine_code", kept)
    compiling.compile_kernel(system, system.properties())
    expected = machine_code(texts[0])
    monkeypatch.setattr(object_code, "_LARGE", 0)
    with time_limit(100.0):
        assert machine_code(texts[0]) == expected
        with pytest.raises(RuntimeError, match="parsing error"):
            machine_code("define nothing")
    with time_limit(0.0), pytest.raises(TimeUp):
        machine_code(texts[0])


def test_the_nearest_of_several_limits_is_in_force() -> None:
    """A limit inside another one cannot make it later, and ends with its block."""
    assert time_left() == float("inf")
    with time_limit(1000.0):
        with time_limit(None):
            assert 900.0 < time_left() <= 1000.0
        with time_limit(5000.0):
            assert time_left() <= 1000.0
        with time_limit(0.0), pytest.raises(TimeUp, match=COMPILING) as caught:
            check_time()
        check_time()
    assert caught.value.exit_code == 3
    assert time_left() == float("inf")


@pytest.mark.parametrize("size", [19_990, 1_000_000, 10**18])
@pytest.mark.parametrize(
    ("model", "bound"), [("fence", "files"), ("agent", "files"), ("ledger", "workers")]
)
def test_a_state_of_absurdly_many_numbers_is_refused_at_once(
    model: str, bound: str, size: int
) -> None:
    """The message says how many there are and which variable or bound makes them so many."""
    family = load_family(model)
    seen = (
        r"a state is [\d,]+ numbers, [\d,]+ of them in variable \w+|an array of \d+ elements"
        r"|[\d,]+ ways in which it can happen"
    )
    with pytest.raises(ModelError, match=f"({seen}).* (choose smaller bounds|lower bound {bound})"):
        System(family, family.design({}, {bound: size}))


MANY = """
model = Model("many", "Many")
model.bound("n", 2, "how many")
model.variable("x", Int(0, 3))
A = model.actor("A")


@A.action({params})
def act(s{names}):
    "Act."
    s.x = {value}
"""


@pytest.mark.parametrize(
    ("params", "names", "value", "seen"),
    [
        (
            'i=Index("n"), j=Index("n")',
            ", i, j",
            "1",
            r"A.act: 1,001 x 1,001 = 1,002,001 ways .*; lower bound n",
        ),
        ("v=Int(0, 10**20)", ", v", "1", r"A.act: 1[0,]+1 ways .*; lower"),
        ("", "", "sum(1 for i in range(s.n * s.n)) % 4", r"`range\(.*\)` visits too many numbers"),
    ],
)
def test_absurdly_many_ways_and_visits_are_refused_at_once(
    tmp_path: Path, params: str, names: str, value: str, seen: str
) -> None:
    """The message names the action or the line."""
    text = HEADER + MANY.format(params=params, names=names, value=value)
    with pytest.raises(ModelError, match=seen):
        system_of(load(tmp_path, text).model, n=1_001)


def test_a_model_is_loaded_in_a_hurry_where_there_is_a_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What loading leaves out is done, and cut, where the model is asked; mistakes are told."""
    monkeypatch.setattr(limiting, "_SHORT", 0.0)
    for number, (body, said) in enumerate({"x = 1": COMPILING, "while 1: pass": "while"}.items()):
        text = f"{HEADER}model = Model('m', 'M')\nmodel.variable('v', Bool())\n"
        text += f"A = model.actor('A')\n\n\n@A.action()\ndef act(s):\n    'Act.'\n    {body}\n"
        (tmp_path / f"m{number}.py").write_text(text)
        spec = tmp_path / f"m{number}.toml"
        spec.write_text(f'model = "./m{number}.py"\n')
        with limiting.hurried(60):
            (loaded,) = load_specs([spec])
        if said == COMPILING:
            result = check_spec(loaded, Options(Limits(seconds=1e-9)))
            assert said in search_words(result.variants[0].exploration)
            assert not result.model_hash
        else:
            error = check_spec(loaded, Options(Limits(seconds=60))).variants[0].error
            assert error is not None
            assert said in error.message
