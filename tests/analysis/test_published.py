"""The published tables: the verdicts as claimed, and as the printed fixture gives them."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

import fencecheck.models
from fencecheck.analysis.compare.scenario import run_scenario
from fencecheck.checking.results import Cell
from fencecheck.spec.files import Overrides, Spec, builtin_spec, load_specs

STALE, CHANGED = "rejected: stale_rev", "rejected: pre_hash"
ORDERS = (
    "concurrent edit",
    "preempted, then replayed",
    "re-plan drift",
    "edit before the dispatch",
)
CLAIMED = {
    "no fence": ("applied", "applied twice", "applied", "applied"),
    "plan fence": (STALE, STALE, CHANGED, STALE),
    "step fence": (STALE, STALE, CHANGED, CHANGED),
    "step fence + journal": (STALE, "deduped", CHANGED, CHANGED),
    "plan fence, precondition off": (STALE, STALE, "applied", STALE),
    "step fence, precondition off": (STALE, STALE, "applied", "applied"),
    "step fence, precondition restamped": (STALE, STALE, "applied", "applied"),
    "step fence, two files": (STALE, STALE, "applied", "applied"),
    "step fence + journal, precondition off": (STALE, "deduped", "applied", "applied"),
    "step fence + journal, precondition restamped": (STALE, "deduped", "applied", "applied"),
    "step fence + journal, two files": (STALE, "deduped", "applied", "applied"),
}
DISAGREE = {
    ("plan fence", "re-plan drift"),
    ("step fence", "re-plan drift"),
    ("step fence + journal", "re-plan drift"),
    ("plan fence, precondition off", "re-plan drift"),
}
AS_PRINTED = {
    "fence none": ("applied", "applied twice", "applied", "applied"),
    "fence none, with its journal": ("applied", "deduped", "applied", "applied"),
    "fence plan": (STALE, STALE, CHANGED, STALE),
    "fence step": ("applied", "applied twice", "applied", "applied"),
    "fence step, with its journal": ("applied", "applied twice", "applied", "applied"),
}


def read(path: Path, overrides: Overrides | None = None) -> Spec:
    (spec,) = load_specs([path], overrides or Overrides())
    return spec


def cells(spec: Spec) -> list[Cell]:
    return [run_scenario(spec, v, s) for v in spec.variants for s in spec.scenarios]


def table(found: list[Cell]) -> dict[str, tuple[str, ...]]:
    return {
        variant: tuple(cell.outcome for cell in row)
        for variant, row in itertools.groupby(found, key=lambda cell: cell.variant)
    }


def test_the_claimed_table_beside_the_model() -> None:
    """The claim and the model part in the drift column, and in no other."""
    spec = read(builtin_spec("published/claimed"))
    found = cells(spec)
    assert [s.name for s in spec.scenarios] == list(ORDERS)
    assert table(found) == CLAIMED
    assert {(c.variant, c.scenario) for c in found if c.agrees is False} == DISAGREE
    assert {c.scenario for c in found if c.claim is None} == {"edit before the dispatch"}


def test_the_printed_fixture_gives_its_own_table() -> None:
    """The fixture as printed gives what the domain page says of it, cell by cell."""
    found = cells(read(builtin_spec("published/as_printed")))
    assert table(found) == AS_PRINTED
    assert not [c for c in found if c.agrees is False]


def test_every_event_order_gets_its_verdict() -> None:
    """Reject, accept anew, replay, compensate, accept, refuse: each where it is called for."""
    found = cells(read(builtin_spec("published/verdicts")))
    assert not [c for c in found if c.agrees is False]
    assert table(found)["planned side by side"] == ("refused at admission",) * 6


@pytest.mark.parametrize("precondition", ["off", "planned", "restamped"])
@pytest.mark.parametrize("journal", ["none", "memory", "separate", "atomic"])
def test_no_plan_fence_answers_stale_rev_under_drift(precondition: str, journal: str) -> None:
    """A drifted plan is registered at the current revision, whatever else is switched on."""
    for retry, split, key in itertools.product(
        ("same", "restamp"), ("atomic", "split"), ("step", "step+base")
    ):
        chosen = {"fence": "plan", "precondition": precondition, "journal": journal}
        chosen |= {"retry": retry, "check": split, "journal_key": key}
        spec = read(builtin_spec("published/claimed"), Overrides(chosen))
        cell = run_scenario(spec, spec.variants[0], spec.scenario("re-plan drift"))
        assert cell.outcome in ("applied", CHANGED)


@pytest.mark.parametrize(
    "switches",
    [{"check": "split"}, {"journal": "separate"}, {"check": "split", "journal": "separate"}],
    ids=str,
)
def test_the_orders_fit_designs_with_more_events(switches: dict[str, str]) -> None:
    """A write or a journal entry that is an event of its own does not break an order."""
    spec = read(builtin_spec("published/claimed"), Overrides(switches))
    found = table(cells(spec))
    if "journal" not in switches:
        assert found == CLAIMED
    assert found["no fence"] == CLAIMED["no fence"]
    assert found["step fence"] == CLAIMED["step fence"]


_numbers = itertools.count()  # a module of a name that was imported before is not read again


def patched(folder: Path, changes: dict[str, str]) -> Path:
    """Write a copy of the model whose executor has other lines in place of some."""
    family = Path(next(iter(fencecheck.models.__path__))) / "fence"
    source = (family / "executor.py").read_text("utf-8")
    for old, new in changes.items():
        assert source.count(old) == 1
        source = source.replace(old, new)
    number = next(_numbers)
    (folder / f"executor_{number}.py").write_text(source, encoding="utf-8")
    for name in ("interference", "family"):
        text = (family / f"{name}.py").read_text("utf-8")
        for part in ("executor", "interference"):
            text = text.replace(f"fencecheck.models.fence.{part} ", f"{part}_{number} ")
        (folder / f"{name}_{number}.py").write_text(text, encoding="utf-8")
    return folder / f"family_{number}.py"


MISFITS = "return stamps.misfits(s, found.base, found.pre, identity_of(s, request.step))"


@pytest.mark.parametrize(
    ("changes", "changed"),
    [
        (
            {
                MISFITS: "return found.pre != identity_of(s, request.step)",
                "stamps.misses_revision(s, stamped(s, request).base)": "False",
            },
            {("concurrent edit", STALE, CHANGED), ("preempted, then replayed", STALE, CHANGED)},
        ),
        (
            {MISFITS: "return stamps.misses_revision(s, found.base)"},
            {
                ("re-plan drift", CHANGED, "applied"),
                ("edit before the dispatch", CHANGED, "applied"),
            },
        ),
    ],
    ids=["revision not compared", "hash not compared"],
)
def test_a_changed_guard_changes_a_cell(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    changes: dict[str, str],
    changed: set[tuple[str, str, str]],
) -> None:
    """The outcomes come from the model: with another guard just those cells differ."""
    monkeypatch.syspath_prepend(tmp_path)
    published = builtin_spec("published/claimed").read_text("utf-8")
    own = patched(tmp_path, changes).name
    path = tmp_path / "x.toml"
    path.write_text(published.replace('model = "fence"', f'model = "{own}"'), encoding="utf-8")
    spec = read(path)
    found = table(cells(spec))["step fence"]
    pairs = zip(ORDERS, CLAIMED["step fence"], found, strict=True)
    assert {(order, was, now) for order, was, now in pairs if was != now} == changed
