"""Adapters as tests: the items of pytest, the test of unittest, the call of Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import fencecheck as fc
from fencecheck.errors import UsageError
from tests.conform.driving import OURS
from tests.conform.systems.letters import Letters, Miscounting

pytest_plugins = ["pytester"]
ROOT = Path(__file__).parents[2]
HEAD = f"""
import fencecheck
from fencecheck import conform
from tests.conform.systems.letters import Letters, Miscounting, Unpicklable
SPEC = {str(OURS / "letters.toml")!r}
"""
WRONG = f"""{HEAD}
class TestWrong(conform.TestCase):
    adapter, spec, variant = Miscounting, SPEC, "at once"
"""


def run(pytester: pytest.Pytester, text: str) -> pytest.RunResult:
    pytester.syspathinsert(ROOT)
    pytester.makepyfile(test_adapters=text)
    return pytester.runpytest("-v", "-p", "no:cacheprovider")


def test_there_is_an_item_for_each_part_of_driving(pytester: pytest.Pytester) -> None:
    """For lockstep, for each hundred runs, for the walks; an imported adapter is none again."""
    result = run(
        pytester,
        f"""{HEAD}
class TestLetters(conform.TestCase):
    adapter, spec, variant = Letters, SPEC, "at once"
    walks = 5

@fencecheck.conforms(SPEC, variant="at once", cover="all")
class Ours(Unpicklable):
    pass

class Derived(Ours):
    pass
""",
    )
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(
        [
            "*::TestLetters::lockstep PASSED*",
            "*::TestLetters::walks PASSED*",
            "*::Ours::runs 1 to 32 PASSED*",
        ]
    )


def test_an_item_fails_with_the_order_the_difference_and_the_command(
    pytester: pytest.Pytester,
) -> None:
    """And not with a traceback of fencecheck."""
    result = run(pytester, WRONG)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "conforms: diverges in 2 events",
            "*2. receiver: take letter 1: taken",
            "*shelf.count: 1 in the model, 0 in the implementation.",
            'again: fencecheck drive *letters.toml *letters.py:Miscounting --variant "at once" '
            "--by lockstep",
        ]
    )
    assert "Traceback" not in result.stdout.str()


def test_a_saved_trace_is_an_item(pytester: pytest.Pytester) -> None:
    """Its path begins in the folder of the test's file."""
    trace = fc.drive(OURS / "letters.toml", Miscounting, variant="at once")["conforms"].trace
    trace.draw(pytester.path / "miscounted.json")
    result = run(pytester, f'{WRONG}    traces = ["miscounted.json"]\n')
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*::trace miscounted.json FAILED*"])


def test_unittest_runs_all_parts_in_one_test(pytester: pytest.Pytester) -> None:
    """With a subtest for each."""
    pytester.syspathinsert(ROOT)
    pytester.makepyfile(test_adapters=WRONG)
    result = pytester.runpython_c(
        f"import sys, unittest; sys.path.insert(0, {str(ROOT)!r}); "
        "unittest.main('test_adapters', argv=['x'])"
    )
    result.stderr.fnmatch_lines(["*conforms: diverges in 2 events*", "FAILED (failures=1)"])


def test_python_drives_a_class() -> None:
    """The result is like that of a check; its trace is the divergence."""
    result = fc.drive(OURS / "letters.toml", Letters, variant="at once")
    assert result.holds
    wrong = fc.drive(OURS / "letters.toml", Miscounting, variant="at once", by="runs")
    assert [str(event) for event in wrong["conforms"].trace] == [
        "sender.send(letter=1)",
        "receiver.take(letter=1) -> taken",
    ]
    assert wrong["conforms"].trace.says == "shelf.count: 1 in the model, 0 in the implementation."


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ({"cover": "sen"}, r'cover "sen" is not one of events, .*did you mean "seen"'),
        ({"covers": "seen"}, r'argument "covers" is not one of .*did you mean "cover"'),
        ({"variant": "at onc"}, r'did you mean "at once"'),
    ],
)
def test_what_makes_no_sense_is_said(how: dict[str, Any], says: str) -> None:
    """With the nearest match."""
    with pytest.raises(UsageError, match=says):
        fc.drive(OURS / "letters.toml", Letters, **how)
