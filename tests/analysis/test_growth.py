"""Larger bounds: raised one at a time, taken back where they break something, cut honestly."""

from __future__ import annotations

from collections.abc import Mapping

from fencecheck.analysis.explain.growth import grow
from fencecheck.checking.judge import Deadline, Judge
from fencecheck.checking.question import Options
from fencecheck.explore.graph import Limits
from fencecheck.model.declaring.any_number import HowMany
from fencecheck.model.family import Family
from fencecheck.model.files.loading import load_family
from tests.analysis import guarded


def judge(family: Family, bounds: Mapping[str, HowMany], states: int | None = None) -> Judge:
    options = Options(Limits(states=states), engine="reference")
    return Judge(family, list(family.properties), bounds, options)


def test_a_raise_that_breaks_something_is_taken_back() -> None:
    """A guard with two checks takes one hit: the second is the news, and drops go on growing."""
    family = Family(guarded.model)
    mechanisms = {"guard": "on", "checks": "two", "log": "disk"}
    design = family.design(mechanisms, {"hits": 1, "drops": 1})
    growth = grow(judge(family, design.bounds, 30), design, Deadline(), broken=False)
    (news,) = growth.holding.news
    assert (news.raised, news.broken) == ("hits", {"unharmed": 3})
    assert growth.holding.bounds["hits"] == 1
    assert growth.holding.bounds["drops"] > 1
    assert growth.all is not None
    assert growth.all.bounds["hits"] > 1
    assert growth.all.news[-1].bounds == {"hits": 2, "drops": 1}


def test_what_a_limit_cut_is_named_and_not_counted() -> None:
    """The bounds at which the search was cut are no bounds at which anything holds."""
    family = Family(guarded.model)
    mechanisms = {"guard": "on", "checks": "one", "log": "disk"}
    design = family.design(mechanisms, {"hits": 1, "drops": 1})
    growth = grow(judge(family, design.bounds, 20), design, Deadline(), broken=False)
    assert growth.all is None
    assert growth.holding.stopped_by == "states"
    assert growth.holding.cut is not None
    assert sum(growth.holding.cut.values()) == sum(growth.holding.bounds.values()) + 1


def test_without_time_nothing_is_said() -> None:
    """Not even the design's own bounds are claimed."""
    family = Family(guarded.model)
    design = family.design({}, {"hits": 1})
    growth = grow(judge(family, design.bounds), design, Deadline.after(0.0), broken=True)
    assert (growth.holding.raises, growth.holding.stopped_by) == ([], "time")


def test_two_files_break_the_best_of_the_named_designs() -> None:
    """The revision of the whole workspace is coarser than it needs to be: 3 events."""
    family = load_family("fence")
    bounds = {"steps": 2, "files": 1, "edits": 1}
    design = family.design({"journal": "atomic"}, bounds)
    growth = grow(judge(family, bounds, 200), design, Deadline.after(60.0), broken=False)
    assert [(r.raised, r.broken) for r in growth.holding.news] == [
        ("files", {"no_spurious_rejection": 3})
    ]
    assert growth.holding.bounds["files"] == 1
    assert growth.holding.bounds["steps"] > 2
    raised = {"steps", "files", "edits", "in_flight", "kept_keys"}
    assert set(growth.kept) == set(family.bounds) - raised


def test_a_budget_of_any_is_raised_from_one_to_any_and_no_further() -> None:
    """What any number of hits breaks and one does not is news of that raise."""
    family = Family(guarded.model)
    mechanisms = {"guard": "on", "checks": "two", "log": "disk"}
    design = family.design(mechanisms, {"hits": "any", "drops": "any"})
    growth = grow(judge(family, design.bounds), design, Deadline(), broken=True)
    (news,) = growth.holding.news
    assert (news.raised, news.broken) == ("hits", {"unharmed": 3})
    assert news.bounds["hits"] == "any"
    assert growth.holding.bounds == {"hits": 1, "drops": "any"}
    assert growth.holding.stopped_by == "nothing left to raise"
    assert growth.all is not None
    assert growth.all.bounds == {"hits": "any", "drops": "any"}
