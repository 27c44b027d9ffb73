"""``fencecheck explain`` where a model goes wrong: it says so, and explains the rest."""

from __future__ import annotations

import json

import pytest

MODEL = '''
from fencecheck.model import Int, Model

model = Model("counting", "A counter that may leave its domain")
model.bound("rounds", 2, "how far it counts")
model.mechanism("mode", ("plain", "odd"), "plain", "whether it counts by three")
model.mechanism("stop", ("off", "on"), "off", "whether it stops at one")
model.variable("n", Int(0, 2))
counter = model.actor("counter")


@counter.action(when=lambda s: s.n < 2 and (s.n < 1 or s.stop == "off"))
def count(s):
    """The counter goes on."""
    if s.mode == "odd":
        s.n += 3
    else:
        s.n += 1


@model.invariant()
def small(s):
    """The counter stays small."""
    return s.n < 2
'''
PARTS = ("--part", "adversaries", "--part", "designs", "--part", "orders", "--part", "guards")


@pytest.fixture
def counting(tmp_path, run):
    """Write a model one of whose two switches makes it go wrong; return what writes a spec."""
    (tmp_path / "counting.py").write_text(MODEL)

    def write(text):
        path = tmp_path / "counting.toml"
        path.write_text(f'model = "counting.py"\n{text}')
        return path

    return write


VARIANTS = """
[[variant]]
name = "first"
mechanisms = { stop = "on" }
[[variant]]
name = "faulty"
mechanisms = { mode = "odd" }
[[variant]]
name = "last"
"""


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_the_other_variants_are_explained(run, counting, form):
    """One variant's model goes wrong: its message stands once and names it, and exit is 2."""
    result = run("explain", counting(VARIANTS), *PARTS, "--format", form, "--quiet")
    assert result.exit_code == 2
    message = 'variant "faulty": model counting goes wrong in counter.count'
    told = result.stdout.replace('\\"', '"')
    if form == "json":
        found = json.loads(result.stdout)
        assert [v["error"] is None for v in found["variants"]] == [True, False, True]
        assert [v["sound"] for v in found["variants"]] == [True, None, False]
        assert found["variants"][2]["repairs"]["changes"] == [{"stop": "on"}]
        assert message in found["error"]["message"]
        return
    assert told.count(message) == 1
    words = " ".join(told.split())
    assert "The least changes that make it sound" in words
    assert "small undetermined: the model goes wrong." in words
    assert (result.stderr.count(message), form) in {(0, "text"), (1, "markdown")}


def test_designs_that_go_wrong_are_counted(run, counting):
    """The spec's own design is sound: those around it that go wrong are told with the reason."""
    path = counting('[mechanisms]\nstop = "on"\n')
    result = run("explain", path, *PARTS)
    words = " ".join(result.output.split())
    assert result.exit_code == 2
    assert "1 sound, 1 not, 2 whose model goes wrong" in words
    assert "2 designs go wrong: model counting goes wrong in counter.count: n is 3" in words
    assert "Minimal sets of mechanisms" in words
    assert "the model goes wrong elsewhere" in words
    told = json.loads(run("explain", path, *PARTS, "--format", "json").stdout)["designs"][0]
    assert (told["sound"], told["broken"], told["undetermined"]) == (1, 1, 0)
    assert list(told["gone_wrong"].values()) == [2]


def test_a_design_that_cannot_be_set_up_is_counted(run, counting, tmp_path):
    """An initial value that goes wrong at one value of a switch is told of those designs."""
    old = 'model.variable("n", Int(0, 2))'
    assert old in MODEL
    new = 'model.variable("n", Int(0, 2), lambda k: {"plain": 0}[k.mode])'
    (tmp_path / "counting.py").write_text(MODEL.replace(old, new))
    result = run("explain", counting('[mechanisms]\nstop = "on"\n'), *PARTS)
    words = " ".join(result.output.split())
    assert result.exit_code == 2
    assert "designs go wrong: counting.py:8: the initial value of n goes wrong: KeyError" in words


def test_a_mechanism_that_keeps_the_model_right_is_told(run, counting):
    """Leaving a mechanism out may make the model go wrong, which the guards say."""
    path = counting('[mechanisms]\nstop = "on"\n')
    (path.with_name("counting.py")).write_text(MODEL.replace('s.mode == "odd"', "s.n == 1"))
    result = run("explain", path, "--part", "guards")
    words = " ".join(result.output.split())
    assert result.exit_code == 2
    assert "stop on → off the model goes wrong: model counting goes wrong" in words


def test_larger_bounds_end_where_the_model_goes_wrong(run, counting, tmp_path):
    """How far bounds are raised is a matter of time, so that the exit code stays."""
    text = MODEL.replace("s.n < 2 and (s.n < 1", "s.n < s.rounds and (s.n < 3").replace(
        "s.n < 2\n", "True\n"
    )
    (tmp_path / "counting.py").write_text(text)
    path = counting("[bounds]\nrounds = 1\n")
    result = run("explain", path, "--part", "bounds", "--timeout", "20s")
    words = " ".join(result.output.split())
    assert "the model goes wrong: model counting goes wrong in counter.count: n is 3" in words
    assert result.exit_code == 0


def test_words_that_go_wrong_are_a_wrong_model_too(run, counting, tmp_path):
    """As for check: the verdicts stand, the message is told once, and exit is 2."""
    text = MODEL.replace("@counter.action(", "@counter.action(label=lambda s: {}[1], ")
    (tmp_path / "counting.py").write_text(text)
    for command in (("check",), ("explain", *PARTS)):
        result = run(*command, counting(""))
        assert result.exit_code == 2
        assert "label of counter.count goes wrong: KeyError" in " ".join(result.output.split())
