"""A state machine for Hypothesis out of an adapter and a design, for who wants its shrinking.

Each event of the design is a rule that may run where the model allows it, its arguments drawn from
those that are possible. Hypothesis is imported here and nowhere else of the package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from fencecheck.analysis.driving.calling import AdapterError
from fencecheck.analysis.driving.drive import SURVEYED, survey_of
from fencecheck.analysis.driving.driver import Driver, Position, RealCall
from fencecheck.analysis.driving.mistakes import mistakes_of
from fencecheck.conform.adapter import Adapter
from fencecheck.errors import UsageError
from fencecheck.explore.graph import Limits
from fencecheck.model.system import System
from fencecheck.runs.told.observed import Difference, in_sentences
from fencecheck.spec.files import load_specs


def machine(
    adapter: type[Adapter], spec: str | Path, variant: str | None = None
) -> type[RuleBasedStateMachine]:
    """Return a state machine that drives an adapter through the only variant, or the one named.

    Its ``TestCase`` is the test. Raises AdapterError with all that is wrong with the adapter.
    """
    (loaded,) = load_specs([spec])
    if variant is None and len(loaded.variants) > 1:
        names = ", ".join(known.name for known in loaded.variants)
        raise UsageError(f"{spec}: it has several variants; name one of {names}")
    chosen = loaded.variants[0] if variant is None else loaded.variant(variant)
    survey = survey_of(loaded, chosen, Limits(states=SURVEYED))
    driver = Driver(survey.system, adapter, adapter.__qualname__)
    mistakes = mistakes_of(driver, survey)
    if mistakes:
        raise AdapterError("\n".join(mistakes))
    events = dict.fromkeys(name for name, _ in survey.outcomes)
    rules = {name.replace(".", "_"): _rule_of(name) for name in events}
    members = {"model": survey.system, "kind": adapter, **rules}
    return type(f"{adapter.__name__}Machine", (DrivingMachine,), members)


class DrivingMachine(RuleBasedStateMachine):
    """A run of the model beside one of the implementation."""

    model: System
    kind: type[Adapter]

    def __init__(self) -> None:
        super().__init__()
        self.driver = Driver(self.model, self.kind, self.kind.__qualname__)
        self.place, _, differences = self.driver.start(self.driver.starts()[0])
        _refuse(differences)
        self._calls: tuple[Position, list[RealCall]] | None = None

    def calls(self, name: str) -> list[RealCall]:
        """Return the calls that can be an event of a name, each with that event as the first."""
        return [meant for call in self.possible() for meant in self._meant(call, name)]

    def possible(self) -> list[RealCall]:
        """Return every call that the model allows where the run is."""
        if self._calls is None or self._calls[0] is not self.place:
            self._calls = self.place, list(self.driver.calls_of(self.place))
        return self._calls[1]

    @precondition(lambda self: not self.possible())
    @rule()
    def nothing_more(self) -> None:
        """Let a run that has come to its end be as long as others."""

    def _meant(self, call: RealCall, name: str) -> Iterator[RealCall]:
        for event in call.events:
            if self.model.actions[event[0]].name == name:
                others = (other for other in call.events if other != event)
                yield RealCall(call.method, (event, *others))

    def happen(self, call: RealCall) -> None:
        """Carry out a call; raises AssertionError where model and implementation differ."""
        step = self.driver.step(self.place, call)
        _refuse(list(step.differences))
        self.place = step.place

    def teardown(self) -> None:
        """Close the adapter."""
        self.driver.close()


def _rule_of(name: str) -> Callable[..., None]:
    """Return the rule of one event."""

    def happen(self: DrivingMachine, data: Any) -> None:
        calls = self.calls(name)
        number = data.draw(st.sampled_from(range(len(calls))), label=name)
        self.happen(calls[number])

    happen.__name__ = name.replace(".", "_")
    made: Callable[..., None] = rule(data=st.data())(happen)
    guarded: Callable[..., None] = precondition(lambda self: bool(self.calls(name)))(made)
    return guarded


def _refuse(differences: list[Difference]) -> None:
    says, _ = in_sentences(differences)
    assert not differences, says
