"""What an event does with clocks and counts: both engines do the same, and say what is wrong."""

from __future__ import annotations

from typing import Any

import pytest

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Options, Question
from fencecheck.errors import StateError
from fencecheck.explore.compiled.engine import explore_compiled
from fencecheck.explore.graph import Limits
from fencecheck.explore.reference import explore
from fencecheck.explore.watch import Watch
from fencecheck.model import Array, Count, Enum, Index, Int, Model, Record, Seq, Version
from fencecheck.model.family import Family
from fencecheck.model.system import System
from fencecheck.runs.trace import Origin


def counted() -> Model:
    """Counts wherever a count can stand."""
    model = Model("counted", "Counts")
    place = Index(2, "p")
    tally = Record("Tally", seen=Count(2), size=Int(0, 1))
    person = model.actor("person")
    model.variable("total", Count(2), owner=person)
    model.variable("each", Array(place, Count(1)))
    model.variable("named", Array(Enum("a", "b"), Count(2)))
    model.variable("kept", tally)
    model.variable("rows", Array(place, tally))
    model.variable("queue", Seq(tally, 2), (tally(seen=0, size=0),))

    @person.action(p=place, by=Int(1, 3))
    def count(s, p, by):  # type: ignore[no-untyped-def]
        """Everything is counted."""
        if s.total >= 2:
            s.total = 0
        s.total += by
        s.each[p] += 1
        s.named["b"] += by
        s.kept.seen += 1
        s.rows[p].seen += by
        s.queue[0].seen += 1
        s.kept.size = 1 if s.kept.seen == 2 else 0

    return model


def test_a_count_stays_where_there_are_so_many_or_more() -> None:
    family = Family(counted())
    system = System(family, family.design())
    first = explore(system, Watch(system), Limits())
    second = explore_compiled(system, Watch(system), Limits())
    assert first.search.complete
    assert [second.state(n) for n in range(second.search.count)] == first.states
    end = dict(zip(system.names, first.states[-1], strict=True))
    assert end["each"] == (1, 1)
    assert end["named"]["b"] == 2
    assert end["kept"] == (2, 1)
    assert {type(value) for value in (end["total"], *end["each"], *end["named"])} == {int}


def clocked(by: int, ahead: int) -> Model:
    """A revision that goes up, and one that is kept."""
    model = Model("clocked", "A clock")
    revision = Version("revision", ahead=1, advance=2)
    person = model.actor("person")
    model.variable("revision", revision, owner=person)
    model.variable("kept", revision)

    @person.action(n=Int(1, by))
    def edit(s, n):  # type: ignore[no-untyped-def]
        """The revision goes up."""
        s.revision += n

    @person.action(n=Int(0, ahead))
    def plan(s, n):  # type: ignore[no-untyped-def]
        """A revision to come is kept."""
        s.kept = s.revision + n

    return model


@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize(
    ("by", "ahead", "wrong"),
    [
        (3, 1, "revision goes from 0 to 3: an event moves it by at most 2; write advance=3"),
        (2, 2, "kept is 2, which is ahead of revision at 0 by more than 1"),
    ],
)
def test_what_leaves_its_clock_behind_is_told(engine: Any, by: int, ahead: int, wrong: str) -> None:
    family = Family(clocked(by, ahead))
    question = Question((), (), {}, Origin())
    with pytest.raises(StateError, match="goes wrong") as told:
        check_design(family, family.design(), question, Options(engine=engine))
    assert wrong in str(told.value)


def test_what_a_clock_allows_is_explored_to_its_end() -> None:
    family = Family(clocked(2, 1))
    found = check_design(family, family.design(), Question((), (), {}, Origin()))
    assert found.exploration.complete
    assert found.exploration.states == 3
