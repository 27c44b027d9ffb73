"""What is too deep, too large, empty or alike is answered in a line, never by a traceback."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]

DEEP = "it is nested too deeply; write it with fewer brackets and signs"
ASKED = {
    "many nots": ("--reach", "not " * 2_000 + "edits == 1", DEEP),
    "many signs": ("--invariant", "-" * 5_000 + "edits == 1", DEEP),
    "a long sum": ("--reach", "+".join(["edits"] * 4_000) + " == 1", DEEP),
    "many brackets": (
        "--reach",
        "(" * 3_000 + "edits" + ")" * 3_000,
        "too many nested parentheses",
    ),
    "a bound": (
        "--bound",
        "steps=99999999999999999999",
        "is too large; write 4611686018427387904",
    ),
    "no checkpoint": ("--checkpoint", "", '--checkpoint "": it names no folder'),
    "no spill": ("--spill", " ", '--spill "": it names no folder'),
}


@pytest.mark.parametrize("case", ASKED)
def test_what_cannot_be_asked_is_answered_in_a_line(run: Run, tmp_path: Path, case: str) -> None:
    """Each was a traceback, or was ignored without a word."""
    option, value, words = ASKED[case]
    (tmp_path / "x.toml").write_text('model = "fence"\n[bounds]\nsteps = 1\nedits = 1\n')
    result = run("check", "x.toml", option, value)
    assert result.exit_code == 2
    assert words in result.stdout + result.stderr
    assert "Traceback" not in result.stderr


def test_a_bound_that_is_too_large_for_a_model_names_its_place(run: Run, tmp_path: Path) -> None:
    """An array of a thousand million elements is not begun with."""
    (tmp_path / "x.toml").write_text('model = "fence"\n')
    result = run("check", "x.toml", "--bound", "steps=1000000000")
    assert result.exit_code == 2
    told = " ".join((result.stdout + result.stderr).split())
    assert re.search(r"\.py:\d+: an array of 1000000000 elements is too large", told)
    assert "lower bound steps" in told


def test_variants_whose_names_are_alike_have_checkpoints_of_their_own(
    run: Run, tmp_path: Path
) -> None:
    """Letters of other alphabets, signs and case: each goes on from its own."""
    names = ("α", "β", "a b", "a+b", "A B")
    variants = [
        f'[[variant]]\nname = "{name}"\nbounds = {{ edits = {edits % 2} }}\n'
        for edits, name in enumerate(names)
    ]
    (tmp_path / "x.toml").write_text('model = "fence"\n[bounds]\nsteps = 1\n' + "".join(variants))
    args = ("check", "x.toml", "--engine", "compiled", "--checkpoint", "saved", "--format", "csv")
    first = run(*args)
    assert first.exit_code in (0, 1)
    assert len(list((tmp_path / "saved").iterdir())) == len(names)
    assert run(*args).stdout == first.stdout
