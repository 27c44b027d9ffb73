"""Versions, any number of edits and duplicates, and a bound on what is in flight, all together."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Options, Question
from fencecheck.explore.engine import EngineName
from fencecheck.model.family import Family
from fencecheck.runs.replay import replay
from tests.models_for_tests import HEADER, load

MODEL = (
    HEADER
    + '''
model = Model("fenced", "A file that people edit, and a client that writes under a fence")
model.bound("in_flight", 2, "requests at once")
model.budget("edits", "edits by a human")
model.budget("duplicates", "requests delivered twice")
model.budget("lost_replies", "replies that nobody hears")
model.mechanism("fence", ("off", "on"), "off", "whether the store compares revisions")
REV = Version("rev")
REQUEST = Record("Request", base=REV)
client = model.actor("client")
store = model.store("store")
human = model.actor("human", "interference")
network = model.actor("network", "interference")
model.variable("rev", REV, owner=store)
model.variable("base", REV, owner=client)
model.variable("state", Enum("reads", "asks", "knows"), owner=client)
model.messages("requests", Bag(REQUEST, "in_flight"))
model.ghost("lost", Bool())


@client.action(when=lambda s: s.state == "reads")
def read(s):
    """The client reads the file."""
    s.base = s.rev
    s.state = "asks"


@client.action(when=lambda s: s.state == "asks" and not any(True for r in s.requests))
def ask(s):
    """It asks for its write, again where nothing comes back."""
    s.requests.add(REQUEST(base=s.base))


@client.action(r=Each("requests"))
def write(s, r):
    """The store writes, unless the fence says that the file has moved."""
    s.requests.remove(r)
    if s.fence == "on" and r.base != s.rev:
        s.state = "reads"
        return "refused"
    if r.base != s.rev:
        s.lost = True
    s.rev += 1
    s.state = "knows"
    return "written"


@network.interference("lost_replies", when=lambda s: s.state == "knows")
def lose(s):
    """The reply is lost: the client asks again."""
    s.state = "asks"


@human.interference("edits")
def edit(s):
    """A human edits the file."""
    s.rev += 1


@network.interference("duplicates", r=Each("requests"))
def duplicate(s, r):
    """A request will arrive twice."""
    s.requests.add(r)


@model.invariant()
def nothing_lost(s):
    """No write falls on what its author has not read."""
    return not s.lost


@model.possibility()
def can_finish(s):
    """The client can always get to know."""
    return s.state == "knows"
'''
)


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_any_number_of_everything_is_finite_and_told_with_real_numbers(
    tmp_path: Path, engine: EngineName
) -> None:
    """Verdicts and least events are those of budgets of two, with fewer states."""
    family = Family(load(tmp_path, MODEL).model)
    question, options = Question(tuple(family.properties)), Options(engine=engine, exact=True)
    names = ("edits", "duplicates", "lost_replies")
    for fence, lost in (("off", 4), ("on", None)):
        found = {}
        for number in (2, "any"):
            design = family.design({"fence": fence}, dict.fromkeys(names, number))
            found[number] = check_design(family, design, question, options)
        two, unlimited = found[2], found["any"]
        assert unlimited.exploration.states < two.exploration.states
        assert unlimited.exploration.complete
        assert unlimited.held_back == {"in_flight": ("network.duplicate",)}
        for result in (two, unlimited):
            assert result["nothing_lost"].events == lost
            assert result["can_finish"].verdict == "holds"
        trace = unlimited["nothing_lost"].trace
        if trace is not None:
            assert replay(family, trace).misfit is None
