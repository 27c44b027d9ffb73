"""What the tests of the command line share: a runner in an empty folder, and a small protocol."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from fencecheck.cli import main


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Return a function that runs a command line in an empty folder."""
    monkeypatch.chdir(tmp_path)
    try:
        runner = CliRunner(mix_stderr=False)  # type: ignore[call-arg]
    except TypeError:
        runner = CliRunner()  # releases from 8.2 on keep both streams apart by themselves

    def command(*args, typed=None):
        words = [str(arg) for arg in args]
        result = runner.invoke(main, words, prog_name="fencecheck", input=typed)
        assert result.exception is None or isinstance(result.exception, SystemExit)
        assert "Traceback" not in result.output
        return result

    return command


@pytest.fixture
def queue(run, tmp_path):
    """Write the files of ``fencecheck init`` to the folder of ``run``; return the spec's path."""
    assert run("init", ".").exit_code == 0
    return tmp_path / "jobs.toml"


@pytest.fixture
def bare(queue):
    """Return a spec of the same model without expectations: one design, which breaks twice."""
    path = queue.with_name("bare.toml")
    path.write_text('model = "jobs.py"\n[bounds]\ncrashes = 1\n')
    return path


@pytest.fixture
def sound(queue):
    """Return a spec of a design of which everything holds, without expectations."""
    path = queue.with_name("sound.toml")
    path.write_text(
        'model = "jobs.py"\n[mechanisms]\nclaim = "atomic"\nreaper = "on"\n[bounds]\ncrashes = 1\n'
    )
    return path


WITHOUT_PROPERTIES = """
from fencecheck.model import Int, Model

model = Model("bare", "A counter of which nothing is asked")
counter = model.actor("counter")
model.variable("n", Int(0, 2), owner=counter)


@counter.action(when=lambda s: s.n < 2)
def count(s):
    '''The counter goes on.'''
    s.n += 1
"""

WRONG = '''
from fencecheck.model import Int, Model

model = Model("wrong", "A counter that leaves its domain")
counter = model.actor("counter")
model.variable("n", Int(0, 2), owner=counter)


@counter.action()
def count(s):
    """The counter goes on."""
    s.n += 1


@model.invariant()
def small(s):
    """The counter stays small."""
    return s.n < 9
'''


@pytest.fixture
def wrong(run, tmp_path):
    """Return a spec whose model goes wrong at its third event."""
    (tmp_path / "wrong.py").write_text(WRONG)
    path = tmp_path / "wrong.toml"
    path.write_text('model = "wrong.py"\n')
    return path
