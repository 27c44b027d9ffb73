"""A kernel whose model says which states stand for others: it gives those and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencecheck.model.lower.dag import Dag, Node
from fencecheck.model.system import State, System
from tests.explore.compiled.engines import run_compiled, run_reference, told
from tests.models_for_tests import HEADER, load, system_of, two_phase

COUNTERS = (
    HEADER
    + '''
model = Model("counters", "Counters that nothing tells apart")
model.bound("counters", 3, "how many there are")
model.bound("most", 3, "how far each counts")
I = Index("counters", "i")
model.variable("first", Bool(), True)
model.variable("count", Array(I, Int(0, lambda k: k.most)))
A = model.actor("A")


@A.action(i=I, when=lambda s, i: s.count[i] < s.most)
def step(s, i):
    """One of them counts on."""
    s.count[i] += 1
    s.first = not s.first


@A.action(i=I, when=lambda s, i: s.count[i] > 0 and not s.first)
def back(s, i):
    """One of them begins again."""
    s.count[i] = 0
'''
)


COMPARED = (
    HEADER
    + '''
model = Model("marked", "Marked values everywhere")
model.bound("files", 2, "how many")
REV, EDIT = Version("rev", ahead=1, advance=2), Fresh("made")
I = Index("files", "f")
C = OneOf("C", original=None, edit=EDIT, at=REV)
P = Record("P", base=REV, e=Maybe(EDIT, "no"), i=I)
A = model.actor("A")
model.variable("rev", REV)
model.variable("made", EDIT)
model.variable("base", Array(I, REV))
model.variable("content", Array(I, EDIT))
model.variable("tagged", C)
model.variable("seen", Maybe(REV, "none"))
model.variable("bag_", Bag(P, 2))
model.variable("seq", Seq(C, 2))
model.variable("tries", Int(0, 100))


@A.action(i=I)
def read(s, i):
    """It happens."""
    s.base[i] = s.rev + i
    s.tries += 1 if s.seen is None else 0


@A.action(i=I, when=lambda s, i: s.base[i] == s.rev)
def write(s, i):
    """It happens."""
    s.rev += 1 + i
    s.made += 1
    s.content[i] = s.made
    s.seen = s.base[i]
    s.tagged = C.at(s.base[i]) if s.tries == 2 else C.edit(s.made)


@A.action(when=lambda s: s.seen is not None)
def forget(s):
    """It happens."""
    s.seen = None
    s.tries = 0


@A.action(i=I, when=lambda s, i: len(s.bag_) < 2)
def send(s, i):
    """It happens."""
    s.bag_.add(P(base=s.base[i], e=None if s.seen is None else s.content[i], i=i))


@A.action(m=Each("bag_"))
def take(s, m):
    """It happens."""
    s.bag_.remove(m)
    s.base[m.i] = min(m.base, s.base[m.i])
    if m.e is not None:
        s.content[1] = m.e


@A.action(i=I, when=lambda s, i: len(s.seq) < 2)
def put(s, i):
    """It happens."""
    s.seq.append(s.tagged)


@A.action(when=lambda s: len(s.seq) > 0)
def pop(s):
    """It happens."""
    s.tagged = s.seq.pop(0)


@model.transition()
def stays(before, after):
    """It happens."""
    return after.rev == before.rev or before.content[0] != after.content[1]


@model.invariant()
def known(s):
    """It happens."""
    return s.content[0] != s.content[1] or s.base[0] <= s.rev
'''
)

SYMMETRIC = (
    HEADER
    + '''
model = Model("marked", "Marked values everywhere")
model.bound("files", 2, "how many")
REV, EDIT = Version("rev"), Fresh("made")
W = Index("files", "f", symmetric=True)
C_Q = Record("Q", w=W, v=REV)
C = OneOf("C", original=None, edit=EDIT, by=W, p=C_Q)
P = Record("P", base=REV, to=W, by=Maybe(W, "no"), e=EDIT)
R = Record("R", w=Maybe(W, "x"), n=Bool())
A = model.actor("A")
model.variable("rev", REV)
model.variable("made", EDIT)
model.variable("base", Array(W, REV))
model.variable("content", Array(W, EDIT))
model.variable("friend", Array(W, Maybe(W, "nobody")))
model.variable("knows", Array(W, Array(W, Bool())))
model.variable("some", Set(W))
model.variable("each", Array(W, Set(W)))
model.variable("tagged", C)
model.variable("rec", R)
model.variable("bag_", Bag(P, 2))
model.variable("seq", Array(W, Seq(C, 1)))
model.variable("queue", Seq(P, 2))


@A.action(i=W)
def read(s, i):
    """It happens."""
    s.base[i] = s.rev


@A.action(i=W, when=lambda s, i: s.base[i] == s.rev)
def write(s, i):
    """It happens."""
    s.rev += 1
    s.made += 1
    s.content[i] = s.made
    s.tagged = C.edit(s.made)


@A.action(i=W, j=W, when=lambda s, i, j: i != j)
def meet(s, i, j):
    """It happens."""
    s.friend[i] = j
    s.knows[i][j] = not s.knows[i][j]


@A.action(i=W, when=lambda s, i: i not in s.some)
def join(s, i):
    """It happens."""
    s.some.add(i)
    s.each[i] = {k for k in s.some}
    s.rec = R(w=i, n=s.rec.w is None)


@A.action(i=W, j=W, when=lambda s, i, j: len(s.bag_) < 2)
def send(s, i, j):
    """It happens."""
    s.bag_.add(P(base=s.base[i], to=j, by=s.friend[j], e=s.content[i]))


@A.action(m=Each("bag_"))
def take(s, m):
    """It happens."""
    s.bag_.remove(m)
    s.base[m.to] = min(m.base, s.base[m.to])
    if len(s.queue) < 2:
        s.queue.append(m)
    s.tagged = C.p(C_Q(w=m.to, v=m.base))


@A.action(i=W, when=lambda s, i: len(s.seq[i]) == 0)
def put(s, i):
    """It happens."""
    s.seq[i].append(s.tagged if s.rec.n else C.by(i))


@A.action(i=W, when=lambda s, i: len(s.queue) > 0)
def pop(s, i):
    """It happens."""
    m = s.queue.pop(0)
    s.friend[i] = m.by


@A.action()
def all_leave(s):
    """It happens."""
    for i in range(s.files):
        s.knows[i][i] = i in s.some
        s.each[i].clear()


@model.transition()
def stays(before, after):
    """It happens."""
    return after.rev == before.rev or len(after.bag_) < 2


@model.invariant()
def known(s):
    """It happens."""
    return sum(s.knows[i][i] for i in range(s.files)) < 2
'''
)

HELD = (
    HEADER
    + """
model = Model("held", "Members that hold fresh values, and an Index of one value")
model.bound("shelves", 1, "how many")
EDIT, S = Fresh("made"), Index("shelves", "s")
C = OneOf("C", original=None, edit=EDIT)
K = Record("K", at=S, c=C)
A = model.actor("A")
model.variable("made", EDIT)
model.variable("now", Array(S, K))
model.variable("kept", Set(K, 2))


@A.action(i=S)
def write(s, i):
    s.made += 1
    s.now[i] = K(at=i, c=C.edit(s.made))


@A.action(i=S, when=lambda s, i: len(s.kept) < 2)
def keep(s, i):
    s.kept.add(s.now[i])


@A.action(i=S)
def put_away(s, i):
    s.kept = {k for k in s.kept if k.at == i and k.c == s.now[i].c}
"""
)


def ascending(dag: Dag, nodes: list[Node]) -> list[Node]:
    """Return nodes in ascending order."""
    found = list(nodes)
    for end in range(len(found), 1, -1):
        for i in range(end - 1):
            pair = found[i : i + 2]
            found[i : i + 2] = dag.minimum(*pair), dag.maximum(*pair)
    return found


def sorted_counts(system: System, state: State) -> State:
    """Return a state with its counters in ascending order."""
    first, counts = state
    return first, tuple(sorted(counts))


@pytest.mark.parametrize(("counters", "most"), [(3, 3), (4, 2), (5, 200_000), (3, 1 << 40)])
def test_a_kernel_keeps_representatives(tmp_path: Path, counters: int, most: int) -> None:
    """States of one, two and three words, in half words and in whole ones."""
    system = system_of(load(tmp_path, COUNTERS).model, counters=counters, most=most)
    lowered, dag = system.lowered, system.lowered.dag
    numbers = [lowered.layout.place[f"count[{i}]"] for i in range(counters)]
    counts = [dag.read(1, number, (0, most)) for number in numbers]
    made = dict(zip(numbers, ascending(dag, counts), strict=True))
    lowered.formulas.representative = made
    levels = [{sorted_counts(system, state) for state in system.initials}]
    found = set(levels[0])
    for _ in range(4):
        after = {
            sorted_counts(system, system.steps[action](state, *args)[0])
            for state in levels[-1]
            for action, args in system.enabled(system.view(state), state)
        }
        levels.append(after - found)
        found |= after
    graph = run_compiled(system, states=len(found))
    ends = graph.search.levels
    for level, states in enumerate(levels[: len(ends) - 1]):
        assert {graph.state(n) for n in range(ends[level], ends[level + 1])} == states


@pytest.mark.parametrize(
    ("text", "bounds", "states"),
    [
        (COMPARED, {"files": 2}, 2_000),
        (HELD, {"shelves": 1}, 100),
        (SYMMETRIC, {"files": 2}, 500),
        (SYMMETRIC, {"files": 3}, 200),
    ],
    ids=["compared", "held", "symmetric", "three of them"],
)
def test_both_engines_keep_the_same_representatives(
    tmp_path: Path, text: str, bounds: dict[str, int], states: int
) -> None:
    """State by state, edge by edge, and what breaks first."""
    system = system_of(load(tmp_path, text).model, **bounds)
    reference = run_reference(system, states=states)
    assert told(system, run_compiled(system, states=states)) == told(system, reference)
    assert reference.search.failure is None


@pytest.mark.parametrize(("managers", "counts"), [(7, (920, 22)), (9, (2_232, 28))])
def test_two_phase_commit_up_to_symmetry(
    tmp_path: Path, managers: int, counts: tuple[int, int]
) -> None:
    """The kernel's states are as many as there are up to renaming managers, and as deep."""
    text = Path(two_phase.__file__).read_text("utf-8").replace('"rm")', '"rm", symmetric=True)')
    search = run_compiled(system_of(load(tmp_path, text).model, managers=managers)).search
    assert (search.count, search.depth) == counts
    assert search.complete


MANY = (
    HEADER
    + '''
model = Model("many", "More places than one mask has bits for")
model.bound("files", 33, "how many")
REV = Version("rev", ahead=1)
F = Index("files", "f")
model.variable("rev", REV)
model.variable("base", Array(F, REV))
model.variable("at", F)
model.variable("large", Int(0, lambda k: 1 << k.wide))
model.bound("wide", 1, "bits of a number")
A = model.actor("A")


@A.action(when=lambda s: s.at < s.files - 1)
def note(s):
    """The next file is noted."""
    s.base[s.at] = s.rev + 1 if s.at % 3 == 0 else s.rev
    s.at += 1


@A.action(when=lambda s: s.base[s.at - 1 if s.at > 0 else 0] >= s.rev)
def move(s):
    """The clock moves on."""
    s.rev += 1


@A.action(f=F, when=lambda s, f: f % 8 == 0 and s.base[f] < s.rev and s.at == s.files - 1)
def forget(s, f):
    """An old one is brought up to date."""
    s.base[f] = s.base[s.at - 1]
'''
)


@pytest.mark.parametrize("wide", [1, 40])
def test_more_places_than_a_mask_has_bits(tmp_path: Path, wide: int) -> None:
    """What lies below the clock is counted mask by mask, in half words and in words."""
    system = system_of(load(tmp_path, MANY).model, files=33, wide=wide)
    deepest = run_reference(system, states=700)
    assert told(system, run_compiled(system, states=700)) == told(system, deepest)
    assert deepest.search.failure is None
    assert min(deepest.state(deepest.search.count - 1)[1]) < -3
