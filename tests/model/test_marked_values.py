"""Values of Version, Fresh, Count and a symmetric Index: what may be done with them, and what not.

Each case is a statement of an effect; one that is refused is named with its line.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from fencecheck.errors import ModelError
from fencecheck.runs.commuting import Commuting
from fencecheck.runs.event import Event
from tests.models_for_tests import HEADER, load, system_of

MODEL = (
    HEADER
    + '''
model = Model("marked", "Values of which more or less than the size counts")
model.bound("workers", 2, "nothing tells them apart")
model.bound("files", 2, "plain ones")
W, F = Index("workers", "w", symmetric=True), Index("files", "f")
REV, EDIT = Version("rev", ahead=2), Fresh("edits_made")
Content = OneOf("Content", original=None, edit=EDIT)
Note = Record("Note", base=REV, f=F, w=W)
A = model.actor("A")
model.variable("rev", REV)
model.variable("edits_made", EDIT)
model.variable("base", Array(F, REV))
model.variable("seen", Maybe(REV, "none"))
model.variable("content", EDIT)
model.variable("other", EDIT)
model.variable("tagged", Content)
model.variable("tries", Count(2))
model.variable("n", Int(0, 3))
model.variable("notes", Bag(Note, 2))
model.variable("phase", Array(W, Bool()))
model.variable("holder", Maybe(W, "none"))
model.variable("some", Set(W))


@A.action(w=W, f=F)
def act(s, w, f):
    """Something happens."""
    '''
)
ALSO = '''

@A.action(w=W, f=F)
def also(s, w, f):
    """Something else happens."""
    s.base[f] = s.rev
'''
LINE = MODEL.count("\n") + 1

REFUSED = {
    "s.base[f] = s.base[f] + 1": "does arithmetic with a version of rev; add to the clock only",
    "s.base[f] = s.rev - 1": "does arithmetic with a version of rev",
    "s.seen = s.rev + s.n - 1": "does arithmetic with a version of rev",
    "s.base[f] = s.rev + s.base[f]": "does arithmetic with a version of rev",
    "s.rev = s.base[f]": "rev is a clock, and is given another value than the next",
    "s.base[f] = 0": "a whole number where a version of rev is needed",
    "s.notes.add(Note(base=1, f=f, w=w))": "a whole number where a version of rev is needed",
    "s.n = 1 if s.base[f] == 3 else 0": "== between a version of rev and a whole number",
    "s.n = 1 if s.base[f] < s.content else 0": "< between a version of rev and a fresh value",
    "s.phase[s.base[f]] = True": "a version of rev where one of workers",
    "s.n = len(range(s.rev))": "a version of rev where a whole number is needed",
    "s.n = 1 if s.content < s.other else 0": "it has no order and no size",
    "s.content = s.edits_made": "is read where it may not have advanced",
    "if s.n > 0:\n        s.edits_made += 1\n    s.content = s.edits_made": "may not have advanced",
    "s.content = 1": "a whole number where a fresh value of edits_made is needed",
    "s.tagged = Content.edit(1)": "a whole number where a fresh value of edits_made is needed",
    "s.phase[0] = True": "no constant names one of them",
    "s.phase[f] = True": "a whole number where one of workers that nothing tells apart is needed",
    "s.some.add(0)": "a whole number where one of workers that nothing tells apart is needed",
    "s.n = 1 if 0 in s.some else 0": "one of workers",
    "s.n = 1 if w < s.n else 0": "nothing else tells them apart",
    "s.n = w": "one of workers that nothing tells apart where a whole number is needed",
    "s.holder = w if s.n == 0 else f": "the two cases differ in kind",
    "for i in range(s.workers):\n        s.n = 1": "which has no order, writes n",
    "for i in s.some:\n        s.holder = i": "which has no order, writes holder",
    "for p in s.phase:\n        if p:\n            return 'it'": "which has no order, ends with",
    "for i in range(s.workers):\n        s.phase[i] = s.phase[w]": "which other turns write",
    "for m in s.notes:\n        s.base[m.f] = m.base": "which has no order, writes base",
    "for i in s.some:\n        last = 1\n    s.n = last": "a loop in no order sets it",
    "for i in s.some:\n        s.some.discard(i)": "is changed while a loop runs over it",
    "s.n = 1 if s.notes[0].f == f else 0": "nothing says which of them is first",
    "s.n = s.tries": "a count of 0 to 2 where a whole number is needed",
    "s.tries -= 1": "does arithmetic with a count of 0 to 2",
    "s.n = 1 if s.tries > 2 else 0": "nobody counts beyond 2",
    "s.n = 1 if 3 <= s.tries else 0": "nobody counts beyond 2",
    "s.tries = 3": "3 where a count of 0 to 2 is needed",
}

RIGHT = [
    "s.rev += 1\n    s.base[f] = max(s.base[f], s.rev + 1)",
    "s.rev = s.rev + 1\n    s.base[f] = min(s.rev, s.base[f], s.base[0])",
    "s.notes.add(Note(base=s.rev + f, f=f, w=w))",
    "s.seen = None if s.n == 0 else s.base[f]\n    s.n = 1 if s.seen is None else 0",
    "s.edits_made += 1\n    s.tagged = Content.edit(s.edits_made)",
    's["edits_made"] += 1\n    s["tagged"] = Content.edit(s["edits_made"])',
    "s.other = s.content if s.content != s.other else s.other",
    "s.tries += s.n\n    s.n = 1 if s.tries >= 2 else 0\n    s.tries = 0",
    "s.holder = w\n    s.phase[w] = s.holder == w and w in s.some",
    "for i in range(s.workers):\n        s.phase[i] = i == w or s.phase[i]\n        s.tries += 1",
    "for i in s.some:\n        s.phase[i] = True",
    "k = 0\n    for p in s.phase:\n        k += 1 if p else 0\n    s.n = k",
    "for i in range(s.workers):\n        if i == w:\n            continue\n        s.some.add(i)",
    "s.n = sum(s.phase)\n    s.phase[w] = all(i in s.some for i in range(s.workers))",
    "s.notes = bag(m for m in s.notes if m.base >= s.rev)",
    "for i in range(s.files):\n        s.base[i] = s.rev",
]


@pytest.mark.parametrize("statements", REFUSED)
def test_what_no_representative_would_know_is_refused(tmp_path: Path, statements: str) -> None:
    """The message names the line, what was seen and what to write."""
    with pytest.raises(ModelError) as refused:
        system_of(load(tmp_path, MODEL + statements + "\n").model)
    message = str(refused.value)
    assert REFUSED[statements] in message
    line = int(message.split(".py:")[1].split(":")[0])
    assert LINE <= line <= LINE + statements.count("\n")


@pytest.mark.parametrize("statements", RIGHT)
def test_what_commutes_with_other_numbers_is_allowed(tmp_path: Path, statements: str) -> None:
    """The model loads."""
    system_of(load(tmp_path, MODEL + statements + "\n").model)


def test_what_reads_a_clock_does_not_commute_with_what_moves_it(tmp_path: Path) -> None:
    """A representative's clock always stands at the same place; a run's does not."""
    text = MODEL + "s.rev += 1\n" + ALSO
    system = system_of(load(tmp_path, text).model)
    moves, keeps = (Event(number, (0, 0), system.initial, system.initial) for number in range(2))
    assert not Commuting(system).independent(moves, keeps)
