"""The parts of the library, each in an example: what is broken, what closes it, planted defects.

Numbers are events of a shortest order. A defect planted in a part changes what comes out of its
example, so that the example speaks of that line.
"""

from __future__ import annotations

import ast
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import fencecheck.models
from fencecheck.errors import FencecheckError
from fencecheck.interface.calls import check
from fencecheck.model import Part
from fencecheck.model.files.loading import load_family
from fencecheck.models import library

EXAMPLES = Path(__file__).parent / "library_examples"
PARTS = Path(fencecheck.models.__file__).parent / "library"
LINES = 60
README = PARTS.parent / "README.md"
FILES = sorted(PARTS.rglob("*.py"))
Case = tuple[str, dict[str, str], dict[str, int], dict[str, int | None]]

CASES: list[Case] = [
    ("editor", {"fence": "off"}, {"file_edits": 1}, {"file_nothing_lost": 3}),
    ("editor", {"fence": "on"}, {"file_edits": 1},
     {"file_nothing_lost": 3, "file_no_false_refusal": None}),
    ("editor", {"fence": "on"}, {"file_touches": 1}, {"file_no_false_refusal": 3}),
    ("editor", {"fence": "on"}, {"file_reverts": 1}, {"file_no_false_refusal": 3}),
    ("operators", {"asks": "nobody"}, {}, {"lease_only_holder": None, "lease_in_order": None}),
    ("operators", {"asks": "nobody"}, {"lease_expiries": 1},
     {"lease_only_holder": 3, "lease_in_order": 5}),
    ("operators", {"asks": "numbers"}, {"lease_expiries": 1},
     {"lease_only_holder": 3, "lease_in_order": None, "not_after_a_takeover": 4}),
    ("operators", {"asks": "told"}, {"lease_expiries": 1}, {"not_after_a_takeover": None}),
    ("operators", {"asks": "lock"}, {"lease_expiries": 1},
     {"lease_only_holder": None, "not_after_a_takeover": None}),
    ("payments", {"journal": "off"}, {"answers_lost": 1}, {"paid_at_most_once": 4}),
    ("payments", {"journal": "off"}, {"tries": 1, "asks_duplicated": 1}, {"paid_at_most_once": 4}),
    ("payments", {"journal": "off"}, {"tries": 1, "asks_lost": 1}, {"client_hears": 2}),
    ("payments", {"journal": "late"}, {"asks_duplicated": 1}, {"paid_at_most_once": 4}),
    ("payments", {"journal": "atomic"}, {"answers_lost": 1},
     {"paid_at_most_once": None, "asks_arrive": None}),
    ("payments", {"journal": "atomic"}, {"answers_lost": 1, "paid_forgotten": 1},
     {"paid_at_most_once": 5}),
    ("stalled", {"fence": "off"}, {"puts_delayed": 1}, {"forward": 5, "puts_arrive": None}),
    ("stalled", {"fence": "off"}, {"puts_duplicated": 1}, {"forward": 6, "last_arrives": 6}),
    ("stalled", {"fence": "on"}, {"puts_lost": 1}, {"last_arrives": 4}),
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
    ("restorer", {"fence": "off"}, {"file_edits": 1}, {"file_nothing_lost": 3, "as_it_was": None}),
    ("restorer", {"fence": "on"}, {"file_edits": 1}, {"file_nothing_lost": None}),
    ("programs", {"create": "always"}, {}, {"mark_nothing_lost": 4, "finishes": None}),
    ("programs", {"create": "absent"}, {}, {"mark_nothing_lost": None, "finishes": None}),
]  # fmt: skip
# example, file of the library, its text, the defect, and a property of the part that finds it out:
# it holds in a case of the example, and with the defect it is violated there
FOUND_OUT: list[tuple[str, str, str, str, str]] = [
    ("branches", "cell", "self.any_fits or seen.content", "not self.any_fits or seen.content",
     "branch_nothing_lost"),
    ("editor", "cell", "seen.mark == s[self.name].mark", "seen.mark != s[self.name].mark",
     "file_no_false_refusal"),
    ("operators", "lock", "s[self.holder] is None", "len(s[self.believers]) < 2",
     "lease_only_holder"),
    ("operators", "numbered_lock", "s[self.numbers][who] >= s[self.seen]",
     "s[self.seen] >= s[self.seen]", "lease_in_order"),
    ("payments", "mailbox", "< self.capacity", "< self.capacity - 2", "asks_arrive"),
    ("payments", "record", "state = \"done\"", "state = \"in_progress\"", "paid_at_most_once"),
    ("stalled", "fifo", "return len(s[self.name]) > 0", "return len(s[self.name]) > 1",
     "puts_arrive"),
    ("scopes", "record", "state = \"in_progress\"", "state = \"done\"",
     "leases_tells_the_truth"),
    ("orders", "outbox", "key in s[self.name] and", "key in s[self.sent] and", "outbox_all_sent"),
    ("orders", "inbox", "s[self.name].add(key)", "s[self.name].discard(key)",
     "packed_at_most_once"),
    ("jobs", "row", "s[self.name].version == seen.version", "seen.version == seen.version",
     "job_nothing_lost"),
    ("jobs", "clock", "rings = None", "rings = s[self.now]", "time_all_rung"),
    ("branches", "view", "s[self.name] = self.cell.read(s)", "s[self.name] = s[self.name]",
     "tracked_catches_up"),
]  # fmt: skip
DEFECTS: list[tuple[str, str, str, str]] = [
    ("editor", "value", "s[self.name].mark = s[self.marked]", "pass"),
    ("editor", "value", "if seen.content != s[self.name].content:",
     "if seen.content == self.Content.absent:"),
    ("editor", "edits", "self.cell.renew(s)\n        self.cell.mark(s)", "self.cell.mark(s)"),
    ("editor", "touches", "self.cell.mark(s)", "self.cell.renew(s)"),
    ("editor", "reverts", "Content.original)", "Content.absent)"),
    ("editor", "refusals", "seen.content ==", "seen.content !="),
    ("operators", "lock", "return s[self.holder] == who", "return s[self.holder] is not None"),
    ("operators", "lock", "notice.\"\"\"\n        s[self.holder] = None", "notice.\"\"\""),
    ("operators", "expiry", "self.lock.lapse(s)", "pass"),
    ("operators", "numbered_lock", "s[self.newest] += 1", "s[self.newest] = 1"),
    ("operators", "numbered_lock", "s[self.seen] = s[self.newest]", "pass"),
    ("payments", "mailbox", "remove(message)", "add(message)"),
    ("payments", "loss", "self.box.take(s, message)", "pass"),
    ("payments", "duplication", "self.box.send(s, message)", "pass"),
    ("payments", "record", "effects += 1", "effects += 0"),
    ("payments", "window", "self.memory.forget(s, key)", "pass"),
    ("stalled", "fifo", "pop(0)", "pop(len(s[self.name]) - 1)"),
    ("stalled", "duplication", "self.box.send(s, self.box.first(s))", "pass"),
    ("stalled", "loss", "self.box.take_first(s)", "pass"),
    ("stalled", "delay", "self.queue.send(s, late)", "pass"),
    ("stalled", "delay", "> 1", "> 2"),
    ("scopes", "record", "state = \"absent\"", "state = \"done\""),
    ("scopes", "bound_record", "payload == payload", "payload != payload"),
    ("scopes", "sweeper", "self.record.forget(s, key)", "self.record.complete(s, key)"),
    ("orders", "outbox", "s[self.name].add(key)", "s[self.name].discard(key)"),
    ("orders", "inbox", "        s[self.name].discard(key)\n", "        pass\n"),
    ("orders", "window", "self.memory.forget(s, key)", "pass"),
    ("orders", "mailbox", "self.holds_back or len", "not self.holds_back and len"),
    ("jobs", "row", "if s[self.name].version != seen", "if s[self.name].version == seen"),
    ("jobs", "overrides", "self.row.set(s, status)", "pass"),
    ("jobs", "clock", "not any(self.rings(s, timer) for", "any(timer.rings is not None for"),
    ("jobs", "skewed_clock", "+ timer.ahead", "+ timer.ahead * 0"),
    ("branches", "view", "content != self", "content == self"),
    ("branches", "watcher", "self.copy.refresh(s)", "pass"),
    ("restorer", "checkpoint", "s[self.kept] = self.cell.read(s)", "pass"),
    ("restorer", "cell", "s[self.name].content = content", "pass"),
    ("restorer", "edits", "self.cell.mark(s)", "pass"),
    ("programs", "value", "\"original\") if absent", "\"original\") if marks"),
    ("programs", "cell", "return s[self.name].content != self", "return self.any_fits and self"),
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


DESIGNS = {f"{name}, {mechanisms}": (name, mechanisms) for name, mechanisms, _, _ in CASES}
SLOW = ("jobs",)


@pytest.mark.parametrize(
    ("name", "mechanisms"),
    [
        pytest.param(*design, marks=[pytest.mark.slow] * (design[0] in SLOW), id=id)
        for id, design in DESIGNS.items()
    ],
)
def test_every_budget_of_an_example_may_be_any(name: str, mechanisms: dict[str, str]) -> None:
    """What two of each break, any breaks in as many events; nothing is sized by a budget."""
    example = EXAMPLES / f"{name}.py"
    family = load_family(str(example))
    budgets = [bound.name for bound in family.declared.bounds if bound.budget]
    asked = [(2, "compiled"), ("any", "compiled"), ("any", "reference")]
    two, unlimited, by_reference = (
        check(
            example, mechanisms, dict.fromkeys(budgets, number), max_states=100_000, engine=engine
        )
        for number, engine in asked
    )
    events = {prop: unlimited[prop].events for prop in family.properties}
    assert all(events[prop] == two[prop].events for prop in events if two[prop].events)
    assert events == {prop: by_reference[prop].events for prop in events}
    one, other = unlimited.designs[0], by_reference.designs[0]
    assert (one.states, one.transitions) == (other.states, other.transitions)
    assert one.complete


@pytest.fixture
def planted(tmp_path: Path) -> Callable[[str, str, str, str], Path]:
    """Return what copies an example and the library, with one defect planted in it."""

    def plant(example: str, part: str, line: str, instead: str) -> Path:
        shutil.copytree(PARTS, tmp_path / "library", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(EXAMPLES / f"{example}.py", tmp_path)
        for path in tmp_path.rglob("*.py"):
            text = path.read_text(encoding="utf-8").replace("fencecheck.models.library", "library")
            if path.stem == part:
                assert text.count(line) == 1
                text = text.replace(line, instead)
            path.write_text(text, encoding="utf-8")
        return tmp_path / f"{example}.py"

    return plant


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: f"{defect[1]}: {defect[3].strip()}")
def test_a_planted_defect_shows(defect: tuple[str, str, str, str], planted: Any) -> None:
    """With the defect at least one verdict of the example is another."""
    example = planted(*defect)
    assert any(differs(example, case) for case in CASES if case[0] == defect[0])


def differs(example: Path, case: Case) -> bool:
    """Tell whether a case comes out otherwise, or the model goes wrong."""
    try:
        return found(example, case) != case[3]
    except FencecheckError:
        return True


@pytest.mark.parametrize("defect", FOUND_OUT, ids=lambda defect: f"{defect[1]}: {defect[4]}")
def test_a_property_finds_a_planted_defect_out(
    defect: tuple[str, str, str, str, str], planted: Any
) -> None:
    """In a case in which the property holds it is violated with the defect."""
    example, prop = planted(*defect[:4]), defect[4]
    cases = [c for c in CASES if c[0] == defect[0] and c[3].get(prop, 0) is None]
    assert any(found(example, case)[prop] is not None for case in cases)


def declared_by(example: str) -> dict[str, tuple[str, str]]:
    """Return the properties that an example has of the library: the file and function of each."""
    family = load_family(str(EXAMPLES / f"{example}.py"))
    functions = {name: prop.holds for name, prop in family.properties.items()}
    return {
        name: (str(function.__module__), function.__name__)
        for name, function in functions.items()
        if isinstance(getattr(function, "__self__", None), Part)
    }


def test_each_file_has_a_planted_defect_and_each_property_finds_one_out() -> None:
    """Nothing of the library is there that no example speaks of."""
    with_defects = {defect[1] for defect in (*DEFECTS, *FOUND_OUT)}
    assert {path.stem for path in FILES} - with_defects == {"__init__"}
    found_out = {declared_by(example)[prop] for example, _, _, _, prop in FOUND_OUT}
    examples = {case[0] for case in CASES}
    declared = {of for example in examples for of in declared_by(example).values()}
    source = "".join(path.read_text(encoding="utf-8") for path in FILES)
    assert len(declared) == source.count("self.named(")
    assert found_out == declared


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_file_of_the_library_is_read_in_a_minute(path: Path) -> None:
    """It has 60 lines at most, and at most one class."""
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= LINES
    assert sum(isinstance(node, ast.ClassDef) for node in ast.parse(text).body) <= 1


WRONG = [
    (
        'Cell("file", "hash")',
        "file has no identity 'hash'; write content, counter, time, part, none",
    ),
    ('Mailbox("asks", 3)', "Bag: its elements are scalars or records"),
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


FITTING = """
from fencecheck.model import Index, Model
from fencecheck.models.library import Cell, Edits, SkewedClock

model = Model("fitting", "Parts to size")
file, clock = Cell("file", "time"), SkewedClock("time", Index(2, "w"))
model.include(Edits(file), without=WITHOUT)
model.include(clock)
someone = model.actor("someone")


@someone.action(when=lambda s: not file.exists(s))
def write(s):
    file.write(s, file.read(s))
"""


FRESH_KEYS = """
from fencecheck.model import Each, Fresh, Model, Record
from fencecheck.models.library import Duplication, Inbox, Mailbox, Window

model = Model("ids", "An id for each message")
model.bound("in_flight", 2, "messages at once")
model.budget("messages", "messages that are sent")
ID = Fresh("ids_made")
asks, seen = Mailbox("asks", Record("Ask", id=ID), "in_flight"), Inbox("seen", ID, kept=2)
model.include(Duplication(asks), Window(seen))
client, server = model.actor("client", "interference"), model.actor("server")
model.variable("ids_made", ID, owner=client)


@client.interference("messages")
def send(s):
    s.ids_made += 1
    asks.send(s, asks.message(id=s.ids_made))


@server.action(ask=Each("asks"))
def handle(s, ask):
    asks.take(s, ask)
    if not seen.is_done(s, ask.id):
        seen.handle(s, ask.id)
"""


@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize(("forgotten", "events"), [(0, None), (1, 5), ("any", 5)])
def test_an_inbox_has_keys_without_a_largest_one(
    forgotten: int | str, events: int | None, engine: str, tmp_path: Path
) -> None:
    """As many as its bound says, for any number of messages; one forgotten is done again."""
    model = tmp_path / "ids.py"
    model.write_text(FRESH_KEYS, encoding="utf-8")
    bounds = {"messages": "any", "asks_duplicated": "any", "seen_forgotten": forgotten}
    result = check(model, bounds=bounds, engine=engine)
    assert result.designs[0].complete
    assert result["seen_at_most_once"].events == events


EDITS = ["human.edit_file", "human.edit_file_in_the_same_tick"]


@pytest.mark.parametrize("without", [[], EDITS[:1], EDITS[1:], EDITS])
def test_parts_fit_where_some_event_is_left_out(without: list[str], tmp_path: Path) -> None:
    """A part brings along what it stands on, and not the budget of what is left out."""
    model = tmp_path / "fitting.py"
    model.write_text(FITTING.replace("WITHOUT", repr(without)), encoding="utf-8")
    edits = {} if without == EDITS else {"file_edits": 1}
    result = check(model, bounds={"time_skews": 1, **edits})
    assert result.holds
    assert set(load_family(str(model)).bounds) == {"time_skews", *edits}


DRAWN = [("editor", "file_nothing_lost", "human"), ("operators", "lease_in_order", "clock"),
         ("payments", "paid_at_most_once", "clock"), ("stalled", "forward", "network"),
         ("scopes", "finished", "outside"), ("orders", "packed_at_most_once", "relay"),
         ("jobs", "job_nothing_lost", "operator"), ("branches", "branch_nothing_lost", "watcher"),
         ("restorer", "file_nothing_lost", "human"),
         ("programs", "mark_nothing_lost", "program")]  # fmt: skip


@pytest.mark.parametrize(("name", "broken", "lane"), DRAWN)
def test_examples_are_drawn(name: str, broken: str, lane: str) -> None:
    """A counterexample of each example is a diagram with the lanes of its parts."""
    _, mechanisms, bounds, _ = [c for c in CASES if c[0] == name and c[3].get(broken)][-1]
    trace = check(EXAMPLES / f"{name}.py", mechanisms, bounds)[broken].trace
    assert trace is not None
    assert lane in trace.to_mermaid()


def test_every_example_is_drawn() -> None:
    """None is left out."""
    assert {name for name, _, _ in DRAWN} == {case[0] for case in CASES}


def effects_of(example: str) -> set[tuple[str, str]]:
    """Return the effects that an example has of the library: the class and function of each."""
    effects = [action.effect for action in load_family(str(EXAMPLES / example)).declared.actions]
    parts = [(getattr(effect, "__self__", None), effect.__name__) for effect in effects]
    return {(type(part).__name__, name) for part, name in parts if part is not None}


def test_the_reference_has_the_library() -> None:
    """Each class has a row in models/README.md: how it is made, and what others call of it.

    That is what some example calls, but for effects; what the row names is there.
    """
    text = README.read_text(encoding="utf-8")
    rows = text[text.index("### The library") :].splitlines()
    examples = sorted(EXAMPLES.glob("[a-z]*.py"))
    effects = set[tuple[str, str]]().union(*(effects_of(path.name) for path in examples))
    called = {
        name
        for path in examples
        for name in re.findall(r"\.(\w+)\(s\b", path.read_text(encoding="utf-8"))
    }
    for kind in (getattr(library, name) for name in library.__all__):
        file = kind.__module__.removeprefix("fencecheck.models.library.").replace(".", "/")
        (row,) = [row for row in rows if row.startswith(f"| [library/{file}.py](")]
        _, _, use, names, _ = row.strip("|").split(" |")
        assert f"{kind.__name__}(" in use
        named = set(re.findall(r"`([a-z_]+)`", names))
        assert named <= set(dir(kind))
        own = {name for name in vars(kind) if (kind.__name__, name) not in effects}
        assert own & called <= named | set(dir(kind.__base__)), kind
