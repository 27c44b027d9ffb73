"""Where the sizes of a run give a value no room: no place is counted, and no clock is needed."""

from __future__ import annotations

from typing import Any

import pytest

from fencecheck.errors import ModelError
from fencecheck.explore.compiled.engine import explore_compiled
from fencecheck.explore.graph import Limits
from fencecheck.explore.reference import explore
from fencecheck.explore.watch import Watch
from fencecheck.model import Fresh, Maybe, Model, OneOf, Record, Set, Version
from fencecheck.model.family import Family
from fencecheck.model.system import System


def narrowed(clocks: bool = True) -> Model:
    """Keys that name a revision, and texts that people write, where the design says so."""
    model = Model("narrowed", "What there is room for")
    model.bound("kept", 2, "keys kept")
    model.mechanism("key", ("plain", "revision"), "plain", "whether a key names the revision")
    model.budget("edits", "edits")
    rev, text = Version("rev"), Fresh("texts")
    content = OneOf("Content", first=None, edit=text)
    chosen = content.only(lambda k: ("first", "edit") if k.key == "revision" else "first")
    key = Record("Key", base=Maybe(rev, "none", when=lambda k: k.key == "revision"))
    anyone, human = model.actor("anyone"), model.actor("human", "interference")
    if clocks:
        model.variable("rev", rev)
        model.variable("texts", text)
    model.variable("now", chosen)
    model.variable("keys", Set(key, "kept"))

    @anyone.action()
    def keep(s):  # type: ignore[no-untyped-def]
        """What there is now is kept."""
        s.keys.add(key(base=s.rev if s.key == "revision" else None))

    @human.interference("edits")
    def edit(s):  # type: ignore[no-untyped-def]
        """There is something else now."""
        if s.key == "revision":
            s.rev += 1
            s.texts += 1
            s.now = content.edit(s.texts)

    @model.transition()
    def none_goes(before, after):  # type: ignore[no-untyped-def]
        """No key is lost."""
        return before.keys <= after.keys

    return model


def states_of(mechanisms: dict[str, str], bounds: dict[str, Any]) -> list[Any]:
    family = Family(narrowed())
    system = System(family, family.design(mechanisms, bounds))
    first = explore(system, Watch(system), Limits())
    second = explore_compiled(system, Watch(system), Limits())
    assert first.search.complete
    assert [second.state(n) for n in range(second.search.count)] == first.states
    return list(first.states)


@pytest.mark.parametrize(("edits", "states"), [(1, 6), (2, 11), ("any", 7)])
def test_both_engines_keep_what_there_is_room_for(edits: Any, states: int) -> None:
    """Kept are no key, one of now or of before, or two; what is left of a budget is told apart."""
    assert len(states_of({"key": "revision"}, {"edits": edits})) == states
    assert len(states_of({"key": "plain"}, {"edits": "any"})) == 2


def test_what_has_no_room_has_no_place() -> None:
    family = Family(narrowed())
    for key, places in (("plain", 0), ("revision", 2)):
        system = System(family, family.design({"key": key}))
        clock = system.domains[list(system.names).index("rev")]
        assert getattr(clock, "places") == places  # noqa: B009


def test_a_clock_that_a_run_needs_is_missing() -> None:
    def design(key: str) -> System:
        model = Model("clockless", "A clock is missing")
        model.mechanism("key", ("plain", "revision"), "plain", "whether there is one")
        base = Maybe(Version("rev"), "none", when=lambda k: k.key == "revision")
        model.variable("base", base)
        anyone = model.actor("anyone")

        @anyone.action()
        def forget(s):  # type: ignore[no-untyped-def]
            """There is none."""
            s.base = None

        @model.invariant()
        def is_none(s):  # type: ignore[no-untyped-def]
            """There is none."""
            return s.base is None

        family = Family(model)
        return System(family, family.design({"key": key}))

    assert design("plain").names == ["base"]
    with pytest.raises(ModelError, match="base: it has values that rev hands out in this run"):
        design("revision")
