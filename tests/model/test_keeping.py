"""What models are lowered to is kept on disk: found again, never stale, never trusted, not needed.

Damage of entries, folders that cannot be written and full disks are what test_kernel_cache.py has
for kernels; here it is that they cost no more than lowering again.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fencecheck.errors import ModelError
from fencecheck.explore.compiled.kernel.plan import plan_kernel
from fencecheck.explore.compiled.kernel.text import KernelText
from fencecheck.explore.compiled.storage.packing import pack_fields
from fencecheck.model.family import Family
from fencecheck.model.files import identity
from fencecheck.model.files.identity import digest_of, model_hash
from fencecheck.model.files.kept import keep_entry, kept_entry
from fencecheck.model.files.loading import load_family
from fencecheck.model.lower import lowering
from fencecheck.model.lower.keeping import kept_lowering
from fencecheck.model.lower.keeping.made_of import made_of
from fencecheck.model.system import System
from tests.explore.compiled.designs import STRUCTURES, Design, family_of
from tests.models_for_tests import HEADER, load, pipelined

ROOT = Path(__file__).parents[2]
COUNTER = f'''{HEADER}
LAST = 7
model = Model("counter", "Counter")
model.variable("x", Int(0, 20))
model.budget("resets", "Resets.")
A = model.actor("A")


def further(x, by=1):
    return min(x + by, LAST)


@A.action(when=lambda s: s.x < 5)
def up(s):
    """Up."""
    s.x = further(s.x)


@model.invariant()
def small(s):
    """It stays small."""
    return s.x < 20
'''


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give each test an empty cache."""
    path = tmp_path / "kept"
    monkeypatch.setenv("FENCECHECK_CACHE", str(path))
    return path


@pytest.fixture
def lowered(monkeypatch: pytest.MonkeyPatch) -> list[Family]:
    """Return the families that were lowered, one entry for each time."""
    found: list[Family] = []
    original = lowering.lower

    def lower(family: Family, *more: Any) -> Any:
        found.append(family)
        return original(family, *more)

    monkeypatch.setattr(kept_lowering, "lower", lower)
    return found


def fresh(model: Any, **bounds: Any) -> System:
    """Return a system of a family that this process has not lowered before."""
    family = Family(model)
    return System(family, family.design({}, bounds))


def text_of_kernel(system: System) -> str:
    watched = [p for p in system.properties() if not p.temporal]
    plan = plan_kernel(system.lowered, system.actions, watched)
    return KernelText(plan, pack_fields(system.lowered.layout, narrow=False)).text()


@pytest.mark.parametrize("design", STRUCTURES, ids=str)
def test_what_is_read_is_what_was_written(design: Design, lowered: list[Family]) -> None:
    """Hash, kernel, and all that systems ask of it come out the same; nothing is lowered."""
    name, mechanisms, bounds = design
    systems = list[System]()
    for _ in range(2):
        family = Family(family_of(name).model)
        systems.append(System(family, family.design(mechanisms, bounds)))
    assert len(lowered) == 1
    first, second = systems
    assert text_of_kernel(first) == text_of_kernel(second)
    assert digest_of(first) == digest_of(second)
    for field in ("changes", "may_be_negative", "uses_sets", "alike", "size", "switches", "name"):
        assert getattr(first.lowered, field) == getattr(second.lowered, field)
    assert [p.name for p in first.lowered.properties] == [p.name for p in first.properties()]


def test_representatives_with_indices_kept_still_are_those_of_a_fresh_lowering() -> None:
    """Which indices are still is part of the name under which others know it."""
    text = f'''{HEADER}
WORKER = Index("workers", "w", symmetric=True)
model = Model("turns", "Turns")
model.bound("workers", 3, "Workers.")
model.variable("done", Array(WORKER, Bool()))
A = model.actor("A")


@A.action(when=lambda s, w: not s.done[w], w=WORKER)
def work(s, w):
    """Work."""
    s.done[w] = True


@model.liveness(w=WORKER)
def all_done(s, w):
    """Each worker is done."""
    return s.done[w]
'''
    with tempfile.TemporaryDirectory() as folder:
        model = load(Path(folder), text).model
        found = []
        for asked in (None, (), None):
            family = Family(model)
            system = System(family, family.default_design(), asked=asked)
            found.append((text_of_kernel(system), system.lowered.name))
    assert found[0] == found[2]
    assert found[0][0] != found[1][0]
    assert found[0][1] != found[1][1]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x + by, LAST", "x + by, 6"),
        ("LAST = 7", "LAST = 8"),
        ("LAST = 7", 'import os\nLAST = int(os.environ["LAST_X"])'),
        ("by=1", "by=2"),
        ("s.x < 5", "s.x < 6"),
        ("s.x < 20", "s.x < 19"),
        ("Int(0, 20)", "Int(0, 21)"),
        ('"resets", "Resets."', '"sets", "Resets."'),
    ],
)
def test_whatever_a_lowering_sees_decides_what_it_is_kept_as(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, lowered: list[Family]
) -> None:
    """Another text, or another value wherever it comes from, is another model."""
    monkeypatch.setenv("LAST_X", "3")
    texts = (COUNTER, COUNTER.replace(old, new), COUNTER)
    found = [made_of(Family(load(tmp_path, text).model)) for text in texts]
    assert texts[0] != texts[1]
    assert found[0] == found[2] != found[1]
    if "environ" in new:
        monkeypatch.setenv("LAST_X", "4")
        assert made_of(Family(load(tmp_path, texts[1]).model)) not in found
    for text in texts:
        fresh(load(tmp_path, text).model)
    assert len(lowered) == 2


def test_methods_and_what_parts_keep_are_part_of_it(tmp_path: Path) -> None:
    """Also what only super() finds, and a module's function behind its name."""
    helper = tmp_path / "helper_of_parts.py"
    text = f'''{HEADER}
import sys
sys.path.insert(0, {str(tmp_path)!r})
import helper_of_parts


class Base(Part):
    def more(self, s):
        return s.x + 1


class Steps(Base):
    most: int

    def __init__(self, most):
        super().__init__("steps")
        self.most = most
        self.variable("x", Int(0, 9))

    def more(self, s):
        return min(super().more(s), self.most)


model = Model("parts", "Parts")
steps = Steps(5)
model.include(steps)
A = model.actor("A")


@A.action(when=lambda s: helper_of_parts.low(s.x))
def up(s):
    """Up."""
    s.x = steps.more(s)
'''

    def found(text: str, low: int = 4) -> str:
        sys.modules.pop("helper_of_parts", None)
        helper.write_text(f"LOW = {low}\n\n\ndef low(x):\n    return x < LOW\n")
        os.utime(helper, ns=(0, time.time_ns()))
        return made_of(Family(load(tmp_path, text).model))

    first = found(text)
    assert first
    assert found(text) == first
    others = [
        found(text.replace("s.x + 1", "s.x + 2")),
        found(text.replace("Steps(5)", "Steps(6)")),
        found(text, low=3),
    ]
    assert len({first, *others}) == 4


def test_another_version_of_fencecheck_or_python_reads_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The text of what lowers is part of it, not only its version."""
    family = Family(load(tmp_path, COUNTER).model)
    first = made_of(family)
    with monkeypatch.context() as patch:
        patch.setattr("fencecheck.model.lower.keeping.made_of.own_text", lambda: "other")
        assert made_of(family) != first
    assert made_of(family) == first


def test_what_no_other_process_could_compare_is_not_kept(
    tmp_path: Path, folder: Path, lowered: list[Family]
) -> None:
    """A name that may stand for an object of the author's own: lowered as ever, each time."""
    odd = "import sys\nHERE = sys.modules[__name__]\n\n\nclass Odd:\n    pass\n\n\nx = Odd()\n"
    text = COUNTER.replace("LAST = 7", f"{odd}LAST = 7").replace("= further(", "= HERE.further(")
    for _ in range(2):
        model = load(tmp_path, text).model
        assert not made_of(Family(model))
        fresh(model)
    assert len(lowered) == 2
    assert not folder.exists()


def test_a_model_with_a_mistake_is_never_kept(
    tmp_path: Path, folder: Path, lowered: list[Family]
) -> None:
    """It is refused with the same words each time, and good again once it is mended."""
    path = tmp_path / "m.py"
    path.write_text(COUNTER.replace("return min(x + by, LAST)", "return x ** by"))
    said = []
    for _ in range(2):
        with pytest.raises(ModelError) as error:
            load_family(str(path))
        said.append(str(error.value))
    assert "outside the subset" in said[0]
    assert said[0] == said[1]
    assert len(lowered) == 2
    assert not folder.exists()
    path.write_text(COUNTER)
    load_family(str(path))
    assert [entry.suffix for entry in folder.iterdir()] == [".lowered"]


def test_what_reads_budgets_is_kept_for_each_choice_of_them(
    tmp_path: Path, lowered: list[Family]
) -> None:
    """Of the others one entry serves all budgets."""
    for text, times in ((COUNTER, 1), (COUNTER.replace("s.x < 5", "s.resets_used < 1"), 2)):
        lowered.clear()
        model = load(tmp_path, text).model
        texts = []
        for resets in (1, 2, 1, 2):
            family = Family(model)
            capacity = family.design({}, {"resets": 2})
            system = System(family, family.design({}, {"resets": resets}), capacity)
            assert system.lowered.reads_totals == (times == 2)
            texts.append(text_of_kernel(system))
        assert texts[:2] == texts[2:]
        assert len(lowered) == times


# -- entries that are not as they were written ---------------------------------------------------
def _cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


def _flipped(content: bytes) -> bytes:
    return content[:-5] + bytes([content[-5] ^ 64]) + content[-4:]


@pytest.mark.parametrize(
    "damage", [lambda _: b"", lambda c: c[:32], _cut, _flipped, lambda _: b"no lowering" * 40]
)
def test_a_damaged_entry_is_made_anew(
    folder: Path, damage: Callable[[bytes], bytes], lowered: list[Family]
) -> None:
    """It is replaced, and good again afterwards."""
    fresh(pipelined.model)
    (path,) = folder.iterdir()
    good = path.read_bytes()
    path.write_bytes(damage(good))
    fresh(pipelined.model)
    assert len(lowered) == 2
    assert path.read_bytes() == good
    fresh(pipelined.model)
    assert len(lowered) == 2


def _foreign(text: str, where: str) -> str:
    """Return the text of an entry with something else in one place."""
    head, formulas = map(json.loads, text.split("\n"))
    node = formulas["nodes"][-1]
    match where:
        case "nothing":
            return ""
        case "other JSON":
            return "[]\n[]"
        case "no head":
            return text.split("\n")[1]
        case "no changes":
            head.pop("changes")
        case "changes":
            head["changes"] = 3
        case "no nodes":
            formulas["nodes"] = []
        case "operation":
            node[0] = "import os"
        case "argument":
            node[1] = [len(formulas["nodes"]) + 5]
        case "interval":
            node[3] = "low"
        case "twice":
            formulas["nodes"].append(node)
        case "cases":
            formulas["cases"][0][1] = "enabled"
    return f"{json.dumps(head)}\n{json.dumps(formulas)}"


@pytest.mark.parametrize(
    "where",
    [
        "nothing", "other JSON", "no head", "no changes", "changes", "no nodes", "operation",
        "argument", "interval", "twice", "cases",
    ],
)  # fmt: skip
def test_a_foreign_entry_is_made_anew(folder: Path, where: str) -> None:
    """Whole, and yet nothing that was written here: also where only its formulas are asked for."""
    expected = text_of_kernel(fresh(pipelined.model))
    (path,) = folder.iterdir()
    text = zlib.decompress(kept_entry(path.name) or b"").decode()
    keep_entry(path.name, zlib.compress(_foreign(text, where).encode()))
    assert text_of_kernel(fresh(pipelined.model)) == expected
    keep_entry(path.name, b"not compressed")
    assert text_of_kernel(fresh(pipelined.model)) == expected


def test_a_folder_that_cannot_be_written_costs_time_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lowered: list[Family]
) -> None:
    """A file stands where it should be; then an entry is a folder itself."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("FENCECHECK_CACHE", str(tmp_path / "file" / "kept"))
    expected = text_of_kernel(fresh(pipelined.model))
    assert text_of_kernel(fresh(pipelined.model)) == expected
    assert len(lowered) == 2
    monkeypatch.setenv("FENCECHECK_CACHE", str(tmp_path / "kept"))
    fresh(pipelined.model)
    (path,) = (tmp_path / "kept").iterdir()
    path.unlink()
    path.mkdir()
    assert text_of_kernel(fresh(pipelined.model)) == expected
    assert list((tmp_path / "kept").iterdir()) == [path]


LOAD = """
import os, sys
from fencecheck.model.files import kept
from fencecheck.model.files.loading import load_family
from fencecheck.model.system import System

if sys.argv[2:] == ["killed"]:
    def replace(*_):
        os.kill(os.getpid(), 9)
    os.replace = replace
family = load_family(sys.argv[1])
print(System(family, family.default_design()).lowered.name)
"""


def process(path: Path, *more: str, seed: str = "1") -> subprocess.Popen[str]:
    """Start a process that loads a model."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed}
    command = [sys.executable, "-c", LOAD, str(path), *more]
    return subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True)


def test_processes_know_one_lowering_and_none_that_was_cut_off(
    tmp_path: Path, folder: Path
) -> None:
    """One is killed while it writes; two write at once; other seeds for hashes, one name."""
    path = tmp_path / "m.py"
    path.write_text(COUNTER)
    killed = process(path, "killed")
    killed.communicate()
    assert killed.returncode == -signal.SIGKILL
    assert not list(folder.glob("*.lowered"))
    both = [process(path, seed=seed) for seed in ("2", "3")]
    names = {other.communicate()[0].strip() for other in both}
    assert len(names) == 1
    assert [entry.stem for entry in folder.glob("*.lowered")] == list(names)


@pytest.mark.parametrize("kept", [None, b"", b"0" * 63, b"no hash", b"\xff" * 64])
def test_the_hash_of_a_model_is_kept_beside_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, kept: bytes | None
) -> None:
    """It is read where it is whole, and worked out anew where it is not."""
    first = model_hash(Family(pipelined.model))
    (path,) = folder.glob("*.hash")
    if kept is not None:
        keep_entry(path.name, kept)
        assert model_hash(Family(pipelined.model)) == first
    worked_out: list[System] = []
    monkeypatch.setattr(identity, "digest_of", lambda system: worked_out.append(system))
    assert model_hash(Family(pipelined.model)) == first
    assert not worked_out


def test_the_hash_follows_what_is_declared_and_not_lowered(tmp_path: Path) -> None:
    """Where a model begins, and what a budget is called by default."""
    texts = (COUNTER, COUNTER.replace("Int(0, 20))", "Int(0, 20), initial=1)"))
    for text in texts * 2:
        family = Family(load(tmp_path, text).model)
        assert model_hash(family) == digest_of(System(family, family.default_design()))[:16]
