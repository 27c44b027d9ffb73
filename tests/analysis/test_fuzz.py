"""Random runs beside the exhaustive check: rates, shrunk orders, and what neither proves."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from fencecheck.analysis import fuzz
from fencecheck.analysis.fuzz import Draw, FuzzResult, fuzz_spec
from fencecheck.checking.question import Options
from fencecheck.errors import StateError
from fencecheck.explore.graph import Limits
from fencecheck.model.system import System
from fencecheck.model.time_limit import TimeUp
from fencecheck.report.results.fuzzing import NO_PROOF, render_fuzz, render_fuzz_json
from fencecheck.runs.replay import replay
from fencecheck.runs.shrinking import is_minimal
from fencecheck.runs.trace_json import read_trace
from fencecheck.spec.files import Spec, load_specs

REVIEW = Path(__file__).parents[2] / "specs/regressions/random_search.toml"
BARE = """
model = "fence"
[mechanisms]
fence = "plan"
[bounds]
edits = 1
lost_replies = 1
[properties]
require = ["no_lost_update", "no_spurious_rejection", "finishes"]
"""


def read(folder: Path, text: str = BARE) -> Spec:
    path = folder / "x.toml"
    path.write_text(text, encoding="utf-8")
    (spec,) = load_specs([path])
    return spec


def told(result: FuzzResult) -> list[tuple[object, ...]]:
    return [
        (v.name, r.exhaustive.name, r.broke, r.seed, r.events, r.shrunk, r.trace)
        for v in result.variants
        for r in v.rates
    ]


def test_both_engines_give_the_same_rates(tmp_path: Path) -> None:
    """How often, which seed, how short: the plain loop is the oracle of the compiled one."""
    spec = read(tmp_path)
    results = [
        fuzz_spec(spec, Draw(150, 9, 60, Options(engine=engine)))
        for engine in ("reference", "compiled")
    ]  # fmt: skip
    assert told(results[0]) == told(results[1])
    assert results[0].variants[0].events == results[1].variants[0].events
    rates = {r.exhaustive.name: r for r in results[0].variants[0].rates}
    assert rates["no_spurious_rejection"].broke > 50
    assert rates["no_spurious_rejection"].shrunk == rates["no_spurious_rejection"].exhaustive.events
    assert (rates["no_lost_update"].broke, rates["no_lost_update"].trace) == (0, None)
    assert (rates["finishes"].judged, rates["finishes"].broke) == (False, 0)
    assert results[0].exit_code == 1


def test_the_review_search_finds_what_it_must() -> None:
    """5,000 seeds: no fence loses an update in 3 events; with one P1 and P2 never break."""
    (spec,) = load_specs([REVIEW])
    result = fuzz_spec(spec, Draw())
    rates = {(v.name, r.exhaustive.name): r for v in result.variants for r in v.rates}
    assert all(v.over + v.cut == 5_000 for v in result.variants)
    assert rates["no fence", "no_lost_update"].broke > 1_000
    assert rates["no fence", "no_lost_update"].shrunk == 3
    for fence in ("plan fence", "step fence", "step fence + journal"):
        assert rates[fence, "fresh_apply"].broke == 0
        assert rates[fence, "journal_append_only"].broke == 0
    assert result.exit_code == 0


def test_the_saved_order_is_as_short_as_what_a_seed_gives_today() -> None:
    """The regression says which seed it is from; it is minimal, and no draw finds a shorter one."""
    path = REVIEW.with_name("no_fence_random_search.json")
    saved = read_trace(json.loads(path.read_text(encoding="utf-8")), path.name)
    (spec,) = load_specs([REVIEW])
    spec.variants = [v for v in spec.variants if v.name == saved.variant]
    rates = {r.exhaustive.name: r for r in fuzz_spec(spec, Draw()).variants[0].rates}
    rate = rates[saved.shows.name]
    assert re.fullmatch(r"seed \d+, shrunk from \d+ events", str(saved.found_by))
    assert rate.shrunk == len(saved.events) == rate.exhaustive.events
    system = System(spec.family, spec.variants[0].design)
    prop = spec.family.properties[saved.shows.name]
    again = replay(spec.family, saved)
    assert again.misfit is None
    assert is_minimal(system, again.events, prop)


def test_nothing_found_in_a_cut_search_is_undetermined(tmp_path: Path) -> None:
    """No word of a pass anywhere: the search was cut, and the seeds prove nothing."""
    spec = read(tmp_path, BARE.replace('"no_spurious_rejection", "finishes"', '"fresh_apply"'))
    result = fuzz_spec(spec, Draw(50, options=Options(Limits(states=20))))
    assert result.exit_code == 3
    text = render_fuzz(result)
    assert NO_PROOF in text
    assert "undetermined" in text
    assert "holds" not in text.replace(NO_PROOF, "")
    assert "undetermined" in render_fuzz_json(result)


def test_a_seed_that_breaks_what_a_cut_search_left_open_is_a_violation(tmp_path: Path) -> None:
    """The random run is evidence; how long a shortest one is stays open, and is said so."""
    spec = read(tmp_path)
    result = fuzz_spec(spec, Draw(100, options=Options(Limits(states=5))))
    rates = {r.exhaustive.name: r for r in result.variants[0].rates}
    assert rates["no_spurious_rejection"].broke > 0
    assert rates["no_spurious_rejection"].exhaustive.verdict == "undetermined"
    assert result.exit_code == 1
    assert "a shortest order is not known" in render_fuzz(result)


def test_a_missed_violation_is_said(tmp_path: Path) -> None:
    """Too few or too short runs miss what the exhaustive check finds; the table shows both."""
    result = fuzz_spec(read(tmp_path), Draw(3, length=4))
    assert "violated in 6 events: in no seed" in " ".join(render_fuzz(result, width=140).split())


def test_a_model_that_goes_wrong_is_an_error(tmp_path: Path) -> None:
    """A run that leads out of a domain raises, with the run, also where the search was cut."""
    (tmp_path / "wrong.py").write_text(
        "from fencecheck.model import Int, Model\n"
        'model = Model("wrong", "Too far")\nmodel.variable("n", Int(0, 30))\n'
        '@model.actor("a").action()\ndef go(s):\n    s.n += 1\n'
        '@model.invariant()\ndef low(s):\n    """Low."""\n    return s.n < 99\n'
    )
    spec = read(tmp_path, 'model = "wrong.py"\n')
    with pytest.raises(StateError, match="after 30 events of seed 1") as caught:
        fuzz_spec(spec, Draw(5, options=Options(Limits(states=3))))
    assert len(caught.value.trace.events) == 30


def test_a_result_is_the_same_text_every_time(tmp_path: Path) -> None:
    """Seconds and engines are left out, so equal draws are equal texts."""
    spec = read(tmp_path)
    first, again = (fuzz_spec(spec, Draw(40)) for _ in range(2))
    assert render_fuzz(first) == render_fuzz(again)
    again.draw = replace(again.draw, first_seed=2)
    assert render_fuzz(first) != render_fuzz(again)


def test_runs_are_drawn_and_shrunk_for_as_long_as_time_allows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was not drawn is undetermined, and said so; what broke stays broken, not shrunk."""
    spec = read(tmp_path)
    none = fuzz_spec(spec, Draw(50, options=Options(Limits(seconds=0.0), engine="reference")))
    (fuzzed,) = none.variants
    assert (fuzzed.seeds, fuzzed.out_of_time) == (0, True)
    text = render_fuzz(none)
    assert "undetermined: 0 of 0 seeds" in text
    assert "time was up: 0 of 50 seeds were drawn; allow more with --timeout" in text

    def no_time(*given: object) -> None:
        raise TimeUp

    monkeypatch.setattr(fuzz, "shrink", no_time)
    found = fuzz_spec(spec, Draw(50, options=Options(engine="reference")))
    (fuzzed,) = found.variants
    assert (fuzzed.seeds, fuzzed.out_of_time) == (50, False)
    rate = next(r for r in fuzzed.rates if r.broke)
    assert (rate.shrunk, rate.trace) == (None, None)
    assert f"(seed {rate.seed}), no time to shrink" in " ".join(
        render_fuzz(found, width=200).split()
    )
