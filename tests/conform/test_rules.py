"""Each rule of adapters, by an adapter that breaks it alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fencecheck.analysis.driving.calling import AdapterError
from fencecheck.conform import Adapter, on
from tests.conform.driving import OURS, divergences, driven, spec_of
from tests.conform.systems import letters

LETTERS = OURS / "letters.toml"


def of(kind: type[Adapter], variant: str = "at once", **how: Any) -> list[tuple[int, str, str]]:
    """Where an adapter of the letters diverges, in every event order."""
    found = driven(spec_of(LETTERS, variant), kind, **how)
    verdict = found["conforms"].verdict
    assert verdict == ("violated" if divergences(found) else "holds")
    return divergences(found)


@pytest.mark.parametrize("by", ["lockstep", "runs", "walks"])
@pytest.mark.parametrize("kind", [letters.Letters, letters.Blind, letters.InDatabase])
def test_a_right_implementation_conforms(kind: type[Adapter], by: str) -> None:
    """In lockstep, by runs and by walks; also where something of it cannot be seen."""
    assert of(kind, by=by, walks=50) == []


def test_a_method_that_overrides_another_takes_its_events() -> None:
    """The outcome that it returns is held against the event."""
    says = "the outcome: known in the model, taken in the implementation."
    assert of(letters.Overriding) == [(4, "receiver.refuse", says)]


@pytest.mark.parametrize(("kind", "posted"), [(letters.Repeating, 2), (letters.Silent, 0)])
def test_messages_are_posted_as_often_as_the_event_sends_them(
    kind: type[Adapter], posted: int
) -> None:
    """More or fewer is a divergence of the event that sends."""
    says = f"the messages put in flight: 1 in the model, {posted} in the implementation."
    assert of(kind)[0] == (1, "sender.send", says)


def test_a_method_gets_the_object_that_was_posted() -> None:
    """Another object than that of the message leads to another effect."""
    assert of(letters.Misplacing)[0][:2] == (2, "receiver.take")


def test_what_is_observed_is_compared_after_every_event() -> None:
    """The value that differs is named, with what both have."""
    says = "shelf.count: 1 in the model, 0 in the implementation."
    assert of(letters.Miscounting) == [(2, "receiver.take", says)]


def test_an_exception_is_a_divergence() -> None:
    """With its text, and the line of the code that raised it."""
    ((events, name, says), *_) = of(letters.Raising)
    assert (events, name) == (4, "receiver.take")
    assert says.startswith("the implementation raises ValueError: the shelf is full (")
    assert "letters.py:" in says


def test_an_event_that_does_not_return_is_a_divergence() -> None:
    """After the time that an event may take."""
    quickly: dict[str, Any] = {"seconds": 0.05, "most": 1}
    assert of(letters.Slow, **quickly) == [
        (2, "receiver.take", "the implementation does not return within 0.05 s.")
    ]


def test_close_is_called_at_the_end_of_every_run() -> None:
    """Once for each adapter that was made."""
    letters.EVERYWHERE.clear()
    found = driven(spec_of(LETTERS, "at once"), letters.Closing, by="walks", walks=3)
    assert found.exploration.conduct is not None
    assert len(letters.EVERYWHERE) >= found.exploration.conduct.runs == 3


@pytest.mark.parametrize("by", ["lockstep", "runs"])
def test_the_implementation_may_choose_where_the_model_may(by: str) -> None:
    """The run goes on from what it chose; what was meant counts as not reached."""
    patient = driven(spec_of(LETTERS, "patient"), letters.Patient, by=by)
    assert patient["conforms"].verdict == "holds"
    prompt = driven(spec_of(LETTERS, "patient"), PromptThoughPatient, by=by)
    assert prompt["conforms"].verdict == "holds"
    conduct = prompt.exploration.conduct
    assert conduct is not None
    assert conduct.never == ("receiver.postpone -> later",)


class PromptThoughPatient(letters.Letters):
    """It may put a letter off, and never does."""

    @on("receiver.take", "receiver.refuse", "receiver.postpone")
    def receive(self, message: tuple[str, int]) -> str:
        return super().receive(message)


def test_what_never_happened_fails_a_strict_run() -> None:
    """And nothing else does."""
    from fencecheck.analysis.driving.drive import Manner, drive_spec

    spec = spec_of(LETTERS, "patient")
    for strict, code in ((False, 0), (True, 1)):
        adapter = ("Prompt", PromptThoughPatient)
        assert drive_spec(spec, adapter, Manner(strict=strict)).exit_code == code


def test_state_outside_what_is_saved_is_an_error_about_the_adapter() -> None:
    """It is told with the events after which it shows."""
    with pytest.raises(AdapterError, match=r"state outside what is saved: after .*shelf\.count"):
        of(letters.Elsewhere)
    assert of(letters.Elsewhere, by="runs") == []


def test_an_adapter_that_cannot_be_saved_is_driven_by_runs() -> None:
    """Unless lockstep was asked for: then it is said what cannot be saved."""
    found = driven(spec_of(LETTERS, "at once"), letters.Unpicklable)
    assert found.exploration.conduct is not None
    assert found.exploration.conduct.by == "runs"
    with pytest.raises(AdapterError, match=r"cannot be saved \(key: .*pickle"):
        of(letters.Unpicklable, by="lockstep")


class InFolder(letters.Letters):
    """The letters that were taken stand in a file."""

    places: Path

    def __init__(self) -> None:
        self.folder = self.places
        (self.places / "taken").write_text("", "utf-8")

    @property
    def taken(self) -> list[int]:  # type: ignore[override]
        return [int(line) for line in (self.places / "taken").read_text("utf-8").split()]

    def receive(self, message: tuple[str, int]) -> str:
        if message[1] in self.taken:
            return "known"
        with (self.places / "taken").open("a", encoding="utf-8") as file:
            file.write(f"{message[1]}\n")
        return "taken"


def test_a_folder_is_saved_with_what_stands_in_it(tmp_path: Path) -> None:
    """As many pairs are found as of the same implementation in memory."""
    InFolder.places = tmp_path
    conducts = [
        driven(spec_of(LETTERS, "at once"), kind).exploration.conduct
        for kind in (InFolder, letters.Letters)
    ]
    assert all(conduct is not None and conduct.by == "lockstep" for conduct in conducts)
    assert len({conduct and conduct.pairs for conduct in conducts}) == 1


class Mistaken(Adapter):
    """Everything that can be wrong with an adapter before it is driven."""

    @on("sender.sent")
    def send(self, letter: int) -> None: ...

    @on("receiver.take")
    def take(self) -> str:
        return ""

    @on("receiver.take")
    def also(self, message: Any) -> str:
        return ""


class Misnaming(letters.Letters):
    def observe(self) -> dict[str, Any]:
        return {"shelf.tken": 1, "shelf.lost": False, "budget.losses": 1}


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (
            Mistaken,
            [
                'send: the model has no event "sender.sent" (did you mean "sender.send"?)',
                "take and also both take receiver.take; one of them may",
                'no method takes sender.send (did you mean "sender.sent"?); write one with '
                '@on("sender.send") that takes (letter)',
                "no method takes receiver.refuse; write one with @on(",
                "take cannot be called for receiver.take: it has to take (self, message)",
            ],
        ),
        (
            Misnaming,
            [
                'observe(): the model has no value "shelf.tken" (did you mean "shelf.taken"?)',
                'observe(): "shelf.lost" is a ghost, which no implementation has; leave it out',
                'observe(): "budget.losses" is a budget; leave it out',
            ],
        ),
    ],
)
def test_all_mistakes_of_an_adapter_are_told_at_once(kind: type[Adapter], said: list[str]) -> None:
    """Before anything is driven, with the nearest match."""
    with pytest.raises(AdapterError) as raised:
        of(kind)
    lines = str(raised.value).splitlines()
    assert len(lines) == len(said)
    for line, text in zip(lines, said, strict=True):
        assert line.startswith(f"{kind.__name__}: {text}")
