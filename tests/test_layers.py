"""The import graph of the package goes down only, and models see nothing but the model layer."""

import ast
from pathlib import Path

import pytest

import fencecheck
import fencecheck.models

PACKAGE = Path(fencecheck.__file__).parent
MODELS = Path(fencecheck.models.__file__).parent

# from the bottom up; a module may import from its own layer and from those before it
LAYERS = [
    ["errors", "version"],
    ["model"],
    ["export"],
    ["runs"],
    ["conform"],
    ["explore"],
    ["properties"],
    ["spec"],
    ["checking"],
    ["analysis"],
    ["report"],
    ["pytest_plugin", "cli", "interface"],
]
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}


def imported(path: Path) -> set[str]:
    """The parts of fencecheck that a file imports when it is imported or used."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("fencecheck."):
            found.add((node.module or "").split(".")[1])
        elif isinstance(node, ast.Import):
            found |= {a.name.split(".")[1] for a in node.names if a.name.startswith("fencecheck.")}
    return found


def modules() -> list[Path]:
    return [p for p in sorted(PACKAGE.rglob("*.py")) if p.parent != PACKAGE or p.stem[0] != "_"]


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_a_module_imports_only_from_its_layer_and_below(path: Path) -> None:
    own = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    assert own in RANK, f"{own} has no place among the layers"
    above = {name for name in imported(path) if RANK.get(name, -1) > RANK[own]}
    assert not above, f"{path.name} imports from above: {sorted(above)}"


@pytest.mark.parametrize(
    "path", sorted(MODELS.rglob("*.py")), ids=lambda p: str(p.relative_to(MODELS))
)
def test_a_model_imports_only_the_model_layer_and_other_models(path: Path) -> None:
    assert imported(path) <= {"model", "models"}
