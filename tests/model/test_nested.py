"""Sequences and bags of scalars; records and arrays in records, in containers of every kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencecheck.analysis.kinds import numbers_in, renamed_in
from fencecheck.checking.check import check_design
from fencecheck.checking.question import Options, Predicates, Question
from fencecheck.errors import UsageError
from fencecheck.model.family import Family
from fencecheck.model.held.arguments import exact_arguments
from fencecheck.model.system import System
from tests.judge import disagreements
from tests.model.agreement import disagreement
from tests.model.snippets import effect
from tests.models_for_tests import HEADER, load

HEAD = (
    HEADER
    + '''
model = Model("nested", "Values within values")
model.bound("n", 2, "how many indices")
I = Index("n", "i")
E = Enum("zed", "alpha")
model.variable("x", Int(-1, 2))
model.variable("b", Bool())
A = model.actor("A")


@A.action(x=Int(-1, 2), b=Bool(), when=lambda s, x, b: x != s.x or b != s.b)
def turn(s, x, b):
    """Give x and b any values."""
    s.x = x
    s.b = b
'''
)
SCALARS = (
    HEAD
    + '''
OWNER = Maybe(I, "nobody")
model.variable("q", Seq(Int(-1, 1), 2))
model.variable("q2", Seq(Int(-1, 1), 2), (1, -1))
model.variable("names", Seq(E, 2), ("zed",))
model.variable("owners", Seq(OWNER, 2), (None, 1))
model.variable("flags", Bag(Bool(), 2), (True,))
model.variable("bag", Bag(OWNER, 2), (1, None))
model.variable("lines", Array(I, Seq(I, 2)), ((1,), ()))
model.variable("owner", OWNER)
model.variable("e", E)


@A.action(x=Int(-1, 1), when=lambda s, x: len(s.q) < 2)
def fill(s, x):
    """Put something in."""
    s.q.append(x)


@A.action(m=Each("bag"), f=Each("flags"))
def choose(s, m, f):
    """Put back another one."""
    s.bag.remove(m)
    s.bag.add(s.owner)
    s.owner = m
    s.flags = bag(not held for held in s.flags if held == f)
'''
)
ON_SCALARS = {
    "append outside": "s.q.append(s.x)",
    "append to a full one": "s.q.append(0)\ns.q.append(1)",
    "pop": "s.x = s.q.pop(0) + s.q.pop()",
    "pop at a place": "s.x = s.q.pop(s.x)",
    "insert": "s.q.insert(s.x, -1)",
    "remove": "s.q.remove(s.x)",
    "a place": "s.x = s.q[s.x]",
    "set a place": "s.q[s.x] = s.x + 1",
    "change a place": "s.q[0] += 1\ns.q2[s.x] -= 1",
    "clear": "s.q.clear()\ns.x = len(s.q) + len(s.q2)",
    "in": "s.b = s.x in s.q or s.x not in s.q2",
    "equal": "s.b = s.q == s.q2",
    "loop": "for held in s.q:\n    s.x = max(s.x, held)",
    "sum": "s.x = min(sum(s.q), 2) if any(held > 0 for held in s.q) else -1",
    "names": "s.e = s.names[0]\ns.names.append('alpha')\ns.b = 'zed' in s.names",
    "names to and fro": "s.names.append(s.names.pop(0))\ns.b = s.names[0] == s.e",
    "a name that may be absent": "s.names.remove('alpha' if s.b else 'zed')",
    "owners": "s.owner = s.owners.pop()\ns.owners.insert(0, None)\ns.b = s.owners[0] is None",
    "an owner that may be absent": "s.owners.remove(s.owner)",
    "none where a number is needed": "s.x = s.owners[0] + s.owners[1]",
    "owners in": "s.b = None in s.owners and s.owner in s.owners",
    "flags": "s.flags.add(s.b)\ns.b = s.flags.count(True) == 1 and all(s.flags)",
    "a flag that may be absent": "s.flags.remove(s.b)",
    "bag of owners": "s.bag.remove(None)\ns.bag.add(1 if s.b else 0)\ns.b = None in s.bag",
    "new content": "s.bag = bag(None if held == 1 else s.owner for held in s.bag)",
    "new content outside": "s.bag = bag(s.x for held in s.bag)",
    "a line of several": "s.lines[s.x].append(1)\ns.b = 0 in s.lines[1 - s.x]",
    "a line to another": "s.lines[1].append(s.lines[0].pop(0))\ns.x = s.lines[1][0]",
    "a place in a line": "s.lines[0][s.x] = s.x\ns.lines[0][0] += s.x",
}


def system(folder: Path, text: str) -> System:
    family = Family(load(folder, text).model)
    return System(family, family.design({}, {}))


@pytest.mark.parametrize("body", ON_SCALARS.values(), ids=ON_SCALARS.keys())
def test_sequences_and_bags_of_scalars_agree(tmp_path: Path, body: str) -> None:
    """What an effect does with them means the same in both forms, errors included."""
    made = system(tmp_path, SCALARS + "\n\n" + effect(body))
    assert disagreement(made, 60) is None


def test_sequences_and_bags_of_scalars_are_judged(tmp_path: Path) -> None:
    """Both engines find the numbers and verdicts that the third judge finds."""
    text = (
        SCALARS
        + '''

@A.action(when=lambda s: len(s.q) > 0)
def take(s):
    """Take the first."""
    s.x = s.q.pop(0)
    if len(s.names) > 0:
        s.e = s.names.pop()


@model.invariant()
def no_two(s):
    """There are never two alike."""
    return not (len(s.q) == 2 and s.q[0] == s.q[1] == 1)


@model.transition("A.choose")
def keeps(before, after, m):
    """What is chosen becomes the owner."""
    return after.owner == m
'''
    )
    family = Family(load(tmp_path, text).model)
    for engine in ("reference", "compiled"):
        assert disagreements(family, {}, {}, engine) == []


NESTED = (
    HEAD
    + '''
OWNER = Maybe(I, "nobody")
Spot = Record("Spot", i=I, who=OWNER)
Cell = Record("Cell", at=Spot, marks=Array(I, Bool()))
Box = Record("Box", cell=Cell, spots=Array(E, Spot), grid=Array(I, Array(I, Int(0, 1))))
Small = Record("Small", at=Spot, marks=Array(I, Bool()), seen=Ghost(Bool()))
Sent = OneOf("Sent", none=None, cell=Cell, spot=Spot)
Held = Record("Held", what=Sent, m=Bool())
NO = (False, False)
START = Cell(at=Spot(i=1, who=None), marks=(True, False))
model.variable("s1", Spot)
model.variable("c", Cell, START)
model.variable("c2", Cell)
model.variable("box", Box)
model.variable("row", Array(I, Cell))
model.variable("bits", Array(I, Bool()))
model.variable("mat", Array(I, Array(I, Int(0, 1))))
model.variable("q", Seq(Box, 2), (Box(
    cell=START,
    spots=(Spot(i=0, who=1), Spot(i=0, who=None)),
    grid=((0, 1), (1, 0)),
),))
model.variable("bag", Bag(Cell, 2), (START,))
model.variable("cells", Set(Cell), (START, Cell(at=Spot(i=0, who=1), marks=NO)))
model.variable("small", Bag(Small, 2), (Small(at=Spot(i=0, who=None), marks=NO, seen=False),))
model.variable("smalls", Set(Small))
model.variable("sent", Bag(Sent, 2), (Sent.cell(START), Sent.none))
model.variable("held", Held)
model.variable("e", E)
model.ghost("g", Bool())


@A.action(i=I, w=OWNER)
def fill(s, i, w):
    """Put something else in."""
    s.c = Cell(at=Spot(i=i, who=w), marks=tuple(k == i for k in range(s.n)))
    s.cells.add(s.c)
    s.row[i].at.who = w
    if len(s.bag) < 2:
        s.bag.add(s.c)
        s.sent.remove(Sent.none)
        s.sent.add(Sent.spot(s.c.at))


@A.action(m=Each("bag"), c=Each("cells"), t=Each("sent"))
def choose(s, m, c, t):
    """What is chosen is put elsewhere."""
    s.c2 = m if m == c else replace(c, at=m.at)
    s.s1 = t.spot if t.tag == "spot" else s.s1


def turned(s, cell):
    s.c.at.i = 1 - s.c.at.i
    return replace(cell, marks=(s.b, cell.marks[0]))


def count(marks):
    return sum(1 for m in marks if m)


def put(s, marks):
    s.c.marks[0] = not marks[0]
    return marks
'''
)
ON_NESTED = {
    "read": "s.x = s.c.at.i + s.box.cell.at.i + s.row[s.x].at.i",
    "none": "s.x = s.c.at.who",
    "an element": "s.b = s.c.marks[s.x]",
    "an element of a grid": "s.x = s.box.grid[s.x][s.c.at.i]",
    "by name": "s.s1 = s.box.spots['zed']\ns.box.spots[s.e] = s.c.at",
    "whole": "s.b = s.c == s.c2 or s.box.cell != s.c",
    "part": "s.b = s.c.at == s.s1 and s.c.at != Spot(i=s.x, who=None)",
    "arrays": "s.b = s.c.marks == s.c2.marks or s.bits == s.c.marks or s.box.grid != s.mat",
    "in an array": "s.b = s.b in s.c.marks and s.c.at in (s.s1, s.box.spots['alpha'])",
    "replaced": "s.c = replace(s.c, at=replace(s.c.at, i=s.x))",
    "array replaced": "s.c = replace(s.c, marks=(s.b, True))\ns.b = s.c.marks[0]",
    "a list for an array": "s.c = replace(s.c, marks=[s.b, s.b])\ns.b = s.c.marks == s.c2.marks",
    "array of the state in a record": "z = replace(s.c, marks=s.bits)\ns.bits[0] = True\ns.c = z",
    "built": "s.box = replace(s.box, cell=Cell(at=Spot(i=0, who=s.x), marks=NO))",
    "outside": "s.c = Cell(at=Spot(i=s.x + 1, who=None), marks=NO)",
    "outside for a moment": "s.c.at.i += 5\ns.c.at.i -= 5",
    "in place": "s.c.at.i = s.x\ns.box.cell.at.who = None\ns.box.cell.at = s.c.at",
    "in place of a row": "s.row[s.x].at.i += 1\ns.row[0].marks[s.row[1].at.i] = True",
    "an element in place": "s.c.marks[s.x] = not s.c.marks[0]",
    "a grid in place": "s.box.grid[s.x][0] += 1\ns.box.grid[0] = (1, s.c.at.i)\n"
    "s.x = s.box.grid[0][s.x]",
    "names in place": "s.box.spots[s.e].who = s.x\ns.box.spots['zed'].i = 1",
    "array assigned": "s.c.marks = s.c2.marks\ns.row[1].marks = (s.b, False)\ns.box.grid = s.mat",
    "what was read stays": "z = s.c\nm = s.c.marks\ns.c.marks[0] = False\ns.c.at.i = 0\n"
    "s.b = m[0] and z.marks[0] and z.at.i == 1\ns.c2 = z",
    "a name for a part": "z = s.box.cell.at\ns.box.cell.at.i = 1\ns.x = z.i\ns.box.cell.at = z",
    "a choice": "z = s.c if s.b else s.c2\ns.row[0] = z\ns.b = (z.marks if s.b else NOT)[s.x]",
    "helpers": "s.c2 = turned(s, s.c)\ns.x = count(s.c.marks)\ns.b = put(s, s.c.marks)[0]",
    "loops": "for m in s.c.marks:\n    s.c.marks[0] = not m\nfor r in s.row:\n    s.x = r.at.i",
    "sums": "s.x = sum(1 for m in s.c.marks if m) + len(s.c.marks)\ns.b = any(s.c.marks)",
    "a row within": "s.b = any(any(x > 0 for x in line) for line in s.box.grid)",
    "both at once": "s.c, s.c2 = s.c2, s.c",
    "bag": "s.bag.add(s.c2)\ns.bag.remove(s.c)\ns.b = s.c in s.bag",
    "bag changed": "s.bag.change(s.c, at=s.s1, marks=s.bits)",
    "bag outside": "s.bag.remove(s.c)\ns.bag.add(replace(s.c, at=Spot(i=s.x, who=None)))",
    "bag read": "s.c = s.bag[0]\ns.b = any(m.marks[s.c.at.i] for m in s.bag)",
    "bag assigned": "s.bag = bag(replace(m, marks=tuple(not x for x in m.marks)) for m in s.bag)",
    "set": "s.cells.add(s.c)\ns.cells.discard(s.c2)\ns.b = s.c2 in s.cells",
    "set outside": "s.cells.add(replace(s.c, at=Spot(i=s.x, who=None)))",
    "set read": "s.x = sum(c.at.i for c in s.cells if c.marks[0])\n"
    "s.b = any(c.at.who is None for c in s.cells)",
    "set assigned": "s.cells = {replace(c, at=s.s1) for c in s.cells} | {s.c}",
    "sequence": "s.box = s.q[0]\ns.q.append(replace(s.box, cell=s.c2))\ns.c = s.q.pop().cell",
    "sequence in place": "s.q[0].cell.at.i = s.x\ns.q[0].cell.marks[s.c.at.i] = s.b\n"
    "s.q[0].spots[s.e].who = None\ns.q[0].grid[s.c.at.i][s.x] += 1",
    "sequence in place where nothing is": "s.q[1].cell.at = s.s1",
    "sequence whole": "s.q[0].grid = s.mat\ns.q[0].cell = s.c\ns.b = s.q[0].grid == s.mat",
    "tagged": "s.sent.add(Sent.cell(s.c2))\ns.b = any(m.tag == 'cell' and m.cell.marks[1] "
    "for m in s.sent)",
    "tagged in a record": "s.held = Held(what=Sent.cell(s.c2), m=s.b)\n"
    "s.c = s.held.what.cell if s.held.what.tag == 'cell' else s.c",
    "tagged changed": "s.held.what = Sent.spot(s.c.at)\ns.s1 = s.held.what.spot",
    "tagged outside": "s.held.what = Sent.spot(Spot(i=s.x, who=None))",
    "ghosts": "s.small.add(Small(at=s.s1, marks=s.bits, seen=s.g))\n"
    "s.g = any(m.seen for m in s.small)",
    "ghosts of a set": "s.smalls.add(Small(at=s.s1, marks=s.bits, seen=s.g))\n"
    "s.b = any(m.at.i == s.x for m in s.smalls)",
}
ON_NESTED["a choice"] = ON_NESTED["a choice"].replace("NOT", "s.c2.marks")


@pytest.mark.parametrize("body", ON_NESTED.values(), ids=ON_NESTED.keys())
def test_values_within_values_agree(tmp_path: Path, body: str) -> None:
    """What an effect does with records and arrays in records means the same in both forms."""
    made = system(tmp_path, NESTED + "\n\n" + effect(body))
    assert disagreement(made, 40) is None


GAME = (
    HEADER
    + '''
model = Model("game", "Shelves with boxes")
model.bound("n", 2, "how many indices")
I = Index("n", "i")
Spot = Record("Spot", at=I, who=Maybe(I, "nobody"))
Box = Record("Box", spot=Spot, marks=Array(I, Bool()))
Sent = OneOf("Sent", box=Box, spot=Spot, none=None)
one = model.actor("one")
model.variable("box", Array(I, Box), owner=one)
model.variable("known", Set(Spot), owner=one)
model.variable("line", Seq(Box, 2), owner=one)
model.messages("sent", Bag(Sent, 2))
model.variable("turns", Seq(I, 2), (1, 0), owner=one)


@one.action(i=I, when=lambda s, i: len(s.sent) < 2 and not s.box[i].marks[i])
def send(s, i):
    """A box is marked and sent."""
    s.box[i].marks[i] = True
    s.box[i].spot.who = s.turns[0]
    s.sent.add(Sent.box(s.box[i]))
    s.turns.append(s.turns.pop(0))


@one.action(m=Each("sent"), when=lambda s, m: m.tag == "box" and len(s.line) < 2)
def take(s, m):
    """It arrives."""
    s.sent.remove(m)
    s.sent.add(Sent.spot(m.box.spot))
    s.line.append(replace(m.box, spot=Spot(at=m.box.spot.at, who=None)))
    s.known.add(m.box.spot)


@one.action(i=I, when=lambda s, i: len(s.line) > i and not s.line[i].marks[1])
def mark(s, i):
    """A box in the line is marked."""
    s.line[i].marks[1] = True
    s.line[i].spot.at = 1


@model.invariant()
def never_both(s):
    """No two boxes in the line have both marks."""
    return not (len(s.line) == 2 and all(all(b.marks) for b in s.line))


@model.invariant()
def known_is_few(s):
    """Two spots are never known."""
    return len(s.known) < 2


@model.transition("one.take")
def takes_one(before, after, m):
    """What arrives is in the line."""
    return any(b.marks == m.box.marks for b in after.line)
'''
)


def test_models_of_nested_values_are_judged(tmp_path: Path) -> None:
    """Both engines find the numbers and verdicts that the third judge finds."""
    family = Family(load(tmp_path, GAME).model)
    for engine in ("reference", "compiled"):
        assert disagreements(family, {}, {}, engine) == []


ASKED = {
    "box[1].spot.at == 1 and box[1].marks[1] and box[1].spot.who == 2": True,
    "line == sent": None,
    "box[1].spot.who == 'nobody' and box[1].marks[1]": False,
    "any(m.tag == 'box' and m.box.marks[2] and m.box.spot.who == 1 for m in sent)": True,
    "any(box[1].marks) and not any(any(b.marks) for b in line)": True,
    "1 in turns and all(t == 1 for t in turns)": False,
    "box[1].spot == box[2].spot and known == known": True,
    "box[1].spot.where == 1": None,
    "box[3].spot.at == 1": None,
}


@pytest.mark.parametrize(("text", "reached"), ASKED.items())
def test_predicates_read_nested_values(tmp_path: Path, text: str, reached: bool | None) -> None:
    """What people type reads fields of records in records, and elements counted from 1."""
    family = Family(load(tmp_path, GAME).model)
    options = Options(predicates=Predicates((text,)))
    if reached is None:
        with pytest.raises(UsageError):
            check_design(family, family.design(), Question(()), options)
        return
    answer = check_design(family, family.design(), Question(()), options).answers[0]
    assert (answer.trace is not None) is reached


def test_events_of_nested_values_are_told_apart(tmp_path: Path) -> None:
    """The arguments of an event are told whole: each scalar by the path that leads to it."""
    game = system(tmp_path, GAME)
    number = next(i for i, a in enumerate(game.actions) if a.name == "one.take")
    state = game.initial
    for action, args in list(game.enabled(game.view(state), state))[:1]:
        state, _ = game.steps[action](state, *args)
    ((message,),) = game.arguments(number, state)
    words = "box spot (at i1 who i2) marks (True, False)"
    assert game.shown_args(number, (message,)) == {"m": words}
    assert game.exact_args(number, (message,)) == {"m": words}
    box = game.domains[0].element  # type: ignore[attr-defined]
    told = [("b", ("spot",), box)]
    assert exact_arguments(told, (message.box,)) == {
        "b": {"spot.at": 1, "spot.who": 2, "marks[1]": True, "marks[2]": False}
    }


def test_runs_of_nested_values_are_renamed(tmp_path: Path) -> None:
    """Kinds of runs rename the indices in a record's records, and those of its arrays."""
    box = system(tmp_path, GAME).domains[0].element  # type: ignore[attr-defined]
    first, second = box.value(0)._replace(marks=(True, False)), box.value(0)
    numbers = [("n", 0), ("n", 1)]
    swapped = dict(zip(numbers, (1, 0), strict=True))
    same = dict(zip(numbers, (0, 1), strict=True))
    other = second._replace(spot=second.spot._replace(at=1), marks=(False, True))
    assert list(dict.fromkeys(numbers_in(box, first))) == numbers
    assert renamed_in(box, first, same) == renamed_in(box, other, swapped)
    assert renamed_in(box, first, same) != renamed_in(box, other, same)


def test_people_see_the_part_that_changes(tmp_path: Path) -> None:
    """A record that holds others is told by its parts, in what changes and in what was read."""
    text = (
        GAME
        + '''

@model.invariant()
def unmarked(s):
    """The second box is never marked."""
    return not s.box[1].marks[1]
'''
    )
    family = Family(load(tmp_path, text).model)
    found = check_design(family, family.design(), Question(("unmarked",)), Options())
    trace = found["unmarked"].trace
    assert trace is not None
    assert set(trace.events[-1].changes) == {
        "one.box[2].spot",
        "one.box[2].marks[2]",
        "one.turns",
        "network.sent",
    }
    assert trace.violation is not None
    read = {reading.variable for reading in trace.violation.evidence}
    assert read == {"one.box[2].marks[1]", "one.box[2].marks[2]"}
