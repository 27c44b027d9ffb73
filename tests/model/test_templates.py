"""Words as format strings: filled in the domains' words, and held against the model at load."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Question
from fencecheck.runs.trace import Trace
from tests.models_for_tests import HEADER
from tests.properties.test_truth import family_of

DESK = (
    HEADER
    + """
Request = Record("Request", step=Index("steps", "s"), base=Int(0, 3, lambda v, k: f"r{v}"))
Plan = OneOf("Plan", empty=None, edit=Int(1, 3))
model = Model("desk", "Requests on a desk")
model.bound("steps", 2, "steps")
model.bound("workers", 2, "workers")
model.budget("edits", "edits that nobody announces")
model.mechanism("fence", ("off", "on"), "off", "a switch")
STEP, WORKER = Index("steps", "s"), Index("workers", "w")
w = model.actor("w")
x = model.actor("x", "interference")
model.variable("owner", Array(STEP, Maybe(WORKER, "nobody")))
model.variable("lead", Maybe(WORKER, "nobody"))
model.variable("holds", Array(WORKER, Request))
model.variable("rev", Int(0, 3, lambda v, k: f"r{v}"))
model.variable("open", Bool(), True)
model.variable("shelf", Array(Enum("new", "used"), Int(0, 3)))
model.variable("age", Enum("new", "used"))
model.variable("plan", Plan)
model.variable("box", Bag(Request, 2))
model.variable("seen", Set(STEP))
model.variable("line", Seq(Request, 2))


@w.action(step=STEP, worker=WORKER, when=lambda s, step, worker: s.rev == 0, LABEL)
def take(s, step, worker):
    s.owner[step] = worker
    s.box.add(Request(step=step, base=1))
    s.rev += 1


@w.action(request=Each("box"), when=lambda s, request: s.rev == 1,
          label="{request} at {s.rev}", remark="base {request.base} ≠ rev {s.rev}")
def serve(s, request):
    s.box.remove(request)
    s.rev += 1
    s.plan = Plan.edit(2)


@model.transition("w.serve")
def calm(before, after, request):
    \"\"\"Nothing is served.\"\"\"
    return False


@model.invariant(step=STEP)
def unowned(s, step):
    \"\"\"Nobody has a step.\"\"\"
    return s.owner[step] is None
"""
)


def trace_of(tmp_path: Path, label: str, name: str = "calm", more: str = "") -> Trace:
    """Return the counterexample to a property of the model with a label and lines added."""
    family = family_of(tmp_path, DESK.replace("LABEL", label or "quiet=True") + more)
    finding = check_design(family, family.design(), Question((name,))).findings[0]
    assert finding.trace is not None
    return finding.trace


@pytest.mark.parametrize(
    ("label", "told"),
    [
        ("assign {step} to {worker}", "assign s1 to w1"),
        ("{s.owner[step]} has {step}", "nobody has s1"),
        ("{s.owner[0]}", "nobody"),
        ("{s.holds[worker].base}, {s.holds[worker].step}", "r0, s1"),
        ("{s.holds[worker]}", "step s1 base r0"),
        ("{s.shelf[new]} {s.shelf[s.age]}", "0 0"),
        ("{s.open}: {s.fence}", "yes: off"),
        ("{s.plan} {s.plan.tag}", "empty empty"),
        ("{s.box} {s.seen} {s.owner}", "empty empty nobody, nobody"),
        ("{s.steps} of {s.edits_left}, {s.edits_used}", "2 of 0, 0"),
        ("{{{step}}}", "{s1}"),
        ("a plain text", "a plain text"),
    ],
)
def test_a_label_tells_values_in_the_words_of_their_domains(
    tmp_path: Path, label: str, told: str
) -> None:
    """An index has its prefix, an Int its words, none of an index its word, a truth yes or no."""
    assert trace_of(tmp_path, f'label="{label}"').events[0].label == told


def test_a_remark_reads_fields_of_an_element_and_the_state_before(tmp_path: Path) -> None:
    """The parameter ranges over a bag; the state is the one before the event."""
    event = trace_of(tmp_path, "").events[1]
    assert event.label == "step s1 base r1 at r1"
    assert event.remark == "base r1 ≠ rev r1"


SAYS: list[tuple[str, str, str, tuple[tuple[str, Any], ...]]] = [
    (
        "calm",
        'calm.says("{request.step} is served", {"rev before": "{before.rev}", '
        '"what is planned": "{after.plan}", "edit": "{after.plan.edit}", "both": "{after.rev}!"})',
        "s1 is served",
        (("rev before", "r1"), ("what is planned", "edit 2"), ("edit", 2), ("both", "r2!")),
    ),
    (
        "calm",
        'calm.says("no", {"base of {request.step}": "{request.base}"})',
        "no",
        (("base of s1", "r1"),),
    ),
    (
        "unowned",
        "unowned.says(\"{step} is {s.owner[step]}'s, once {before.owner[step]}'s\")",
        "For s1: s1 is w1's, once nobody's",
        (),
    ),
]


@pytest.mark.parametrize(("name", "line", "says", "values"), SAYS)
def test_a_sentence_says_how_a_property_breaks(
    tmp_path: Path, name: str, line: str, says: str, values: tuple[tuple[str, Any], ...]
) -> None:
    """Parameters, the states before and after; a field alone stays the value that it is."""
    violation = trace_of(tmp_path, "", name, line + "\n").violation
    assert violation is not None
    assert violation.says == says
    assert violation.compare == values


@pytest.mark.parametrize(
    ("label", "note"),
    [
        ("{s.plan.edit}", "{s.plan.edit}: Plan is empty, which holds no edit"),
        ("{s.line[0].base}", "{s.line[0].base}: there is no [0] (element 1 of 0)"),
        (
            "{s.shelf[used]} {s.holds[s.lead].base}",
            "{s.holds[s.lead].base}: there is no [s.lead] (nothing of 2)",
        ),
    ],
)
def test_what_is_not_there_in_a_state_is_noted_in_its_place(
    tmp_path: Path, label: str, note: str
) -> None:
    """No verdict depends on words: a note with the line stands where they go wrong."""
    told = trace_of(tmp_path, f'label="{label}"').events[0].label
    assert told.endswith(f"label of w.take: {note})")
