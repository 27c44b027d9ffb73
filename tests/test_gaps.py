"""What a result says nothing about: vacuous, never enabled, never fired, no difference."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fencecheck.checking.check import Options, check_spec
from fencecheck.checking.results import Result, gaps_of
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


def test_a_strict_search_that_was_cut_is_undetermined(tmp_path: Path) -> None:
    """What was not seen may still come: no gap is claimed, and no pass either."""
    from fencecheck.explore.graph import Limits

    text = 'model = "fence"\n[properties]\nrequire = []\nreport = ["fresh_apply"]\n'
    assert checked(tmp_path, text, limits=Limits(states=5)).exit_code == 0
    result = checked(tmp_path, text, limits=Limits(states=5), strict=True)
    assert (gaps_of(result), result.exit_code) == ([], 3)
