"""The crosscheck: what agrees with SPIN, how a fault looks, and a peer that gives no answer."""

from __future__ import annotations

import os
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from fencecheck.analysis.crosscheck.crosscheck import (
    PARTS,
    chosen_peers,
    crosscheck_design,
)
from fencecheck.analysis.crosscheck.differences import explained_difference
from fencecheck.analysis.crosscheck.exported import ExportedDesign
from fencecheck.analysis.crosscheck.peer import PeerFailed, PeerLimits, Workplace
from fencecheck.analysis.crosscheck.spin import Spin
from fencecheck.checking.question import Options
from fencecheck.errors import UsageError
from fencecheck.explore.graph import Limits
from fencecheck.model.lower.kinds.contents import Contents
from tests.export.asking import asked, disagreements, the_peer
from tests.export.exporting import exported
from tests.models_for_tests import (
    HEADER,
    alike,
    counting,
    load,
    pipelined,
    queue,
    tokens,
    two_phase,
)

BAG = """
m = Model("post", "Post")
m.bound("letters", 3, "letters")
m.bound("spare", 2, "not read by anything")
sender, postman = m.actor("sender"), m.actor("postman")
LETTER = Index("letters", "letter ")
m.variable("bag", Bag(LETTER, 3), owner=sender)
m.variable("sent", Set(LETTER), owner=sender)
m.variable("last", LETTER, owner=postman)

@sender.action(letter=LETTER, when=lambda s, letter: letter not in s.sent)
def send(s, letter):
    "A letter is sent."
    s.bag.add(letter)
    s.sent.add(letter)

@postman.action(letter=Each("bag"))
def take(s, letter):
    "A letter is taken."
    s.bag.remove(letter)
    s.last = letter

@m.invariant()
def enough_room(s):
    "There is room."
    return len(s.bag) <= 3

@m.transition("postman.take")
def ascending(before, after):
    "Letters are taken in ascending order."
    return after.last >= before.last
"""

POSSIBLE = """
@m.possibility()
def empty(s):
    "The bag gets empty."
    return len(s.bag) == 0
"""


def named(module: ModuleType) -> str:
    """Return a short name of a module, for a test."""
    return module.__name__.rpartition(".")[2]


@pytest.mark.parametrize(("managers", "states"), [(3, 288), (5, 8_832)])
def test_two_phase_commit_has_as_many_states_in_spin(managers: int, states: int) -> None:
    """The figures that several checkers agree on."""
    design = exported(two_phase.model, managers=managers)
    checked = asked("spin", design)
    assert disagreements(checked) == []
    assert checked.rows[0].theirs == states


@pytest.mark.parametrize("module", [alike, counting, pipelined, queue, tokens], ids=named)
def test_small_models_agree_with_spin(module: ModuleType) -> None:
    """States that stand for others, numbers that grow, sequences, and the tokens of a lease."""
    assert disagreements(asked("spin", exported(module.model))) == []


def test_what_a_peer_cannot_be_asked_is_named(tmp_path: Path) -> None:
    """A possibility is not among what agrees."""
    made = load(tmp_path, HEADER + BAG + POSSIBLE)
    checked = asked("spin", exported(made.m))
    assert checked.agrees
    assert list(checked.not_compared) == ["empty"]
    assert "empty" not in {row.thing for row in checked.rows}


def test_verdicts_lengths_and_situations_are_compared(tmp_path: Path) -> None:
    """Of a property that breaks the fewest events too, of one that holds whether it was tested."""
    checked = asked("spin", exported(load(tmp_path, HEADER + BAG).m))
    rows = {(row.thing, row.aspect): row.theirs for row in checked.rows}
    assert rows["ascending", "verdict"] == "violated"
    assert rows["ascending", "events"] == 4
    assert rows["enough_room", "verdict"] == "holds"
    assert checked.agrees


def faulty_remove(self: Any, place: Any, value: Any) -> None:
    """Take an element out of a bag as it must not be done: the last slot is kept."""
    path, _, _ = self._slots_of(place)
    packed, slots = self.pack(value, place), self.slots(place)
    for i, slot in enumerate(slots[:-1]):
        gone = self.dag.negate(self.dag.less(slot, packed))
        self.store(f"{path}#{i}", self.dag.select(gone, slots[i + 1], slot))


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> tuple[ExportedDesign, Options]:
    """Return a design whose lowering takes elements out of bags wrongly."""
    monkeypatch.setattr(Contents, "_bag_remove", faulty_remove)
    monkeypatch.setenv("FENCECHECK_CACHE", str(tmp_path / "kept"))  # what is kept was lowered right
    options = Options(Limits(), "reference")
    return exported(load(tmp_path, HEADER + BAG).m, None, options), options


@pytest.mark.parametrize("peer", ["spin", "rumur"])
def test_a_fault_in_the_lowering_is_a_difference_and_is_made_small(
    faulty: tuple[ExportedDesign, Options], peer: str
) -> None:
    """The reference engine is right; bounds are lowered, and the event is named that differs."""
    design, options = faulty
    checked = asked(peer, design)
    assert checked.differs
    found = explained_difference(
        design, checked, (the_peer(peer), ["counts"]), (options, PeerLimits())
    )
    assert found.bounds == {"letters": 3, "spare": 1}
    told = "\n".join(found.told)
    assert "they part in the state" in told
    assert "only ours: postman.take, to" in told
    assert "only theirs: postman.take, to" in told
    assert "README.md" in found.files


def a_program(folder: Path, name: str, text: str) -> None:
    """Write a program of that name, which is found before any other."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


@pytest.mark.parametrize(
    ("spin", "said"),
    [
        ("echo spin: error: out of paper >&2; exit 1", "spin: error: out of paper"),
        ("exit 0", "error"),  # there is nothing to compile then
        ("kill -9 $$", "it ended with -9"),
        ("echo 'int main(void){return 0;}' > pan.c", "pan printed no number of states"),
        (
            "echo 'int puts(const char*);int main(void){puts(\"7 states, stored\");return 0;}' "
            "> pan.c",
            "pan printed no number of transitions",
        ),
        (
            'echo \'int puts(const char*);int main(void){puts("pan: reached -DMEMLIM bound");'
            "return 0;}' > pan.c",
            "pan: reached -DMEMLIM bound",
        ),
    ],
    ids=["fails", "makes nothing", "dies", "prints nothing", "prints too little", "stops early"],
)
def test_a_peer_without_an_answer_is_undetermined_in_its_own_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spin: str, said: str
) -> None:
    """It is never agreement, whatever the peer did instead of answering."""
    a_program(tmp_path, "spin", spin)
    monkeypatch.chdir(tmp_path)  # it writes pan.c wherever it is asked for its version
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    checked = asked("spin", exported(queue.model))
    assert said in checked.undetermined
    assert checked.rows == []
    assert not checked.agrees
    assert not checked.differs


def test_a_peer_that_takes_too_long_is_stopped(tmp_path: Path) -> None:
    """The limit on time holds for all programs of a peer together."""
    work = Workplace(tmp_path, PeerLimits(seconds=0.2))
    with pytest.raises(PeerFailed, match="sleep: it was stopped by the limit on time"):
        work.run("sleep", "600")


@pytest.mark.parametrize("peer", ["spin", "rumur"])
def test_a_peer_without_memory_is_undetermined(peer: str) -> None:
    """A limit that is reached on the other side is no answer."""
    design = exported(two_phase.model)
    checked = crosscheck_design(design, the_peer(peer), PARTS, PeerLimits(memory=1 << 21))
    assert checked.undetermined
    assert checked.rows == []


def test_a_search_of_ours_that_was_cut_agrees_with_nothing() -> None:
    """Nothing is asked then."""
    design = exported(two_phase.model, None, Options(Limits(states=10)))
    checked = asked("spin", design)
    assert checked.undetermined == "our own search was not complete"
    assert not checked.agrees


def test_a_model_that_goes_wrong_goes_wrong_there_too(tmp_path: Path) -> None:
    """What a run must not do is an assertion."""
    text = BAG.replace("Bag(LETTER, 3)", "Bag(LETTER, 1)")
    checked = asked("spin", exported(load(tmp_path, HEADER + text).m))
    assert [row.theirs for row in checked.rows] == ["it goes wrong"]
    assert checked.agrees
    assert checked.wrong


def test_a_peer_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What to install is said, and an unknown name is refused."""
    monkeypatch.setenv("PATH", str(tmp_path))
    there, missing = chosen_peers(["spin"])
    assert (there, list(missing)) == ([], ["spin"])
    assert chosen_peers(None)[1] == {
        "rumur": "Rumur and a C compiler (Debian: apt-get install rumur gcc)",
        "spin": "SPIN and a C compiler (Debian: apt-get install spin gcc)",
        "tlc": "Java 11 or newer, and tla2tools.jar at the path that --tlc or FENCECHECK_TLC names",
    }
    assert Spin().installed() is None
    with pytest.raises(UsageError, match="--with prism: is not one of rumur, spin"):
        chosen_peers(["prism"])
