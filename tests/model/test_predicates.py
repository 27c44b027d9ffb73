"""Predicates that people type mean what they say, and what is wrong is pointed at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fencecheck.errors import UsageError
from fencecheck.explore.graph import Limits
from fencecheck.explore.reference import explore
from fencecheck.explore.watch import Watch
from fencecheck.model.ask.predicates import Predicate
from fencecheck.model.ask.questions import question, with_questions
from fencecheck.model.files.identity import model_hash
from fencecheck.model.files.loading import load_family
from fencecheck.model.system import System

FENCE = load_family("fence")
DESIGN = FENCE.design({}, {"edits": 1, "lost_replies": 1})
SYSTEM = System(FENCE, DESIGN)

# what is typed, and the same as a model says it
SAME: dict[str, Callable[[Any], object]] = {
    'view[1] == "done"': lambda s: s.view[0] == "done",
    'view[2] != "todo" and edits == 1': lambda s: s.view[1] != "todo" and s.edits == 1,
    "any(m.step == 2 for m in requests)": lambda s: any(m.step == 1 for m in s.requests),
    'all(v == "done" for v in view)': lambda s: all(v == "done" for v in s.view),
    'any(view[i] == "sent" and i == 2 for i in range(steps))': lambda s: s.view[1] == "sent",
    'content[1].tag == "human_edit"': lambda s: s.content[0].tag == "human_edit",
    'work.step == 2 and phase != "idle"': lambda s: s.work.step == 1 and s.phase.tag != "idle",
    'work.step + 1 == 2 and phase != "idle"': lambda s: s.work.step == 0 and s.phase.tag != "idle",
    'fence == "step" and not refused': lambda s: s.fence == "step" and not s.refused,
    "stamp_of[1].base is None or stamp_of[1].base < rev": lambda s: (
        s.stamp_of[0].base is None or s.stamp_of[0].base < s.rev
    ),
    "len(replies) - len(requests) > 0": lambda s: len(s.replies) > len(s.requests),
    'view[1] in ("done", "sent")': lambda s: s.view[0] in ("done", "sent"),
    "work.step in (2, 1)": lambda s: s.work.step in (1, 0),
    "max(work.step, 1) == 2": lambda s: max(s.work.step, 0) == 1,
    "(work.step if refused else 2) == 2": lambda s: (s.work.step if s.refused else 1) == 1,
    "effect_in[ 2 ]": lambda s: s.effect_in[1],
    "edits_left == 0": lambda s: s.edits == 0,
    "edits_used == 1 and lost_replies_used == 0": lambda s: s.edits == 0 and s.lost_replies == 1,
    "edits_used < edits_left": lambda s: 1 - s.edits < s.edits,
    "edits_used in (0, 2)": lambda s: s.edits == 1,
    "edits_left + edits_used == 1": lambda s: True,
    '"original"  == content[1] or refused': lambda s: s.content[0].tag == "original" or s.refused,
}


@pytest.mark.parametrize("text", SAME)
def test_a_predicate_is_what_a_model_would_say(text: str) -> None:
    """In every reachable state it has the value of the function written by hand."""
    typed, opposite = Predicate(SYSTEM, text, "--reach"), Predicate(SYSTEM, text, "--reach")
    graph = explore(SYSTEM, Watch(SYSTEM, []), Limits())
    function, negated = typed.function(), opposite.function(negated=True)
    seen = set()
    for state in graph.states:
        view = SYSTEM.view(state)
        seen.add(bool(SAME[text](view)))
        assert bool(function(view)) == SAME[text](view) == (not negated(view))
    assert True in seen


# what is typed, what is said of it, and what is pointed at
WRONG = [
    ('vew[1] == "done"', 'not a variable, switch or bound... (did you mean "view"?)', "vew"),
    ('s.view[0] == "done"', "write view without s.", "s.view"),
    ('view[3] == "done"', "3 is not one of 1 to 2", "3"),
    ('view[0] == "done"', "0 is not one of 1 to 2", "0"),
    ('view[rev] == "done"', "an index is a number from 1", "rev"),
    ('view[1] == "dne"', 'not one of todo, sent, done, rejected (did you mean "done"?)', '"dne"'),
    ('fence == "pln"', 'not one of none, plan, step (did you mean "plan"?)', '"pln"'),
    ('content[1] == "s3"', 'not one of original, s1, s2, or .tag == "human_edit"', '"s3"'),
    ("rev > 2", "compare, and not how large they are: compare it by ==, != or < with another", "2"),
    ("2 < rev", "of them (rev, stamp_of[1].base, x.base for x in requests, ...), or ask how", "2"),
    ("rev in (1, 2)", "or ask how often what moves rev happened, by edits_used", "1"),
    ("rev + 1 == 2", "or ask how often what moves rev happened, by edits_used", "2"),
    ("stamp_of[1].base == 2", "a state keeps how the numbers that rev hands out compare", "2"),
    ("content[1].human_edit == 1", "compare it by == or != with another of them (edits_made", "1"),
    ("work.stp == 1", 'a Request has no stp... (did you mean "step"?)', "work.stp"),
    ("rev.step == 1", "only records have parts", "rev"),
    ("work.step * 2 == 1", "can be compared, and moved", "work.step * 2"),
    ("work.step == rev", "does not count from 1", "rev"),
    ("sum(m.step for m in requests) > 1", "not calculated with", "sum(m.step for m in requests)"),
    ("-work.step == 1", "not calculated with", "work.step"),
    ("range(2) == 1", "write range(NAME)", "2"),
    ("requests[1].step == 1", "only arrays have elements by number", "requests"),
    ("any(x for x in rev)", "can be run over", "rev"),
    ("any(a == b for a, b in view)", "one name between for and in", "a, b"),
    ("open(rev) == 1", "only len, any", "open"),
    ("(lambda: 1) == rev", "cannot say this", "lambda: 1"),
    ("rev == 1.5", "a whole number", "1.5"),
    ("rev = 3", "not an expression", "="),
    ("", "it is empty", " "),
    # what the lowering finds
    ("len(requests)", "does not return true or false", "len"),
    ("rev and refused", "true or false is needed", "rev"),
    ("refused and keys == 1", "compared with a whole number", "keys"),
    ("é == 1", "not a variable", "é"),
]


@pytest.mark.parametrize(("text", "says", "pointed"), WRONG)
def test_what_is_wrong_is_pointed_at(text: str, says: str, pointed: str) -> None:
    """Three lines: what is wrong and what to write, the text, and marks under the place."""
    with pytest.raises(UsageError) as caught:
        with_questions(FENCE, DESIGN, [], [text])
    message, shown, marks = str(caught.value).split("\n")
    assert message.startswith("--invariant: ")
    for part in says.split("..."):
        assert part.strip() in message
    assert shown == f"  {text}"
    start = len(marks) - len(marks.lstrip())
    under = f"{shown} "[start : start + marks.count("^")]
    assert under == pointed or (not text and under.strip() == "")


def test_asking_leaves_the_family_as_it_is() -> None:
    """The properties, the lowering and the hash that others use do not change."""
    before = (list(FENCE.properties), model_hash(FENCE), len(FENCE.lowered))
    asked = with_questions(FENCE, DESIGN, ["edits_left > 1"], ["edits_left  <  9"])
    assert (list(FENCE.properties), model_hash(FENCE), len(FENCE.lowered)) == before
    assert list(asked.properties)[-2:] == ["reach edits_left > 1", "edits_left < 9"]
    assert model_hash(asked) == model_hash(FENCE)
    assert with_questions(FENCE, DESIGN, [], []) is FENCE


@pytest.mark.parametrize("texts", [["steps > 1", "steps > 1"], ["steps > 1", "steps  > 1"]])
def test_a_question_stands_once(texts: list[str]) -> None:
    """The same question twice is a mistake of whoever asks."""
    with pytest.raises(UsageError, match="asked twice"):
        with_questions(FENCE, DESIGN, [], texts)


def test_what_is_false_is_explained_with_the_values_that_it_names() -> None:
    """A violation says which predicate is false, and what its variables hold."""
    prop = question(FENCE, DESIGN, "edits_left < 1 and fence == 'step'")
    assert callable(prop.explain)
    view = SYSTEM.view(SYSTEM.initial)
    says, values = prop.explain(view, view)
    assert says == "this is false: edits_left < 1 and fence == 'step'"
    assert values == [["edits_left", 1]]


def test_with_a_budget_of_any_no_count_is_offered_that_there_is_not() -> None:
    """What was used of it has no number either; what the lowering says names variables as typed."""
    design = FENCE.design({}, {"edits": "any", "lost_replies": 1})
    with pytest.raises(UsageError) as caught:
        with_questions(FENCE, design, [], ["rev > 2"])
    assert "edits_used" not in str(caught.value)
    with pytest.raises(
        UsageError, match=r"asks how much of edits was used, .* no number"
    ) as caught:
        with_questions(FENCE, design, [], ["edits_used > 2"])
    assert "s." not in str(caught.value).split("\n")[0]
