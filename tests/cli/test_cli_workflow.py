"""The workflow that ``init`` writes: YAML, and steps that do what they say when they are run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

yaml = pytest.importorskip("yaml")
WORKFLOW = Path(".github/workflows/fencecheck.yml")


@pytest.fixture
def job(queue: Path) -> dict[str, Any]:
    """Return the only job of the workflow beside the specs of ``init``."""
    told = yaml.safe_load((queue.parent / WORKFLOW).read_text("utf-8"))
    assert told[True] == ["push", "pull_request"]  # what YAML takes the key ``on`` for
    (only,) = told["jobs"].values()
    return dict(only)


def run_steps(job: dict[str, Any], folder: Path) -> list[subprocess.CompletedProcess[str]]:
    """Run the steps that are commands one after another, as a runner does; stop at a failure."""
    env = {**os.environ, "GITHUB_WORKSPACE": str(folder), "PIP_NO_INDEX": "1"}
    env |= {
        n: text.replace("${{ github.workspace }}", str(folder)) for n, text in job["env"].items()
    }
    env["GITHUB_STEP_SUMMARY"] = str(folder / "summary.md")
    env["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = []
    for command in (step["run"] for step in job["steps"] if "run" in step):
        shell = ["bash", "-eo", "pipefail", "-c", command]
        done.append(
            subprocess.run(
                shell, cwd=folder, env=env, capture_output=True, text=True, timeout=300, check=False
            )
        )
        if done[-1].returncode:
            break
    return done


def test_it_keeps_the_kernels_where_they_are_compiled_to(job):
    kept = [step["with"]["path"] for step in job["steps"] if "cache" in step.get("uses", "")]
    assert [f"${{{{ github.workspace }}}}/{path}" for path in kept] == [
        job["env"]["FENCECHECK_CACHE"]
    ]


def test_its_steps_check_the_specs(job, tmp_path):
    installed, checked = run_steps(job, tmp_path)
    assert (installed.returncode, checked.returncode) == (0, 0), checked.stderr
    assert checked.stdout == "fencecheck: jobs.toml: 6 verdicts, each as expected\n"
    assert (tmp_path / "summary.md").read_text().startswith("| `jobs.toml` | one run | no stuck |")


def test_its_last_step_fails_where_a_spec_does(job, queue, tmp_path):
    queue.write_text(queue.read_text().replace("events = 6", "events = 5"))
    (_, checked) = run_steps(job, tmp_path)
    assert checked.returncode == 1
    assert checked.stdout.startswith("::error file=jobs.toml,line=12,title=")
    assert "**1 of 6 verdicts not as expected**" in (tmp_path / "summary.md").read_text()
