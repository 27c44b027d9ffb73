"""Corners of the language and of packing: both engines do the same, errors included.

Each model is a few lines of text; one check with each engine must say the same, word for word.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Options, Question
from fencecheck.checking.results import Exploration
from fencecheck.errors import InternalError, StateError
from fencecheck.explore.compiled.kernel.text import KernelText
from fencecheck.explore.engine import EngineName
from fencecheck.explore.graph import Broken
from fencecheck.explore.shortest import shortest_run
from fencecheck.model.family import Family
from fencecheck.model.system import System
from tests.explore.compiled.engines import (
    edges,
    run_compiled,
    run_reference,
    told,
    told_in_any_order,
)
from tests.models_for_tests import HEADER, load

START = (
    HEADER
    + '''
model = Model("corner", "A corner")
model.bound("n", 3, "how many indices")
I = Index("n", "i")
P = Record("P", i=I, x=Int(-1, 2))
model.variable("x", Int(-7, 7))
model.variable("y", Int(-7, 7), -7)
model.variable("chosen", Int(0, 2))
model.variable("b", Bool())
model.variable("a", Array(I, Int(0, 3)), (0, 1, 2))
model.variable("bag_", Bag(P, 2))
model.variable("st", Set(I))
A = model.actor("A")


@A.action(v=Int(-7, 7), when=lambda s, v: s.chosen == 0)
def choose_x(s, v):
    """Choose one number."""
    s.x = v
    s.chosen = 1


@A.action(v=Int(-7, 7), when=lambda s, v: s.chosen == 1)
def choose_y(s, v):
    """Choose another."""
    s.y = v
    s.chosen = 2
    s.b = True


'''
)


def family(folder: Path, text: str) -> Family:
    """Return the family of a model that is written here."""
    return Family(load(folder, text).model)


def act(effect: str, when: str = "s.b") -> str:
    """Return an action with this effect."""
    return f'@A.action(when=lambda s: {when})\ndef act(s):\n    """Act."""\n    {effect}\n'


def outcome(this: Family, engine: EngineName, bounds: dict[str, int]) -> Any:
    """Return the findings of all properties, or the message and trace of a model error."""
    try:
        question = Question(tuple(this.properties))
        found = check_design(this, this.design({}, bounds), question, Options(engine=engine))
    except StateError as error:
        return str(error), error.trace, error.exploration and counts(error.exploration)
    return found.findings, found.error, counts(found.exploration)


def counts(found: Exploration) -> tuple[int, int, int, str | None]:
    """Return how far a search came."""
    return found.states, found.transitions, found.depth, found.stopped_by


def agree(folder: Path, text: str, **bounds: int) -> Any:
    """Check a model with each engine, compare, and return the graph of the compiled one."""
    this = family(folder, text)
    assert outcome(this, "compiled", bounds) == outcome(this, "reference", bounds)
    system = System(this, this.design({}, bounds))
    expected, found = run_reference(system), run_compiled(system)
    assert told(system, found) == told(system, expected)
    other = run_compiled(system, threads=2)
    assert told_in_any_order(system, other) == told_in_any_order(system, expected)
    if expected.search.complete:
        assert edges(system, found) == edges(system, expected)
    return found


MEANT = [
    "s.x = s.x // s.y if s.y != 0 else 7",
    "s.x = s.x % s.y if s.y != 0 else 7",
    "s.x = (s.x * s.y) // -3 % 7",
    "s.x = (s.x - 20) % 6 - (20 - s.y) // 7",
    "s.x = abs(s.x) - abs(s.y)",
    "s.x = min(s.x, s.y, 3) if s.x < s.y else max(s.x, -s.y, -3)",
    "s.b = s.y != 0 and s.x // s.y > 1",
    "s.b = s.y == 0 or s.x % s.y == 0",
    "s.x = s.a[s.x] if 0 <= s.x < 3 else -1",
    "s.b = any(v == s.x for v in s.a) and all(v < 5 - s.y for v in s.a)",
    "s.x = sum(v for v in s.a if v > s.y)",
    "s.b = -1 < s.x <= s.y < 7",
    "s.x = len(s.st) if s.x in range(-3, 4, 2) else 0",
]

WRONG = {
    "division by zero": "s.x = s.x // s.y",
    "remainder of a division by zero": "s.x = 3 % s.y",
    "negative index": "s.x = s.a[s.x % 3 - 1]",
    "index too large": "s.a[max(s.x, 0)] = 1",
    "value above its domain": "s.x = s.x + s.y",
    "value below its domain": "s.a[0] = s.x",
    "member outside the domain of its set": "s.st.add(max(s.x, 0))",
    "record outside its domain": "s.bag_.add(P(i=0, x=s.x))",
    "bag that is full": "s.bag_.add(P(i=0, x=1))",
    "removal of what is not there": "s.bag_.remove(P(i=0, x=1))",
}


@pytest.mark.parametrize("effect", MEANT)
def test_arithmetic_is_that_of_python(tmp_path: Path, effect: str) -> None:
    """All pairs of numbers from -7 to 7: floor division, remainders, short-circuits, chains."""
    found = agree(tmp_path, START + act(effect))
    assert found.search.failure is None
    assert found.search.count > 225


@pytest.mark.parametrize("effect", WRONG.values(), ids=WRONG.keys())
def test_what_goes_wrong_goes_wrong_alike(tmp_path: Path, effect: str) -> None:
    """The same shortest failing run, told in the same words."""
    found = agree(tmp_path, START + act(effect))
    assert found.search.failure is not None


@pytest.mark.parametrize("effect", WRONG.values(), ids=WRONG.keys())
def test_a_branch_not_taken_has_no_error(tmp_path: Path, effect: str) -> None:
    """What would go wrong is also computed, and must not count."""
    never = f"if s.x > 5 and s.x < s.a[0]:\n        {effect}\n    s.b = False"
    found = agree(tmp_path, START + act(never))
    assert found.search.failure is None


@pytest.mark.parametrize("guard", ["s.b and 4 // s.x > 1", "s.b and s.a[s.x] == 1"])
def test_a_guard_that_goes_wrong(tmp_path: Path, guard: str) -> None:
    """An error of a guard belongs to the state in which it is asked."""
    found = agree(tmp_path, START + act("s.x = 0", guard))
    assert found.search.failure is not None
    assert not found.search.failure.in_event


PROPERTIES = {
    "invariant": "@model.invariant()\ndef prop(s):\n    {doc}\n    return 8 // (s.x + 7) >= 0\n",
    "trigger": "@model.invariant(trigger=lambda s: s.a[s.x + 7 - 5] >= 0)\n"
    "def prop(s):\n    {doc}\n    return True\n",
    "transition": "@model.transition('A.choose_y')\n"
    "def prop(before, after):\n    {doc}\n    return after.x // after.y < 9\n",
    "deadlock": "@model.deadlock()\ndef prop(s):\n    {doc}\n    return 8 // s.x < 9\n",
}


@pytest.mark.parametrize("text", PROPERTIES.values(), ids=PROPERTIES.keys())
def test_a_property_that_goes_wrong(tmp_path: Path, text: str) -> None:
    """An error inside a property is a model error, never a verdict."""
    found = agree(tmp_path, START + text.format(doc='"""It holds."""'))
    assert found.search.failure is not None


WHOLE = (
    HEADER
    + """
model = Model("whole", "Containers as a whole")
model.bound("n", 2, "how many indices")
I = Index("n", "i")
R = Record("R", b=Bool(), x=Int(-1, 1), e=Enum("p", "q"))
model.variable("x", Int(-1, 1))
model.variable("b", Bool())
model.variable("ab", Array(I, Bool()))
model.variable("r", R)
model.variable("ar", Array(I, R))
model.variable("mb", Array(I, Array(I, Bool())))
model.variable("sb", Set(Bool()))
model.variable("asb", Array(I, Set(Bool())))
model.variable("bb", Bag(R, 2))
model.variable("qb", Seq(R, 2))
A = model.actor("A")


@A.action(i=I, x=Int(-1, 1))
def change(s, i, x):
    "Change one thing or another."
    s.ab[i] = s.x == 0
    s.b = s.ab[0] != s.ab[1]
    s.r = R(b=s.ab[0] == (s.b != (x > 0)), x=x, e="q" if s.b else "p")
    s.ar[i] = replace(s.r, b=not s.ar[1].b)
    s.mb[i][0] = s.ab == s.mb[0]
    s.sb.add(s.ar[0] == s.ar[1])
    s.asb[i].add(s.mb[0] == s.mb[1])
    if len(s.bb) < 2 and s.asb[0] != s.asb[1]:
        s.bb.add(s.r)
    elif len(s.qb) < 2:
        s.qb.append(s.ar[i])
    else:
        s.bb.clear()
        s.qb.clear()
    s.x = x


@A.action(when=lambda s: s.ab[0] and s.r.b != s.ab[1])
def forget(s):
    "Begin anew."
    s.sb.clear()
    s.asb[0].clear()
"""
)


@pytest.mark.parametrize("name", ["ab", "r", "ar", "mb", "sb", "asb", "bb", "qb", "b"])
def test_containers_with_truths_are_compared_before_and_after(tmp_path: Path, name: str) -> None:
    """Truths are truths wherever they are read: alone, in records, in arrays, written or not."""
    said = f"return before.{name} == after.{name} or after.x == 0 or before.b"
    text = f'{WHOLE}\n\n@model.transition()\ndef kept(before, after):\n    "Kept."\n    {said}\n'
    this = family(tmp_path, text)
    system = System(this, this.design())
    expected, found = run_reference(system, states=400), run_compiled(system, states=400)
    assert told(system, found) == told(system, expected)
    assert "kept" in found.search.broken


def test_what_is_written_is_bounded_where_a_property_reads_it(tmp_path: Path) -> None:
    """A product that fits for every value of a domain fits for what an event writes."""
    text = (
        HEADER
        + """
model = Model("wide", "Wide")
A = model.actor("A")
model.variable("x", Int(0, 2**31), 2**31 - 2)
model.variable("y", Int(-(2**31), 2**31), 4 - 2**31)


@A.action(v=Int(1, 2))
def up(s, v):
    "Up, at last too far."
    s.x += v
    s.y -= v


@model.transition()
def grows(before, after):
    "It grows until it is too large."
    return after.x * after.x > before.x * before.x and after.x * after.y < before.x * before.y
"""
    )
    assert agree(tmp_path, text).search.failure is not None


def test_a_kernel_that_does_not_parse_is_a_fault_of_fencecheck(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is named as such, with the model and another way to check it."""
    monkeypatch.setattr(KernelText, "text", lambda _: "define nothing")
    this = family(tmp_path, counters(2, 1))
    with pytest.raises(
        InternalError, match=r"kernel of model counters.*a bug of fencecheck.*report"
    ):
        run_compiled(System(this, this.design()))


@pytest.mark.parametrize("what", ["a property", "the model"])
def test_engines_that_differ_are_a_fault_of_fencecheck(tmp_path: Path, what: str) -> None:
    """A violation or failure that the model's own functions do not show is never a verdict."""
    never = '@model.transition()\ndef fine(before, after):\n    "Fine."\n    return True\n'
    this = family(tmp_path, counters(2, 1, "\n\n" + never))
    system = System(this, this.design())
    graph = run_compiled(system)
    wrong = system.properties()[0] if what == "a property" else None
    with pytest.raises(InternalError, match=r"compiled engine says .* the engines differ"):
        shortest_run(system, graph, Broken(1, [0], in_event=True), wrong)


def counters(count: int, high: int, more: str = "") -> str:
    """Return a model of counters, each of which can go up once in turn."""
    lines = [HEADER, 'model = Model("counters", "Counters")', 'A = model.actor("A")']
    for i in range(count):
        lines += [
            f'model.variable("c{i}", Int(0, {high}))',
            f"\n\n@A.action(when=lambda s: s.c{i} == 0)\ndef up{i}(s):",
            f'    """Up."""\n    s.c{i} = {high}\n',
        ]
    return "\n".join(lines) + "\n" + more


@pytest.mark.parametrize(
    ("count", "high", "words"),
    [(3, 3, 1), (4, 2**16 - 1, 1), (5, 2**16 - 1, 2), (3, 2**31 - 1, 2), (7, 2**29, 4)],
)
def test_states_of_several_words(tmp_path: Path, count: int, high: int, words: int) -> None:
    """Each counter is down or up: the cube, with known counts."""
    found = agree(tmp_path, counters(count, high))
    assert found.kernel.packing.words == words
    assert (found.search.count, found.search.transitions) == (2**count, count * 2 ** (count - 1))


@pytest.mark.parametrize("high", [2**30, 2**31, 2**40, 2**61])
def test_wide_numbers_take_wide_lanes(tmp_path: Path, high: int) -> None:
    """Fields beyond 31 bits; one word where 63 bits are enough."""
    text = counters(1, high, "") + (
        f'\n\n@A.action(when=lambda s: s.c0 == {high})\ndef down(s):\n    """Down."""\n'
        f"    s.c0 = s.c0 // 3 - 5\n"
        "\n\n@model.invariant()\ndef prop(s):\n"
        f'    """Not a third."""\n    return s.c0 != {high // 3 - 5}\n'
    )
    found = agree(tmp_path, text)
    assert found.search.count == 3
    assert found.search.broken["prop"].events == 2
    assert found.kernel.packing.width == (32 if high < 2**31 else 64)


def test_a_set_of_many_members(tmp_path: Path) -> None:
    """A mask in three chunks, with members on both sides of each border."""
    text = (
        HEADER
        + '''
model = Model("members", "Members")
A = model.actor("A")
model.variable("s1", Set(Int(-35, 34)))
model.variable("size", Int(0, 70))


@A.action(when=lambda s: len(s.s1) == 0)
def fill(s):
    """Members at the borders of chunks."""
    for v in (-35, -6, -5, 24, 25, 34):
        s.s1.add(v)


@A.action(v=Each("s1"))
def take(s, v):
    """One is taken out."""
    s.s1.discard(v)
    s.size = sum(1 for w in s.s1 if w > v)


@model.invariant()
def few(s):
    """Something to break."""
    return not (24 in s.s1 and 25 not in s.s1 and -6 not in s.s1)
'''
    )
    found = agree(tmp_path, text)
    assert found.search.broken["few"].events == 3


def test_more_than_thirty_two_ways_to_go_on(tmp_path: Path) -> None:
    """Several words of the mask that says which successors exist."""
    text = (
        HEADER
        + '''
model = Model("many", "Many")
A = model.actor("A")
model.variable("x", Int(0, 150))


@A.action(v=Int(1, 100), when=lambda s, v: s.x < 51 and (s.x + v) % 3 != 1)
def jump(s, v):
    """Jump ahead."""
    s.x += v


@model.invariant()
def short_of(s):
    """Not as far as that."""
    return s.x != 149
'''
    )
    found = agree(tmp_path, text)
    assert len(found.kernel.signs.actions) == 100
    assert found.search.broken["short_of"].events == 2


def test_many_properties(tmp_path: Path) -> None:
    """More than the 29 of the first word of flags, and more than the 32 of the next."""
    text = counters(6, 1)
    for i in range(80):
        text += (
            f"\n\n@model.invariant(trigger=lambda s: s.c{i % 6} == 1)\ndef p{i}(s):\n"
            f'    """Number {i}."""\n    return s.c{i % 6} + s.c{(i + 1) % 6} + {i} % 4 < 4\n'
        )
    text += (
        "\n\n@model.transition('A.up5')\ndef last(before, after):\n"
        '    """The last one."""\n    return before.c0 + before.c1 < 2\n'
    )
    found = agree(tmp_path, text)
    assert found.kernel.signs.flag_words == 3
    assert set(found.search.broken) == {"last", *(f"p{i}" for i in range(80) if i % 4 > 1)}
    assert len(found.search.triggered) == 81


def test_a_model_whose_only_state_is_the_initial_one(tmp_path: Path) -> None:
    """Nothing can happen, which is a deadlock."""
    text = (
        HEADER
        + '''
model = Model("still", "Still")
A = model.actor("A")
model.variable("x", Int(5, 5), 5)


@A.action(when=lambda s: s.x > 5)
def never(s):
    """Never."""
    s.x = 5


@model.deadlock()
def goes_on(s):
    """Something can happen."""
    return s.x != 5
'''
    )
    found = agree(tmp_path, text)
    assert (found.search.count, found.search.transitions, found.search.depth) == (1, 0, 0)
    assert found.search.broken["goes_on"].events == 0


def test_self_loops_and_parallel_edges_count(tmp_path: Path) -> None:
    """Every way an action can happen is a transition, wherever it leads."""
    text = (
        HEADER
        + '''
model = Model("loops", "Loops")
A = model.actor("A")
B = model.actor("B", "interference")
model.budget("times", "times")
model.variable("x", Int(0, 2))


@A.action(v=Int(0, 4))
def stay(s, v):
    """Nothing changes."""
    s.x = s.x


@A.action(v=Int(0, 2), when=lambda s, v: s.x < 2)
def up(s, v):
    """Three ways to do the same."""
    s.x += 1


@B.interference("times")
def reset(s):
    """Back to where it began."""
    s.x = 0
'''
    )
    found = agree(tmp_path, text, times=1)
    assert found.search.count == 6
    assert found.search.transitions == 6 * 5 + 4 * 3 + 3


def test_deadlocks_are_of_system_events(tmp_path: Path) -> None:
    """Interference does not help a system that is stuck; a cut border is not stuck."""
    text = (
        HEADER
        + '''
model = Model("stuck", "Stuck")
A = model.actor("A")
B = model.actor("B", "interference")
model.budget("times", "times")
model.variable("x", Int(0, 9))


@A.action(v=Int(1, 2), when=lambda s, v: s.x < 5)
def up(s, v):
    """Ahead."""
    s.x += v


@B.interference("times", when=lambda s: s.x >= 5)
def back(s):
    """Back."""
    s.x = 3


@model.deadlock()
def far(s):
    """It ends at six."""
    return s.x == 6
'''
    )
    found = agree(tmp_path, text, times=2)
    assert found.search.broken["far"].events == 3
    this = family(tmp_path, text)
    system = System(this, this.design({}, {"times": 2}))
    for run in (run_reference, run_compiled):
        search = run(system, states=7).search
        assert (search.stopped_by, search.depth, search.broken) == ("states", 3, {})
