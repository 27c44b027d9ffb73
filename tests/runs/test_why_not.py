"""Why an event is not possible: the part of its guard that is false, with line and values."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencecheck.errors import UsageError
from fencecheck.model.files.loading import load_family
from fencecheck.model.system import System
from fencecheck.runs.event import choices, execute
from fencecheck.runs.guards.why_not import why_not

MODEL = '''
from fencecheck.model import Array, Bag, Each, Enum, Index, Int, Model, Record

model = Model("jobs", "Guards of all shapes")
model.bound("workers", 2, "workers")
model.budget("crashes", "crashes")
model.bound("room", 1, "notes at a time")
model.mechanism("mode", ("slow", "fast"), "slow", "how")
WORKER = Index("workers", "w")
NOTE = Record("Note", of=WORKER)
worker = model.actor("worker")
machine = model.actor("machine", "interference")
model.variable("phase", Array(WORKER, Enum("idle", "busy", "gone")), owner=worker)
model.variable("tries", Int(0, 2), owner=worker)
model.messages("post", Bag(NOTE, "room"), owner=worker)


def is_busy(s, who):
    """A helper of one expression."""
    at = s.phase[who]
    return at == "busy"


def is_over(s):
    for w in range(s.workers):
        if s.phase[w] != "gone":
            return False
    return True


@worker.action(w=WORKER, when=lambda s, w: s.tries < 2 and not is_busy(s, w))
def start(s, w):
    s.phase[w] = "busy"
    s.tries += 1


@worker.action(w=WORKER, when=lambda s, w: s.mode == "fast"
    and is_busy(s, w))
def finish(s, w):
    s.phase[w] = "idle"


@worker.action(w=WORKER)
def write(s, w):
    s.post.add(NOTE(of=w))


@worker.action(note=Each("post", "of"))
def read(s, note):
    s.post.remove(note)


@worker.action(when=is_over)
def rest(s):
    s.tries = 0


@machine.interference("crashes", w=WORKER, when=lambda s, w: s.phase[w] == "busy")
def crash(s, w):
    s.phase[w] = "gone"


first = worker.first_of(when=lambda s: s.tries == 0)


@first.action(when=lambda s: s.mode == "slow")
def wait(s):
    s.tries = 1


@first.otherwise()
def hurry(s):
    s.tries = 2


@model.invariant()
def low(s):
    """Few tries."""
    return s.tries <= 2
'''


@pytest.fixture(scope="module")
def system(tmp_path_factory: pytest.TempPathFactory) -> System:
    """Return the model above, at one crash."""
    path = tmp_path_factory.mktemp("why") / "jobs.py"
    path.write_text(MODEL)
    family = load_family(str(path))
    return System(family, family.design({}, {"crashes": 1}))


def after(system: System, *events: str) -> tuple[object, ...]:
    """Return the state after the events of these names, the first of each that can happen."""
    state = system.initial
    for name in events:
        action, args = next(c for c in choices(system, state) if system.actions[c[0]].name == name)
        state = execute(system, state, action, args).after
    return state


def line_of(text: str) -> int:
    return next(n for n, line in enumerate(MODEL.splitlines(), 1) if text in line)


def test_the_conjunct_that_is_false_is_told_with_its_line_and_values(system: System) -> None:
    """Where it calls a function of one expression, the part of that; a negation is told as such."""
    told = why_not(system, after(system, "worker.start"), "worker.start(1)")
    assert told[0] == "worker.start(1) is not possible"
    assert told[1].endswith(f"jobs.py:{line_of('def start') - 1}: is_busy(s, w) is true")
    assert told[2].endswith(f'jobs.py:{line_of("return at ==")}: at == "busy" is true: at is busy')


def test_the_line_is_that_of_the_conjunct(system: System) -> None:
    """A guard of several lines: the switch decides, so what comes behind it is not told."""
    told = why_not(system, system.initial, "worker.finish(2)")
    assert told[1:] == [told[1]]
    part = 's.mode == "fast"'
    assert f":{line_of(part)}: {part} is false: s.mode is slow" in told[1]


def test_every_way_of_an_event_is_told_where_no_argument_is_named(system: System) -> None:
    """What is possible is said to be."""
    told = why_not(system, after(system, "worker.start"), "worker.start")
    assert "worker.start(2) is possible" in told
    assert "worker.start(1) is not possible" in told


@pytest.mark.parametrize(
    ("events", "asked", "said"),
    [
        ((), "worker.read", "worker.read is not possible: there is nothing in post"),
        ((), "worker.start(7)", "there is worker.start(1), worker.start(2)"),
        ((), "worker.hurry", "worker.wait comes before it, and is possible"),
        (("worker.start",), "worker.hurry", "s.tries == 0 is false: s.tries is 1"),
        (("worker.write",), "worker.write(1)", "it is held back:"),
        (("worker.start", "machine.crash"), "machine.crash(1)", "crashes 0 left of 1"),
        ((), "worker.rest", "is_over is false: s.workers is 2; s.phase is idle, idle"),
    ],
)
def test_what_else_keeps_an_event_from_happening(
    system: System, events: tuple[str, ...], asked: str, said: str
) -> None:
    """Nothing to take, arguments there are not, an alternative, a capacity, a budget, a loop."""
    assert said in "\n".join(why_not(system, after(system, *events), asked))


def test_an_event_that_is_none_is_a_mistake(system: System) -> None:
    """With the nearest name; so is what is not in the notation."""
    with pytest.raises(UsageError, match=r'did you mean "worker\.start"'):
        why_not(system, system.initial, "worker.strat")
    with pytest.raises(UsageError, match="is not an event"):
        why_not(system, system.initial, "worker start")


@pytest.mark.parametrize("name", ["fence", "ledger", "agent"])
def test_it_agrees_with_what_can_happen(name: str) -> None:
    """In the first states of each family: possible is what the system says is, and no more."""
    family = load_family(name)
    system = System(family, family.design({}, {}))
    states = [system.initial]
    for state in states[:6]:
        states += [execute(system, state, *c).after for c in choices(system, state)]
    for state in states[:12]:
        enabled = choices(system, state)
        for actor in dict.fromkeys(action.actor for action in system.actions):
            told = [t for t in why_not(system, state, actor) if t.endswith(" is possible")]
            assert len(told) == sum(system.actions[n].actor == actor for n, _ in enabled)


def test_a_guard_that_is_a_method_is_read_in_the_file_of_its_part() -> None:
    """A part keeps the names of its variables: they are told by these names."""
    model = Path(__file__).parents[2] / "specs/incidents/n07_own_write_reported.py"
    family = load_family(str(model))
    system = System(family, family.default_design())
    told = [t for a in system.actions for t in why_not(system, system.initial, a.name)]
    found = [line for line in told if "models/library/" in line]
    values = "s.known.content is original; self.cell.read(s).content is original"
    assert any(line.endswith(f" is false: {values}") for line in found)
