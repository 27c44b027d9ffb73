"""What a trace tells: the evidence, whoever owns a variable, and what is a message."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Question
from fencecheck.model.family import Family
from fencecheck.report.formats import drawing
from fencecheck.report.words.orders import event_details, violation_lines
from fencecheck.report.words.trace_words import event_changes, evidence_texts
from fencecheck.runs.trace import Trace
from tests.models_for_tests import load

TEXT = '''
from fencecheck.model import *

Parcel = Record("Parcel", lambda p, k: f"p{p.number + 1}", number=Index("parcels"),
                broken=Ghost(Bool()))
model = Model("post", "A post office in bad weather")
model.bound("parcels", 2, "parcels")
model.budget("storms", "storms")
model.budget("thefts", "parcels that are stolen")
model.budget("losses", "parcels that are lost")
clerk = model.actor("clerk")
weather = model.actor("weather", "interference")
thief = model.actor("thief", "interference")
shelf = model.store("shelf")
model.messages("van", Bag(Parcel, 2))
model.variable("sky", Enum("blue", "grey"), owner=weather)
model.variable("left", Array(Index("parcels"), Bool()), owner=clerk)
model.variable("looked", Int(0, 3), owner=clerk, told=False)
model.variable("loot", Int(0, 2), owner=thief)
model.ghost("here", Array(Index("parcels"), Bool()), owner=shelf)
model.variable("last", Parcel, owner=shelf)


@clerk.action(number=Index("parcels"), when=lambda s, number: not s.left[number])
def send(s, number):
    s.left[number] = True
    s.looked = 1
    if s.sky == "blue":
        s.sky = "grey"
    s.van.add(Parcel(number=number, broken=s.storms == 0))


@clerk.action(parcel=Each("van", "number"))
def shelve(s, parcel):
    s.van.remove(parcel)
    s.here[parcel.number] = True
    s.last = parcel


@weather.interference("storms")
def storm(s):
    s.sky = "grey"


@thief.interference("thefts", parcel=Each("van", "number"))
def steal(s, parcel):
    s.van.remove(parcel)
    s.loot += 1


@weather.interference("losses", parcel=Each("van", "number"))
def blow_away(s, parcel):
    s.van.remove(parcel)


@model.invariant()
def never_the_second(s):
    """The second parcel never comes."""
    return all(not s.here[i] or i == 0 for i in range(s.parcels))


@model.transition("clerk.shelve")
def whole(before, after):
    """What is shelved is whole."""
    return not after.last.broken or before.here[0]


@model.invariant()
def safe(s):
    """Nothing is stolen."""
    return s.loot == 0


@model.invariant()
def arrives(s):
    """What has left is on its way, here or stolen."""
    return all(
        not s.left[i] or s.here[i] or s.loot > 0 or any(p.number == i for p in s.van)
        for i in range(s.parcels)
    )


@model.invariant()
def calm(s):
    """There is a storm left."""
    return s.storms > 0
'''


@pytest.fixture(scope="module")
def traces(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Trace]:
    """Return the counterexample of each property."""
    family = Family(load(tmp_path_factory.mktemp("models"), TEXT).model)
    design = family.design(None, {"storms": 1, "thefts": 1, "losses": 1})
    found = check_design(family, design, Question(tuple(family.properties)))
    return {f.name: f.trace for f in found.findings if f.trace is not None}


# -- evidence -----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("never_the_second", ["shelf.here[1] no (ghost)", "shelf.here[2] yes (ghost)"]),
        ("whole", ["shelf.last.broken yes (ghost)", "shelf.here[1] no (ghost)"]),
        ("safe", ["thief.loot 1"]),
        ("calm", ["budget.storms 0"]),
    ],
)
def test_a_violation_tells_what_its_property_read(
    traces: dict[str, Trace], name: str, texts: list[str]
) -> None:
    """Variables, elements and fields, in order, ghosts among them; budgets if there is nothing
    else."""
    assert sorted(evidence_texts(traces[name])) == sorted(texts)


def test_the_evidence_stands_in_every_picture(traces: dict[str, Trace]) -> None:
    """A property without words for its violation shows the ghosts all the same."""
    trace = traces["never_the_second"]
    assert "What the property read there: shelf.here[1] no (ghost); shelf.here[2] yes (ghost)" in (
        "\n".join(violation_lines(trace, 200, ""))
    )
    for form in ("mermaid", "markdown", "dot"):
        text = drawing(trace, form).decode().replace("\\", "")
        assert "What the property read there" in text, form
        assert "shelf.here[2] yes" in text, form


# -- whose a variable is, and what is a message -------------------------------------------------
def test_a_variable_of_interference_is_told_like_any_other(traces: dict[str, Trace]) -> None:
    """Its changes show in text and picture, also where another actor makes them."""
    trace = traces["never_the_second"]
    event = next(e for e in trace.events if e.name == "clerk.send")
    assert "weather.sky blue → grey" in event_details(trace, event)
    assert [change.name for change in event_changes(trace, event)["weather"]] == ["sky"]


def test_what_the_model_does_not_tell_and_what_arrows_tell_is_left_out(
    traces: dict[str, Trace],
) -> None:
    """The van is drawn as arrows, and the clerk's looking is in the words of the event."""
    trace = traces["never_the_second"]
    assert trace.silent == {"network.van", "clerk.looked"}
    event = next(e for e in trace.events if e.name == "clerk.send")
    assert {"network.van", "clerk.looked"} <= set(event.changes)
    assert not any("looked" in text or "van" in text for text in event_details(trace, event))


def test_a_message_is_lost_only_where_nothing_comes_of_it(traces: dict[str, Trace]) -> None:
    """A thief takes a parcel, the wind loses it; both are interference."""
    stolen, lost = traces["safe"].events[-1], traces["arrives"].events[-1]
    assert (stolen.name, [take.lost for take in stolen.takes]) == ("thief.steal", [False])
    assert (lost.name, [take.lost for take in lost.takes]) == ("weather.blow_away", [True])


def test_whole_arrays_that_are_compared_are_told_whole(tmp_path: Path) -> None:
    """Where no element is asked for by itself, each of them is evidence."""
    text = TEXT.replace("return s.loot == 0", "return s.here == s.left")
    family = Family(load(tmp_path, text).model)
    found = check_design(family, family.design(), Question(("safe",)))["safe"]
    assert found.trace is not None
    assert evidence_texts(found.trace) == [
        "shelf.here[1] no (ghost)",
        "shelf.here[2] no (ghost)",
        "clerk.left[1] yes",
        "clerk.left[2] no",
    ]
