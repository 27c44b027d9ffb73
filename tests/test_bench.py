"""The benchmark reads its peers rightly, and gives them the systems that it measures itself."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from dataclasses import replace

import pytest

from fencecheck.explore.compiled.kernel.compile import compile_kernel
from tests.bench import large, owners, peers
from tests.bench.cases import BOUNDS, CASES, LADDER, TINY, Case, Run
from tests.bench.machine import Clock, Spent, taken_below
from tests.bench.table import ONE, SPIN, TWO, Measured, print_all, print_markdown
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


def test_processor_seconds_of_what_a_process_starts_are_its_own() -> None:
    """Those of processes below the ones that it has started, too, as long as they run."""
    spins = f"import subprocess; subprocess.run([{sys.executable!r}, '-c', 'while True: pass'])"
    begun = Clock.now()
    with subprocess.Popen([sys.executable, "-c", spins], start_new_session=True) as process:
        try:
            while sum(taken_below(process.pid).values()) < 0.5:
                assert process.poll() is None
            while_it_runs = Clock.now()
        finally:
            os.killpg(process.pid, signal.SIGKILL)
    assert while_it_runs.since(begun).cpu >= 0.5
    assert 0 <= Clock.now().since(while_it_runs).cpu < 0.5


def compared(name: str, states: int, seconds: float) -> owners.Compared:
    """A system that two owners take 3 s of two cores for, and 1 s to start."""
    shared = owners.Shared(Spent(3.0, 6.0), 1.0, 0.9, 12.34)
    return owners.Compared(name, states, 2, 30, Spent(seconds, seconds), {2: shared})


def test_what_owners_cost_is_a_table_of_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    of_four = owners.Shared(Spent(2.5, 7.5), 2.0, 0.8, 20.0)
    found = compared("small", 1_000_000, 1.5)
    found.shared[4] = of_four
    print_markdown(owners.rows([found], [2, 4]))
    head, line, row = capsys.readouterr().out.splitlines()
    assert head == (
        "|  | states | words | levels | at home | bytes a state | one process s | 2 owners s "
        "| 4 owners s | processor time |"
    )
    assert head.count("|") == line.count("|")
    assert row == (
        "| small | 1,000,000 | 2 | 30 | 90% / 80% | 12.3 / 20.0 | 1.50 | 3.00 | 2.50 "
        "| 4.0 / 5.0 x |"
    )


def test_owners_that_are_slower_never_pay() -> None:
    told = owners.conclusion([compared("small", 1_000_000, 1.5)], 2)
    assert "on this machine they never pay" in told
    assert "a level takes at least 100.0 ms" in told
    assert "faster than one process: 5 for the system that suits them best" in told


def test_owners_that_are_faster_pay_once_their_start_is_made_up_for() -> None:
    """One of 12 s saves 9 s with a start of 1 s: a ninth of its size is enough."""
    told = owners.conclusion([compared("small", 900, 1.5), compared("large", 9_000_000, 12.0)], 2)
    assert "faster for 1 of 2 systems, and pay from 1,000,000 states on" in told
    assert "million states or more, 0.5 by the median" in told


def test_owners_are_measured_on_ten_systems_of_one_two_and_many_words() -> None:
    made = dict(owners.systems())
    assert len(made) >= 10
    words = [
        compile_kernel(system := made[name](), system.properties()).packing.words
        for name in ("mcs", "fence, 3 of each", "family agent")
    ]
    assert words == [1, 2, 4]


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
