"""Whatever a model's own Python does is a message with its file and line, and exit 2."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]

MODEL = '''
from fencecheck.model import *

model = Model("faulty", "A model with a fault")
model.bound("n", 2, "how many")
model.budget("slips", "slips")
model.mechanism("mode", ("plain", "odd"), "plain", "a switch")
I = Index("n")
R = Record("R", i=I)
model.variable("x", Int(0, 9))
model.variable("held", Array(I, Bool()))
model.messages("net", Bag(R, 2))
A = model.actor("A")


@A.action(i=I, when=lambda s, i: s.x < 3)
def up(s, i):
    """Up."""
    s.x += 1
    s.held[i] = True


@model.invariant(relevant=["x"])
def small(s):
    """It stays small."""
    return s.x < 2


def finished(s):
    return s.x == 3


model.goal = finished


@model.cost("ups")
def ups(before, event, after):
    """How often it went up."""
    return 1
'''

# what is put in place of what, the command, and what the message says
FAULTS = {
    "a rule that raises": (
        "model.goal =",
        "@model.rule\ndef fits(k):\n    return k.nope\n\n\nmodel.goal =",
        "check",
        r"m.py:35: rule fits goes wrong: AttributeError: k has no 'nope'; k has mode, n, slips",
    ),
    "a rule that says True": (
        "model.goal =",
        "@model.rule\ndef fits(k):\n    return True\n\n\nmodel.goal =",
        "check",
        "m.py:33: rule fits gives True; a rule returns what is wrong in words, or None",
    ),
    "a rule that ends the program": (
        "model.goal =",
        "import sys\n\n\n@model.rule\ndef fits(k):\n    sys.exit(0)\n\n\nmodel.goal =",
        "check",
        "m.py:38: rule fits goes wrong: it ends the program",
    ),
    "an initial value that raises": (
        'model.variable("x", Int(0, 9))',
        'model.variable("x", Int(0, 9), lambda k: 1 // 0)',
        "check",
        "m.py:10: the initial value of x goes wrong: ZeroDivisionError",
    ),
    "an initial value of another shape": (
        'model.variable("held", Array(I, Bool()))',
        'model.variable("held", Array(I, Bool()), 3)',
        "check",
        "m.py:11: model faulty: variable held starts as 3, which is not 2 x true or false",
    ),
    "a size that raises": (
        "Int(0, 9)",
        "Int(0, lambda k: k.m)",
        "check",
        "m.py:10: a size goes wrong: AttributeError: k has no 'm'; k has mode, n, slips",
    ),
    "a size that is misspelt": (
        "Int(0, 9)",
        "Int(0, lambda k: k.slip)",
        "check",
        '(did you mean "slips"?)',
    ),
    "a size that is no number": (
        "Int(0, 9)",
        "Int(0, lambda k: k.mode)",
        "check",
        "m.py:10: a size gives 'plain'; a size is a whole number",
    ),
    "an index of no bound": (
        'Index("n")',
        'Index("nn")',
        "check",
        'm.py:8: Index("nn"): no bound is named so; there is n, slips (did you mean "n"?)',
    ),
    "an index of a switch": (
        'Index("n")',
        'Index("mode")',
        "check",
        'm.py:8: Index("mode"): no bound is named so',
    ),
    "an enum of numbers": (
        "Int(0, 9)",
        "Enum(1, 2)",
        "check",
        "m.py:10: Enum(1, 2): its values are names; write them in quotes",
    ),
    "values that are no names": (
        '("plain", "odd"), "plain"',
        "(1, 2), 1",
        "check",
        "m.py:7: mechanism: values is (1, 2); write names in quotes, in a list",
    ),
    "values in one text": (
        '("plain", "odd"), "plain"',
        '"plain", "plain"',
        "check",
        "m.py:7: mechanism: values is 'plain'; write names in quotes, in a list",
    ),
    "a bound that is no number": (
        '"n", 2',
        '"n", "2"',
        "check",
        "m.py:5: bound: default is '2'; write",
    ),
    "a goal that goes wrong": (
        "return s.x == 3",
        "return 6 // (1 - s.x) == 2",
        "compare",
        "m.py:30: the goal goes wrong: ZeroDivisionError",
    ),
    "a cost that raises": (
        "return 1",
        "return {}['x']",
        "compare",
        "cost ups goes wrong: KeyError",
    ),
    "a cost that is no number": ("return 1", "return 'x'", "compare", "cost ups gives 'x'; a cost"),
    "a cost per nothing": (
        'model.cost("ups")',
        'model.cost("ups", per="m")',
        "compare",
        "cost ups: per: there is no bound 'm'; there is n, slips",
    ),
    "an actor without its parameter": (
        "model.goal =",
        'model.one_lane_each = {"A": "n"}\nmodel.goal =',
        "check",
        "m.py:33: one_lane_each: A: each of them has a lane, so that their events say whose they "
        "are; give A.up a parameter named A",
    ),
    "lanes of no actor": (
        "model.goal =",
        'model.one_lane_each = {"B": "n"}\nmodel.goal =',
        "check",
        "m.py:33: one_lane_each: there is no actor 'B'",
    ),
    "lanes of no bound": (
        "model.goal =",
        'model.one_lane_each = {"A": "m"}\nmodel.goal =',
        "check",
        "m.py:33: one_lane_each: A: there is no bound 'm'",
    ),
    "a lane that is not there": (
        "model.goal =",
        'model.lane_order = ["a"]\nmodel.goal =',
        "check",
        "m.py:33: lane_order: there is no lane 'a'",
    ),
    "an attribute misspelt": (
        "model.goal =",
        'model.lane_oder = ["A"]\nmodel.goal =',
        "check",
        "m.py:33: faulty: a model has no attribute 'lane_oder'; it has name, title, goal, ",
    ),
    "a goal that is no function": (
        "model.goal = finished",
        "model.goal = finished(None) if 0 else 3",
        "check",
        "m.py:33: goal is 3; write a function",
    ),
    "what is relevant is not there": (
        'relevant=["x"]',
        'relevant=["helt"]',
        "check",
        "property small: relevant: there is no variable 'helt' (did you mean \"held\"?)",
    ),
    "a part that includes itself": (
        "model.goal =",
        'other = Part("other")\nother.include(model)\nmodel.include(other)\nmodel.goal =',
        "check",
        "m.py:35: faulty: include: other is or has faulty itself",
    ),
    "a part that is none": (
        "model.goal =",
        "import json\n\nmodel.include(json)\nmodel.goal =",
        "check",
        "m.py:35: faulty: include: <module 'json'",
    ),
    "a budget that is not there": (
        "@A.action(i=I,",
        '@A.interference("slip", i=I,',
        "check",
        "m.py:16: model faulty: A.up: no budget is named 'slip' (did you mean \"slips\"?)",
    ),
    "a guard that is no function": (
        "when=lambda s, i: s.x < 3",
        "when=True",
        "check",
        "m.py:16: action: when is True; write a function",
    ),
    "a kind of lane misspelt": (
        "model.goal =",
        'model.actor("z", "interferance")\nmodel.goal =',
        "check",
        "m.py:33: actor: kind is 'interferance'; write one of interference, system, store "
        '(did you mean "interference"?)',
    ),
    "an actor that is a number": (
        "model.goal =",
        "model.actor(3)\nmodel.goal =",
        "check",
        "m.py:33: actor: name is 3; write a text in quotes",
    ),
    "a title that is a number": (
        "model.goal =",
        "model.title = 3\nmodel.goal =",
        "check",
        "m.py:33: title is 3; write a text in quotes",
    ),
    "a model whose name is a number": (
        "model.goal =",
        "Model(3, 4)\nmodel.goal =",
        "check",
        "m.py:33: name is 3; write a text in quotes",
    ),
    "a text where names are wanted": (
        'relevant=["x"]',
        'relevant="x"',
        "check",
        "invariant: relevant is 'x'; write names in quotes, in a list",
    ),
    "a text that is meant to be false": (
        "@A.action(i=I,",
        '@A.action(quiet="no", i=I,',
        "check",
        "m.py:16: action: quiet is 'no'; write True or False",
    ),
    "an event whose name is a number": (
        "@A.action(i=I,",
        "@A.action(name=3, i=I,",
        "check",
        "m.py:16: action: name is 3; write a text in quotes",
    ),
    "an admission that is no function": (
        "model.goal =",
        "model.refuses = 3\nmodel.goal =",
        "check",
        "m.py:33: refuses is 3; write a function",
    ),
    "a drill that is none": (
        "model.goal =",
        "model.drill = 3\nmodel.goal =",
        "check",
        "m.py:33: drill is 3; write a DrillPlan(...)",
    ),
    "a size that is true": (
        "Int(0, 9)",
        "Int(0, True)",
        "check",
        "m.py:10: a size must be a whole number, not True",
    ),
    "a default below the least": (
        '"n", 2',
        '"n", -1',
        "check",
        "m.py:5: faulty: bound n: default -1 is below 1, the least it can be; write a larger",
    ),
    "an owner that is not there": (
        "model.goal =",
        'model.variable("y", Int(0, 4), owner="AA")\nmodel.goal =',
        "check",
        "m.py:33: model faulty: variable y: owner: there is no lane 'AA' (did you mean \"A\"?)",
    ),
    "an owner that is a number": (
        "model.goal =",
        'model.variable("y", Int(0, 4), owner=3)\nmodel.goal =',
        "check",
        "m.py:33: owner is 3; write an actor, or its name in quotes",
    ),
}


@pytest.fixture
def faulty(tmp_path: Path, run: Run) -> Run:
    """Return what runs a command on the model with one text replaced by another."""

    def go(old: str, new: str, command: str, *args: str) -> Result:
        assert MODEL.count(old) == 1, old
        (tmp_path / "m.py").write_text(MODEL.replace(old, new))
        (tmp_path / "x.toml").write_text('model = "m.py"\n')
        return run(command, "x.toml", *args)

    return go


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_ordinary_python_names_its_line_and_exits_2(faulty: Run, fault: str) -> None:
    """Each was a traceback, or was not noticed at all."""
    old, new, command, words = FAULTS[fault]
    result = faulty(old, new, command)
    assert result.exit_code == 2
    assert words in " ".join((result.stdout + result.stderr).split())
    assert "Traceback" not in result.stdout + result.stderr


WORDS = {
    "label": ("@A.action(i=I,", "@A.action(label=lambda s, i: {}[i], i=I,", "label of A.up"),
    "label None": ("@A.action(i=I,", "@A.action(label=lambda s, i: None, i=I,", "label of A.up"),
    "remark": ("@A.action(i=I,", "@A.action(remark=lambda s, i: 1 // 0, i=I,", "remark of A.up"),
    "show": ("Int(0, 9)", "Int(0, 9, lambda v, k: k.nope)", "show of an Int"),
    "exit": ("Int(0, 9)", "Int(0, 9, lambda v, k: exit(0))", "show of an Int"),
}
SAYS = ("None", '"flat"', '("x", [1, 2])', '("x", [("a", object())])', "1 // 0", "[][0]")


@pytest.mark.parametrize("fault", WORDS)
def test_words_that_go_wrong_lose_no_violation(faulty: Run, fault: str) -> None:
    """The verdict and its events are shown, a note in the place of the words, and exit 2."""
    old, new, words = WORDS[fault]
    result = faulty(old, new, "check")
    assert result.exit_code == 2
    assert "violated      small  2 events" in result.stdout
    told = f"m.py:{16 if 'action' in old else 10}: {words} "
    assert told in " ".join(result.stdout.split())


@pytest.mark.parametrize("says", SAYS)
def test_says_of_another_shape_loses_no_violation(faulty: Run, says: str) -> None:
    """None, a text, flat pairs, values that cannot be shown, an exception."""
    text = f"@small.says\ndef why(before, after):\n    return {says}\n\n\nmodel.goal ="
    result = faulty("model.goal =", text, "check", "--format", "json")
    assert result.exit_code == 2
    (variant,) = json.loads(result.stdout)["variants"]
    (found,) = variant["properties"]
    assert (found["verdict"], found["events"]) == ("violated", 2)
    assert "says of small " in found["trace"]["violation"]["says"]
    assert "says of small " in variant["error"]["message"]
    assert "m.py:" in variant["error"]["message"]


def test_what_a_model_prints_does_not_stand_in_the_results(faulty: Run) -> None:
    """Stdout is one JSON document, whatever functions of the model print."""
    text = (
        "@small.says\ndef why(before, after):\n    print('says')\n"
        "    return 'why', [('x', after.x)]\n\n\nprint('loading')\nmodel.goal ="
    )
    result = faulty("model.goal =", text, "check", "--format", "json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["variants"]
    assert "loading" in result.stderr


TWO = """model = "m.py"
[[variant]]
name = "right"
bounds = {n = 1}
[[variant]]
name = "wrong"
bounds = {n = 2}
[[variant]]
name = "right too"
bounds = {n = 3}
"""


@pytest.mark.parametrize("form", ["text", "json", "markdown", "csv", "junit"])
@pytest.mark.parametrize("command", ["check", "compare"])
def test_one_variant_that_goes_wrong_does_not_lose_the_others(
    tmp_path: Path, run: Run, command: str, form: str
) -> None:
    """The others have verdicts; the error names variant, line, variable and domain, once."""
    (tmp_path / "m.py").write_text(MODEL.replace("s.x += 1", "s.x += 1 if s.n != 2 else 12"))
    (tmp_path / "x.toml").write_text(TWO)
    result = run(command, "x.toml", "--format", form)
    assert result.exit_code == 2
    told = (
        'variant "wrong": model faulty goes wrong in A.up: x is 12, which is not 0 to 9 (m.py:16)'
    )
    shown = result.stdout.replace("&quot;", '"').replace('\\"', '"').replace('""', '"')
    assert told in shown + result.stderr
    if form == "text":
        assert shown.count(told) == 1
        assert result.stderr == "" or "wrote" in result.stderr
    if form == "json":
        variants = json.loads(result.stdout)["variants"]
        verdicts = [v["properties"][0]["verdict"] for v in variants]
        assert verdicts == ["violated", "undetermined", "violated"]
        assert [v["error"] is not None for v in variants] == [False, True, False]
        assert variants[1]["error"]["trace"]["verdict"] == "error"


def test_words_that_go_wrong_in_a_scripted_order_are_told(tmp_path: Path, run: Run) -> None:
    """The order is told with a note in their place, and the model is said to be wrong."""
    old = "@A.action(i=I, when"
    assert old in MODEL
    text = MODEL.replace(old, "@A.action(label=lambda s, i: {}[i], i=I, when")
    text = text.replace("s.x < 2", "s.x < 9").replace("= True\n", '= True\n    return "done"\n')
    (tmp_path / "m.py").write_text(text)
    (tmp_path / "x.toml").write_text(
        'model = "m.py"\n[[scenario]]\nname = "one"\norder = []\nask = "A(2)"\n'
    )
    result = run("compare", "x.toml")
    assert result.exit_code == 2
    assert "m.py:16: label of A.up goes wrong: KeyError" in " ".join(result.stdout.split())


@pytest.mark.parametrize("words", ["label=lambda s, i: {}[i], ", "remark=lambda b, a, i: {}[i], "])
def test_draw_exits_as_check_does_where_words_go_wrong(
    tmp_path: Path, run: Run, words: str
) -> None:
    """What breaks is drawn with a note in their place, and the model is said to be wrong."""
    (tmp_path / "m.py").write_text(MODEL.replace("@A.action(", f"@A.action({words}"))
    (tmp_path / "x.toml").write_text('model = "m.py"\n')
    assert run("check", "x.toml").exit_code == 2
    drawn = run("draw", "x.toml", "--format", "dot", "--out", "found")
    assert drawn.exit_code == 2
    assert "goes wrong: " in drawn.stderr
    assert len(list((tmp_path / "found").rglob("*.dot"))) == 1


def test_draw_of_a_scripted_order_exits_2_where_words_go_wrong(tmp_path: Path, run: Run) -> None:
    """The order is drawn, and the fault said."""
    text = MODEL.replace("@A.action(", "@A.action(label=lambda s, i: {}[i], ")
    text = text.replace("= True\n", '= True\n    return "done"\n')
    (tmp_path / "m.py").write_text(text)
    (tmp_path / "x.toml").write_text(
        'model = "m.py"\n[[scenario]]\nname = "one"\norder = []\nask = "A(2)"\n'
    )
    drawn = run("draw", "x.toml", "--scenario", "one", "--format", "dot", "--out", "found")
    assert drawn.exit_code == 2
    assert drawn.stderr.count("label of A.up goes wrong: KeyError") == 1
    assert len(list((tmp_path / "found").rglob("*.dot"))) == 1
