"""Fairness as the model says it: weak, strong or none, for each event."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fencecheck.cli.commands.list import family_lines
from fencecheck.properties import path
from fencecheck.report.results.json import variant_object
from fencecheck.report.words.outcomes import fairness_words
from fencecheck.runs.replay import replay
from tests.judge import disagreements
from tests.properties.test_truth import checked, family_of

ENGINES = ("reference", "compiled")
LOCK = '''"""Two workers take turns with a lock, or one of them does."""

from fencecheck.model import *

model = Model("lock", "A lock without a queue")
model.bound("workers", 2, "workers")
WORKER = Index("workers", "w")
worker = model.actor("worker")
model.variable("owner", Int(0, 2))
model.variable("served", Array(WORKER, Bool()))


@worker.action(w=WORKER, FAIR, when=lambda s, w: s.owner == 0)
def enter(s, w):
    """A worker takes the lock."""
    s.owner = w + 1
    s.served[w] = True


@worker.action(w=WORKER, LEAVE, when=lambda s, w: s.owner == w + 1)
def leave(s, w):
    """It gives it back."""
    s.owner = 0


@model.liveness(w=WORKER)
def gets_in(s, w):
    """Each worker gets in."""
    return s.served[w]


@model.leads_to(lambda s: s.owner > 0)
def gets_free(s):
    """The lock becomes free again."""
    return s.owner == 0


@model.recurrence("worker.enter")
def stops(s):
    """Nobody enters for ever, unless both do."""
    return s.owner == 2
'''


def lock(folder: Path, fair: str = 'fair="weak"', leave: str = 'fair="weak"') -> Any:
    """Return the family with fairness for both events."""
    return family_of(folder, LOCK.replace("FAIR", fair).replace("LEAVE", leave))


@pytest.mark.parametrize("large", [False, True], ids=["small", "compiled walks"])
@pytest.mark.parametrize("engine", ENGINES)
def test_strong_fairness_lets_everybody_in(
    tmp_path: Path, engine: str, large: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Weakly fair, a worker that finds the lock taken now and then may starve; strongly, not."""
    if large:
        monkeypatch.setattr(path, "LARGE", 0)
    weak, strong = checked(lock(tmp_path), engine), checked(lock(tmp_path, 'fair="strong"'), engine)
    assert [f.verdict for f in weak.findings] == ["violated", "holds", "violated"]
    assert [f.verdict for f in strong.findings] == ["holds", "holds", "holds"]
    for fair in ("weak", "strong", "none"):
        for leave in ("weak", "none"):
            family = lock(tmp_path, f'fair="{fair}"', f'fair="{leave}"')
            assert disagreements(family, engine=engine) == [], (fair, leave)


@pytest.mark.parametrize("engine", ENGINES)
def test_one_class_may_serve_one_worker_alone(tmp_path: Path, engine: str) -> None:
    """Strong fairness is asked of classes: as one class, entering is served by one worker."""
    family = lock(tmp_path, 'fair="strong", fair_by=()')
    assert disagreements(family, engine=engine) == []
    assert checked(family, engine)["gets_in"].verdict == "violated"


@pytest.mark.parametrize("engine", ENGINES)
def test_what_is_owed_nothing_may_stay_away(tmp_path: Path, engine: str) -> None:
    """A behaviour may end where only such events are possible; a deadlock that is not."""
    family = lock(tmp_path, 'fair="none"', 'fair="none"')
    found = checked(family, engine)
    kept = found["gets_free"].trace
    assert kept.loop_start is None
    assert kept.violation.says.endswith("After event 1 nothing more has to happen.")
    assert replay(family, kept).misfit is None
    assert found["gets_in"].events == 0


def test_a_loop_replays_as_far_as_fairness_goes(tmp_path: Path) -> None:
    """What refutes a promise under weak fairness does not where fairness is strong."""
    trace = checked(lock(tmp_path), "reference")["gets_in"].trace
    assert trace.loop_start is not None
    stronger = lock(tmp_path, 'fair="strong"')
    again = replay(stronger, replace(trace, model=stronger.reference))
    assert again.misfit is not None
    assert "its loop is not fair: worker.enter(w 1) is possible again and never happens" in (
        again.misfit
    )


def test_a_loop_says_that_it_is_fair(tmp_path: Path) -> None:
    """Where events are owed different things, the words claim no more than that."""
    family = lock(tmp_path, leave='fair="strong"')
    says = checked(family, "reference")["gets_in"].trace.violation.says
    assert says.endswith("repeat for ever, and what has to happen is not left out.")


def test_an_actor_says_by_what_all_its_events_are_told_apart(tmp_path: Path) -> None:
    """But for those that say it themselves."""
    text = LOCK.replace('model.actor("worker")', 'model.actor("worker", fair_by=())')
    text = text.replace("FAIR", 'fair="strong"').replace("LEAVE", 'fair_by="w"')
    result = checked(family_of(tmp_path, text), "reference")
    words = fairness_words(result.fairness, result.strengths)
    assert words.startswith("each system event as one class; worker.leave by w")
    assert result["gets_in"].verdict == "violated"


def test_fairness_is_shown_wherever_classes_are(tmp_path: Path) -> None:
    """In a result, as JSON, and in the listing of the model."""
    family = lock(tmp_path, 'fair="strong"', 'fair="none", fair_by=()')
    result = checked(family, "reference")
    words = (
        "each system event by w; worker.leave as one class; strong fairness: worker.enter; "
        "no fairness: worker.leave"
    )
    assert fairness_words(result.fairness, result.strengths) == words
    assert words in " ".join(" ".join(family_lines(family, 100)).split())
    kinds = variant_object(result)["fairness_kinds"]
    assert kinds == {"worker.enter": "strong", "worker.leave": "none"}
    assert variant_object(checked(lock(tmp_path), "reference"))["fairness_kinds"] == {}


NESTED = '''"""States must be taken out twice before what is left shows a fair loop, or none."""

from fencecheck.model import *

model = Model("nested", "Components within components")
model.variable("at", Int(0, 3))
w = model.actor("w")
'''


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("last", ["weak", "strong"])
def test_states_are_taken_out_again_and_again(tmp_path: Path, engine: str, last: str) -> None:
    """0 to 1 to 2 and back in circles, a way out of 2, one out of 1, one out of 0 (``last``)."""
    text = NESTED
    ways = [(0, 1), (1, 0), (1, 2), (2, 1), (0, 0), (2, 3), (1, 3), (0, 3)]
    for source, target in ways:
        fair = "none" if target < 3 else last if source == 0 else "strong"
        text += (
            f'\n\n@w.action(fair="{fair}", when=lambda s: s.at == {source})\n'
            f'def go_{source}_{target}(s):\n    """Go."""\n    s.at = {target}\n'
        )
    text += (
        '\n\n@model.liveness()\ndef gets_out(s):\n    """It gets out."""\n    return s.at == 3\n'
    )
    family = family_of(tmp_path, text)
    assert disagreements(family, engine=engine) == []
    assert checked(family, engine)["gets_out"].verdict == "holds"
    way = ", when=lambda s: s.at == 0)\ndef go_0_3"
    without = family_of(tmp_path, text.replace(f'"{last}"{way}', f'"none"{way}'))
    assert disagreements(without, engine=engine) == []
    assert checked(without, engine)["gets_out"].verdict == "violated"
