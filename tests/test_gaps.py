"""What a result says nothing about: vacuous, never enabled, never fired, no difference."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fencecheck.checking.check import check_spec
from fencecheck.checking.question import Options
from fencecheck.checking.results import Result, gaps_of
from fencecheck.explore.graph import Limits
from fencecheck.spec.files import load_specs

HEAD = 'model = "fence"\n[bounds]\nedits = 1\n'
ALIKE = (
    HEAD
    + """
[properties]
require = ["no_lost_update"]
[[variant]]
name = "a"
mechanisms = { journal = "none" }
[[variant]]
name = "b"
mechanisms = { journal = "memory" }
[[variant]]
name = "c"
mechanisms = { journal = "memory", precondition = "restamped" }
[[variant]]
name = "d"
mechanisms = { journal = "atomic", precondition = "restamped" }
[[variant]]
name = "e"
mechanisms = { journal = "none" }
bounds = { edits = 2 }
"""
)


def checked(folder: Path, text: str, **options: Any) -> Result:
    path = folder / "x.toml"
    path.write_text(text, encoding="utf-8")
    (spec,) = load_specs([path])
    return check_spec(spec, Options(**options))


def test_a_switch_without_effect_is_named_with_its_values(tmp_path: Path) -> None:
    """Two variants with equal outcome: the switches in which they differ, and nothing else."""
    alike = checked(tmp_path, ALIKE).alike
    assert [(a.variants, a.switches) for a in alike] == [
        (("a", "b"), {"journal": ("none", "memory")}),
        (("c", "d"), {"journal": ("memory", "atomic")}),
    ]


def test_an_undetermined_variant_is_like_no_other(tmp_path: Path) -> None:
    """Nothing is said of what was not answered."""
    from fencecheck.explore.graph import Limits

    assert checked(tmp_path, ALIKE, limits=Limits(states=5)).alike == []


def test_only_strict_makes_a_gap_an_exit_code(tmp_path: Path) -> None:
    """A vacuous verdict is shown, and fails a run that is strict."""
    text = HEAD + '[properties]\nrequire = ["journal_append_only"]\n'
    result = checked(tmp_path, text)
    assert [(g.kind, g.name) for g in gaps_of(result)] == [
        ("vacuous", "journal_append_only"),
        ("never enabled", "client.retry"),
    ]
    assert result.exit_code == 0
    assert checked(tmp_path, text, strict=True).exit_code == 1


@pytest.mark.parametrize("strict", [False, True])
def test_a_search_that_was_cut_is_undetermined(tmp_path: Path, strict: bool) -> None:
    """What was not seen may still come: no gap is claimed, and no pass either.

    Nor is it one where nothing is required and what is only reported stays open.
    """
    text = 'model = "fence"\n[properties]\nrequire = []\nreport = ["fresh_apply"]\n'
    result = checked(tmp_path, text, limits=Limits(states=5), strict=strict)
    assert (gaps_of(result), result.exit_code) == ([], 3)
