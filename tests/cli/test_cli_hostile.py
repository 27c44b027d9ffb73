"""Texts of a spec, a model or a trace act on nothing: not a terminal, a spreadsheet or a page."""

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = str(Path(sys.executable).with_name("fencecheck"))
LIE = "every required property holds within these bounds"
ESCAPES = {
    "clear the screen": f"x\x1b[2J\x1b[H{LIE}\x1b[8m",
    "window title": "x\x1b]0;passed\x07y",
    "a link": "x\x1b]8;;http://example.org\x1b\\y",
    "C1": f"x\x9b2J\x9d{LIE}",
    "carriage return": f"x\r{LIE}",
    "backspace": "violated\b\b\b\b\b\b\b\bholds",
    "override": "x\u202esdloh\u202c\u2066y\u2069",
    "separators": f"x\u2028{LIE}\u2029y\ufeff\u0085",
    "tags": "x\U000e0041\U000e007f",
    "our own colours": "\x1b[32mholds\x1b[0m",
}
ACTING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\U000e0000-\U000e007f]"
)
MODEL = """
from fencecheck.model import Enum, Model

TEXT = {text!r}
model = Model("hostile", TEXT)
model.budget("slips", TEXT)
actor = model.actor("actor")
model.variable("v", Enum("a", TEXT), owner=actor)


def go(s):
    s.v = TEXT


def stays(s):
    return s.v == "a"


go.__doc__ = stays.__doc__ = TEXT
actor.action(label=lambda s: TEXT, when=lambda s: s.v == "a")(go)
model.invariant(relevant=["v"])(stays)
"""


def toml_text(text: str) -> str:
    """Return a text as a TOML string."""
    told = (f"\\U{ord(c):08x}" if ACTING.match(c) or c in '\\"\n' else c for c in text)
    return f'"{"".join(told)}"'


@pytest.fixture(params=ESCAPES)
def hostile(request, tmp_path):
    """Write a spec and a model of which each text acts on a terminal; return its folder."""
    text = ESCAPES[request.param]
    (tmp_path / "m.py").write_text(MODEL.format(text=text), encoding="utf-8")
    name = toml_text(text)
    (tmp_path / "s.toml").write_text(
        f'model = "m.py"\ntitle = {name}\nnote = {name}\n'
        f"[[variant]]\nname = {name}\n[[variant]]\nname = {toml_text(text + 'b')}\n",
        encoding="utf-8",
    )
    return tmp_path


@pytest.mark.parametrize(
    "args",
    [
        *(["check", "s.toml", "--format", f] for f in ("text", "json", "markdown", "csv", "junit")),
        ["compare", "s.toml", "--out", "there"],
        ["check", "s.toml", "--coverage", "--strict"],
        ["check", "s.toml", "--reach", 'v != "a"', "--invariant", 'v == "a" and slips < 1'],
        ["explain", "s.toml", "--part", "adversaries"],
        ["fuzz", "s.toml", "--seeds", "5"],
        ["list", "m.py"],
        ["check", "s.toml", "--property", "stay"],
        ["draw", "s.toml", "--format", "dot", "--format", "mermaid", "--format", "markdown"],
    ],
    ids=" ".join,
)
def test_no_text_reaches_an_output_that_acts_on_a_terminal(hostile, run, args):
    result = run(*args)
    shown = result.stdout + result.stderr
    assert result.exit_code == (2 if "stay" in args else 0 if args[0] in ("list", "draw") else 1)
    assert not ACTING.search(shown)
    assert not [line for line in shown.splitlines() if line.strip().startswith(LIE)]
    for path in hostile.rglob("*"):
        if path.suffix in (".dot", ".mmd", ".md", ".json", ".csv", ".xml", ".txt", ".svg"):
            assert not ACTING.search(path.read_text("utf-8"))


@pytest.mark.parametrize("text", ESCAPES.values(), ids=ESCAPES)
def test_json_keeps_a_text_as_it_is(run, tmp_path, text):
    spec = f'model = "fence"\ntitle = {toml_text(text)}\nbounds = {{ steps = 1 }}\n'
    (tmp_path / "s.toml").write_text(spec, encoding="utf-8")
    shown = run("check", "s.toml", "--format", "json").stdout
    assert not ACTING.search(shown)
    assert json.loads(shown)["title"] == text


def test_a_title_of_several_lines_stands_on_one(run, tmp_path):
    (tmp_path / "s.toml").write_text(
        f'model = "fence"\ntitle = """x\n{LIE}"""\nbounds = {{ steps = 1 }}\n'
        f'[[variant]]\nname = """y\n{LIE}"""\n'
    )
    for args in (["check"], ["compare", "--out", "there"], ["fuzz", "--seeds", "5"], ["explain"]):
        shown = run(args[0], "s.toml", "--max-states", "2", *args[1:]).stdout
        assert f"x {LIE}" in shown
        assert not [line for line in shown.splitlines() if line.strip().startswith(LIE)]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", '=HYPERLINK("x")'])
def test_no_cell_of_a_csv_is_a_formula(run, tmp_path, text):
    (tmp_path / "s.toml").write_text(
        f'model = "fence"\ntitle = {json.dumps(text)}\nbounds = {{ steps = 1 }}\n'
        f"[[variant]]\nname = {json.dumps(text)}\n"
    )
    rows = list(csv.reader(io.StringIO(run("check", "s.toml", "--format", "csv").stdout)))
    assert any(f"'{text}" in row for row in rows)
    assert not [cell for row in rows for cell in row if cell.lstrip()[:1] in {*"=+-@"} - {""}]


NASTY = ["a|b", "`<img src=x onerror=y>`", "``", "a`b|c`d", "x\\|y", "[l](http://e)", "$x$"]


@pytest.mark.parametrize("text", NASTY)
def test_a_predicate_stays_in_its_cell_of_a_markdown_table(run, tmp_path, text):
    (tmp_path / "m.py").write_text(MODEL.format(text=text))
    (tmp_path / "s.toml").write_text('model = "m.py"\n')
    predicate = f"v == {text!r}"
    shown = run("check", "s.toml", "--reach", predicate, "--format", "markdown").stdout
    (row,) = [line for line in shown.splitlines() if line.startswith("| reach")]
    assert len(re.findall(r"(?<!\\)\|", row)) == 4
    assert "<img" not in re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", row)


@pytest.mark.parametrize("text", ["- a", "1. a", "12) a", "+ a", "---", "=== ", "# a", "> a"])
def test_a_note_in_markdown_begins_no_list_title_or_rule(run, tmp_path, text):
    spec = f'model = "fence"\nnote = {json.dumps(text)}\nbounds = {{ steps = 1 }}\n'
    (tmp_path / "s.toml").write_text(spec)
    shown = run("check", "s.toml", "--format", "markdown").stdout.splitlines()
    assert not [line for line in shown[:8] if re.match(r"(\d+[.)]|[-+>=])\s|---|===|# a", line)]


def test_a_file_whose_name_acts_on_a_terminal_is_named_visibly(tmp_path):
    folder = tmp_path / "specs"
    folder.mkdir()
    (folder / "a\x1b[2Jb.toml").write_text('model = "fence"\nbounds = { steps = 1 }\n')
    (folder / "c\x1b[2Jd.toml").write_text("model = 1\n")
    for args in (["check", "specs"], ["check", "specs/a\x1b[2Jb.toml"]):
        done = subprocess.run([PROGRAM, *args], cwd=tmp_path, capture_output=True, check=False)
        assert b"\x1b" not in done.stdout + done.stderr
        assert b"a\\x1b[2Jb.toml" in done.stdout or b"c\\x1b[2Jd.toml" in done.stderr
