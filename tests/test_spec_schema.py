"""The JSON Schema of specs accepts what the reader accepts, and refuses misspelt names.

The judge here knows just the keywords that the schema uses, and fails on any other.
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from fencecheck.model.files.loading import builtin_models
from fencecheck.spec.files import spec_schema
from tests.documents.refresh import schemas

HERE = Path(__file__).parent
SPECS = sorted((HERE.parent / "specs").rglob("*.toml"))
SAYS_NOTHING = {"$schema", "$id", "$defs", "title", "description", "default", "if", "then"}
STRUCTURAL = [
    "bound_no_number",
    "bound_too_small",
    "claim_no_text",
    "event_asked",
    "events_no_number",
    "expectation_key_unknown",
    "expectation_without_verdict",
    "model_missing",
    "model_unknown",
    "scenario_incomplete",
    "three_mistakes",
    "truth_for_a_switch_of_names",
    "undetermined_expected",
    "unknown_key",
    "unknown_key_in_variant",
    "unknown_value",
    "unknown_verdict",
    "variant_name_empty",
    "variant_no_table",
    "variant_without_name",
    "wrong_types",
]
KINDS: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
}


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    return spec_schema(builtin_models())


class Judge:
    """Tells whether a value is valid under a schema, as draft 2020-12 defines it."""

    def __init__(self, root: dict[str, Any]) -> None:
        self.root = root

    def accepts(self, schema: Any, value: Any) -> bool:
        if isinstance(schema, bool):
            return schema
        applies = "if" in schema and self.accepts(schema["if"], value)
        if applies and not self.accepts(schema["then"], value):
            return False
        return all(self.keyword(k, schema, value) for k in schema if k not in SAYS_NOTHING)

    def keyword(self, key: str, schema: dict[str, Any], value: Any) -> bool:
        says = schema[key]
        if key == "$ref":
            return self.accepts(self.root["$defs"][says.removeprefix("#/$defs/")], value)
        if key == "type":
            return isinstance(value, KINDS[says]) and not (says == "integer" and value is True)
        if key == "enum":
            return any(value == x and isinstance(value, type(x)) for x in says)
        if key == "const":
            return bool(value == says)
        if key == "anyOf":
            return any(self.accepts(s, value) for s in says)
        if key == "allOf":
            return all(self.accepts(s, value) for s in says)
        if isinstance(value, dict) and key in ("properties", "additionalProperties", "required"):
            return self.table(key, schema, value)
        if key == "items":
            return not isinstance(value, list) or all(self.accepts(says, x) for x in value)
        if key in ("minimum", "minLength", "pattern"):
            return self.scalar(key, says, value)
        assert key in ("properties", "additionalProperties", "required"), key
        return True

    def table(self, key: str, schema: dict[str, Any], value: dict[str, Any]) -> bool:
        known = schema.get("properties", {})
        if key == "required":
            return all(name in value for name in schema[key])
        if key == "properties":
            return all(self.accepts(known[n], v) for n, v in value.items() if n in known)
        rest = schema["additionalProperties"]
        return all(self.accepts(rest, v) for n, v in value.items() if n not in known)

    def scalar(self, key: str, says: Any, value: Any) -> bool:
        if key == "minimum":
            return not isinstance(value, int) or value >= says
        if not isinstance(value, str):
            return True
        return len(value) >= says if key == "minLength" else re.search(says, value) is not None


def accepted(schema: dict[str, Any], path: Path) -> bool:
    return Judge(schema).accepts(schema, tomllib.loads(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("path", SPECS, ids=lambda p: p.stem)
def test_every_shipped_spec_is_accepted(schema: dict[str, Any], path: Path) -> None:
    """A spec that the reader accepts is accepted by the schema too."""
    assert accepted(schema, path)


@pytest.mark.parametrize("name", STRUCTURAL)
def test_structural_mistakes_are_refused(schema: dict[str, Any], name: str) -> None:
    """An editor sees misspelt names, wrong types and values before anything runs."""
    assert not accepted(schema, HERE / "spec_errors" / f"{name}.toml")


def test_a_model_of_ones_own_is_open(schema: dict[str, Any]) -> None:
    """The schema cannot know the names of a model it has not seen, but knows the structure."""
    judge = Judge(schema)
    assert judge.accepts(schema, {"model": "own.py", "mechanisms": {"any": "thing"}})
    assert not judge.accepts(schema, {"model": "own.py", "mechanism": {}})


def test_names_come_from_the_model(schema: dict[str, Any]) -> None:
    """Switches take their values, on and off also as truths; the schema is plain JSON."""
    switches = schema["$defs"]["fence"]["properties"]["mechanisms"]["properties"]
    assert switches["fence"]["enum"] == ["none", "plan", "step"]
    assert switches["overlap"]["enum"] == ["off", "on", True, False]
    assert json.loads(json.dumps(schema)) == schema


@pytest.mark.parametrize("path", SPECS, ids=lambda p: p.stem)
def test_the_schema_of_one_family_needs_no_conditions(path: Path) -> None:
    """It accepts the specs of that family and no others, with keywords that every editor knows."""
    for family in builtin_models():
        alone = spec_schema([family])
        assert not {"allOf", "$defs"} & set(alone)
        assert accepted(alone, path) == (tomllib.loads(path.read_text())["model"] == family)


# -- the files that ship ------------------------------------------------------------------------
@pytest.mark.parametrize("path", schemas(), ids=lambda p: p.name)
def test_a_schema_that_ships_is_what_the_models_say(path: Path) -> None:
    """Written anew by ``python -m tests.documents.refresh``; known by a name, not fetched."""
    assert path.read_text("utf-8") == schemas()[path]
    told = json.loads(path.read_text("utf-8"))
    assert told["$id"] == f"urn:fencecheck:schema:spec:{path.name.partition('.')[0]}"


@pytest.mark.parametrize("path", SPECS, ids=lambda p: p.stem)
def test_every_shipped_spec_names_its_schema(path: Path) -> None:
    """In its first line, by a path from its folder that an editor follows: that of its family."""
    first, document = path.read_text("utf-8").split("\n", 1)
    model = tomllib.loads(document)["model"]
    name = model if model in builtin_models() else "any"
    up = "../" * (len(path.relative_to(HERE.parent / "specs").parts) - 1) or "./"
    assert first == f"#:schema {up}schemas/{name}.schema.json"
    schema = json.loads((path.parent / first.removeprefix("#:schema ")).read_text("utf-8"))
    assert accepted(schema, path)
