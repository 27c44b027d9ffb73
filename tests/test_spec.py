"""Specs are read completely, and everything wrong with them is said at once."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from fencecheck.errors import SpecError, UsageError
from fencecheck.model.files.loading import load_family
from fencecheck.spec.files import Expectation, Overrides, Spec, builtin_spec, load_specs

BAD = Path(__file__).parent / "spec_errors"
NAMES = sorted(path.stem for path in BAD.glob("*.toml"))


def read(folder: Path, text: str, overrides: Overrides | None = None) -> Spec:
    path = folder / "x.toml"
    path.write_text(text, encoding="utf-8")
    (spec,) = load_specs([path], overrides or Overrides())
    return spec


def problems(*paths: Path | str, overrides: Overrides | None = None) -> list[str]:
    with pytest.raises(SpecError) as caught:
        load_specs(paths, overrides or Overrides())
    return caught.value.problems


# -- mistakes -----------------------------------------------------------------------------------
@pytest.mark.parametrize("name", NAMES)
def test_a_mistake_is_named_with_its_place(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each bad spec gives the lines written beside it, and no others."""
    monkeypatch.chdir(BAD)
    said = "\n".join(problems(f"{name}.toml")) + "\n"
    wanted = re.escape(Path(f"{name}.txt").read_text(encoding="utf-8")).replace("…", ".*")
    assert re.fullmatch(wanted, said), said


def test_no_message_is_without_its_spec() -> None:
    """Every expected message beside a bad spec has a spec."""
    assert sorted(path.stem for path in BAD.glob("*.txt")) == NAMES


def test_the_mistakes_of_all_files_are_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder or list of specs gives the mistakes of each of them in one error."""
    monkeypatch.chdir(BAD)
    said = problems("three_mistakes.toml", "unreadable.toml", "nowhere.toml")
    assert len(said) == 5
    assert sum(line.startswith("three_mistakes.toml: ") for line in said) == 3
    assert len(problems(".")) > len(NAMES)


def test_a_missing_file_names_the_nearest(monkeypatch: pytest.MonkeyPatch) -> None:
    """A path that does not exist is said with the nearest one that does."""
    monkeypatch.chdir(BAD)
    assert problems("unknown_keys.toml") == [
        f'unknown_keys.toml: there is no such file or folder (did you mean "{"unknown_key.toml"}"?)'
    ]


def test_a_folder_without_specs_is_a_mistake(tmp_path: Path) -> None:
    """Nothing to check is not a success."""
    assert problems(tmp_path) == [f"{tmp_path.as_posix()}: there is no *.toml below this folder"]


def test_a_spec_that_is_not_utf8_names_the_line(tmp_path: Path) -> None:
    """Bytes that are no UTF-8 are reported at their line."""
    path = tmp_path / "latin.toml"
    path.write_bytes(b'model = "fence"\ntitle = "caf\xe9"\n')
    (line,) = problems(path)
    assert line.startswith(f"{path.as_posix()}: line 2: this is not UTF-8 text (byte 29 ")


def test_a_model_that_is_no_python_names_the_line(tmp_path: Path) -> None:
    """A syntax error in a model is reported at its line, with the spec that names the model."""
    (tmp_path / "own.py").write_text("limit = 1\nmodel = (\n")
    path = tmp_path / "x.toml"
    path.write_text('model = "own.py"')
    (line,) = problems(path)
    assert line.startswith(f"{path.as_posix()}: model: own.py:2: SyntaxError: ")


def test_rules_are_not_asked_about_a_misspelt_design(tmp_path: Path) -> None:
    """A wrong value brings no follow-up complaint about the default that stands in for it."""
    shutil.copy(BAD / "models" / "ruled.py", tmp_path)
    path = tmp_path / "x.toml"
    path.write_text('model = "ruled.py"\nmechanisms = { count = "of", log = true }\n')
    (line,) = problems(path)
    assert line.endswith('mechanisms.count: "of" is not one of off, on (did you mean "off"?)')


# -- what is read -------------------------------------------------------------------------------
def test_a_small_spec_has_the_defaults_of_its_model(tmp_path: Path) -> None:
    """Without more than a model: one variant, the model's defaults, every property required."""
    spec = read(tmp_path, 'model = "fence"')
    family = load_family("fence")
    (variant,) = spec.variants
    assert (spec.title, variant.name, spec.has_expectations) == ("x", "x", False)
    assert variant.design == family.design()
    assert spec.required == tuple(family.properties)
    assert spec.reported == ()


def test_a_variant_overrides_the_top(tmp_path: Path) -> None:
    """Mechanisms and bounds of a variant come on top of the spec's own."""
    spec = read(
        tmp_path,
        """
        model = "fence"
        title = "Two"
        note = "Why"
        mechanisms = { fence = "plan", overlap = true, edits_bump_rev = "off" }
        bounds = { edits = 1, steps = 3 }
        [[variant]]
        name = "a"
        mechanisms = { fence = "none", overlap = false }
        bounds = { steps = 2 }
        [variant.expect]
        no_lost_update = { verdict = "violated", events = 3 }
        at_most_once = "holds"
        [[variant]]
        name = "b"
        """,
    )
    a, b = spec.variants
    assert (spec.title, spec.note, spec.has_expectations) == ("Two", "Why", True)
    assert [a.design.mechanisms[k] for k in ("fence", "overlap", "edits_bump_rev")] == [
        "none",
        "off",
        "off",
    ]
    assert (b.design.mechanisms["fence"], b.design.mechanisms["overlap"]) == ("plan", "on")
    assert [(v.design.bounds["steps"], v.design.bounds["edits"]) for v in (a, b)] == [
        (2, 1),
        (3, 1),
    ]
    assert a.expect == {
        "no_lost_update": Expectation("violated", 3),
        "at_most_once": Expectation("holds"),
    }
    assert b.expect == {}


def test_reported_properties_are_not_required(tmp_path: Path) -> None:
    """What is only reported is not required; what is not named stays required."""
    spec = read(tmp_path, 'model = "fence"\nproperties = { report = ["fresh_apply"] }')
    assert spec.reported == ("fresh_apply",)
    assert "fresh_apply" not in spec.required
    assert "no_lost_update" in spec.required
    spec = read(tmp_path, 'model = "fence"\nproperties = { require = ["no_lost_update"] }')
    assert (spec.required, spec.reported) == (("no_lost_update",), ())


def test_a_model_path_starts_at_the_spec(tmp_path: Path) -> None:
    """A model of one's own is found from the spec's folder, not from where one stands."""
    shutil.copy(BAD / "models" / "ruled.py", tmp_path / "own.py")
    assert read(tmp_path, 'model = "own.py"').family.name == "ruled"


def test_a_model_of_ones_own_can_be_refused(tmp_path: Path) -> None:
    """With builtin_only a model file is not executed."""
    marker = tmp_path / "ran"
    (tmp_path / "own.py").write_text(f"open({str(marker)!r}, 'w')")
    path = tmp_path / "x.toml"
    path.write_text('model = "own.py"')
    with pytest.raises(SpecError, match=r"model: own\.py: only built-in models are allowed here"):
        load_specs([path], builtin_only=True)
    assert not marker.exists()


def test_folders_expand_and_no_file_counts_twice(tmp_path: Path) -> None:
    """A folder stands for every spec below it, sorted; a file named again is read once."""
    for name in ("b/2.toml", "a.toml", "b/1.toml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text('model = "fence"')
    (tmp_path / "notes.md").write_text("not a spec")
    specs = load_specs([tmp_path / "b" / "2.toml", tmp_path])
    found = [Path(spec.path or "").relative_to(tmp_path).as_posix() for spec in specs]
    assert found == ["b/2.toml", "a.toml", "b/1.toml"]


# -- what a command line adds -------------------------------------------------------------------
def test_overrides_come_on_top_of_every_variant(tmp_path: Path) -> None:
    """--set, --bound and --property win over what any variant says."""
    text = """
        model = "fence"
        [[variant]]
        name = "a"
        mechanisms = { fence = "none", overlap = false }
        bounds = { edits = 2 }
        expect = { no_lost_update = "violated", at_most_once = "holds" }
        [[variant]]
        name = "b"
        """
    chosen = Overrides({"fence": "plan", "overlap": "true"}, {"edits": 1}, ("no_lost_update",))
    spec = read(tmp_path, text, chosen)
    assert [v.design.mechanisms["fence"] for v in spec.variants] == ["plan", "plan"]
    assert [v.design.mechanisms["overlap"] for v in spec.variants] == ["on", "on"]
    assert [v.design.bounds["edits"] for v in spec.variants] == [1, 1]
    assert spec.required == ("no_lost_update",)
    assert spec.variants[0].expect == {"no_lost_update": Expectation("violated")}


def test_a_reported_property_stays_reported(tmp_path: Path) -> None:
    """Naming a property on the command line does not make it required."""
    text = 'model = "fence"\nproperties = { report = ["fresh_apply"] }'
    spec = read(tmp_path, text, Overrides(properties=("fresh_apply", "no_stuck")))
    assert (spec.required, spec.reported) == (("no_stuck",), ("fresh_apply",))


def test_wrong_overrides_are_said_once(tmp_path: Path) -> None:
    """A mistake on the command line is not repeated for each variant and spec."""
    for name in ("1.toml", "2.toml"):
        (tmp_path / name).write_text(
            'model = "fence"\n[[variant]]\nname = "a"\n[[variant]]\nname = "b"\n'
        )
    wrong = Overrides({"fence": "stepp"}, {"edits": -1}, ("no_lost_updates",))
    said = problems(tmp_path, overrides=wrong)
    assert said[0].startswith('--property no_lost_updates: "no_lost_updates" is not one of ')
    assert said[1:] == [
        '--set: mechanisms.fence: "stepp" is not one of none, plan, step (did you mean "step"?)',
        "--bound: bounds.edits: -1 is too small; write 0 or more",
    ]


# -- by name ------------------------------------------------------------------------------------
def test_variants_and_scenarios_are_found_by_name() -> None:
    """A name that is not there is an error with the nearest one."""
    (spec,) = load_specs([builtin_spec("published/claimed")])
    assert spec.variant("plan fence").design.mechanisms["fence"] == "plan"
    assert spec.scenario("concurrent edit").ask == "executor(2)"
    with pytest.raises(
        UsageError, match=r'variant "plan fense" is not one of .* mean "plan fence"'
    ):
        spec.variant("plan fense")


def test_built_in_specs_are_found_by_name() -> None:
    """A spec that ships is named by its path below specs/."""
    assert builtin_spec("tour").name == "tour.toml"
    assert builtin_spec("designs/no_fence").is_file()
    with pytest.raises(UsageError, match=r'"tor" is not one of .* mean "tour"'):
        builtin_spec("tor")


# -- files --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'title = "caf\xe9"\n', "line 1: this is not UTF-8 text (byte 13 of the file is 0xe9)"),
        (b'\xef\xbb\xbfmodel = "fence"\n# \xff\n', "line 2: this is not UTF-8 text (byte 22 of"),
        ('model = "fence"'.encode("utf-16"), "line 1: this is not UTF-8 text (byte 1 of the file"),
        (b"x = " + b"[" * 5_000, "its arrays or tables are nested too deeply"),
    ],
)
def test_a_file_that_cannot_be_read_says_where(tmp_path: Path, content: bytes, words: str) -> None:
    """Another encoding is named with its byte; depth without end is no traceback."""
    path = tmp_path / "x.toml"
    path.write_bytes(content)
    (line,) = problems(path)
    assert line.startswith(f"{path.as_posix()}: {words}")


def test_a_byte_order_mark_is_allowed(tmp_path: Path) -> None:
    """Some editors put it there."""
    path = tmp_path / "x.toml"
    path.write_bytes(b'\xef\xbb\xbfmodel = "fence"\ntitle = "Z\xc3\xa4hler"\n')
    (spec,) = load_specs([path])
    assert spec.title == "Zähler"


@pytest.mark.parametrize("number", [2**62 + 1, 99999999999999999999, 10**400])
def test_a_bound_beyond_all_numbers_is_a_mistake(tmp_path: Path, number: int) -> None:
    """A size or a budget, in a spec."""
    path = tmp_path / "x.toml"
    for bound in ("steps", "edits"):
        path.write_text(f'model = "fence"\n[bounds]\n{bound} = {number}\n')
        (line,) = problems(path)
        assert f"bounds.{bound}: " in line
        assert "is too large; write 4611686018427387904 or less" in line
