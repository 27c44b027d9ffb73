"""The table of documented designs tells what their specs expect, and no more."""

from pathlib import Path

from tests.documents.catalogue import designs_of

SPEC = """
model = "fence"
title = "A design"

[bounds]
edits = 1

[properties]
require = ["no_lost_update", "finishes"]

[[variant]]
name = "before"
mechanisms = { fence = "plan" }

[[variant]]
name = "as documented"
mechanisms = { fence = "none", precondition = "off" }
[variant.expect]
no_lost_update = { verdict = "violated", events = 3 }

[[variant]]
name = "with a fence"

[[variant]]
name = "worse"
[variant.expect]
finishes = { verdict = "violated", events = 2 }

[[variant]]
name = "left alone"
bounds = { edits = 0 }
"""


def test_a_row_says_what_holds_what_breaks_and_what_closes_it(tmp_path: Path) -> None:
    """Only what stands below a design, and breaks nothing else, closes it."""
    folder = tmp_path / "some"
    folder.mkdir()
    (folder / "one.toml").write_text(SPEC, encoding="utf-8")
    assert designs_of(folder).splitlines()[2:] == [
        "| A design: as documented | `finishes` | `no_lost_update` 3 "
        "| with a fence; only if: left alone | [one.toml](some/one.toml) |"
    ]
