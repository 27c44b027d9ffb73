"""The installed program as a process: exit codes, start-up, pipes, interrupts, terminals."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PROGRAM = str(Path(sys.executable).with_name("fencecheck"))
HEAVY = ("numpy", "numba", "llvmlite", "networkx", "rich", "graphviz", "fencecheck.models")


def process(
    *args: str, cwd: Path | None = None, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the installed program and return what came of it."""
    return subprocess.run(
        [PROGRAM, *args], cwd=cwd, env=env, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.parametrize("args", [["--help"], ["check", "--help"], ["--version"], ["draw", "-h"]])
def test_help_loads_nothing_heavy(args):
    code = (
        "import sys, json\nfrom fencecheck.cli import main\n"
        f"main({args!r}, standalone_mode=False)\n"
        "print(json.dumps(list(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    loaded = json.loads(done.stderr)
    assert [m for m in loaded if m.startswith(HEAVY)] == []


def test_exit_codes_reach_the_shell(bare, sound):
    folder = bare.parent
    assert process("check", "sound.toml", cwd=folder).returncode == 0
    assert process("check", "bare.toml", cwd=folder).returncode == 1
    assert process("check", "none.toml", cwd=folder).returncode == 2
    assert process("check", "sound.toml", "--max-states", "5", cwd=folder).returncode == 3


def test_an_error_is_a_message_on_stderr(bare):
    done = process("check", "bare.toml", "--set", "clam=split", cwd=bare.parent)
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")
    assert "Traceback" not in done.stderr


def test_a_reader_that_goes_away_changes_no_verdict(bare):
    with subprocess.Popen(
        [PROGRAM, "check", "bare.toml"],
        cwd=bare.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as running:  # fmt: skip
        assert running.stdout
        assert running.stderr
        running.stdout.close()
        errors = running.stderr.read()
        assert running.wait(60) == 1
    assert errors == ""


def test_an_interrupt_exits_130(tmp_path):
    (tmp_path / "long.toml").write_text(
        'model = "fence"\n[bounds]\nsteps = 9\nfiles = 3\nduplicates = 4\n'
        "edits = 9\nlost_replies = 9\npreemptions = 9\n"  # far more than seconds are enough for
    )
    with subprocess.Popen(
        [PROGRAM, "check", "long.toml"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as running:  # fmt: skip
        time.sleep(2)
        running.send_signal(signal.SIGINT)
        output, errors = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "\n  holds" not in output
    assert "every required property holds" not in output
    assert "interrupted" in errors
    assert "Traceback" not in errors


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_signs_have_stand_ins_where_an_encoding_lacks_them(queue, encoding):
    env = {**os.environ, "PYTHONIOENCODING": encoding}
    done = process("compare", "jobs.toml", "--quiet", cwd=queue.parent, env=env)
    assert done.returncode == 0
    assert "x 6" in done.stdout
    assert "x n     violated" in done.stdout
    assert "-----" in done.stdout
    told = process("check", "jobs.toml", cwd=queue.parent, env=env)
    assert "queue.job free -> taken" in told.stdout
    assert "\\u" not in done.stdout + told.stdout


def on_terminal(args: list[str], cwd: Path, **env: str | None) -> str:
    """Run the program on a terminal of its own and return what it shows."""
    ours, theirs = pty.openpty()
    asked = {**os.environ, "TERM": "xterm", "COLUMNS": "100", **env}
    full = {k: v for k, v in asked.items() if v is not None}
    with subprocess.Popen(
        [PROGRAM, *args], cwd=cwd, stdin=theirs, stdout=theirs, stderr=theirs, env=full
    ) as running:
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # the other end is closed: all is read
                break
            if not part:
                break
            shown += part
        running.wait(60)
    os.close(ours)
    return shown.decode()


def test_colour_is_for_terminals(bare):
    assert "\x1b[31m" in on_terminal(["check", "bare.toml"], bare.parent, NO_COLOR=None)
    assert "\x1b" not in process("check", "bare.toml", cwd=bare.parent).stdout


def test_no_color_is_respected(bare):
    shown = on_terminal(["check", "bare.toml"], bare.parent, NO_COLOR="1")
    assert "\x1b" not in shown
    assert "violated      one_run   6 events" in shown


def test_progress_and_times_are_for_terminals(bare):
    assert "checking bare.toml" in on_terminal(["check", "bare.toml"], bare.parent)
    assert " states in " in on_terminal(["check", "bare.toml"], bare.parent)
    assert process("check", "bare.toml", cwd=bare.parent).stderr == ""
    assert "checking" not in on_terminal(["check", "bare.toml", "--quiet"], bare.parent)


NAMED = """
from fencecheck.model import Int, Model

model = Model("named", "A counter")
model.variable("x", Int(0, 3))
A = model.actor("A")


@A.action(when=lambda s: s.x < 3)
def up(s):
    s.x += 1


@model.invariant()
def below(s):
    \"\"\"It stays below 2.\"\"\"
    return s.x < 2
"""


def test_files_may_have_any_names_in_any_locale(tmp_path):
    """Python takes them for ASCII here: names in files are UTF-8 all the same."""
    (tmp_path / "mö.py").write_text(NAMED)
    (tmp_path / "xü.toml").write_text('model = "mö.py"\n')
    plain = {**os.environ, "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    given = ("--engine", "compiled", "--checkpoint", "ç", "--format", "json", "--out", "öut")
    done = process("check", "xü.toml", *given, cwd=tmp_path, env=plain)
    assert done.returncode == 1, done.stderr
    assert process("explain", "xü.toml", "--out", "ëx", cwd=tmp_path, env=plain).returncode == 1
    (trace,) = tmp_path.glob("öut/*/*.json")
    assert json.loads(trace.read_text())["model"] == "../../mö.py"
    for env in (plain, {**os.environ, "PYTHONUTF8": "1"}):
        again = process("replay", str(trace.relative_to(tmp_path)), cwd=tmp_path, env=env)
        assert again.returncode == 0, again.stderr


LOUD = (
    NAMED
    + """
import os
import sys


def loud(*given):
    os.write(1, b"written\\n")
    os.system("echo told")
    print("printed", file=sys.__stdout__)
    return "up"


loud()
"""
)


def test_what_a_model_writes_past_print_is_not_among_results(tmp_path):
    """By number, by another program, by Python's first stream; while loaded and when asked."""
    text = LOUD.replace("when=lambda s: s.x < 3", "when=lambda s: s.x < 3, label=lambda a: loud()")
    (tmp_path / "m.py").write_text(text)
    (tmp_path / "x.toml").write_text('model = "m.py"\n')
    done = process("check", "x.toml", "--format", "json", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert json.loads(done.stdout)["model"].endswith("m.py")
    for word in ("written", "told", "printed"):
        assert done.stderr.count(word) > 1
    assert process("list", "m.py", cwd=tmp_path).stdout.count("written") == 0
    closed = subprocess.run(
        f"{PROGRAM} check x.toml >&-", shell=True, cwd=tmp_path, capture_output=True, text=True
    )
    assert closed.returncode == 1, closed.stderr
