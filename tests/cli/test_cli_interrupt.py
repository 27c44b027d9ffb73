"""Ctrl-C ends a command as --timeout does: what was found is printed, and nothing else holds."""

import contextlib
import json
import os
import signal

import pytest

from fencecheck.explore import engine, reference
from fencecheck.explore.interrupt import looked_for
from fencecheck.spec.files import builtin_spec

SPEC = 'model = "fence"\n[mechanisms]\nfence = "none"\nprecondition = "off"\n[bounds]\nedits = 1\n'


@pytest.fixture
def interrupted(monkeypatch):
    """Interrupt the n-th search that begins, in the state that it looks at after some others."""

    def at(search: int, state: int = 5) -> None:
        begun, cut = [0], reference._cut

        @contextlib.contextmanager
        def counted():
            begun[0] += 1
            with looked_for():
                yield

        def looked(limits, deadline, source):
            if begun[0] == search and source == state:
                os.kill(os.getpid(), signal.SIGINT)
            return cut(limits, deadline, source)

        monkeypatch.setattr(engine, "_is_made", lambda *_: False)  # no kernel takes over
        monkeypatch.setattr(reference, "looked_for", counted)
        monkeypatch.setattr(reference, "_cut", looked)

    return at


@pytest.fixture
def specs(tmp_path):
    """Write three specs, one of two variants."""
    for name in ("a", "c"):
        (tmp_path / f"{name}.toml").write_text(SPEC)
    variants = '[[variant]]\nname = "first"\n[[variant]]\nname = "second"\n'
    (tmp_path / "b.toml").write_text(SPEC + variants)
    return ["a.toml", "b.toml", "c.toml"]


def test_check_prints_what_it_found_and_names_what_it_did_not_check(run, specs, interrupted):
    interrupted(2, state=12)
    result = run("check", "--verbose", *specs)
    assert result.exit_code == 130
    assert result.stderr == "not checked: c.toml\ninterrupted\n"
    first, second = result.stdout.split("b.toml: b")
    assert "search complete" in first
    assert "violated      no_lost_update         3 events" in second
    assert "human: edit file 1" in second
    assert second.count("search cut by an interrupt") == 2
    assert "cut by an interrupt: 0 distinct states" in second
    assert "holds" not in second


@pytest.mark.parametrize("form", ["json", "markdown", "csv", "junit"])
def test_every_format_says_that_the_rest_is_undetermined(run, specs, interrupted, form):
    interrupted(1)
    result = run("check", "b.toml", "--format", form)
    assert result.exit_code == 130
    assert "undetermined" in result.stdout
    assert "interrupt" in result.stdout
    assert "holds" not in result.stdout.replace("holds within", "")


@pytest.mark.parametrize(
    "args",
    [
        ["compare", "b.toml", "--out", "there"],
        ["explain", "b.toml"],
        ["explain", "b.toml", "--part", "designs"],
        ["fuzz", "b.toml", "--seeds", "20"],
        ["drill"],
        ["draw", "b.toml"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("number", [1, 2])
def test_a_command_that_is_interrupted_exits_130_and_passes_nothing(
    run, specs, interrupted, args, number
):
    interrupted(number)
    result = run(*args)
    assert result.exit_code == 130
    assert "Traceback" not in result.stderr
    assert "every required property holds" not in result.stdout
    assert result.stderr.endswith("interrupted\n")
    if args[0] not in ("draw", "drill"):
        assert "undetermined" in result.stdout


def test_claims_that_were_not_decided_are_open(run, interrupted):
    interrupted(1)
    result = run("compare", builtin_spec("ledger/published_drill"), "--out", "there")
    assert result.exit_code == 130
    assert "undetermined" in result.stdout
    assert "was not run" in result.stdout or "the search was cut" in result.stdout


def test_questions_that_were_not_answered_are_open(run, specs, interrupted):
    interrupted(1)
    result = run("check", "b.toml", "--reach", 'view[2] == "done"', "--format", "json")
    told = json.loads(result.stdout)
    assert result.exit_code == 130
    assert [v["questions"][0]["answer"] for v in told["variants"]] == ["undetermined"] * 2


def test_what_is_told_after_an_interrupt_is_forgotten_by_the_next_command(run, specs, interrupted):
    interrupted(1)
    assert run("check", "a.toml").exit_code == 130
    assert run("check", "a.toml").exit_code == 1
