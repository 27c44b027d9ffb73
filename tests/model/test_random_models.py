"""Models made up by chance mean the same in Python and in the lowered form."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fencecheck.errors import ModelError
from tests.model.agreement import disagreement
from tests.models_for_tests import load, system_of
from tests.models_for_tests.random_models import model_texts
from tests.models_for_tests.random_programs import program

WRITTEN = (
    r"Array\(I, Bool\(\)\)", r"Array\(I, [PQ]\)", r"Array\(I, Array\(", r"Array\(I, Set\(",
    r"Set\([PQ]\)", r"Set\(Bool\(\)\)", r"Bag\(", r"Seq\(", r"Int\(-",
    r"s\.\w+\[helper\d\(.*\] [-+*/%]+=", r"\]\[.*\] [-+*/%]+=", r"\.pop\(0\)", r"bag\(.* for ",
    r"= \{.* for ", r"any\(\[", r"all\(", r"sum\(\{", r" < .* <= ", r"before\.v0 == after\.v0",
    r"s\.v0 == s\.w0", r"\)\[\(?.* % 2\]", r" in s\.", r"Each\(", r"elif ", r"for \w+ in s\.",
    r"s\.\w+\.[abc] [-+*/%]*=", r"\]\.[abc] [-+*/%]*=", r"\.change\(", r"\.insert\(", r"\.pop\(\)",
    r" -= \{", r"\) <=? s\.", r"\.issubset\(", r"\.(union|intersection|difference)\(",
    r" in s\.\w+ [|&^-] ",
    r" break\n", r" continue\n", r"s\.[^=]+ = s\.[^=]+ = ", r"s\.[^=]+, s\.[^=]+ = ", r"\(s, p0=",
    r"=True\):", r" in ODD", r" in FEW", r"return 'early'",
    r"replace\(", r"model\.recurrence", r"model\.leads_to",
    r"model\.initial\(", r"model\.constraint\(",
    r"Maybe\(", r"Subset\(", r"Array\(Enum", r"\bT\.\w+\(", r"\.tag ==",
    r"Bag\(T", r" is not None\)", r"m(ax|in)\(\{", r"m(ax|in)\(\(.* default=", r"\bT\.only\(",
    r"  assert .*\n", r"  assert .* is wrong'\n",
    r"Seq\((Int|Enum|Bool|Index)", r"Bag\(Maybe", r"Array\(I, Seq\(Maybe",
    r"Q\(.*m=\(", r"tuple\(.* for ", r"\.p\.[abc] [-+*/%]*= ", r"\.m\[.*\]\.?[abc]? [-+*/%]*= ",
    r"Set\(Q\)", r"\bT\.r\(Q", r"\.p [!=]= ", r"\.m [!=]= ", r"\]\.m = ",
)  # fmt: skip


@settings(
    max_examples=25,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
@given(text=model_texts(), mode=st.sampled_from(("wide", "narrow")))
def test_random_models_agree(
    tmp_path_factory: pytest.TempPathFactory, text: str, mode: str
) -> None:
    """Guards, effects, properties and errors agree in every state visited."""
    module = load(tmp_path_factory.mktemp("chance"), text)
    system = system_of(module.model, {"mode": mode}, faults=1)
    assert disagreement(system, 30) is None


def test_programs_by_chance_agree(tmp_path: Path) -> None:
    """The same with declarations, helpers and kinds of statements that are made up too."""
    accepted = 0
    for seed in range(20):
        module = load(tmp_path, program(seed))
        try:
            system = system_of(module.model, {"mode": "wide"}, faults=1)
        except ModelError:
            continue
        accepted += 1
        assert disagreement(system, 30) is None, f"seed {seed}"
    assert accepted > 14


def test_programs_by_chance_use_the_whole_subset() -> None:
    """Each kind of variable, change and expression is among them."""
    texts = "\n".join(program(seed) for seed in range(400))
    for written in WRITTEN:
        assert re.search(written, texts), written
