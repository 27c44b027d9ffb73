"""What ``import fencecheck as fc`` offers, used as a person at a prompt or in a notebook would."""

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Literal

import pytest

import fencecheck as fc
from fencecheck.model import Bool, Model
from tests.cli.conftest import WITHOUT_PROPERTIES

NO_FENCE = {"fence": "none", "precondition": "off"}


@pytest.fixture(scope="module")
def tour() -> fc.CheckResult:
    return fc.compare()


@pytest.fixture(scope="module")
def lost() -> fc.CheckResult:
    return fc.check("fence", NO_FENCE, {"edits": 1})


def test_the_tour_is_a_sequence_of_designs(tour: fc.CheckResult) -> None:
    """A comparison iterates over designs, a design over its verdicts."""
    assert [design.name for design in tour][:2] == ["no fence", "plan fence"]
    assert len(tour) == 5
    assert {prop.name for prop in tour["no fence"]} >= {"at_most_once", "finishes"}
    assert tour["no fence"]["no_lost_update"].events == 3
    assert tour.as_expected
    assert not tour.holds
    assert tour["step fence + journal"].holds


def test_a_result_of_one_design_answers_to_the_names_of_properties(lost: fc.CheckResult) -> None:
    """``result["no_lost_update"]`` needs no design's name where there is only one."""
    broken = lost["no_lost_update"]
    assert (broken.verdict, broken.events, broken.holds) == ("violated", 3, False)
    assert lost["at_most_once"].trace is None


def test_a_short_line_says_what_came_out(tour: fc.CheckResult, lost: fc.CheckResult) -> None:
    """``repr`` fits a line and names what matters."""
    assert repr(tour) == "<specs/tour.toml: 5 designs; 60 verdicts, each as expected>"
    assert repr(lost["no_lost_update"]) == "<no_lost_update: violated in 3 events>"
    assert "violated: fresh_apply, no_lost_update" in repr(lost["fence"])
    shown = repr(lost["no_lost_update"].trace)
    assert shown.startswith("<no_lost_update breaks in 3 events: client.dispatch(step=1), ")


def test_a_trace_is_a_sequence_of_events(lost: fc.CheckResult) -> None:
    """Events have names, arguments, outcomes, and what they changed."""
    trace = lost["no_lost_update"].trace
    assert trace is not None
    assert [event.name for event in trace] == ["client.dispatch", "human.edit", "executor.apply"]
    assert (len(trace), trace[1].args, trace[2].outcome) == (3, {"file": 1}, "applied")
    assert trace[1].changes["workspace.rev"] == ("0", "1") or trace[1].changes["workspace.rev"] == (
        0,
        1,
    )
    assert trace.breaks == "no_lost_update"
    assert trace.says
    assert trace.evidence["workspace.content[1]"] == ("human edit 1", "human edit 1")


@pytest.mark.parametrize("ending", ["svg", "png", "dot", "mmd", "md", "json"])
def test_a_trace_is_drawn_as_the_ending_says(
    lost: fc.CheckResult, tmp_path: Path, ending: str
) -> None:
    """``draw`` writes the format of the file's ending."""
    trace = lost["no_lost_update"].trace
    assert trace is not None
    content = trace.draw(tmp_path / f"x.{ending}").read_bytes()
    start = {"svg": b"<?xml", "png": b"\x89PNG", "dot": b"// draw with", "mmd": b"sequenceDiagram"}
    assert content.startswith(start.get(ending, b""))
    assert b"no_lost_update" in content or ending == "png"


def test_notebooks_show_results_and_traces(tour: fc.CheckResult, lost: fc.CheckResult) -> None:
    """A trace is its picture, a result its table, with every name escaped."""
    trace = lost["no_lost_update"].trace
    assert trace is not None
    assert ET.fromstring(trace._repr_svg_() or "").tag.endswith("svg")
    assert "✗ 3" in tour._repr_html_()
    assert "no fence" not in tour["as printed"]._repr_html_()


def test_names_are_escaped_in_html() -> None:
    """A model called like a piece of HTML shows as its name."""
    model = Model("m", "<script>alert(1)</script>")
    one = model.actor("one")
    model.variable("x", Bool(), owner=one)

    @one.action(when=lambda s: not s.x)
    def go(s):
        """Go."""
        s.x = True

    @model.invariant()
    def still(s):
        """It does not go."""
        return not s.x

    shown = fc.check(model)._repr_html_()
    tags: list[str] = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attrs: tags.append(tag)  # type: ignore[method-assign]
    parser.feed(shown)
    assert "script" not in tags
    assert "&lt;script&gt;" in shown


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: fc.compare()["no fense"], 'there is no design "no fense"; there is "no fence"'),
        (lambda: fc.compare()["no fence"]["at_most_onc"], '(did you mean "at_most_once"?)'),
        (lambda: fc.check("fense"), '(did you mean "fence"?)'),
        (lambda: fc.check("fence", engine="fast"), "not one of auto, reference, compiled"),
        (lambda: fc.check("fence", timeout="soon"), "write 90s, 10m or 1h30m"),
        (lambda: fc.check("fence", max_memory="much"), "write 500M or 8G"),
        (lambda: fc.check("fence", tiemout=1), '(did you mean "timeout"?)'),
        (lambda: fc.check("fence", properties=["at_most"]), 'property "at_most" is not one of'),
        (lambda: fc.check("fence", {"fence": "stepp"}), '(did you mean "step"?)'),
        (lambda: fc.explain("fence", parts=["design"]), '(did you mean "designs"?)'),
        (lambda: fc.explain("fence", keep=["jurnal"]), '(did you mean "journal"?)'),
        (lambda: fc.load("no/such.toml"), "there is no such file"),
    ],
)  # fmt: skip
def test_a_mistake_is_answered_with_what_to_write(call: Callable[[], object], words: str) -> None:
    """Every mistake is a FencecheckError that names what was seen and what there is."""
    with pytest.raises(fc.FencecheckError) as caught:
        call()
    assert words in str(caught.value)


def test_a_name_that_is_not_there_is_a_key_error_too(lost: fc.CheckResult) -> None:
    """Whoever writes ``except KeyError`` catches it."""
    with pytest.raises(KeyError, match="no_lost_update"):
        lost["no_lost_updat"]


def test_a_cut_search_holds_nowhere() -> None:
    """What a limit left open is undetermined, and ``holds`` says no."""
    cut = fc.check("fence", bounds={"edits": 1}, max_states=2)
    assert {prop.verdict for prop in cut["fence"]} <= {"undetermined", "violated"}
    assert not cut.holds
    assert cut.exit_code == 3


def test_load_says_what_there_is() -> None:
    """A loaded model or spec names what it has, and can be checked."""
    model, spec = fc.load("fence"), fc.load("specs/tour.toml")
    assert "journal" in model.mechanisms
    assert "at_most_once" in model.properties
    assert "client.dispatch" in model.events
    assert spec.variants[0] == "no fence"
    assert fc.check(model, NO_FENCE, {"edits": 1})["no_lost_update"].events == 3
    assert len(fc.check(spec, properties=["no_lost_update"])) == 5


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_results_are_those_of_the_command_line(engine: Literal["reference", "compiled"]) -> None:
    """The JSON is what ``fencecheck check --format json`` prints, but for the seconds.

    Which engine ``auto`` takes depends on the kernels that are kept by then, so it is named.
    """
    spec = "specs/designs/no_fence.toml"
    command = [sys.executable, "-m", "fencecheck", "check", spec, "--format", "json"]
    command += ["--engine", engine]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    printed, made = json.loads(done.stdout), json.loads(fc.check(spec, engine=engine).to_json())
    for result in (printed, made):
        for variant in result["variants"]:
            del variant["exploration"]["seconds"], variant["exploration"]["threads"]
    assert made == printed


def test_an_explanation_is_text_markdown_and_values() -> None:
    """``explain`` takes the parts that are wanted."""
    told = fc.explain("fence", NO_FENCE, {"edits": 1}, parts=["adversaries"])
    assert "one edit (3 events)" in str(told)
    assert told.to_dict()["schema"] == "fencecheck/explanation/1"
    assert told.to_markdown().startswith("<!-- fencecheck/markdown/1 -->")
    assert repr(told) == "<explanation of 1 design, 0 of them sound>"


def test_importing_loads_nothing_heavy() -> None:
    """``import fencecheck`` leaves numpy, numba and networkx alone."""
    code = (
        "import sys, fencecheck; print({'numpy', 'numba', 'networkx', 'click'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize(
    ("search", "words"),
    [
        ({"max_states": -1}, "max_states: -1 is not in the range x>=1; write 1 or more"),
        ({"max_states": 0}, "max_states: 0 is not in the range x>=1; write 1 or more"),
        ({"max_states": 2.5}, "max_states: 2.5 is no whole number; write 1 or more"),
        ({"threads": 0}, "threads: 0 is not in the range 1<=x<=64; write 1 to 64"),
        ({"threads": 65}, "threads: 65 is not in the range 1<=x<=64; write 1 to 64"),
        ({"threads": True}, "threads: True is no whole number; write 1 to 64"),
        ({"threads": None}, "threads: None is no whole number; write 1 to 64"),
        ({"timeout": -1}, 'timeout: "-1" is no span of time; write 90s, 10m or 1h30m'),
        ({"timeout": 0}, 'timeout: "0": no search fits into that; write 90s, 10m or 1h30m'),
        ({"timeout": float("nan")}, 'timeout: "nan" is no span of time; write 90s'),
        ({"timeout": float("inf")}, 'timeout: "inf" is no span of time; write 90s'),
        ({"max_memory": -1}, 'max_memory: "-1" is no amount of memory; write 500M or 8G'),
        ({"max_memory": 0}, 'max_memory: "0" is no amount of memory; write 500M or 8G'),
        ({"strict": "no"}, "strict: 'no': write True or False"),
        ({"coverage": 1}, "coverage: 1: write True or False"),
        ({"properties": "no_stuck"}, "properties: 'no_stuck': write a list of names, as in"),
        ({"properties": [3]}, "properties: [3]: write a list of names, as in"),
        ({"properties": 3}, "properties: 3: write a list of names, as in"),
    ],
)
@pytest.mark.parametrize("call", [fc.check, fc.compare, fc.explain])
def test_what_no_search_takes_is_refused(
    call: Callable[..., object], search: dict[str, object], words: str
) -> None:
    """The message names the argument, what was given and what to write; nothing is explored."""
    with pytest.raises(fc.FencecheckError) as caught:
        call("fence", **search)
    assert str(caught.value).startswith(words)


def test_ranges_are_told_as_by_the_command_line() -> None:
    """The words about the range are those that ``--max-states`` and ``--threads`` have."""
    from click.testing import CliRunner

    from fencecheck.cli.program import main

    for option, value in (("max_states", -1), ("threads", 0), ("threads", 65)):
        said = CliRunner().invoke(main, ["check", "x", f"--{option.replace('_', '-')}={value}"])
        with pytest.raises(fc.FencecheckError) as caught:
            fc.check("fence", **{option: value})  # type: ignore[arg-type]
        words = str(caught.value).removeprefix(f"{option}: ").partition(";")[0]
        assert words in said.output


def test_parts_and_switches_of_an_explanation_are_lists() -> None:
    for given in ({"parts": "bounds"}, {"keep": "fence"}):
        with pytest.raises(fc.FencecheckError, match=f"{next(iter(given))}: .*write a list"):
            fc.explain("fence", **given)  # type: ignore[arg-type]


def test_nothing_required_is_nothing_that_holds(tmp_path: Path) -> None:
    """Neither of a model without properties, nor where all of them are only reported."""
    model = tmp_path / "counter.py"
    model.write_text(WITHOUT_PROPERTIES)
    (tmp_path / "counter.toml").write_text('model = "counter.py"\n')
    reported = '[properties]\nrequire = []\nreport = ["no_lost_update"]\n'
    (tmp_path / "reported.toml").write_text('model = "fence"\n' + reported)
    empty = fc.check(str(tmp_path / "counter.toml"))
    assert (empty.exit_code, empty.holds, empty.as_expected) == (3, False, False)
    only = fc.check(str(tmp_path / "reported.toml"))
    assert only["no_lost_update"].holds
    assert not only.holds
