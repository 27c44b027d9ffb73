"""An executor over a git worktree: a step is a commit, and the fence is the lease of its push.

The workspace is a branch of a bare repository. A command names the commit that it was planned on;
``git push --force-with-lease`` moves the branch from there in one go, or is refused. Nothing of
the executor's process is needed to go on: it holds only the answer that it has not sent.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from tests.conform.systems.executors import (
    APPLIED,
    MISFIT,
    STALE,
    Answer,
    Command,
    Executor,
    StepFence,
)

BRANCH, FILE = "main", "plan.txt"
QUIET = {
    "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.org", "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
}  # fmt: skip


def git(folder: Path, *args: str, given: str | None = None) -> str:
    """Run git in a folder; raises CalledProcessError where it refuses."""
    done = subprocess.run(
        ["git", *args], cwd=folder, env={**os.environ, **QUIET}, input=given, text=True,
        capture_output=True, check=True,
    )  # fmt: skip
    return done.stdout.strip()


class Repository:
    """A bare repository as the workspace: its revision is how many commits follow the first."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="worktree-")
        self.bare = Path(self._folder.name) / "workspace.git"
        self.work = Path(self._folder.name) / "work"
        git(Path(self._folder.name), "init", "-q", "--bare", "-b", BRANCH, str(self.bare))
        git(Path(self._folder.name), "clone", "-q", str(self.bare), str(self.work))
        self.push(self.commit("original", []), None)

    @property
    def head(self) -> str:
        return git(self.bare, "rev-parse", BRANCH)

    @property
    def rev(self) -> int:
        return int(git(self.bare, "rev-list", "--count", BRANCH)) - 1

    @property
    def content(self) -> str:
        return self.content_of(BRANCH)

    def content_of(self, commit: str) -> str:
        return git(self.bare, "show", f"{commit}:{FILE}")

    def at(self, rev: int) -> str:
        """Return the commit of a revision."""
        return git(self.bare, "rev-list", "--reverse", BRANCH).split()[rev]

    def commit(self, content: str, parents: list[str]) -> str:
        """Make a commit of the file in the worktree, on no branch."""
        git(self.work, "fetch", "-q")
        blob = git(self.work, "hash-object", "-w", "--stdin", given=content)
        tree = git(self.work, "mktree", given=f"100644 blob {blob}\t{FILE}\n")
        onto = [word for parent in parents for word in ("-p", parent)]
        return git(self.work, "commit-tree", tree, *onto, "-m", content)

    def push(self, commit: str, lease: str | None) -> bool:
        """Move the branch to a commit if it is where the lease says (None: wherever it is)."""
        how = "--force" if lease is None else f"--force-with-lease={BRANCH}:{lease}"
        try:
            git(self.work, "push", "-q", how, "origin", f"{commit}:refs/heads/{BRANCH}")
        except subprocess.CalledProcessError:
            return False
        return True

    def write(self, content: str) -> None:
        """A person commits to the branch."""
        self.push(self.commit(content, [self.head]), None)

    def close(self) -> None:
        self._folder.cleanup()


class Pusher(Executor):
    """Compares and writes in one push; the content is compared in the commit that was named."""

    disk: Any

    def execute(self, command: Command) -> str:
        word = self.pushed(command)
        self.answer = Answer(command.step, command.plan, word)
        return word

    def pushed(self, command: Command) -> str:
        assert command.base is not None
        lease = self.disk.at(command.base)
        if self.disk.content_of(lease) != command.pre:
            return MISFIT if self.disk.head == lease else STALE
        commit = self.disk.commit(f"s{command.step}", [lease])
        return APPLIED if self.disk.push(commit, lease) else STALE


class WithoutLease(Pusher):
    """Pushes by force onto whatever the branch is by now."""

    def pushed(self, command: Command) -> str:
        self.disk.push(self.disk.commit(f"s{command.step}", [self.disk.head]), None)
        return APPLIED


class Worktree(StepFence):
    """The step fence as git has it."""

    disk: Any = Repository
    executor = Pusher
    workspace: Any

    def close(self) -> None:
        self.workspace.close()


class Forcing(Worktree):
    """A fence that is not there."""

    executor = WithoutLease
