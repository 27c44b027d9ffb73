"""A trace identifies its run: what is replayed is the run that was told, event for event."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fencecheck.analysis.compare.scenario import run_scenario
from fencecheck.errors import SpecError
from fencecheck.model.files.loading import load_family
from fencecheck.model.system import System
from fencecheck.runs.replay import replay
from fencecheck.runs.stepping import Stepping
from fencecheck.runs.trace import Origin, Trace
from fencecheck.spec.files import load_specs
from tests.models_for_tests import alike
from tests.runs.checked import check

ALIKE = str(Path(alike.__file__))
FAMILY = load_family(ALIKE)


def older(trace: Trace) -> Trace:
    """Return a trace as it was saved before events were identified whole."""
    events = tuple(replace(event, exact=None) for event in trace.events)
    return replace(trace, events=events)


def with_exact(trace: Trace, number: int, **exact: Any) -> Trace:
    """Return a trace of which one event is another one that looks like it."""
    events = list(trace.events)
    events[number] = replace(events[number], exact=exact)
    return replace(trace, events=tuple(events))


def parcels() -> Trace:
    """Return the counterexample of two bad parcels first."""
    trace = check(ALIKE)["one_of_each"].trace
    assert trace is not None
    return trace


def spoiled(trace: Trace) -> list[bool]:
    return [event.args[0].spoiled for event in replay(FAMILY, trace).events]


# -- events that look alike ---------------------------------------------------------------------
@pytest.mark.parametrize(
    ("mechanisms", "bounds", "events"),
    [
        ({"stamp": "exec", "precondition": "off"}, {"swaps": 1}, 6),
        (
            {
                "fence": "none",
                "stamp": "plan",
                "precondition": "off",
                "journal": "memory",
                "check": "split",
            },
            {"preemptions": 1, "swaps": 1},
            7,
        ),
    ],
)
def test_two_replies_of_one_step_are_told_apart(
    mechanisms: dict[str, str], bounds: dict[str, int], events: int
) -> None:
    """Replies of two generations have one name and the same arguments; each verdict has a trace."""
    result = check("fence", mechanisms, bounds)
    assert result["at_most_once"].events == events
    family = load_family("fence")
    for finding in result.findings:
        if finding.trace is not None:
            assert replay(family, finding.trace).misfit is None
            assert replay(family, older(finding.trace)).misfit is None


def test_a_trace_names_what_people_do_not_see_of_an_event() -> None:
    """The words of a parcel hide whether it is spoiled; the trace has it."""
    trace = parcels()
    assert [event.exact for event in trace.events] == [{"parcel": {"spoiled": True}}] * 2
    assert spoiled(trace) == [True, True]


def test_a_trace_replays_exactly_its_event_and_no_other_that_looks_like_it() -> None:
    """Edited to the other parcel, it is another run, which does not end in the violation."""
    again = replay(FAMILY, with_exact(parcels(), 0, parcel={"spoiled": False}))
    assert [event.args[0].spoiled for event in again.events] == [False, True]
    assert "one_of_each is not violated" in str(again.misfit)


def test_an_older_trace_replays_whichever_event_it_tells_of() -> None:
    """The first parcel that looks right is a good one; the run goes on with those that fit."""
    assert spoiled(older(parcels())) == [True, True]


def test_a_field_that_the_model_has_got_since_is_left_open() -> None:
    """Then each event that looks right is tried, as for an older trace."""
    assert spoiled(with_exact(with_exact(parcels(), 0, parcel={}), 1)) == [True, True]
    again = replay(FAMILY, with_exact(parcels(), 1, parcel={"weight": 3}))
    assert "its parcel.weight is None, the trace says 3" in str(again.misfit)


def test_what_never_was_possible_is_said_field_by_field() -> None:
    """An event that is possible but for a hidden field names that field."""
    again = replay(FAMILY, with_exact(parcels(), 1, parcel={"spoiled": "perhaps"}))
    assert again.misfit == (
        "event 2: courier.deliver(parcel=a parcel): its parcel.spoiled is False, "
        "the trace says perhaps"
    )


# -- scripted orders ----------------------------------------------------------------------------
def scripted(folder: Path, *order: str, ask: str = "courier") -> Any:
    path = folder / "alike.toml"
    listed = ", ".join(f'"{event}"' for event in order)
    path.write_text(
        f'model = "{ALIKE}"\n[[scenario]]\nname = "two"\norder = [{listed}]\nask = "{ask}"\n'
    )
    (spec,) = load_specs([path])
    return run_scenario(spec, spec.variants[0], spec.scenarios[0])


def test_an_ambiguous_order_names_the_events_it_could_mean(tmp_path: Path) -> None:
    """Two events that look alike and lead to different states are never chosen between."""
    with pytest.raises(SpecError) as error:
        scripted(tmp_path, "courier.deliver(a parcel)")
    assert (
        "order, event 1: courier.deliver(a parcel) could be any of "
        "courier.deliver(a parcel, spoiled=false), courier.deliver(a parcel, spoiled=true), "
        "and they lead to different states" in str(error.value)
    )


def test_an_order_can_name_what_tells_two_events_apart(tmp_path: Path) -> None:
    """A field that words hide is named like an argument."""
    cell = scripted(
        tmp_path,
        "courier.deliver(a parcel, spoiled=true)",
        "courier.deliver(a parcel, spoiled=false)",
        "courier.deliver(a parcel, spoiled=true)",
        ask="courier(a parcel)",
    )
    told = [event.exact["parcel"]["spoiled"] for event in cell.trace.events]
    assert told == [True, False, True, False]


# -- runs made by hand --------------------------------------------------------------------------
def test_choices_that_look_alike_are_told_apart() -> None:
    """Who steps by hand sees what an order would have to name."""
    stepping = Stepping(System(FAMILY, FAMILY.design()), [], Origin())
    assert [choice.name for choice in stepping.choices()] == [
        "courier.deliver(a parcel, spoiled=false)",
        "courier.deliver(a parcel, spoiled=true)",
    ]
