"""The connection to a cluster: Ray, which is an extra, imported and started only where named."""

from __future__ import annotations

import atexit
import importlib
import importlib.util
import logging
import os
import pkgutil
import re
import socket
import warnings
from collections.abc import Iterator
from typing import Any

from fencecheck.errors import UsageError
from fencecheck.version import __version__

INSTALL = 'pip install "fencecheck[cluster]"'
FORMS = "auto, local:N or ray://HOST:PORT"
_LOCAL = re.compile(r"local:([1-9]\d*)")
_SERVER = re.compile(r"ray://([^/\s:]+):(\d+)")
_VERSION = "fencecheck.version:__version__"
_REACHED, _ANSWERED = 10, 60  # seconds that a machine has to be reached, and to say its version
_TOKEN = (
    "if it asks for a token, have RAY_AUTH_MODE=token and the same token here as there "
    "(ray get-auth-token)"
)
# what Ray says where its own processes take longer to start than it waits for them
_SLOW = re.compile("timed out during startup|Proxy failed to Connect|client server failed")
_started: str | None = None  # the address of the connection that this process made


def cluster_address(text: str) -> str:
    """Return an address that makes sense; raises UsageError for what is none."""
    if text == "auto" or _LOCAL.fullmatch(text) or _SERVER.fullmatch(text):
        return text
    raise UsageError(f'cluster "{text}": write {FORMS}')


def refuse_without_ray(address: str) -> None:
    """Raise UsageError where Ray, which comes with an extra, is not installed."""
    if importlib.util.find_spec("ray") is None:
        raise UsageError(f"cluster {address}: Ray is not installed; install it with {INSTALL}")


def connected(address: str) -> Any:
    """Return Ray's module with a connection to the cluster at an address, made where none is.

    ``auto`` is this machine with all its cores, ``local:N`` this machine with N processes, also
    where a cluster of several machines runs on it. Whoever has a connection of Ray's already keeps
    it. Raises UsageError where Ray is not installed, where there is no cluster, and where one of
    its machines has no fencecheck, or another.
    """
    global _started
    address = cluster_address(address)
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    refuse_without_ray(address)
    ray = importlib.import_module("ray")
    if ray.is_initialized() and _started in (None, address):
        return ray
    disconnect()
    _refuse_silence(address)
    _connect(ray, address)
    _started = address
    atexit.register(disconnect)
    try:
        _refuse_other_machines(ray, address)
    except UsageError:
        disconnect()
        raise
    return ray


def _refuse_silence(address: str) -> None:
    """Raise UsageError where nothing listens: Ray itself tries for half a minute, and says less."""
    if not (server := _SERVER.fullmatch(address)):
        return
    try:
        socket.create_connection((server[1], int(server[2])), _REACHED).close()
    except (OSError, OverflowError) as error:
        said = getattr(error, "strerror", None) or str(error)
        raise UsageError(
            f"cluster {address}: nothing listens there ({said}); start it on {server[1]} with "
            "ray start --head, and name the port of its client server, 10001 unless told otherwise"
        ) from None


def _connect(ray: Any, address: str) -> None:
    """Have Ray connect to, or start, the cluster at an address; once more where it was slow."""
    for again in (True, False):
        try:
            _initialised(ray, address)
            return
        except Exception as error:  # Ray raises plain ones too
            ray.shutdown()
            said = " ".join(str(error).split()) or type(error).__name__
            if again and _SLOW.search(said):
                continue
            token = f"; {_TOKEN}" if address.startswith("ray://") and "timeout" in said else ""
            raise UsageError(
                f"cluster {address}: there is no cluster to be had ({said}){token}"
            ) from None


def _initialised(ray: Any, address: str) -> None:
    quiet: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}
    if address.startswith("ray://"):
        with warnings.catch_warnings(action="ignore"):
            ray.init(address, **quiet)
    else:
        here = _LOCAL.fullmatch(address)
        cores = int(here[1]) if here else len(os.sched_getaffinity(0))
        ray.init("local", num_cpus=cores, include_dashboard=False, **quiet)


def _refuse_other_machines(ray: Any, address: str) -> None:
    """Raise UsageError where a machine of the cluster has no fencecheck, or another version."""
    if not address.startswith("ray://"):
        return
    for machine, version in _versions(ray):
        if version != __version__:
            raise UsageError(
                f"cluster {address}: its machine {machine} has {version or 'no'} fencecheck, and "
                f"this one {__version__}; install the same version on all: {INSTALL}"
            )


def _versions(ray: Any) -> Iterator[tuple[str, str | None]]:
    """Yield each machine with its version of fencecheck, None where there is none.

    Those that are lost, or do not answer, are passed over.
    """
    task = ray.remote(num_cpus=0)(pkgutil.resolve_name)  # every machine has Python's own library
    there = importlib.import_module("ray.util.scheduling_strategies").NodeAffinitySchedulingStrategy
    asked = {
        task.options(scheduling_strategy=there(node["NodeID"], soft=False)).remote(_VERSION): node
        for node in ray.nodes()
        if node["Alive"]
    }
    done, _ = ray.wait(list(asked), num_returns=len(asked), timeout=_ANSWERED)
    for answer in done:
        try:
            yield asked[answer]["NodeManagerAddress"], ray.get(answer)
        except ray.exceptions.RayTaskError:
            yield asked[answer]["NodeManagerAddress"], None
        except ray.exceptions.RayError:
            continue


def disconnect() -> None:
    """Leave the cluster that ``connected`` made a connection to."""
    global _started
    if _started is not None:
        _started = None
        importlib.import_module("ray").shutdown()
