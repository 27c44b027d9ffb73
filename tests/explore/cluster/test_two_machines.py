"""A cluster of two machines, as two nodes of Ray's on this one, asked through the Ray Client.

The asker's files are in a folder that only it sees, where this machine lets it have one.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import secrets
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from fencecheck.explore.cluster.connection import disconnect
from fencecheck.explore.cluster.search import ClusterExplorer
from fencecheck.explore.graph import Limits
from fencecheck.explore.resources import Resources, Tick
from fencecheck.explore.watch import Watch
from tests.conform.driving import DESIGNS, OURS
from tests.explore.cluster.processes import SECONDS, awaited, owners_of, raylet_of
from tests.explore.cluster.test_on_ray import F4
from tests.explore.cluster.test_owners import SYSTEMS, system_named

pytestmark = pytest.mark.cluster
ADAPTER = """
from fencecheck.conform import Adapter, on
from shelf import Shelf
class Receiver(Adapter):
    def __init__(self):
        self.shelf = Shelf()
    @on("sender.send")
    def send(self, letter):
        self.post(letter)
    @on("receiver.take", "receiver.refuse")
    def receive(self, letter):
        return self.shelf.put(letter)
    def observe(self):
        taken = self.shelf.taken
        return {"shelf.taken": {f"letter {n}" for n in taken}, "shelf.count": len(taken)}
"""
SHELF = """
class Shelf:
    def __init__(self):
        self.taken = []
    def put(self, letter):
        if letter in self.taken:
            return "known"
        if len(self.taken) == 1:
            raise OSError("it is full")
        self.taken.append(letter)
        return "taken"
"""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@dataclass
class Node:
    """One node: ``ray start --block`` with a folder of its own, where its processes run."""

    pid: int

    def raylet(self) -> int | None:
        return raylet_of(self.pid)

    def owners(self) -> list[int]:
        return owners_of(self.pid)


def started(folder: Path, *how: str) -> subprocess.Popen[bytes]:
    folder.mkdir()
    ray = str(Path(sys.executable).with_name("ray"))
    given = ["--num-cpus=1", "--object-store-memory=100000000", "--dashboard-agent-listen-port=0"]
    log = folder / "log"
    with log.open("wb") as printed:
        process = subprocess.Popen(
            [ray, "start", "--block", *given, *how], cwd=folder, stdin=subprocess.DEVNULL,
            stdout=printed, stderr=printed, start_new_session=True,
        )  # fmt: skip
    awaited(process, log, lambda: b"Ray runtime started" in log.read_bytes())
    return process


@dataclass
class Two:
    """The address of two nodes, and the second of them, which may die."""

    address: str
    second: Node


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Two]:
    folder, before = tmp_path_factory.mktemp("two"), dict(os.environ)
    (folder / "token").write_text(secrets.token_hex(16))
    os.environ |= {
        "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN_PATH": str(folder / "token"),
        "RAY_USAGE_STATS_ENABLED": "0",
        # Ray's server of one asker may take longer to start than the half minute that it is given
        "RAY_CLIENT_SERVER_CHECK_CHANNEL_TIMEOUT_S": str(SECONDS),
    }  # fmt: skip
    head, client, nodes = free_port(), free_port(), list[subprocess.Popen[bytes]]()
    short = Path("/tmp") / f"fencecheck-{secrets.token_hex(4)}"  # sockets have short names
    try:
        first = (f"--port={head}", f"--ray-client-server-port={client}")
        nodes.append(started(folder / "1", "--head", "--include-dashboard=false",
                             f"--temp-dir={short}-1", *first))  # fmt: skip
        nodes.append(started(folder / "2", f"--address=127.0.0.1:{head}",
                             f"--temp-dir={short}-2"))  # fmt: skip
        yield Two(f"ray://127.0.0.1:{client}", Node(nodes[1].pid))
    finally:
        for node in nodes[::-1]:  # they end their own processes, and no others
            node.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                node.wait(20)
        for number in (1, 2):
            shutil.rmtree(f"{short}-{number}", ignore_errors=True)
        for key in set(os.environ) - set(before):
            del os.environ[key]
        os.environ.update(before)


@pytest.fixture
def hidden(tmp_path: Path) -> list[str]:
    """The start of a command that runs in a folder whose files no other process sees."""
    kept, folder = tmp_path / "kept", tmp_path / "hidden"
    kept.mkdir()
    folder.mkdir()
    (kept / "adapter.py").write_text(ADAPTER)
    (kept / "shelf.py").write_text(SHELF)
    (kept / "letters.py").write_text((OURS / "letters.py").read_text())
    spec = (OURS / "letters.toml").read_text().replace('patience = "on"', 'patience = "off"')
    (kept / "letters.toml").write_text(spec.replace("require = []", 'require = ["counted"]'))
    mounted = f"mount -t tmpfs none {shlex.quote(str(folder))} && cp {shlex.quote(str(kept))}/* "
    script = f'{mounted} {shlex.quote(str(folder))} && cd {shlex.quote(str(folder))} && exec "$@"'
    start = ["unshare", "-rm", "sh", "-c", script, "sh"]
    with contextlib.suppress(OSError):
        if subprocess.run([*start, "true"], capture_output=True, check=False).returncode == 0:
            return [*start, sys.executable, "-m", "fencecheck"]
    pytest.skip("this machine gives nobody a folder of its own")


COMMANDS = [
    "check letters.toml",
    "fuzz letters.toml --seeds 2000",
    "drive letters.toml adapter.py:Receiver",
    "drive letters.toml adapter.py:Receiver --by runs",
    "drive letters.toml adapter.py:Receiver --by walks --walks 60",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_files_that_only_the_asker_has(command: str, two: Two, hidden: list[str]) -> None:
    found = []
    for where in ([], ["--cluster", two.address]):
        args = [*hidden, *command.split(), "--quiet", *where]
        done = subprocess.run(
            args, capture_output=True, text=True, check=False, timeout=SECONDS,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
        lines = [line for line in done.stdout.splitlines() if " second" not in line]
        found.append((done.returncode, done.stderr, lines))
    assert found[0] == found[1], found[1][1]
    assert found[0][0] in (0, 1)


def test_a_lattice_is_judged_there(two: Two) -> None:
    args = [sys.executable, "-m", "fencecheck", "explain", str(DESIGNS / "no_fence.toml"),
            "--part", "designs", "--cluster", two.address]  # fmt: skip
    done = subprocess.run(
        args, capture_output=True, text=True, check=False, timeout=SECONDS, stdin=subprocess.DEVNULL
    )
    assert done.returncode in (0, 1), done.stderr
    assert "died" not in done.stdout


def searched_with_a_loss(two: Two) -> tuple[int, tuple[int, int, int]]:
    """Kill the second node and its owners in mid-search; return how many, and what is found."""
    lost = list[int]()

    def kill(tick: Tick) -> None:
        raylet = two.second.raylet()
        if tick.owners and tick.depth >= 8 and not lost and raylet is not None:
            lost.extend(two.second.owners())
            for pid in (raylet, *lost):
                os.kill(pid, signal.SIGKILL)

    SYSTEMS["F4"] = ("pipelined.py", {}, F4)
    system = system_named("F4")
    given = Resources(every=0.0, progress=kill)
    explorer = ClusterExplorer("auto", given, address=two.address, alone=500)
    search = explorer.explore(system, Watch(system), Limits()).search
    disconnect()
    return len(lost), (search.count, search.transitions, search.depth)


def test_a_machine_that_is_lost_is_made_up_for(two: Two) -> None:
    """Its node is killed with the owner on it: new owners go on, on the machine that is left.

    A process of its own asks: one that has used Ray before would go on without the token.
    """
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as other:
        lost, found = other.submit(searched_with_a_loss, two).result(SECONDS)
    assert lost
    assert found == (24_279, 82_885, 15)
