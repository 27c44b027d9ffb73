"""How much work lowering is: no more than what a model says, however it says it.

Counts of what was looked at, never seconds.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from fencecheck.errors import ModelError
from fencecheck.model.lower import source
from fencecheck.model.lower.calls import Calls
from fencecheck.model.system import System
from tests.explore.compiled.engines import run_compiled, run_reference, told
from tests.models_for_tests import HEADER, load, system_of

HEAD = f'''"""Work."""

{HEADER}
model = Model("work", "Work")
model.bound("members", 6, "members")
P = Index("members", "p")
one = model.actor("one")
model.variable("x", Int(0, 3))
model.variable("st", Set(P))
model.variable("kind", Array(P, Enum("red", "green", "blue")))
model.variable("got", Enum("none", "red", "green", "blue"))


def costly(s):
    """Tell something of all members."""
    return all(s.kind[p] != "blue" for p in range(s.members))


@one.action(p=P, when=lambda s, p: p not in s.st)
def joins(s, p):
    """It joins."""
    s.st.add(p)
    s.kind[p] = "blue" if p > 3 else "red" if s.x > 0 else "green"
'''


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have nothing lowered that an earlier run has kept."""
    monkeypatch.setenv("FENCECHECK_CACHE", str(tmp_path / "kept"))


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Return how often each function is lowered from now on."""
    found, original = Counter[str](), Calls.call

    def call(self: Calls, function: Any, *args: Any, **named: Any) -> Any:
        found[function.__name__] += 1
        return original(self, function, *args, **named)

    monkeypatch.setattr(Calls, "call", call)
    return found


def agreeing(folder: Path, text: str, **bounds: int) -> System:
    """Return a model of both engines' one mind."""
    system = system_of(load(folder, HEAD + text).model, **bounds)
    expected, found = (run(system, states=200) for run in (run_reference, run_compiled))
    assert told(system, found) == told(system, expected)
    return system


NEVER = {
    "and": "p == 0 and q == 1 and costly(s)",
    "or": "p > 0 or q != 1 or costly(s)",
    "a choice": "costly(s) if p == 0 and q == 1 else s.x < 2",
    "all": "all(costly(s) for r in range(s.members) if r == p and q == 2 and p == 1)",
    "any": "any(p == r or costly(s) for r in range(1, 2) if p < 2)",
    "a second loop": "any(costly(s) for a in range(3) if a == p for b in range(3) if b == q)",
}


@pytest.mark.parametrize("guard", NEVER.values(), ids=NEVER)
def test_what_is_never_evaluated_is_lowered_once(
    tmp_path: Path, calls: Counter[str], guard: str
) -> None:
    """Of 36 ways, few ask what is costly; the others know the answer without."""
    agreeing(
        tmp_path,
        f'''
@one.action(p=P, q=P, when=lambda s, p, q: {guard})
def goes(s, p, q):
    """It goes on."""
    s.x = (s.x + 1) % 4
''',
    )
    assert 1 <= calls["costly"] <= 12


def test_a_branch_that_no_way_takes_is_lowered_once(tmp_path: Path, calls: Counter[str]) -> None:
    """What the others do is the same as without it."""
    agreeing(
        tmp_path,
        '''
@one.action(p=P)
def goes(s, p):
    """It goes on."""
    if p == 2:
        s.x = 1 if costly(s) else 2
    elif p > 2:
        there = p > 4
        s.x = 3 if there else s.x
    else:
        there = s.x == 1
        s.x = 0 if there else s.x
''',
    )
    assert 1 <= calls["costly"] <= 2


@pytest.mark.parametrize(
    "guard", ["1 > 2 and s.nope", "True or s.nope", "s.x < 2 if True else s.nope"]
)
def test_what_no_way_evaluates_is_refused_all_the_same(tmp_path: Path, guard: str) -> None:
    """A mistake does not wait for the sizes with which it would be met."""
    text = (
        f'\n@one.action(when=lambda s: {guard})\ndef goes(s):\n    """It goes on."""\n    s.x = 0\n'
    )
    with pytest.raises(ModelError, match="no variable, mechanism or bound nope"):
        system_of(load(tmp_path, HEAD + text).model)


def test_a_name_set_in_a_loop_over_a_set_costs_as_much_for_each_member(tmp_path: Path) -> None:
    """The literals it can be stand once, however many ways lead to them."""
    text = '''
@one.action()
def goes(s):
    """It goes on."""
    found = "none"
    for p in s.st:
        if s.kind[p] == "red":
            found = "red"
        elif s.kind[p] == "green":
            found = "blue"
    s.got = found
'''
    module = load(tmp_path, HEAD + text)
    few, many = (len(system_of(module.model, members=n).lowered.dag) for n in (9, 18))
    assert many < 2.2 * few
    agreeing(tmp_path, text, members=3)


def test_a_way_looks_at_its_own_element_of_an_array(tmp_path: Path) -> None:
    """Four times the ways ask for no more than five or six times the nodes."""
    text = '''
@one.action(p=P, when=lambda s, p: s.kind[p] == "red")
def goes(s, p):
    """It goes on."""
    s.kind[p] = "green"
'''
    module = load(tmp_path, HEAD + text)
    few, many = (system_of(module.model, members=n).lowered.dag._asked for n in (10, 40))
    assert few < many < 6 * few


def test_a_function_is_looked_for_on_its_own_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not among all functions of its file."""
    looked_at, original = list[int](), source._lambda_matches

    def matches(node: Any, code: Any, text: str) -> bool:
        looked_at.append(node.lineno - code.co_firstlineno)
        return original(node, code, text)

    monkeypatch.setattr(source, "_lambda_matches", matches)
    text = "".join(
        f"@one.action(when=lambda s: s.x == {i % 4})\ndef go{i}(s):\n"
        f'    """It goes."""\n    s.x = {i * 7 % 4}\n'
        for i in range(40)
    )
    system_of(load(tmp_path, HEAD + "\n" + text).model)
    assert set(looked_at) == {0}
    assert len(looked_at) < 100
