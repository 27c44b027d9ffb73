"""What a model is lowered to grows no faster than what its functions execute."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.models_for_tests import HEADER, load, system_of

MODEL = (
    HEADER
    + """
model = Model("growth", "A loop over n elements")
model.bound("n", {n}, "how many")
I = Index("n", "i")
A = model.actor("A")
model.variable("a", Array(I, Int(0, 3)))
model.variable("x", Int(0, 3))
model.variable("y", Int(0, 3))


@A.action()
def act(s):
    \"\"\"Act.\"\"\"
    for v in s.a:
        {body}
        s.x = (s.x + v) % 4
"""
)
BODIES = {
    "break": "if v == s.x: break",
    "continue": "if v == s.x: continue",
    "return": "if v == s.x: return 'found' if v > s.y else 'late'",
    "all of them": """if v == s.x: continue
        if v > s.x: break
        if s.y == v: return 'found'""",
    "another loop": """for u in (1, 2):
            if u == v: break
            if u > s.y: continue""",
}


def _nodes(folder: Path, n: int, body: str) -> int:
    module = load(folder, MODEL.format(n=n, body=body))
    return len(system_of(module.model, {}).lowered.dag)


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_jumps_cost_the_same_each_time_round(tmp_path: Path, body: str) -> None:
    """Twice as many times round a loop give about twice as many formulas."""
    few, more, many = (_nodes(tmp_path, n, body) for n in (8, 16, 32))
    assert many - more < 2.5 * (more - few)
