"""``fencecheck init``: a start for one's own work: a model, a spec with expectations, a README.

The texts are below; tests run what they say. Nothing that exists is overwritten.
"""

from __future__ import annotations

from pathlib import Path

import click

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

For completion in an editor, save the schema of your specs and name it in their first line:

    fencecheck list --schema jobs.py > jobs.schema.json      #:schema ./jobs.schema.json

A model file is code: checking a spec runs it.
"""

FILES = {"jobs.py": MODEL, "jobs.toml": SPEC, "README.md": README}


@click.command()
@click.argument("folder", metavar="DIR")
def init(folder: str) -> int:
    """Write a start for a protocol of your own.

    DIR gets a small model, a spec with expectations, and a README. A file that exists is never
    overwritten.
    """
    place = Path(folder)
    taken = [str(place / name) for name in FILES if (place / name).exists()]
    if taken:
        raise UsageError(f"{', '.join(taken)}: exists already; name another folder")
    try:
        place.mkdir(parents=True, exist_ok=True)
        for name, text in FILES.items():
            with (place / name).open("x", encoding="utf-8", newline="\n") as file:
                file.write(text)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be written ({error.strerror or error})") from None
    put_text("\n".join(f"wrote {place / name}" for name in FILES))
    put_text(f"next: fencecheck check {place / 'jobs.toml'}")
    return 0
