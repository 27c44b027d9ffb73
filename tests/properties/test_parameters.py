"""Properties for each value of a domain, and of the parameters of events."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencecheck.runs.replay import replay
from fencecheck.runs.trace_json import read_trace, trace_object
from tests.judge import disagreements
from tests.properties.test_truth import checked, family_of

ENGINES = ("reference", "compiled")
SERVER = '''"""A server of three tasks, each of which is served twice."""

from fencecheck.model import *

model = Model("server", "A server of three tasks")
model.bound("tasks", 3, "tasks to serve")
model.budget("faults", "what goes wrong")
TASK = Index("tasks", "t")
server = model.actor("server")
env = model.actor("env", "interference")
model.variable("served", Array(TASK, Int(0, 2)))


@server.action(task=TASK, when=lambda s, task: s.served[task] < 2 and (task < 2 or s.served[0] < 2))
def serve(s, task):
    """A task is served."""
    s.served[task] += 1


@server.action(task=TASK, fair_by=(), when=lambda s, task: s.served[task] == 2 and task == 1)
def again(s, task):
    """The second task is taken back."""
    s.served[task] -= 1


@env.interference("faults", task=TASK, when=lambda s, task: s.served[task] > 0)
def undo(s, task):
    """What was done is undone."""
    s.served[task] = 0
'''
PROMISES = '''

@model.invariant(w=TASK, trigger=lambda s, w: s.served[w] > 1)
def once(s, w):
    """A task is served at most once."""
    return s.served[w] < 2 or w == 0


@model.transition("server.serve", "env.undo", trigger=lambda before, after, task: task == 2)
def never_the_second(before, after, task):
    """The second task is not served twice."""
    return not (task == 1 and before.served[task] == 1)


@never_the_second.says
def said(before, after, task):
    return f"it was task number {task}", []


@model.transition("server.serve", w=TASK, trigger=lambda s, w: s.served[w] == 2)
def one_by_one(before, after, w, task):
    """The third task waits for nobody."""
    return w == task or before.served[w] == 0 or after.served[task] == 1 or w != 2


@model.transition("server.serve", w=TASK, trigger=lambda before, after, w, task: w > task + 2)
def untested(before, after, w, task):
    """What is asked of no event."""
    return True


@model.deadlock(w=TASK)
def all_served(s, w):
    """Where nothing can be done, all is done."""
    return s.served[w] == 2


@model.possibility(w=TASK)
def can_be_undone(s, w):
    """A task can always come back to where it began."""
    return s.served[w] == 0


@model.liveness(w=TASK)
def is_served(s, w):
    """Each task is served twice."""
    return s.served[w] == 2


@model.leads_to(lambda s, w: s.served[w] == 1, w=TASK)
def goes_on(s, w):
    """What was served once is served twice."""
    return s.served[w] == 2


@model.recurrence("server.serve", task=TASK)
def stops(s, task):
    """No task is served for ever."""
    return task == 1
'''
FIRST = {
    "once": ("For t2: A task", 2),
    "never_the_second": ("it was task number 1", 2),
    "one_by_one": ("For t3: The third", 3),
    "can_be_undone": ("For t1: A task", 1),
    "is_served": ("For t3: Each task", 5),
    "goes_on": ("For t3: What", 6),
}


@pytest.mark.parametrize("engine", ENGINES)
def test_what_breaks_says_for_which_value(tmp_path: Path, engine: str) -> None:
    """Verdicts are those of the third judge; the trace names the value and replays."""
    family = family_of(tmp_path, SERVER + PROMISES)
    assert disagreements(family, bounds={"faults": 1}, engine=engine) == []
    found = {f.name: f for f in checked(family, engine, faults=1).findings}
    assert {name for name, f in found.items() if f.verdict == "violated"} == set(FIRST)
    assert {name for name, f in found.items() if f.vacuous} == {"untested", "all_served"}
    for name, (words, events) in FIRST.items():
        trace = found[name].trace
        assert trace.violation.says.startswith(words), name
        assert len(trace.events) == events, name
        again = replay(family, read_trace(trace_object(trace), "t.json"))
        assert again.misfit is None, name


@pytest.mark.parametrize("engine", ENGINES)
def test_a_recurrence_speaks_of_the_events_of_its_value(tmp_path: Path, engine: str) -> None:
    """What another task does for ever breaks no promise of this one; its own does."""
    text = SERVER + PROMISES.replace("return task == 1", "return task == 0")
    family = family_of(tmp_path, text)
    assert disagreements(family, engine=engine) == []
    stops = checked(family, engine)["stops"]
    assert stops.verdict == "violated"
    assert stops.trace.violation.says.startswith("For t2: ")


@pytest.mark.parametrize("engine", ENGINES)
def test_there_can_be_any_number_of_temporal_properties(tmp_path: Path, engine: str) -> None:
    """Forty with triggers, and one for each of eighty values, are more than a word has bits."""
    text = SERVER
    for i in range(40):
        text += f'''

@model.leads_to(lambda s: s.served[{i % 3}] == {i % 2})
def leads{i}(s):
    """It comes to this."""
    return s.served[{i % 2}] == {i % 3}
'''
    text += '\n\n@model.liveness(n=Int(0, 79))\ndef many(s, n):\n    """P."""\n'
    text += "    return s.served[n % 3] > n // 40\n"
    family = family_of(tmp_path, text)
    assert disagreements(family, engine=engine) == []


@pytest.mark.parametrize("engine", ENGINES)
def test_an_error_for_one_value_is_an_error(tmp_path: Path, engine: str) -> None:
    """It is found where the property is false for a value before it, too."""
    text = SERVER + (
        '\n\n@model.invariant(n=Int(0, 3))\ndef p(s, n):\n    """P."""\n'
        "    return s.served[0] == 0 if n == 0 else s.served[s.served[0] * n] < 3\n"
    )
    assert disagreements(family_of(tmp_path, text), engine=engine) == []
