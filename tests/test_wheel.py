"""The wheel carries models and specs, and works from any folder with nothing in the environment."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SHIPPED = (
    ("models", "**/*.py"),
    ("specs", "**/*.toml"),
    ("specs", "**/*.json"),
    ("specs", "**/*.py"),
)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the wheel of this checkout is installed, its dependencies elsewhere."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-deps", "-w", folder / "built", ROOT], check=True)
    (wheel,) = (folder / "built").glob("*.whl")
    target = folder / "installed"
    subprocess.run([*pip, "install", "--no-deps", "--target", target, wheel], check=True)
    return target


def run(installed: Path, folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "fencecheck", *args]
    environment = {"PYTHONPATH": str(installed), "HOME": str(folder)}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_the_tour_runs_and_draws_in_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    done = run(installed, tmp_path, "compare")
    assert done.returncode == 0, done.stderr
    assert "step fence + journal" in done.stdout.replace("\n", " ") or "journal" in done.stdout
    pictures = tmp_path / "reports" / "tour"
    assert list(pictures.glob("*.svg"))
    png = sorted(pictures.glob("*.png"))[0]
    assert png.read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_it_is_the_wheel_that_runs_and_it_has_everything(installed: Path, tmp_path: Path) -> None:
    code = "import fencecheck, fencecheck.models, fencecheck.specs; print(fencecheck.__file__)"
    where = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env={"PYTHONPATH": str(installed)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert Path(where.stdout.strip()).is_relative_to(installed)
    for folder, pattern in SHIPPED:
        here = {p.relative_to(ROOT / folder) for p in (ROOT / folder).glob(pattern)}
        there = {
            p.relative_to(installed / "fencecheck" / folder)
            for p in (installed / "fencecheck" / folder).glob(pattern)
        }
        assert here == there
    incidents = installed / "fencecheck" / "specs" / "incidents"
    assert run(installed, tmp_path, "check", os.fspath(incidents), "--quiet").returncode == 0
    page = run(
        installed,
        tmp_path,
        "check",
        os.fspath(incidents / "n53_slow_worker.toml"),
        "--format",
        "html",
    )
    assert (page.returncode, page.stdout.count("<script")) == (0, 2)
    trace = installed / "fencecheck" / "specs" / "regressions" / "no_fence_lost_update.json"
    assert json.loads(trace.read_text())["schema"] == "fencecheck/trace/1"
    assert run(installed, tmp_path, "replay", os.fspath(trace)).returncode == 0
    catalogue = installed / "fencecheck" / "specs" / "catalogue"
    done = run(installed, tmp_path, "check", os.fspath(catalogue / "outbox.toml"))
    assert done.returncode == 0, done.stderr
