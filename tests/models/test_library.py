"""The parts of the library, each in an example: what is broken, what closes it, planted defects.

Numbers are events of a shortest order. A defect planted in a part changes what comes out of its
example, so that the example speaks of that line.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

import fencecheck.models
from fencecheck.errors import FencecheckError
from fencecheck.interface.calls import check
from fencecheck.model import Part

EXAMPLES = Path(__file__).parent / "library_examples"
PARTS = Path(fencecheck.models.__file__).parent / "library"
README = PARTS.parent / "README.md"
Case = tuple[str, dict[str, str], dict[str, int], dict[str, int | None]]

CASES: list[Case] = [
    ("editor", {"fence": "off"}, {"file_edits": 1}, {"file_nothing_lost": 3}),
    ("editor", {"fence": "on"}, {"file_edits": 1}, {"file_nothing_lost": 3}),
    ("editor", {"fence": "on"}, {"file_touches": 1}, {"file_no_false_refusal": 3}),
    ("operators", {"asks": "nobody"}, {"lease_expiries": 1},
     {"lease_only_holder": 3, "lease_in_order": 5}),
    ("operators", {"asks": "numbers"}, {"lease_expiries": 1},
     {"lease_only_holder": 3, "lease_in_order": None}),
    ("operators", {"asks": "lock"}, {"lease_expiries": 1}, {"lease_only_holder": None}),
    ("payments", {"journal": "off"}, {"answers_lost": 1}, {"paid_at_most_once": 4}),
    ("payments", {"journal": "late"}, {"asks_duplicated": 1}, {"paid_at_most_once": 4}),
    ("payments", {"journal": "atomic"}, {"answers_lost": 1}, {"paid_at_most_once": None}),
    ("payments", {"journal": "atomic"}, {"answers_lost": 1, "paid_forgotten": 1},
     {"paid_at_most_once": 5}),
    ("stalled", {"fence": "off"}, {"puts_delayed": 1}, {"forward": 5, "puts_arrive": None}),
    ("stalled", {"fence": "on"}, {"puts_delayed": 1}, {"forward": None}),
    ("scopes", {"bind": "off"}, {}, {"as_granted": 3, "finished": None}),
    ("scopes", {"bind": "on"}, {"cuts": 1}, {"as_granted": None, "finished": 2}),
    ("scopes", {"bind": "on", "sweeper": "on"}, {"cuts": 1},
     {"finished": None, "leases_tells_the_truth": None}),
    ("orders", {"dedupe": "off"}, {}, {"packed_at_most_once": 5, "outbox_all_sent": None}),
    ("orders", {"dedupe": "on"}, {}, {"packed_at_most_once": None, "news_arrive": None}),
    ("orders", {"dedupe": "on"}, {"packed_forgotten": 1}, {"packed_at_most_once": 6}),
    ("jobs", {"check": "off"}, {"job_set": 1}, {"job_nothing_lost": 3, "in_time": None}),
    ("jobs", {"check": "on"}, {"job_set": 1}, {"job_nothing_lost": None, "time_all_rung": None}),
    ("jobs", {"check": "on"}, {"time_skews": 1}, {"in_time": 4}),
    ("branches", {"lease": "none"}, {"branch_edits": 1}, {"branch_nothing_lost": 2}),
    ("branches", {"lease": "tracked"}, {"branch_edits": 1},
     {"branch_nothing_lost": 3, "tracked_catches_up": None}),
    ("branches", {"lease": "noted"}, {"branch_edits": 1}, {"branch_nothing_lost": None}),
]  # fmt: skip
DEFECTS: list[tuple[str, str, str, str]] = [
    ("editor", "cell", "seen.mark == s[self.value].mark", "seen.mark <= s[self.value].mark"),
    ("editor", "cell", "if seen.content != s[self.value].content:", "if seen.content == 3:"),
    ("editor", "cell", "mark=s[self.value].mark + 1", "mark=s[self.value].mark"),
    ("operators", "lock", "s[self.newest] += 1", "s[self.newest] = 1"),
    ("operators", "lock", "s[self.holder] = None\n\n    # --", "pass\n\n    # --"),
    ("operators", "lock", "s[self.numbers][who] >= s[self.seen]", "True"),
    ("payments", "mailbox", "remove(message)\n\n    def waits", "add(message)\n\n    def waits"),
    ("payments", "record", "== \"done\"\n\n    def fits", "!= \"absent\"\n\n    def fits"),
    ("payments", "record", "effects = min(2, ", "effects = min(1, "),
    ("payments", "record", "state=\"absent\")\n\n    # --", "state=\"done\")\n\n    # --"),
    ("stalled", "mailbox", "append(s[self.mail].pop(0))", "append(s[self.mail][0])"),
    ("stalled", "mailbox", "len(s[self.mail]) > 1", "len(s[self.mail]) > 2"),
    ("scopes", "record", "state=\"absent\")\n\n    # --", "state=\"done\")\n\n    # --"),
    ("scopes", "record", "payload == payload", "payload != payload"),
    ("orders", "outbox", "s[self.waiting].add(key)", "s[self.waiting].discard(key)"),
    ("orders", "inbox", "s[self.known].add(key)", "s[self.known].discard(key)"),
    ("orders", "inbox", "s[self.known].discard(key)", "s[self.known].add(key)"),
    ("jobs", "row", "return s[self.row].version == seen.version", "return True"),
    ("jobs", "row", "if s[self.row].version != seen", "if s[self.row].version < seen"),
    ("jobs", "clock", "not any(self.is_due(s, w) for w in owners)", "len(owners) > 1"),
    ("jobs", "clock", "s[self.timers][w] = 0", "s[self.timers][w] = 1"),
    ("branches", "view", "s[self.copy] = self.cell.read(s)", "s[self.copy] = s[self.copy]"),
    ("branches", "view", "content != self", "content == self"),
]  # fmt: skip


def found(example: Path, case: Case, **search: Any) -> dict[str, Any]:
    """Return for each property of a case the events after which it breaks, None where it holds."""
    _, mechanisms, bounds, expected = case
    result = check(example, mechanisms, bounds, **search)
    return {name: result[name].events for name in expected}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}, {case[1]}, {case[2]}")
@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_what_breaks_and_what_closes_it(case: Case, engine: str) -> None:
    """Both engines find what an example is about."""
    assert found(EXAMPLES / f"{case[0]}.py", case, engine=engine) == case[3]


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: f"{defect[1]}: {defect[3].strip()}")
def test_a_planted_defect_shows(defect: tuple[str, str, str, str], tmp_path: Path) -> None:
    """With the defect at least one verdict of the example, is another."""
    name, part, line, instead = defect
    text = (PARTS / f"{part}.py").read_text(encoding="utf-8")
    assert text.count(line) == 1
    (tmp_path / f"{part}.py").write_text(text.replace(line, instead), encoding="utf-8")
    example = tmp_path / f"{name}.py"
    right, module = (EXAMPLES / f"{name}.py").read_text(encoding="utf-8"), f"library.{part}"
    example.write_text(
        right.replace(f"fencecheck.models.{module} import", f"{part} import"), encoding="utf-8"
    )
    cases = [case for case in CASES if case[0] == name]
    assert any(differs(example, case) for case in cases)


def differs(example: Path, case: Case) -> bool:
    """Tell whether a case comes out otherwise, or the model goes wrong."""
    try:
        return found(example, case) != case[3]
    except FencecheckError:
        return True


WRONG = [
    (
        'Cell("file", "hash")',
        "file has no 'hash'; write some of content, counter, time",
    ),
    ('Cell("file", has="undo")', "file has no 'undo'; write some of edits, touches"),
    ('Mailbox("asks", 3)', "Bag: its elements are records"),
    ('Lock("lease", 3)', "Maybe(3, 'nobody'): write an Index"),
    ('KeyRecord("paid", 3)', "Array: the first argument is the Index"),
]


@pytest.mark.parametrize(("made", "message"), WRONG)
def test_a_part_that_is_made_wrong(made: str, message: str, tmp_path: Path) -> None:
    """The message names the line that makes the part, not one of the library."""
    model = tmp_path / "wrong.py"
    model.write_text(f"from fencecheck.models.library import *\n\npart = {made}\n", "utf-8")
    with pytest.raises(FencecheckError) as caught:
        check(model)
    assert "wrong.py:3: " in str(caught.value)
    assert message in str(caught.value)


DRAWN = [(0, "file_nothing_lost", "human"), (3, "lease_in_order", "clock"),
         (9, "paid_at_most_once", "clock")]  # fmt: skip


@pytest.mark.parametrize(("number", "broken", "lane"), DRAWN)
def test_examples_are_drawn(number: int, broken: str, lane: str) -> None:
    """A counterexample of each example is a diagram with the lanes of its parts."""
    name, mechanisms, bounds, _ = CASES[number]
    trace = check(EXAMPLES / f"{name}.py", mechanisms, bounds)[broken].trace
    assert trace is not None
    assert lane in trace.to_mermaid()


def test_the_reference_has_the_library() -> None:
    """Each class of a part stands in the table of models/README.md, with what others do with it."""
    text = README.read_text(encoding="utf-8")
    table = text[text.index("### The library") :]
    for path in sorted(PARTS.glob("*.py")):
        module = importlib.import_module(f"fencecheck.models.library.{path.stem}")
        for kind in vars(module).values():
            own = isinstance(kind, type) and kind.__module__ == module.__name__
            if own and issubclass(kind, Part):
                assert f"[library/{path.stem}.py]" in table
                assert f"`{kind.__name__}(" in table
