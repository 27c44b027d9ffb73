"""Exit code 1 means violated and nothing else: faults, full disks, closed streams have others."""

import errno
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = str(Path(sys.executable).with_name("fencecheck"))


def shell(command: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a shell command in which $F is the program, whose streams are buffered as usual."""
    env = {"F": PROGRAM, "PYTHONUNBUFFERED": "", **env}
    return subprocess.run(
        ["bash", "-c", command], cwd=cwd, env={**os.environ, **env},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("$F check sound.toml > /dev/full", 2),
        ("$F check bare.toml > /dev/full", 2),
        ("$F check sound.toml --format json > /dev/full", 2),
        ("$F list > /dev/full", 2),
        ("$F --help > /dev/full", 2),
        ("$F check --help > /dev/full", 2),
        ("$F check sound.toml >&-", 0),
        ("$F check bare.toml >&-", 1),
        ("$F check sound.toml 2>&-", 0),
        ("$F check none.toml 2>&-", 2),
        ("$F check sound.toml 2> /dev/full", 0),
        ("$F check none.toml 2> /dev/full", 2),
        ("$F check none.toml >&- 2>&-", 2),
        ("$F check sound.toml <&- >&- 2>&-", 0),
    ],
)
def test_a_stream_that_is_full_or_closed_reads_as_no_violation(bare, sound, command, code):
    done = shell(command, sound.parent)
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    if "> /dev/full" in command and "2>" not in command:
        assert re.fullmatch("error: .*No space left on device.*\n", done.stderr)


@pytest.mark.parametrize(
    "command", ["$F check sound.toml", "$F list fence", "$F --help", "$F check --help", "$F doctor"]
)
def test_a_reader_that_goes_away_is_no_fault(bare, sound, command):
    done = shell(f"{command} | true; exit ${{PIPESTATUS[0]}}", sound.parent)
    assert (done.returncode, done.stderr) == (0, "")


WRECKED = """
import sys
import fencecheck.checking.check as checking
from fencecheck.cli import main

def wrecked(*args, **more):
    raise {error}

checking.check_spec = wrecked
sys.exit(main({args!r}))
"""


def wreck(error: str, cwd: Path, *args: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a check in which an exception of fencecheck's own is raised."""
    code = WRECKED.format(error=error, args=["check", "sound.toml", *args])
    return subprocess.run(
        [sys.executable, "-c", code], cwd=cwd, env={**os.environ, **env},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    "error",
    [
        "ValueError('min() arg is an\\nempty sequence')",
        "RecursionError('maximum recursion depth exceeded')",
        "KeyError('x')",
        "AssertionError()",
        "OSError('no number')",
        "SystemExit(0)",
    ],
)
def test_a_fault_of_the_program_is_one_line_to_report_and_exits_70(sound, error):
    done = wreck(error, sound.parent)
    assert done.returncode == 70
    assert done.stdout == ""
    assert re.fullmatch(
        r"internal error: \w+ at <string>:7.*this is a fault of fencecheck .*report this line.*\n",
        done.stderr,
    )


def test_a_fault_shows_its_traceback_where_it_is_asked_for(sound):
    done = wreck("ValueError('x')", sound.parent, FENCECHECK_DEBUG="1")
    assert done.returncode == 70
    assert "Traceback (most recent call last)" in done.stderr


@pytest.mark.parametrize("error", ["MemoryError()", "OSError(12, 'Cannot allocate memory')"])
def test_a_machine_without_memory_left_is_undetermined(sound, error):
    done = wreck(error, sound.parent)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("undetermined: the machine's memory was full")


def test_a_full_disk_is_an_error_that_names_the_file(sound):
    done = wreck("OSError(28, 'No space left on device', 'there/states.bin')", sound.parent)
    assert done.returncode == 2
    assert done.stderr == "error: there/states.bin: No space left on device\n"


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_full_disk_below_out_leaves_the_verdict_on_stdout(run, bare, monkeypatch, form):
    def full(self, content):
        raise OSError(errno.ENOSPC, "No space left on device", str(self))

    monkeypatch.setattr(Path, "write_bytes", full)
    result = run("check", "bare.toml", "--out", "there", "--format", form)
    assert result.exit_code == 2
    assert "violated" in result.stdout
    assert "No space left on device" in result.stderr


def test_names_of_any_length_are_shortened_to_files_that_differ(run, queue):
    long = "x" * 300
    queue.with_name("long.toml").write_text(
        'model = "jobs.py"\n[bounds]\ncrashes = 1\n'
        + "".join(f'[[variant]]\nname = "{long}{end}"\n' for end in ("a", "b", "ü" * 300))
    )
    result = run("compare", "long.toml", "--out", "there")
    assert result.exit_code == 1
    files = sorted(queue.with_name("there").rglob("*.json"))
    assert len(files) == 6
    assert max(len(path.name.encode()) for path in files) < 255 - len(".12345678.tmp")
    for name in (long[:250], "ü" * 120):
        place = queue.with_name(f"{name}.toml")
        place.write_bytes(queue.with_name("long.toml").read_bytes())
        assert run("explain", place.name, "--part", "orders", "--out", "told").exit_code == 1


def test_compare_keeps_its_verdict_where_nobody_asked_for_files(run, bare):
    bare.with_name("reports").write_text("somebody else's file")
    result = run("compare", "bare.toml")
    assert result.exit_code == 1
    assert "2 required properties violated" in result.stdout
    assert "reports" in result.stderr
    assert run("compare", "bare.toml", "--out", "reports").exit_code == 2


def test_what_is_only_reported_and_has_no_answer_is_undetermined(run, bare):
    spec = bare.with_name("reported.toml")
    spec.write_text(
        'model = "jobs.py"\n[bounds]\ncrashes = 1\n'
        '[properties]\nrequire = []\nreport = ["one_run", "no_stuck"]\n'
    )
    assert run("check", "reported.toml").exit_code == 0
    for form in ("text", "json", "markdown", "csv", "junit"):
        cut = run("check", "reported.toml", "--max-states", "3", "--format", form)
        assert cut.exit_code == 3
        assert "undetermined" in cut.stdout


def test_what_is_only_reported_and_open_fails_no_run_that_has_its_answers(run, bare):
    spec = bare.with_name("beside.toml")
    spec.write_text(
        'model = "jobs.py"\n[bounds]\ncrashes = 1\n'
        '[properties]\nrequire = ["no_stuck"]\nreport = ["one_run"]\n'
        '[expect]\nno_stuck = "violated"\n'
    )
    cut = run("check", "beside.toml", "--max-states", "12")
    assert "undetermined  one_run" in cut.stdout
    assert cut.stdout.endswith("1 verdict, each as expected; undetermined: 1 only reported\n")
    assert cut.exit_code == 0


def test_a_title_that_clears_the_screen_does_not_on_a_terminal(sound):
    sound.write_text('title = "x\\u001b[2J\\u001b[32mholds"\n' + sound.read_text())
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [PROGRAM, "check", sound.name], cwd=sound.parent, stdout=theirs, stderr=theirs,
        env={**os.environ, "TERM": "xterm", "NO_COLOR": ""},
    ) as running:  # fmt: skip
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # the other end is closed: all is read
                break
            shown += part
        assert running.wait(60) == 0
    os.close(ours)
    assert b"x\\x1b[2J\\x1b[32mholds" in shown
    assert set(re.findall(rb"\x1b[^m]*m", shown)) <= {b"\x1b[1m", b"\x1b[0m", b"\x1b[32m"}
    assert b"\x1b[32mholds\x1b[0m" in shown
