"""The benchmark reads its peers rightly, and gives them the systems that it measures itself."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tests.bench import large, peers
from tests.bench.cases import BOUNDS, CASES, LADDER, TINY, Case, Run
from tests.bench.table import ONE, SPIN, TWO, Measured, print_all
from tests.models_for_tests import bakery, lamport, mcs, peterson

WRITTEN = [case for case in CASES if case.kind not in BOUNDS]
PROTOCOLS = {"peterson": peterson, "lamport": lamport, "mcs": mcs, "bakery": bakery}
TIMED = """
	Elapsed (wall clock) time (h:mm:ss or m:ss): 1:02.50
	Maximum resident set size (kbytes): 2048
"""
OF_SPIN = "    7963 states, stored\n   21504 transitions (= stored+matched)\n"
OF_RUMUR = "\t7963 states, 21503 rules fired in 0s.\n"


def test_a_run_of_a_peer_is_read() -> None:
    """SPIN says what its search took, and counts the initial state as a transition."""
    spin = peers._read(OF_SPIN + "pan: elapsed time 0.44 seconds\n" + TIMED, 2.0)
    assert spin == Run(7963, 21503, 0.44, 64.5, 2 << 20)
    assert peers._read(OF_RUMUR + TIMED, 1.0) == Run(7963, 21503, 62.5, 63.5, 2 << 20)
    with pytest.raises(ValueError, match="states"):
        peers._read("pan: elapsed time 0.44 seconds\n" + TIMED, 2.0)


@pytest.mark.parametrize("case", WRITTEN, ids=lambda case: case.name)
def test_a_peer_is_given_every_size(case: Case) -> None:
    """Each is a constant that the peer's model uses; SPIN gets its macros where it uses them."""
    for peer in peers.PEERS:
        text = re.sub(
            r"/\*.*?\*/|--[^\n]*", "", peers.text_of(peer, case.kind, case.sizes), flags=re.S
        )
        constants = re.findall(r"^(?:const|#define) ([A-Z_]+):? (\d+);?$", text, re.M)
        sizes = constants[: len(case.sizes)]
        assert [int(size) for _, size in sizes] == list(case.sizes)
        assert [name for name, _ in sizes if len(re.findall(rf"\b{name}\b", text)) < 2] == []
        assert ("#define EACH(m)" in text) == bool(re.search(r"EACH\([A-Z]", text))


def test_every_case_says_what_a_checker_is_without_states() -> None:
    assert {case.kind for case in (*CASES, *LADDER)} == set(TINY)


def test_ratios_are_those_of_each_turn(capsys: pytest.CaptureFixture[str]) -> None:
    """The table shows their median, the least and the most."""
    run, case = Run(1_000, 3_000, 1.0, 2.0, 5_000, 30, 7), replace(CASES[0], states=1_000)
    ours = [replace(run, search=seconds) for seconds in (0.1, 0.2, 0.1)]
    spin = [replace(run, search=seconds) for seconds in (0.4, 1.2, 0.9)]
    found = Measured(case, {ONE: ours, SPIN: spin}, {ONE: 1_000, SPIN: 0})
    assert found.ratios(ONE) == pytest.approx([4, 6, 9])
    assert (found.search(ONE), found.bytes_a_state(ONE)) == (0.1, 4.0)
    print_all([replace(found, runs={**found.runs, TWO: ours}, started={**found.started, TWO: 0})])
    assert "6.0 (4.0 - 9.0)" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.skipif(bool(peers.missing()), reason="SPIN or Rumur is not installed")
@pytest.mark.parametrize("name", PROTOCOLS)
def test_spin_and_rumur_find_the_known_counts(name: str) -> None:
    """Those of the smallest size of each protocol."""
    sizes = min(PROTOCOLS[name].KNOWN)
    case = Case(name, name, sizes, *PROTOCOLS[name].KNOWN[sizes])
    for peer in peers.PEERS:
        peers.run(peer, case)  # which ends the program where counts differ


@pytest.mark.slow
def test_a_search_killed_in_the_middle_of_levels_ends_as_one_that_was_not() -> None:
    """A small one of what the script searches: 8,711,632 states."""
    asked = {"sizes": [4, 2, 2, 1, 1], "threads": 1, "memory": None, "every": 0.2}
    request = {**asked, "checkpoint": None}
    whole = large.run(request)
    assert whole is not None
    _, killed = large.compared(request, whole, kills=2)
    assert (whole["levels"][-1], whole["transitions"]) == (8_711_632, 45_382_787)
    assert killed > 0
