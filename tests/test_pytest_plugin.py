"""The pytest plugin: specs become items, with counterexamples as the text of failures."""

import pytest

pytest_plugins = ["pytester"]

SPEC = """
model = "fence"
title = "Without a fence"
mechanisms = { fence = "none", precondition = "off" }
bounds = { edits = 1 }
properties = { require = ["no_lost_update", "at_most_once"] }
"""


def test_each_property_is_an_item_and_a_failure_shows_the_event_order(
    pytester: pytest.Pytester,
) -> None:
    pytester.makefile(".fence.toml", ours=SPEC)
    result = pytester.runpytest_subprocess("-v")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*no_lost_update*FAILED*", "*human: edit file 1*"])


def test_specs_are_collected_where_the_configuration_names_them(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nfencecheck_specs = designs\n")
    folder = pytester.mkdir("designs")
    expect = "[expect]\nno_lost_update = { verdict = 'violated', events = 3 }\n"
    (folder / "ours.toml").write_text(SPEC + expect)
    (pytester.path / "other.toml").write_text(SPEC)
    pytester.runpytest_subprocess().assert_outcomes(passed=2)


def test_a_spec_with_a_mistake_is_a_collection_error_that_names_it(
    pytester: pytest.Pytester,
) -> None:
    pytester.makefile(".fence.toml", ours=SPEC.replace("edits", "edit"))
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*bounds.edit*did you mean*edits*"])
