"""Read one spec: TOML to a Spec, or every mistake in it with its place.

Takes a file and what the command line adds; gives a complete Spec and no problems, or no Spec
and one line for each problem, each naming file, place, what was seen, what is allowed and the
nearest match. A spec whose model cannot be loaded is still read for its structure. Runs nothing.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from fencecheck.errors import DesignError, EncodingError, ModelError, UsageError
from fencecheck.model.family import Design, Family
from fencecheck.model.files.loading import load_family
from fencecheck.model.files.texts import decoded, file_reference
from fencecheck.model.mistakes.carets import told_whole
from fencecheck.runs import notation as orders
from fencecheck.spec.claims import Known, read_claims
from fencecheck.spec.designs import Switches
from fencecheck.spec.table import TomlTable, as_toml, not_one_of
from fencecheck.spec.values import Claim, Expectation, Overrides, Scenario, Spec, Variant

KEYS = ("model", "title", "note", "mechanisms", "bounds", "properties", "variant", "expect",
        "scenario", "claims", "claim", "also")  # fmt: skip
VARIANT_KEYS = ("name", "mechanisms", "bounds", "expect", "claims")
SCENARIO_KEYS = ("name", "bounds", "order", "ask", "note", "show", "variants")
VERDICTS = ("holds", "violated")
_AT = re.compile(r"\s*\((?:at )?(?:line (\d+), column (\d+)|end of document)\)\s*$")


def read_spec(
    shown: str, path: Path, overrides: Overrides, *, builtin_only: bool = False
) -> tuple[Spec | None, list[str]]:
    """Return the spec in ``path``, or None and what is wrong with it; ``shown`` names the file."""
    raw, problems = _parse(shown, path)
    if raw is None:
        return None, problems
    reader = _Reader(TomlTable(raw, shown, problems), overrides)
    reader.load(path.parent, builtin_only)
    spec = reader.read(file_reference(path.stem))
    return (None if problems else spec), problems


def _parse(shown: str, path: Path) -> tuple[dict[str, Any] | None, list[str]]:
    try:
        text = decoded(path.read_bytes(), shown)
        return tomllib.loads(text), []
    except OSError as error:
        return None, [f"{shown}: it cannot be read: {error.strerror}"]
    except EncodingError as error:
        return None, [str(error)]
    except RecursionError:
        return None, [f"{shown}: its arrays or tables are nested too deeply"]
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        at = _AT.search(message)
        place = f"line {at[1]}, column {at[2]}" if at and at[1] else _end(text)
        return None, [f"{shown}: {place}: {_AT.sub('', message)}"]


def _end(text: str) -> str:
    lines = text.split("\n")
    return f"line {len(lines)}, column {len(lines[-1]) + 1}"


class _Reader:
    """Reads the tables of one spec; ``family`` is None where its model cannot be loaded."""

    def __init__(self, top: TomlTable, overrides: Overrides) -> None:
        self.top, self.overrides = top, overrides
        self.family: Family | None = None
        self.switches = Switches(None, overrides, top.problems)
        self.checked: list[str] = []

    def load(self, folder: Path, builtin_only: bool) -> None:
        """Load the model that the spec names."""
        reference = self.top.text("model", needed=True)
        if not reference:
            return
        try:
            self.family = load_family(reference, folder, builtin_only=builtin_only)
        except (UsageError, ModelError, DesignError) as error:
            self.top.say(told_whole(error), "model")
        self.switches.family = self.family

    def read(self, stem: str) -> Spec | None:
        """Return the spec, or None if there is no model to hold it against."""
        top = self.top
        top.keys(KEYS)
        title, note = top.text("title"), top.text("note")
        required, reported = self._properties()
        mechanisms = self.switches.known(top, "mechanisms")
        bounds = self.switches.known(top, "bounds")
        base = (mechanisms, bounds)
        scenarios = self._scenarios()
        claims: dict[str, dict[str, str]] = {}
        variants = []
        tables = top.named_tables("variant")
        for key in ("expect", "claims"):
            if tables and key in top.raw:
                top.say(f"with variants, each of them has its own; write [variant.{key}]", key)
        for name, table in tables or [(title or stem, top)]:
            if tables:
                table.keys(VARIANT_KEYS)
            variants.append(self._variant(name, table, base, scenarios))
            claims[name] = self._claims(table, scenarios)
        statements = self._statements(variants, scenarios)
        if self.family is None:
            return None
        return Spec(
            top.file,
            self.family,
            title or stem,
            note,
            required,
            reported,
            variants,
            scenarios,
            {name: said for name, said in claims.items() if said},
            any(v.expect for v in variants),
            statements,
            tuple(top.texts("also")),
        )

    # -- properties -----------------------------------------------------------------------------
    def _properties(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the required and the reported properties; by default all are required."""
        table = self.top.table("properties")
        table.keys(("require", "report"))
        required, reported = table.texts("require"), table.texts("report")
        every = list(self.family.properties) if self.family else []
        for key, names in (("require", required), ("report", reported)):
            for name in names:
                if self.family and name not in every:
                    table.say(not_one_of(name, every), key)
                if names.count(name) > 1 or (key == "report" and name in required):
                    table.say(f"{as_toml(name)} stands twice; a property stands once", key)
        if "require" not in table.raw:
            required = [name for name in every if name not in reported]
        self.checked = [*required, *reported]
        only = self.overrides.properties
        if not only:
            return tuple(required), tuple(reported)
        for name in only:
            if self.family and name not in every:
                self.top.problems.append(f"--property {name}: {not_one_of(name, every)}")
        wanted = [name for name in every if name in only]
        return (
            tuple(name for name in wanted if name not in reported),
            tuple(name for name in wanted if name in reported),
        )

    def _expect(self, table: TomlTable) -> dict[str, Expectation]:
        found = {}
        expect = table.table("expect")
        every = self.family.properties if self.family else {}
        for name, value in expect.raw.items():
            if self.family and name not in every:
                expect.say(not_one_of(name, every))
            elif self.family and name not in self.checked:
                expect.say("it is not checked; add it to properties.require or .report", name)
            expectation = _expectation(expect, name, value)
            if expectation and name in (self.overrides.properties or self.checked):
                found[name] = expectation
        return found

    # -- designs --------------------------------------------------------------------------------
    def _variant(
        self,
        name: str,
        table: TomlTable,
        base: tuple[dict[str, Any], dict[str, Any]],
        scenarios: list[Scenario],
    ) -> Variant:
        own = base
        if table is not self.top:
            own = (self.switches.known(table, "mechanisms"), self.switches.known(table, "bounds"))
        added = (self.switches.added("mechanisms"), self.switches.added("bounds"))
        mechanisms, bounds = ({**b, **o, **a} for b, o, a in zip(base, own, added, strict=True))
        design = self.switches.design(table, "", mechanisms, bounds)
        for scenario in scenarios:
            place = f'with scenario "{scenario.name}": '
            if design is not None and scenario.bounds:
                self.switches.design(table, place, mechanisms, {**bounds, **scenario.bounds})
        return Variant(name, design or Design({}, {}), self._expect(table))

    # -- scripted orders ------------------------------------------------------------------------
    def _scenarios(self) -> list[Scenario]:
        found = []
        for name, table in self.top.named_tables("scenario"):
            table.keys(SCENARIO_KEYS)
            ask, order = table.text("ask", needed=True), table.texts("order")
            if "order" not in table.raw:
                table.say("it is missing; write the list of its events", "order")
            for number, text in enumerate(order, 1):
                self._call(table, f"order, event {number}", text)
            if ask:
                self._call(table, "ask", ask, ask=True)
            bounds = self.switches.known(table, "bounds")
            show, note = self._show(table.table("show")), table.text("note")
            only = tuple(table.texts("variants"))
            found.append(Scenario(name, bounds, tuple(order), ask, note, show, only))
        return found

    def _show(self, table: TomlTable) -> tuple[tuple[str, str], ...]:
        """Return which variables stand beside the answer, each with its word."""
        declared = self.family.declared.variables if self.family else []
        known = [f"{v.owner}.{v.name}" for v in declared if not v.ghost]
        for name in table.raw:
            if self.family and name.split("[")[0] not in known:
                table.say(not_one_of(name, known))
        return tuple((name, table.text(name, needed=True)) for name in table.raw)

    def _statements(self, variants: list[Variant], scenarios: list[Scenario]) -> list[Claim]:
        """Return the claims about whole designs."""
        names = [variant.name for variant in variants]
        for number, scenario in enumerate(scenarios, 1):
            for name in scenario.variants:
                if name not in names:
                    place = f'scenario "{scenario.name}"' if scenario.name else f"scenario {number}"
                    said = f"variants: {not_one_of(name, names)}"
                    self.top.problems.append(f"{self.top.file}: {place}: {said}")
        family = self.family
        known = Known(
            names,
            {scenario.name: scenario.variants for scenario in scenarios},
            self.checked if family else None,
            [cost.name for cost in family.declared.costs] if family else None,
        )
        return read_claims(self.top, known, _expectation)

    def _call(self, table: TomlTable, place: str, text: str, *, ask: bool = False) -> None:
        try:
            if self.family is None:
                orders.parse(text)
            else:
                orders.check_call(self.family, text, ask=ask)
        except orders.OrderError as error:
            table.say(f"{place}: {error}")

    def _claims(self, table: TomlTable, scenarios: list[Scenario]) -> dict[str, str]:
        claims = table.table("claims")
        claims.keys(s.name for s in scenarios)
        return {name: claims.text(name, needed=True) for name in claims.raw}


def _expectation(expect: TomlTable, name: str, value: Any) -> Expectation | None:
    if not isinstance(value, dict):
        if value not in VERDICTS:
            expect.say(not_one_of(value, VERDICTS), name)
            return None
        return Expectation(value)
    table = expect.table(name)
    table.keys(("verdict", "events"))
    verdict, events = table.raw.get("verdict"), table.raw.get("events")
    if "verdict" not in table.raw:
        table.say('it is missing; write verdict = "holds" or "violated"', "verdict")
    elif verdict not in VERDICTS:
        table.say(not_one_of(verdict, VERDICTS), "verdict")
    if events is not None and (type(events) is not int or events < 0):
        table.say(f"{as_toml(events)} is not a whole number of 0 or more", "events")
    if events is not None and verdict == "holds":
        table.say("only a violated property has a number of events", "events")
    return Expectation("holds" if verdict == "holds" else "violated", events)
