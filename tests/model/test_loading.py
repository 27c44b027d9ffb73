"""A model file is what its text says now; whatever it does while it is loaded is a message."""

from __future__ import annotations

import importlib.util
import os
import py_compile
import subprocess
import sys
from pathlib import Path

import pytest

from fencecheck import check
from fencecheck.errors import ModelError
from fencecheck.interface.verdicts import CheckResult
from fencecheck.model.family import Family
from fencecheck.model.files.identity import model_hash
from fencecheck.model.files.loading import load_family
from tests.models_for_tests import load

COUNTER = '''
from fencecheck.model import *

model = Model("counter", "A counter")
model.variable("x", Int(0, 40))
A = model.actor("A")


@A.action(when=lambda s: s.x < {last})
def up(s):
    """Up."""
    s.x += 1


@model.invariant()
def small(s):
    """It stays small."""
    return s.x < 4
'''


def verdict(result: CheckResult, name: str = "small") -> tuple[str, int]:
    """Return a verdict, and how many states were found."""
    (design,) = result
    return design[name].verdict, design.states


def rewrite_keeping_time(path: Path, text: str) -> None:
    """Give a file another text of the same length, and the time that it had."""
    kept = path.stat()
    assert len(text) == kept.st_size
    path.write_text(text)
    os.utime(path, ns=(kept.st_atime_ns, kept.st_mtime_ns))


# -- what a model is ----------------------------------------------------------------------------
def test_a_file_that_changed_is_loaded_again(tmp_path: Path) -> None:
    """The Python interface never gives the verdict of a text that is gone."""
    path = tmp_path / "m.py"
    path.write_text(COUNTER.format(last=3))
    assert verdict(check(path)) == ("holds", 4)
    rewrite_keeping_time(path, COUNTER.format(last=7))
    assert verdict(check(path)) == ("violated", 8)
    assert load_family(str(path)) is load_family(str(path))


def test_a_helper_that_changed_is_loaded_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So is a model of which only a module that it imports has changed."""
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "lib_of_counter").mkdir()
    (tmp_path / "lib_of_counter" / "__init__.py").write_text("")
    helper = tmp_path / "lib_of_counter" / "helpers.py"
    helper.write_text("LAST = 3\n")
    text = COUNTER.replace("{last}", "LAST")
    (tmp_path / "m.py").write_text("from lib_of_counter.helpers import LAST\n" + text)
    assert verdict(check(tmp_path / "m.py")) == ("holds", 4)
    helper.write_text("LAST = 7\n")
    assert verdict(check(tmp_path / "m.py")) == ("violated", 8)


def test_a_file_beside_a_model_is_its_own(tmp_path: Path) -> None:
    """Two models in two folders import helpers of one name; each has its own, from anywhere."""
    for last in (3, 8, 5):
        folder = tmp_path / str(last)
        (folder / "limits").mkdir(parents=True)
        (folder / "limits" / "inner.py").write_text(f"LAST = {last}\n")
        (folder / "help.py").write_text("from limits.inner import LAST\n")
        text = COUNTER.replace("\nmodel =", "\nfrom help import LAST\n\nmodel =", 1)
        (folder / "m.py").write_text(text.format(last="LAST"))
    results = [check(tmp_path / str(last) / "m.py") for last in (3, 8, 5, 3)]
    assert [verdict(result)[1] for result in results] == [4, 9, 6, 4]
    (tmp_path / "8" / "limits" / "inner.py").write_text("LAST = 2\n")
    assert verdict(check(tmp_path / "8" / "m.py")) == ("holds", 3)


def test_bytecode_of_another_text_is_never_executed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Same size, same time, and Python's cache in place: what is executed is the text."""
    monkeypatch.syspath_prepend(str(tmp_path))
    path, helper = tmp_path / "m.py", tmp_path / "helper_with_bytecode.py"
    path.write_text("from helper_with_bytecode import LAST\n" + COUNTER.replace("{last}", "LAST"))
    helper.write_text("LAST = 3\n")
    for file in (path, helper):
        py_compile.compile(str(file), doraise=True)
    rewrite_keeping_time(helper, "LAST = 7\n")
    spec = importlib.util.spec_from_file_location("as_python_does", helper)
    assert spec is not None
    assert spec.loader is not None
    stale = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(stale)
    assert stale.LAST == 3, "Python itself takes the old bytecode"
    for engine in ("auto", "compiled"):
        found = check(path, engine=engine)
        assert verdict(found) == ("violated", 8)


def test_the_hash_is_of_what_a_model_does_not_of_its_files(tmp_path: Path) -> None:
    """Other words leave it as it is; another limit, from wherever it comes, does not."""

    def hash_of(text: str) -> str:
        return model_hash(Family(load(tmp_path, text).model))

    first = hash_of(COUNTER.format(last=3))
    assert hash_of("# a remark\n" + COUNTER.format(last=3)) == first
    assert hash_of(COUNTER.format(last=3).replace("Up.", "One more.")) == first
    assert hash_of(COUNTER.format(last=4)) != first
    assert hash_of(COUNTER.format(last=3).replace("Int(0, 40)", "Int(0, 41)")) != first
    assert hash_of(COUNTER.format(last=3).replace("s.x < 4", "s.x < 5")) != first
    data = tmp_path / "limit.txt"
    read = f"import pathlib\nLAST = int(pathlib.Path({str(data)!r}).read_text())\n"
    read += COUNTER.replace("{last}", "LAST")
    hashes = []
    for limit in (3, 9):
        data.write_text(str(limit))
        hashes.append(hash_of(read))
    assert hashes[0] == first != hashes[1]


def told_by_a_process(path: Path, **environment: str) -> str:
    """Return what a new process finds of a model: hash, module name, text of a trace."""
    code = (
        "import sys; from fencecheck.model.files.loading import load_family\n"
        "from fencecheck.model.files.identity import model_hash\n"
        "f = load_family(sys.argv[1])\n"
        "print(model_hash(f), f.declared.actions[0].effect.__module__)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        capture_output=True,
        env={**os.environ, **environment},
        check=True,
    )
    return done.stdout.decode()


def test_hash_and_names_depend_on_no_seed_and_no_locale(tmp_path: Path) -> None:
    """Two processes, an ASCII locale and another seed for hashes: the same."""
    path = tmp_path / "m.py"
    path.write_text(COUNTER.format(last=7).replace("counter", "zähler"), encoding="utf-8")
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    first = told_by_a_process(path, PYTHONHASHSEED="1")
    assert first
    assert told_by_a_process(path, PYTHONHASHSEED="2", **ascii_only) == first


# -- what goes wrong ----------------------------------------------------------------------------
ENDINGS = {
    "import sys\nsys.exit(0)": r"m\.py:2: it ends the program \(sys\.exit\)",
    "raise SystemExit": r"m\.py:1: it ends the program",
    "import argparse\nargparse.ArgumentParser(prog='x').parse_args(['--no'])": r"m\.py:2: it ends",
    "class Odd(BaseException): pass\nraise Odd('x')": r"m\.py:2: Odd: x",
    "raise GeneratorExit": r"m\.py:1: GeneratorExit",
    "import json\njson.loads('{')": r"m\.py:2: JSONDecodeError",
    "def f():\n    return 1 // 0\n\nf()": r"m\.py:2: ZeroDivisionError",
    "x = (\n": r"m\.py:1: SyntaxError",
    "x = 1\n\0": r"m\.py: .*null bytes|m\.py:\d+: SyntaxError: source code string cannot contain",
    "import nowhere_at_all": r"m\.py:1: ModuleNotFoundError",
    "def f(): f()\nf()": r"m\.py:1: RecursionError",
}


@pytest.mark.parametrize("text", ENDINGS, ids=lambda text: text[:20])
def test_whatever_ends_a_model_file_is_a_message_with_its_line(tmp_path: Path, text: str) -> None:
    """An exit of the program too: it never ends a check as if nothing were wrong."""
    (tmp_path / "m.py").write_text(text)
    with pytest.raises(ModelError, match=ENDINGS[text]):
        load_family("m.py", tmp_path)


def test_an_interrupt_while_loading_stays_one(tmp_path: Path) -> None:
    """Ctrl-C is no mistake of the model."""
    (tmp_path / "m.py").write_text("raise KeyboardInterrupt")
    with pytest.raises(KeyboardInterrupt):
        load_family("m.py", tmp_path)


def test_what_a_model_prints_goes_to_stderr(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Stdout is for results."""
    (tmp_path / "m.py").write_text("print('loading')\n" + COUNTER.format(last=3))
    load_family("m.py", tmp_path)
    out, err = capsys.readouterr()
    assert (out, err) == ("", "loading\n")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"# caf\xe9\n", r"m\.py: line 1: this is not UTF-8 text \(byte 6 of the file is 0xe9\)"),
        ("x = 1\n".encode("utf-16"), r"m\.py: line 1: .*byte 1 of the file is 0xff"),
        (b"\xef\xbb\xbfx = 1\n# \xff\n", r"line 2: .*byte 12 of the file is 0xff"),
        (b"# -*- coding: latin-1 -*-\n", r"m\.py:1: it declares the encoding latin-1; models are"),
    ],
)
def test_another_encoding_is_named_with_its_byte(
    tmp_path: Path, content: bytes, words: str
) -> None:
    """Models are UTF-8, whatever the locale says."""
    (tmp_path / "m.py").write_bytes(content)
    with pytest.raises(ModelError, match=words):
        load_family("m.py", tmp_path)


def test_a_byte_order_mark_is_allowed(tmp_path: Path) -> None:
    """Some editors put it there."""
    text = "# -*- coding: utf-8 -*-\n" + COUNTER.format(last=3).replace("A counter", "Zähler")
    (tmp_path / "m.py").write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert load_family("m.py", tmp_path).title == "Zähler"


def test_optimised_python_drops_no_meaning(tmp_path: Path) -> None:
    """``python -OO``: families that ship and one's own load, with the words of their docstrings."""
    (tmp_path / "m.py").write_text(COUNTER.format(last=3))
    code = (
        "from fencecheck.model.files.loading import load_family\n"
        "for name in ('fence', 'm.py'):\n"
        "    print(*(p.doc for p in load_family(name).properties.values()), sep='\\n')\n"
    )
    told = [
        subprocess.run(
            [sys.executable, *flags, "-c", code], capture_output=True, check=True, cwd=tmp_path
        ).stdout
        for flags in ([], ["-OO"])
    ]
    assert b"It stays small." in told[0]
    assert told[0] == told[1]


def test_another_fairness_is_another_model(tmp_path: Path) -> None:
    """It decides liveness, and stands in no formula."""
    text = COUNTER.format(last=3).replace("when=lambda s:", "i=Int(0, 1), when=lambda s, i:")
    text = text.replace("def up(s)", "def up(s, i)")
    fair = text.replace("@A.action(i=", '@A.action(fair_by=("i",), i=')
    one, other = (Family(load(tmp_path, code).model) for code in (text, fair))
    assert fair != text
    assert model_hash(one) != model_hash(other)


@pytest.mark.parametrize("spec", [False, True])
def test_load_again_reads_data_that_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spec: bool
) -> None:
    """A data file and the environment are not watched; ``again`` executes the model once more."""
    import fencecheck as fc

    data = tmp_path / "last.txt"
    text = "import os\nfrom pathlib import Path\n" + COUNTER.replace("{last}", "LAST").replace(
        "A = model.actor",
        'LAST = int(Path(__file__).with_name("last.txt").read_text()) + int(os.environ["MORE"])\n'
        "A = model.actor",
    )
    (tmp_path / "m.py").write_text(text)
    (tmp_path / "x.toml").write_text('model = "m.py"\n')
    monkeypatch.setenv("MORE", "0")
    asked = tmp_path / ("x.toml" if spec else "m.py")
    data.write_text("2")
    assert verdict(check(asked)) == ("holds", 3)
    data.write_text("3")
    fc.load(asked, again=True)
    assert verdict(check(asked)) == ("holds", 4)
    monkeypatch.setenv("MORE", "6")
    assert verdict(check(fc.load(asked, again=True))) == ("violated", 10)
