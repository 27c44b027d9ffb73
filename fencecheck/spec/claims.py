"""Read the claims of a spec: what somebody says, and by what it is decided.

Takes the ``[[claim]]`` tables of a spec with the names that they may use; gives complete Claim
values and notes every mistake with its place. A claim is decided by verdicts of variants, by
outcomes of scripted orders, by costs, or it says why a model cannot express it. Decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fencecheck.spec.table import TomlTable, as_toml, not_one_of
from fencecheck.spec.values import RELATIONS, Claim, CostClaim, Expectation

KEYS = ("name", "text", "source", "verdicts", "cells", "costs", "not_expressible", "expect")
COST_KEYS = ("cost", "of", "is", "than")
DECISIONS = ("verdicts", "cells", "costs", "not_expressible")
OUTCOMES = ("holds", "refuted")
ReadExpectation = Callable[[TomlTable, str, Any], Expectation | None]


@dataclass(frozen=True)
class Known:
    """The names that a spec's claims may use; None where its model could not be loaded.

    ``scenarios`` gives the variants that each is run on, none for all.
    """

    variants: Sequence[str]
    scenarios: Mapping[str, Sequence[str]]
    properties: Sequence[str] | None
    costs: Sequence[str] | None


def read_claims(top: TomlTable, known: Known, expectation: ReadExpectation) -> list[Claim]:
    """Return the claims of a spec, in order."""
    return [_claim(name, table, known, expectation) for name, table in top.named_tables("claim")]


def _claim(name: str, table: TomlTable, known: Known, expectation: ReadExpectation) -> Claim:
    table.keys(KEYS)
    text, source = table.text("text", needed=True), table.text("source", needed=True)
    decided = [key for key in DECISIONS if key in table.raw]
    if not decided:
        table.say(f"nothing decides it; write one of {', '.join(DECISIONS)}")
    if "not_expressible" in decided and len(decided) > 1:
        table.say("it is decided by something else too; leave one of them out", "not_expressible")
    expected = table.raw.get("expect")
    if expected is not None and expected not in OUTCOMES:
        table.say(not_one_of(expected, OUTCOMES), "expect")
    if expected is not None and "not_expressible" in decided:
        table.say("nothing comes out for what cannot be expressed", "expect")
    return Claim(
        name,
        text,
        source,
        _verdicts(table, known, expectation),
        _cells(table, known),
        tuple(_cost(cost, known) for cost in _costs(table)),
        table.text("not_expressible", needed="not_expressible" in table.raw),
        expected,
    )


def _of_variants(table: TomlTable, key: str, known: Known) -> list[tuple[str, TomlTable]]:
    """Return (variant, table) for each variant that a claim speaks of."""
    outer, found = table.table(key), []
    for variant in outer.raw:
        if variant not in known.variants:
            outer.say(f"variant {not_one_of(variant, known.variants)}")
        found.append((variant, outer.table(variant)))
    return found


def _verdicts(
    table: TomlTable, known: Known, expectation: ReadExpectation
) -> dict[str, dict[str, Expectation]]:
    found: dict[str, dict[str, Expectation]] = {}
    for variant, inner in _of_variants(table, "verdicts", known):
        for name, value in inner.raw.items():
            if known.properties is not None and name not in known.properties:
                inner.say(f"property {not_one_of(name, known.properties)}")
            wanted = expectation(inner, name, value)
            if wanted is not None:
                found.setdefault(variant, {})[name] = wanted
    return found


def _cells(table: TomlTable, known: Known) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for variant, inner in _of_variants(table, "cells", known):
        inner.keys(known.scenarios)
        for name in inner.raw:
            if known.scenarios.get(name) and variant not in known.scenarios[name]:
                inner.say("this scenario is not run on the variant; add it to its variants", name)
        found[variant] = {name: inner.text(name, needed=True) for name in inner.raw}
    return found


def _costs(table: TomlTable) -> list[TomlTable]:
    """Return the tables of ``costs``."""
    raw = table.raw.get("costs", [])
    if not isinstance(raw, list) or not all(isinstance(entry, dict) for entry in raw):
        table.say('write [{ cost = "...", of = "...", is = "<", than = "..." }]', "costs")
        return []
    found = []
    for number, entry in enumerate(raw, 1):
        inner = TomlTable(entry, table.file, table.problems)
        inner.within, inner.path = table.within, f"costs {number}"
        found.append(inner)
    return found


def _cost(table: TomlTable, known: Known) -> CostClaim:
    table.keys(COST_KEYS)
    cost, of = table.text("cost", needed=True), table.text("of", needed=True)
    relation, than = table.raw.get("is"), table.raw.get("than")
    if known.costs is not None and cost and cost not in known.costs:
        table.say(not_one_of(cost, known.costs), "cost")
    if of and of not in known.variants:
        table.say(f"variant {not_one_of(of, known.variants)}", "of")
    if relation not in RELATIONS:
        table.say(not_one_of(relation, RELATIONS), "is")
    number = isinstance(than, int | float) and not isinstance(than, bool)
    if not number and than not in known.variants:
        table.say(
            f"{as_toml(than)} is neither a number nor one of {', '.join(known.variants)}", "than"
        )
    return CostClaim(cost, of, str(relation), than if than is not None else "")
