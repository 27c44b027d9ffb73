"""The rules of the house: where things may be named, and that they are said once."""

import ast
import re
import subprocess
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

import fencecheck
import fencecheck.models

PACKAGE = Path(fencecheck.__file__).parent
MODELS = Path(next(iter(fencecheck.models.__path__)))
TESTS = Path(__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
MOST = 14  # modules in one folder


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def outside_of(*rooms: str) -> Iterator[Path]:
    """Every module of the package that stands in none of ``rooms``."""
    yield from (path for path in MODULES if not room(path).startswith(rooms))


def lines(path: Path) -> Iterator[tuple[int, str]]:
    yield from enumerate(path.read_text("utf-8").splitlines(), 1)


def hits(paths: Iterator[Path], pattern: re.Pattern[str]) -> list[str]:
    """Return place and line of every match."""
    return [
        f"{room(path)}:{number}: {line.strip()}"
        for path in paths
        for number, line in lines(path)
        if pattern.search(line)
    ]


def test_graphs_of_one_engine_are_named_in_explore_only() -> None:
    """Everybody else asks a StateGraph."""
    assert hits(outside_of("explore/"), re.compile(r"\b(MemoryGraph|CompiledGraph)\b")) == []


def test_nothing_outside_explore_imports_the_compiled_engine() -> None:
    """Which engine answers is chosen in explore/engine.py."""
    assert hits(outside_of("explore/"), re.compile(r"explore\.compiled")) == []


def test_a_public_name_stands_in_one_module() -> None:
    """A class or function is called by one name, and a name means one thing."""
    places = defaultdict(set)
    for path in MODULES:
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].add(room(path))
    assert {name: rooms for name, rooms in places.items() if len(rooms) > 1} == {}


@pytest.mark.parametrize("root", [PACKAGE, MODELS], ids=["fencecheck", "models"])
def test_no_folder_is_a_long_list(root: Path) -> None:
    """A folder has at most 14 modules."""
    folders = defaultdict(list)
    for path in root.rglob("*.py"):
        if path.name != "__init__.py":
            folders[path.parent].append(path.name)
    assert [f"{f}: {len(n)}" for f, n in folders.items() if len(n) > MOST] == []


def test_no_array_has_positional_slots() -> None:
    """What stands in a place of an array has a name: no two numbers index the same small array."""
    found = []
    for path in MODULES:
        slots = defaultdict(set)
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if (
                isinstance(node, ast.Subscript)
                and isinstance(node.value, ast.Name)
                and isinstance(node.slice, ast.Constant)
                and isinstance(node.slice.value, int)
                and node.slice.value > 2
            ):
                slots[node.value.id].add(node.slice.value)
        found += [f"{room(path)}: {name}[{sorted(places)}]" for name, places in slots.items()]
    assert found == []


@pytest.mark.parametrize("family", ["fence", "ledger", "agent"])
def test_a_family_stands_in_its_folder(family: str) -> None:
    """Its first file includes its other files by name."""
    first = (MODELS / family / "family.py").read_text("utf-8")
    others = [
        p.stem for p in (MODELS / family).glob("*.py") if p.stem not in ("__init__", "family")
    ]
    assert others
    assert [name for name in others if f"fencecheck.models.{family}.{name}" not in first] == []


def test_no_test_asserts_a_time() -> None:
    """A slow machine fails nothing: seconds are printed, not compared."""
    asserted = re.compile(r"assert .*\b(seconds|elapsed|time\(\)|perf_counter\(\)|monotonic\(\))")
    found = [
        f"{path.relative_to(TESTS)}:{number}: {line.strip()}"
        for path in sorted(TESTS.rglob("*.py"))
        if path != Path(__file__)
        for number, line in lines(path)
        if asserted.search(line)
    ]
    assert found == []


def test_only_what_belongs_there_is_at_the_top() -> None:
    """Whatever a program that a test starts leaves behind is not committed."""
    listed = subprocess.run(
        ["git", "ls-files"], cwd=TESTS.parent, capture_output=True, text=True, check=True
    )
    top = {line.split("/")[0] for line in listed.stdout.splitlines()}
    folders = {".ci", "fencecheck", "models", "specs", "reports", "tests"}
    files = {"pyproject.toml", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE"}
    assert top == folders | files | {".gitignore"}


def test_every_package_is_installed() -> None:
    """A folder with modules that pyproject.toml does not name would be missing from a wheel."""
    root = TESTS.parent
    listed = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    core = {p.parent.relative_to(root) for p in (root / "fencecheck").rglob("__init__.py")}
    ours = {p.parent.relative_to(root) for p in (root / "models").rglob("__init__.py")}
    there = {".".join(path.parts) for path in core}
    there |= {".".join(("fencecheck", *path.parts)) for path in ours}
    assert set(listed["packages"]) - {"fencecheck.specs"} == there
