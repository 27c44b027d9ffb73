"""Clean-ups run after every event, are told apart, and change nothing that can happen."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencecheck.cli.commands.list import family_lines
from fencecheck.errors import ModelError
from fencecheck.runs.replay import replay
from tests.judge import disagreements, truth_of
from tests.models_for_tests import HEADER
from tests.properties.test_truth import checked, family_of

LETTERS = (
    HEADER
    + '''
model = Model("letters", "Letters with numbers, of which a reader knows the newest")
model.bound("readers", 2, "readers")
model.budget("losses", "letters that get lost")
READER = Index("readers", "r")
writer = model.actor("writer")
reader = model.actor("reader")
post = model.actor("post", "interference")
model.variable("number", Int(0, 3), owner=writer)
model.variable("known", Array(READER, Int(0, 3)), owner=reader)
model.variable("open", Array(READER, Bool()), owner=reader)


@writer.action(when=lambda s: not any(s.open))
def write(s):
    """A letter to everybody, with the next number."""
    s.number += 1
    for r in range(s.readers):
        s.open[r] = True


@reader.action(r=READER, when=lambda s, r: s.open[r])
def read(s, r):
    """A reader takes its letter."""
    s.open[r] = False
    s.known[r] = s.number
    return "read"


@post.interference("losses", r=READER, when=lambda s, r: s.open[r])
def lose(s, r):
    """A letter is lost, and with it what its reader knew."""
    s.open[r] = False
    s.known[r] = 0


@model.transition("reader.read")
def in_order(before, after, r):
    """The second reader never reads."""
    return r == 0 or before.number < 2
'''
)
RANKS = '''

@model.cleanup()
def renumber(s):
    """A number of three means two: nobody asks for more."""
    if s.number == 3:
        s.number = 2
        return


@model.cleanup(r=READER)
def forget(s, r):
    """What a reader with a letter knew before is never asked for."""
    if s.open[r]:
        s.known[r] = 0
'''


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_what_is_put_away_is_told_as_if_it_were_kept(tmp_path: Path, engine: str) -> None:
    """There are fewer states; the trace says what readers know, and replays."""
    text = LETTERS.replace("s.number += 1", "s.number = min(s.number + 1, 3)")
    whole, tidy = family_of(tmp_path, text), family_of(tmp_path, text + RANKS)
    assert (
        truth_of(tidy, bounds={"losses": 1}).states < truth_of(whole, bounds={"losses": 1}).states
    )
    assert disagreements(tidy, bounds={"losses": 1}, engine=engine) == []
    traces = [checked(f, engine, losses=1)["in_order"].trace for f in (whole, tidy)]
    assert [len(t.events) for t in traces] == [5, 5]
    last = traces[1].events[-1]
    change = last.changes["reader.known[2]"]
    assert (last.outcome, change.before, change.after) == ("read", 1, 2)
    assert replay(tidy, traces[1]).misfit is None


def test_a_clean_up_that_is_asked_for_is_no_clean_up(tmp_path: Path) -> None:
    """Where it changes what happens, the trace that shows so is refused, with its name."""
    text = LETTERS.replace("s.number += 1", "s.number = min(s.number + 1, 3)")
    text = text.replace("s.known[r] = s.number", "s.known[r] += s.number - s.known[r] // 2 * 2")
    with pytest.raises(ModelError, match=r"declared as forgotten is asked for: .*forget"):
        checked(family_of(tmp_path, text + RANKS), "reference", losses=1)


def test_clean_ups_are_listed_apart(tmp_path: Path) -> None:
    """A reviewer sees that there is one, and what it means, beside the events."""
    lines = family_lines(family_of(tmp_path, LETTERS + RANKS), 100)
    at = next(i for i, line in enumerate(lines) if "put away after every event" in line)
    assert [line.strip() for line in lines[at + 1 : at + 3]] == [
        "renumber",
        "A number of three means two: nobody asks for more.",
    ]


REFILLED = (
    HEADER
    + '''
model = Model("refilled", "A clean-up that goes through a set which the event assigned")
PAIR = Record("Pair", x=Int(0, 3), y=Int(0, 3))
one = model.actor("one")
model.variable("pairs", Set(PAIR), (PAIR(x=3, y=0), PAIR(x=0, y=3), PAIR(x=1, y=1)))
model.variable("last", Int(0, 3))


@one.action(y=Int(0, 3), when=lambda s, y: s.last < 3)
def act(s, y):
    """The pairs get another y."""
    s.pairs = {replace(p, y=y) for p in s.pairs if p.x != y}


@model.cleanup()
def tidy(s):
    for p in s.pairs:
        s.last = p.x


@model.invariant()
def never_more(s):
    """Pairs never become more."""
    return len(s.pairs) <= 3
'''
)


def test_a_cleanup_meets_sets_in_order_however_they_came_about(tmp_path: Path) -> None:
    """What the event assigned as a whole is in ascending order when the clean-up runs."""
    family = family_of(tmp_path, REFILLED)
    for engine in ("reference", "compiled"):
        assert disagreements(family, {}, {}, engine) == []


ASSIGNED = (
    HEADER
    + '''
model = Model("assigned", "Effects that go through a set which they assigned")
one = model.actor("one")
model.variable("ranks", Set(Int(0, 3)), (0, 3))
model.variable("last", Int(0, 3))
model.variable("n", Int(0, 2))


@one.action(y=Int(0, 3), when=lambda s, y: s.n < 2)
def turn(s, y):
    """The set is another one, and the last of it is noted."""
    s.ranks = {3 - x for x in s.ranks} | {y}
    s.n += 1
    for x in s.ranks:
        s.last = x


@one.action(y=Int(0, 3), when=lambda s, y: s.n < 2)
def fill(s, y):
    """The set is another one, and the first of it but one is noted."""
    s.ranks = {y, 3, 1}
    s.ranks.add(2)
    s.n += 1
    for x in s.ranks:
        if x != y:
            s.last = x
            return


@model.invariant()
def never_all(s):
    """The set is never full."""
    return len(s.ranks) < 4
'''
)


def test_an_effect_meets_a_set_that_it_assigned_in_order(tmp_path: Path) -> None:
    """New content is put in ascending order when it is assigned, in both engines."""
    family = family_of(tmp_path, ASSIGNED)
    for engine in ("reference", "compiled"):
        assert disagreements(family, {}, {}, engine) == []
