"""Where a cluster is, what is sent there, and that nobody pays for it who does not ask."""

from __future__ import annotations

import importlib.util
import pickle
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

import fencecheck as fc
from fencecheck.checking.question import Options
from fencecheck.cli import main
from fencecheck.errors import UsageError
from fencecheck.explore.cluster.connection import cluster_address, connected, disconnect
from fencecheck.explore.cluster.parcel import parcel_of
from fencecheck.explore.graph import Limits
from fencecheck.model.family import Family
from fencecheck.model.files.loading import load_family
from fencecheck.model.parts import Model
from fencecheck.version import __version__
from tests.explore.cluster.in_process import RayError, RayTaskError
from tests.models_for_tests import system_of, two_phase

HELPER = "LIMIT = 3\n"
MODEL = """
from fencecheck.model import Int, Model
from beside_for_cluster import LIMIT
model = Model("sent", "A model with a file beside it")
model.variable("at", Int(0, LIMIT), owner=model.store("store"))
worker = model.actor("worker")
@worker.action(when=lambda s: s.at < LIMIT)
def count(s):
    s.at += 1
"""


@pytest.fixture
def no_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util,
        "find_spec",
        lambda name, *rest: None if name == "ray" else found(name, *rest),
    )


@pytest.mark.parametrize("address", ["auto", "local:1", "local:16", "ray://head:10001"])
def test_addresses(address: str) -> None:
    assert cluster_address(address) == address


@pytest.mark.parametrize(
    "address", ["", "local", "local:0", "local:x", "ray://", "ray://head", "head:1"]
)
def test_what_is_no_address_is_told_what_to_write(address: str) -> None:
    with pytest.raises(UsageError, match="write auto, local:N or ray://HOST:PORT"):
        cluster_address(address)


@pytest.mark.usefixtures("no_ray")
@pytest.mark.parametrize("command", ["check", "compare", "explain", "fuzz", "draw", "crosscheck"])
def test_without_the_extra_the_line_to_install_is_told(command: str) -> None:
    result = CliRunner().invoke(main, [command, "specs/tour.toml", "--cluster", "auto"])
    assert result.exit_code == 2
    assert (
        'Ray is not installed; install it with pip install "fencecheck[cluster]"' in result.output
    )


@pytest.mark.usefixtures("no_ray")
def test_without_the_extra_the_call_says_so() -> None:
    with pytest.raises(UsageError, match="Ray is not installed"):
        fc.check("specs/tour.toml", cluster="local:2")


def test_nothing_of_a_cluster_is_loaded_without_the_option() -> None:
    code = """
import sys
from fencecheck.checking.question import Options
from fencecheck.cli import main
main(["check", "specs/designs/no_fence.toml"], standalone_mode=False)
print([m for m in sys.modules if m == "ray" or "cluster" in m or m == "fencecheck.checking.tasks"])
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert told.stdout.splitlines()[-1] == "[]", told.stderr


# -- a cluster of several machines ------------------------------------------------------------
class Ray(ModuleType):
    """Stands in for Ray: ``init`` raises what is wrong in turn, machines say their versions."""

    class exceptions:  # noqa: N801 - it is a module of Ray's
        RayError, RayTaskError = RayError, RayTaskError

    def __init__(self, *wrong: Exception, versions: Sequence[Any] = ()) -> None:
        super().__init__("ray")
        self.__spec__ = ModuleSpec("ray", None)
        self.wrong, self.versions, self.up = list(wrong), list(versions), False
        self.NodeAffinitySchedulingStrategy = lambda number, soft: number

    def is_initialized(self) -> bool:
        return self.up

    def init(self, *args: Any, **how: Any) -> None:
        if self.wrong:
            raise self.wrong.pop(0)
        self.up = True

    def shutdown(self) -> None:
        self.up = False

    def nodes(self) -> list[dict[str, Any]]:
        return [
            {"Alive": True, "NodeID": number, "NodeManagerAddress": f"10.0.0.{number}"}
            for number in range(len(self.versions))
        ]

    def remote(self, **how: Any) -> Any:
        return lambda function: self

    def options(self, scheduling_strategy: int) -> Any:
        return SimpleNamespace(remote=lambda name: scheduling_strategy)

    def wait(self, results: list[int], num_returns: int, timeout: float) -> tuple[list[int], Any]:
        return results, []

    def get(self, number: int) -> Any:
        if isinstance(self.versions[number], Exception):
            raise self.versions[number]
        return self.versions[number]


@pytest.fixture
def listening() -> Iterator[str]:
    """The address of a port at which something listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"ray://127.0.0.1:{server.getsockname()[1]}"


def connected_by(ray: Ray, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", ray)
    monkeypatch.setitem(sys.modules, "ray.util.scheduling_strategies", ray)
    try:
        connected(address)
    finally:
        disconnect()


def test_where_nothing_listens_it_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        address = f"ray://127.0.0.1:{bound.getsockname()[1]}"
        with pytest.raises(UsageError, match=r"nothing listens there .*ray start --head"):
            connected_by(Ray(), address, monkeypatch)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (ConnectionError("ray client connection timeout"), "timeout.; if it asks for a token"),
        (RuntimeError("Version mismatch:\n  Python: 3.11\n  Python: 3.12"), r"Python: 3.12\)$"),
        (Exception("no room for an object store"), r"\(no room for an object store\)$"),
    ],
)
def test_why_there_is_no_connection_is_told(
    wrong: Exception, told: str, listening: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UsageError, match=told):
        connected_by(Ray(wrong), listening, monkeypatch)


LATE = [
    Exception("The current node timed out during startup. This could happen because ..."),
    ConnectionError("ray client connection failed: Proxy failed to Connect to backend! Check ..."),
]


@pytest.mark.parametrize("late", LATE)
def test_processes_of_rays_that_start_too_slowly_are_asked_once_more(
    late: Exception, listening: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for address in ("local:2", listening):
        connected_by(Ray(late), address, monkeypatch)
        with pytest.raises(UsageError, match="there is no cluster to be had"):
            connected_by(Ray(late, late), address, monkeypatch)


@pytest.mark.parametrize(
    ("there", "told"),
    [
        ("0.0.1", r"its machine 10\.0\.0\.1 has 0\.0\.1 fencecheck, and this one "),
        (RayTaskError("ModuleNotFoundError"), r"its machine 10\.0\.0\.1 has no fencecheck"),
    ],
)
def test_a_machine_that_has_another_fencecheck_is_named(
    there: Any, told: str, listening: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ray = Ray(versions=[__version__, there])
    with pytest.raises(UsageError, match=told):
        connected_by(ray, listening, monkeypatch)
    assert not ray.up


def test_a_machine_that_is_lost_is_none_of_the_cluster(
    listening: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    connected_by(Ray(versions=[__version__, RayError("died")]), listening, monkeypatch)


def own_family(folder: Path) -> Family:
    (folder / "beside_for_cluster.py").write_text(HELPER)
    (folder / "sent.py").write_text(MODEL)
    return load_family(str(folder / "sent.py"))


def test_a_model_is_loaded_where_its_files_are_not(tmp_path: Path) -> None:
    family = own_family(tmp_path)
    parcel = parcel_of(family)
    for file in tmp_path.glob("*.py"):
        file.unlink()
    there = replace(parcel, folder="/nowhere").opened()
    assert there is not family
    assert there.reference == family.reference
    assert [v.name for v in there.declared.variables] == ["at"]


def test_a_model_is_loaded_from_its_files_where_they_are(tmp_path: Path) -> None:
    family = own_family(tmp_path)
    assert parcel_of(family).opened() is family


def test_a_file_that_cannot_be_read_there_is_no_reason_to_stop(tmp_path: Path) -> None:
    """Another machine may have something else at the same path, even what is no text."""
    parcel = parcel_of(own_family(tmp_path))
    (tmp_path / "beside_for_cluster.py").write_bytes(b"LIMIT = '\xff'\n")
    assert replace(parcel, folder="/nowhere/else").opened().reference == parcel.reference


def test_another_version_is_refused() -> None:
    parcel = replace(parcel_of(load_family("fence")), version="0.0.0")
    with pytest.raises(UsageError, match=r"0\.0\.0 asks: install the same version on all"):
        parcel.opened()


def test_a_model_in_no_file_cannot_be_sent() -> None:
    model: Any = two_phase.model
    assert isinstance(model, Model)
    family = Family(model)
    family.reference = "made here.py"
    with pytest.raises(UsageError, match="is in no file"):
        parcel_of(family)


def test_options_go_to_other_processes_without_what_was_spent_here() -> None:
    options = Options(timeouts := Limits(seconds=3.0), "compiled", 2)
    system = system_of(two_phase.model, managers=2)
    options.spent[system.lowered] = 1.0
    again = pickle.loads(pickle.dumps(options))
    assert (again, again.limits, len(again.spent)) == (options, timeouts, 0)
