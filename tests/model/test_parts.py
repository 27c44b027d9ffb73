"""Parts made by classes, included twice under two names, without events, with stronger guards."""

from __future__ import annotations

from typing import Any

import pytest

from fencecheck.errors import ModelError
from fencecheck.model import Bag, Bool, Each, Index, Int, Model, Part, Record
from fencecheck.model.family import Family
from fencecheck.model.system import System
from tests.model.agreement import disagreement

WRITER = Index("writers", "w")
Ask = Record("Ask", w=WRITER, again=Bool())


class Post(Part):
    """Letters of one kind, which may get lost."""

    mail: str
    sent: str

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.needs("bound", "writers")
        network = self.actor("network", "interference")
        self.mail = self.messages(name, Bag(Ask, 2))
        self.sent = self.variable(f"{name}_sent", Int(0, 4))
        lost = self.budget(f"lost_{name}", "letters that get lost")
        losing = network.interference(
            lost, m=Each(name), when=self.may_lose, name=f"lose_{name}", label=lambda s, m: "lose"
        )
        losing(self.lose)
        self.named(f"{name}_few", self.invariant()(self.few))

    def send(self, s: Any, m: Any) -> None:
        s[self.mail].add(m)
        s[self.sent] += 1

    def may_lose(self, s: Any, m: Any) -> Any:
        return s[self.sent] > 1

    def lose(self, s: Any, m: Any) -> None:
        """A letter gets lost."""
        s[self.mail].remove(m)

    def few(self, s: Any) -> bool:
        """Two letters are the most."""
        return len(s[self.mail]) + (0 if s[self.sent] < 4 else 9) <= 2


class Replies(Post):
    """Letters of which two are counted at most."""

    def send(self, s: Any, m: Any) -> None:
        super().send(s, m)
        s[self.sent] = min(2, s[self.sent])

    def may_lose(self, s: Any, m: Any) -> Any:
        return m.again and super().may_lose(s, m)


class ForgottenReplies(Replies):
    """The first letter does not count."""

    def send(self, s: Any, m: Any) -> None:
        super().send(s, m)
        s[self.sent] -= 1 if s[self.sent] == 1 else 0


def not_again(s: Any, m: Any) -> Any:
    return not m.again


asks, answers = Post("asks"), ForgottenReplies("answers")


def ask(s: Any, w: Any) -> None:
    """A writer asks."""
    asks.send(s, Ask(w=w, again=s["asks_sent"] > 1))


def answer(s: Any, m: Any) -> None:
    """An answer goes back."""
    s[asks.mail].remove(m)
    answers.send(s, m)


def room(s: Any, w: Any) -> Any:
    return len(s.asks) < 2 and s.asks_sent < 4


def room_back(s: Any, m: Any) -> Any:
    return len(s.answers) < 2


def letters(**how: Any) -> Model:
    """Return a model with the two posts, the first included as ``how`` says."""
    model = Model("letters", "Letters")
    model.bound("writers", 2, "who writes")
    model.include(asks, **how)
    model.include(answers)
    writer = model.actor("writer")
    writer.action(w=WRITER, when=room)(ask)
    writer.action(m=Each("asks"), when=room_back)(answer)
    return model


def system_of(model: Model) -> System:
    """Return a model with every budget at 2."""
    family = Family(model)
    budgets = {b.name: 2 for b in family.declared.bounds if b.budget}
    return System(family, family.design({}, budgets))


WAYS: list[dict[str, Any]] = [
    {},
    {"without": ["network.lose_asks"]},
    {"guard": {"network.lose_asks": not_again}},
]


@pytest.mark.parametrize("how", WAYS, ids=["as it is", "without", "guarded"])
def test_engines_agree_on_parts(how: dict[str, Any]) -> None:
    """Methods, names that parts keep, and what an inclusion changes mean the same to both."""
    assert disagreement(system_of(letters(**how)), 300) is None


def lost(system: System, again: bool) -> set[str]:
    """Return what can get lost where one letter of that kind is on its way."""
    values = dict(zip(system.names, system.initial, strict=True))
    letter = Ask(w=0, again=again)
    values |= {"asks": (letter,), "asks_sent": 2}
    state = tuple(values.values())
    enabled = system.enabled(system.view(state), state)
    return {system.actions[number].name for number, _ in enabled}


def test_a_stronger_guard_and_an_event_left_out() -> None:
    """Both guards count; what is left out takes its budget along; the part stays as it is."""
    whole, without, guarded = (system_of(letters(**how)) for how in WAYS)
    assert "network.lose_asks" in lost(whole, again=True)
    assert "network.lose_asks" in lost(guarded, again=False)
    assert "network.lose_asks" not in lost(guarded, again=True)
    assert [b.name for b in without.family.declared.bounds] == ["lost_answers", "writers"]
    assert "lost_asks" not in without.names
    assert "lost_asks" in system_of(letters()).names


def test_a_property_left_out() -> None:
    """A property without which a part is included is not judged."""
    family = system_of(letters(without=["asks_few"])).family
    assert list(family.properties) == ["answers_few"]


def test_what_a_part_needs() -> None:
    """A model that lacks what a part needs is told all of it, and what to write."""
    model = Model("bare", "Nobody writes")
    model.include(asks)
    model.actor("writer").action()(needless)
    with pytest.raises(ModelError) as caught:
        Family(model)
    said = 'model bare: part asks needs bound writers: write model.bound("writers", 2, "...")'
    assert said in str(caught.value)


def needless(s: Any) -> None:
    """Nothing happens."""
