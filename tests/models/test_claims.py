"""A claimed intent and an announced takeover in family ledger: what each buys, what it costs."""

import pytest

import fencecheck as fc

TROUBLE = {"revocations": 1, "expiries": 1, "claim_expiries": 1}
TOKENS = {"lease": "token", "token_check": "sink"}
ASKED = ["one_effect", "single_owner", "sink_order", "can_finish", "finishes"]

# for each design of a sink without keys, the fewest events that break each property
BREAKS = {
    "nothing claimed": ({}, {"one_effect": 7, "single_owner": 5, "sink_order": 7}),
    "claimed for good": ({"claim": "kept"}, {"single_owner": 5, "can_finish": 3, "finishes": 6}),
    "claims expire": (
        {"claim": "expires"},
        {"one_effect": 8, "single_owner": 5, "sink_order": 8},
    ),
    "tokens": (TOKENS, {"one_effect": 7, "single_owner": 5}),
    "tokens announced": (TOKENS | {"takeover": "announced"}, {"one_effect": 7}),
}


@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize("name", BREAKS)
def test_what_a_claim_and_an_announcement_close(name: str, engine: str) -> None:
    """A claim for good is left behind by a crash; an announced token keeps the old owner out."""
    mechanisms, broken = BREAKS[name]
    result = fc.check(
        "ledger",
        mechanisms={"effect_key": "none", **mechanisms},
        bounds=TROUBLE,
        properties=ASKED,
        engine=engine,
    )
    assert {n: result[n].events for n in ASKED if not result[n].holds} == broken


def test_a_claim_that_its_worker_left_behind_is_released() -> None:
    """With a key at the sink, a claim that expires costs nothing that was promised."""
    result = fc.check("ledger", mechanisms={"claim": "expires"}, bounds=TROUBLE, properties=ASKED)
    assert [n for n in ASKED if not result[n].holds] == ["single_owner"]
