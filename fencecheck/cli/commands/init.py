"""``fencecheck init``: a start for one's own work: a model, a spec, a README, a workflow for CI.

The texts are below; tests run what they say. Nothing that exists is overwritten.
"""

from __future__ import annotations

from pathlib import Path

import click

from fencecheck.cli.commands.outside.starts import CONFORMANCE
from fencecheck.cli.terminal import put_text
from fencecheck.errors import UsageError

MODEL = '''\
"""A queue with one job: workers look whether it is free, take it, and run it."""

from fencecheck.model import Array, Count, Enum, Index, Model

model = Model("jobs", "Workers and one job")
model.bound("workers", 2, "workers that look for work")
model.budget("crashes", "times a worker vanishes with the job")
model.mechanism("claim", ("split", "atomic"), "split", "whether looking and taking are one event")
model.mechanism("reaper", ("off", "on"), "off", "whether the job of a vanished worker is freed")

WORKER = Index("workers", "w")
machine = model.actor("machine", "interference")
worker = model.actor("worker")
reaper = model.actor("reaper")
queue = model.store("queue")
model.variable("job", Enum("free", "taken", "done"), owner=queue)
model.variable("phase", Array(WORKER, Enum("idle", "saw it", "runs it")), owner=worker)
model.ghost("runs", Count(2), owner=queue, doc="how often the job was run, up to twice")


@worker.action(
    w=WORKER, when=lambda s, w: s.claim == "split" and s.phase[w] == "idle" and s.job == "free"
)
def look(s, w):
    """A worker sees that the job is free."""
    s.phase[w] = "saw it"


@worker.action(
    w=WORKER,
    when=lambda s, w: (
        s.phase[w] == "saw it" or (s.claim == "atomic" and s.phase[w] == "idle" and s.job == "free")
    ),
)
def take(s, w):
    """A worker takes the job."""
    s.job = "taken"
    s.phase[w] = "runs it"


@worker.action(w=WORKER, when=lambda s, w: s.phase[w] == "runs it")
def finish(s, w):
    """A worker has run the job."""
    s.job = "done"
    s.phase[w] = "idle"
    s.runs += 1


@machine.interference("crashes", w=WORKER, when=lambda s, w: s.phase[w] == "runs it")
def crash(s, w):
    """A worker vanishes before the job is run, and another starts in its place."""
    s.phase[w] = "idle"


@reaper.action(
    when=lambda s: s.reaper == "on" and s.job == "taken" and all(p != "runs it" for p in s.phase)
)
def free(s):
    """The job of a worker that vanished is free again."""
    s.job = "free"


@model.invariant(relevant=["job"])
def one_run(s):
    """The job is run at most once."""
    return s.runs <= 1


@model.deadlock(relevant=["job"])
def no_stuck(s):
    """Where nothing more can happen the job is done."""
    return s.job == "done"
'''

SPEC = """\
#:schema ./jobs.schema.json
model = "jobs.py"
title = "Two workers and one job"

[bounds]
workers = 2
crashes = 1

[[variant]]
name = "look, then take"

[variant.expect]
one_run = { verdict = "violated", events = 6 }
no_stuck = { verdict = "violated", events = 3 }

[[variant]]
name = "take at once"
mechanisms = { claim = "atomic" }

[variant.expect]
no_stuck = { verdict = "violated", events = 2 }

[[variant]]
name = "take at once, with a reaper"
mechanisms = { claim = "atomic", reaper = "on" }
"""

README = """\
# A protocol and what must hold of it

`jobs.py` is a model: state, who acts, what can go wrong, what must hold. `jobs.toml` says which
designs of it to check, and what is expected of each.

    fencecheck check jobs.toml       verdicts, and the shortest event order of each violation
    fencecheck compare jobs.toml     the designs side by side, with diagrams in reports/
    fencecheck list jobs.py          what a spec can switch on and bound
    fencecheck check jobs.toml --bound workers=3 --property one_run
    fencecheck check jobs.toml --bound crashes=any      verdicts for any number of crashes

In a spec with expectations a required property that is not mentioned is expected to hold. The
exit code is 0 when every verdict is the expected one, 1 when one is not.

In the model a worker counts from 0; people, specs and traces count from 1. Write your own actors,
variables and events in place of these, a property for what must never happen, and let `check`
show the shortest way in which it does. A mistake is reported with its line and what to write
instead. Models are explained line by line in `models/README.md` of the fencecheck repository,
specs in `specs/README.md`.

`jobs.schema.json` is for completion in an editor: the first line of `jobs.toml` names it. Once the
model has other switches, bounds or properties, write it anew:

    fencecheck list --schema jobs.py > jobs.schema.json

A model file is code: checking a spec runs it.

`.github/workflows/fencecheck.yml` checks every spec on each push, where this folder is the root of
a repository, with annotations at the lines of specs and a summary, and keeps compiled kernels. Its
`Install` step may name a checkout of fencecheck instead.
"""

WORKFLOW = """\
name: fencecheck
on: [push, pull_request]

jobs:
  fencecheck:
    runs-on: ubuntu-latest
    env:
      FENCECHECK_CACHE: ${{ github.workspace }}/.fencecheck/kernels
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - name: Keep compiled kernels
        uses: actions/cache@v4
        with:
          path: .fencecheck/kernels
          key: fencecheck-${{ runner.os }}-${{ hashFiles('**/*.py', '**/*.toml') }}
          restore-keys: fencecheck-${{ runner.os }}-
      - name: Install
        run: python -m pip install fencecheck
      - name: Check every spec
        run: fencecheck check . --format github
"""

WORKFLOW_FILE = ".github/workflows/fencecheck.yml"
FILES = {"jobs.py": MODEL, "jobs.toml": SPEC, "README.md": README, WORKFLOW_FILE: WORKFLOW}
SCHEMA = "jobs.schema.json"
DRIVE = 'fencecheck drive jobs.toml adapter.py:TrustingJobs --variant "take at once, with a reaper"'


@click.command()
@click.argument("folder", metavar="DIR")
@click.option(
    "--conform",
    is_flag=True,
    help="Also write code for the model, an adapter that has it driven through every event order, "
    "and a test for pytest.",
)
def init(folder: str, conform: bool) -> int:
    """Write a start for a protocol of your own.

    DIR gets a small model, a spec with expectations, a schema of such specs for editors, a README,
    and a workflow for GitHub Actions, which counts where DIR is the root of a repository. A file
    that exists is never overwritten.
    """
    place = Path(folder)
    files = {**FILES, **CONFORMANCE} if conform else FILES
    names = [*files, SCHEMA]
    taken = [str(place / name) for name in names if (place / name).exists()]
    if taken:
        raise UsageError(f"{', '.join(taken)}: exists already; name another folder")
    try:
        place.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            _write(place / name, text)
        _write(place / SCHEMA, _schema_of(place / "jobs.py"))
    except OSError as error:
        raise UsageError(f"{folder}: cannot be written ({error.strerror or error})") from None
    put_text("\n".join(f"wrote {place / name}" for name in names))
    put_text(f"next: fencecheck check {place / 'jobs.toml'}")
    if conform:
        put_text(f"then: cd {place}; pytest; {DRIVE}")
    return 0


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("x", encoding="utf-8", newline="\n") as file:
        file.write(text)


def _schema_of(model: Path) -> str:
    """Return the schema of the specs of a model as ``fencecheck list --schema`` prints it."""
    from fencecheck.report.words.visible import json_text
    from fencecheck.spec.files import spec_schema

    return json_text(spec_schema([str(model)]))
