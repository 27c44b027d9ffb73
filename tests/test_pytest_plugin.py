"""The pytest plugin: specs become items, and what pytest shows of them is what `check` says."""

import re
import textwrap
from collections.abc import Callable
from xml.etree import ElementTree as ET

import pytest

import fencecheck.checking.check  # runs inside this process forget what they load
import fencecheck.properties.temporal
import fencecheck.report.results.text  # noqa: F401

pytest_plugins = ["pytester"]

WriteSpec = Callable[..., None]

SPEC = """
model = "fence"
title = "Without a fence"
mechanisms = { fence = "none", precondition = "off" }
bounds = { edits = 1 }
properties = { require = ["no_lost_update", "at_most_once"] }
"""
REPORTING = SPEC.replace(
    'require = ["no_lost_update", "at_most_once"]',
    'require = ["at_most_once"], report = ["no_lost_update"]',
)
COUNTER = '''
"""A counter, whose searches are written down."""
import os
from fencecheck.model import Int, Model

model = Model("counter", "A counter")
model.bound("most", 3, "how far it counts")
counter = model.actor("counter")
model.variable("n", Int(0, 3), owner=counter)

with open(os.environ["SEARCHES"], "a") as file:
    pass


@counter.action(when=lambda s: s.n < s.most)
def count(s):
    """One more."""
    s.n += 1


@model.invariant()
def small(s):
    """It stays small."""
    return s.n <= 2


@model.invariant()
def known(s):
    """It is a number."""
    return s.n >= 0
'''


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave room for whole lines in the summaries of the runs inside."""
    monkeypatch.setenv("COLUMNS", "240")


@pytest.fixture
def counter(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> WriteSpec:
    """Write a model of one's own; return what writes a spec of it with these variants."""
    monkeypatch.setenv("SEARCHES", str(pytester.path / "searches"))
    (pytester.path / "counter.py").write_text(COUNTER)

    def spec(*names: str, name: str = "ours.fence.toml", most: int = 3) -> None:
        text = 'model = "counter.py"\n'
        for title in names:
            text += f'[[variant]]\nname = """{title}"""\nbounds = {{ most = {most} }}\n'
        (pytester.path / name).write_text(text, encoding="utf-8")

    return spec


def printed_ids(output: str, word: str) -> list[str]:
    """Return the node ids that a verbose run printed with a word behind them."""
    return re.findall(rf"^(\S.*?) {word}\b", output, re.MULTILINE)


def test_each_property_is_an_item_and_a_failure_shows_the_event_order(
    pytester: pytest.Pytester,
) -> None:
    pytester.makefile(".fence.toml", ours=SPEC)
    result = pytester.runpytest_inprocess("-v")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*no_lost_update*FAILED*", "*human: edit file 1*"])


def test_the_first_line_of_a_failure_says_what_breaks_in_how_many_events(
    pytester: pytest.Pytester,
) -> None:
    pytester.makefile(".fence.toml", ours=SPEC)
    result = pytester.runpytest_inprocess("--junit-xml=out.xml")
    text = result.stdout.str()
    first = text.split("FAILURES")[1].split("\n")[2]
    assert first == "no_lost_update: violated in 3 events"
    result.stdout.fnmatch_lines(
        ["FAILED *::Without a fence::no_lost_update - Failed: no_lost_update: violated in 3 events"]
    )
    failure = ET.parse(pytester.path / "out.xml").getroot().find(".//failure")
    assert failure is not None
    assert failure.get("message", "").startswith("Failed: no_lost_update: violated in 3 events")
    assert "pytest_plugin.py" not in text


def test_specs_are_collected_where_the_configuration_names_them(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nfencecheck_specs = designs\n")
    folder = pytester.mkdir("designs")
    expect = "[expect]\nno_lost_update = { verdict = 'violated', events = 3 }\n"
    (folder / "ours.toml").write_text(SPEC + expect)
    (pytester.path / "other.toml").write_text(SPEC)
    pytester.runpytest_inprocess().assert_outcomes(passed=2)


def test_specs_that_are_named_beside_the_test_paths_are_collected_too(
    pytester: pytest.Pytester,
) -> None:
    pytester.makeini("[pytest]\ntestpaths = tests\nfencecheck_specs = designs\n")
    (pytester.mkdir("tests") / "test_one.py").write_text("def test_one(): pass\n")
    (pytester.mkdir("designs") / "ours.toml").write_text(SPEC)
    pytester.runpytest_inprocess().assert_outcomes(passed=2, failed=1)
    pytester.runpytest_inprocess("tests").assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("specz", 'no such file or folder (did you mean "specs"?)'),
        ("specs/none.toml", "no such file or folder"),
        ("empty", "no *.toml below this folder"),
        ("notes.txt", "a spec is a *.toml file"),
    ],
)
def test_a_configured_name_that_leads_to_no_spec_is_an_error(
    pytester: pytest.Pytester, named: str, said: str
) -> None:
    pytester.makeini(f"[pytest]\nfencecheck_specs = {named}\n")
    (pytester.mkdir("specs") / "ours.toml").write_text(SPEC)
    pytester.mkdir("empty")
    (pytester.path / "notes.txt").write_text("")
    result = pytester.runpytest_inprocess()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert said in result.stderr.str()


def test_a_violated_property_that_is_only_reported_is_skipped_and_named(
    pytester: pytest.Pytester,
) -> None:
    pytester.makefile(".fence.toml", ours=REPORTING)
    result = pytester.runpytest_inprocess("-v", "--junit-xml=out.xml")
    result.assert_outcomes(passed=1, skipped=1)
    said = "no_lost_update: violated in 3 events; reported, not required"
    result.stdout.fnmatch_lines(
        [
            "*no_lost_update SKIPPED*",
            "*neither failed nor simply passed*",
            f"ours.fence.toml::Without a fence::no_lost_update - {said}",
        ]
    )
    skipped = ET.parse(pytester.path / "out.xml").getroot().find(".//skipped")
    assert skipped is not None
    assert skipped.get("message") == said


def test_a_vacuous_pass_says_so(pytester: pytest.Pytester) -> None:
    require = 'properties = { require = ["journal_append_only"] }'
    pytester.makefile(".fence.toml", ours=f'model = "fence"\nbounds = {{ steps = 1 }}\n{require}\n')
    result = pytester.runpytest_inprocess("-v")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(
        ["*journal_append_only VACUOUS*", "*journal_append_only - vacuous: what it speaks of*"]
    )


def test_a_spec_that_requires_nothing_does_not_pass(pytester: pytest.Pytester) -> None:
    pytester.makefile(".fence.toml", ours='model = "fence"\nproperties = { require = [] }\n')
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["undetermined: no property is required*"])


def test_a_spec_with_a_mistake_is_a_collection_error_that_names_it(
    pytester: pytest.Pytester,
) -> None:
    pytester.makefile(".fence.toml", ours=SPEC.replace("edits", "edit"))
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*bounds.edit*did you mean*edits*"])
    assert "Error" not in result.stdout.str().replace("ERROR", "")


def test_a_model_that_goes_wrong_is_told_without_a_traceback(pytester: pytest.Pytester) -> None:
    (pytester.path / "wrong.py").write_text(
        textwrap.dedent(
            '''
            from fencecheck.model import Int, Model

            model = Model("wrong", "A counter that leaves its domain")
            counter = model.actor("counter")
            model.variable("n", Int(0, 2), owner=counter)

            @counter.action()
            def count(s):
                """The counter goes on."""
                s.n += 1

            @model.invariant()
            def small(s):
                """The counter stays small."""
                return s.n < 9
            '''
        )
    )
    pytester.makefile(".fence.toml", ours='model = "wrong.py"\n')
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*goes wrong*"])
    assert "pytest_plugin.py" not in result.stdout.str()
    assert "checking.py" not in result.stdout.str()


NAMES = [
    "no fence",
    "a/b \\\\ c",
    "x[1]",
    "x(1)",
    "a::b",
    "a:::b",
    "épée α→β",
    "v1.2. b",
    "50% & $HOME; *",
]


def test_a_printed_node_id_selects_its_test_again(
    pytester: pytest.Pytester, counter: WriteSpec
) -> None:
    counter(*NAMES)
    shown = pytester.runpytest_subprocess("-v", "--tb=no", "-rN")
    shown.assert_outcomes(passed=len(NAMES), failed=len(NAMES))
    ids = printed_ids(shown.stdout.str(), "FAILED")
    assert len(set(ids)) == len(NAMES)
    again = pytester.runpytest_subprocess("-v", "--tb=no", "-rN", *ids)
    again.assert_outcomes(failed=len(NAMES))
    assert printed_ids(again.stdout.str(), "FAILED") == ids


def test_lf_x_and_k_choose_among_the_items(pytester: pytest.Pytester, counter: WriteSpec) -> None:
    counter("one way", "other [way]")
    pytester.runpytest_inprocess().assert_outcomes(passed=2, failed=2)
    pytester.runpytest_inprocess("--lf").assert_outcomes(failed=2)
    pytester.runpytest_inprocess("-x").assert_outcomes(failed=1)
    chosen = pytester.runpytest_inprocess("-k", "known and other")
    chosen.assert_outcomes(passed=1, deselected=3)


@pytest.mark.slow
@pytest.mark.parametrize("dist", ["load", "loadgroup"])
def test_workers_of_xdist_search_a_variant_once_among_them(
    pytester: pytest.Pytester, counter: WriteSpec, dist: str
) -> None:
    counter("one", "two", "three")
    pytester.makeconftest(
        """
        import os
        import fencecheck.checking.check as checking

        real = checking.check_spec

        def counted(spec, options=None):
            with open(os.environ["SEARCHES"], "a") as file:
                print(spec.variants[0].name, file=file)
            return real(spec, options)

        checking.check_spec = counted
        """
    )
    result = pytester.runpytest_subprocess("-n", "2", f"--dist={dist}")
    result.assert_outcomes(passed=3, failed=3)
    result.stdout.fnmatch_lines(["FAILED *::small - Failed: small: violated in 3 events"])
    searches = (pytester.path / "searches").read_text().split()
    assert sorted(searches) == ["one", "three", "two"]
