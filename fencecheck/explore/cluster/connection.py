"""The connection to a cluster: Ray, which is an extra, imported and started only where named."""

from __future__ import annotations

import atexit
import importlib
import importlib.util
import logging
import os
import re
from typing import Any

from fencecheck.errors import UsageError

INSTALL = 'pip install "fencecheck[cluster]"'
FORMS = "auto, local:N or ray://HOST:PORT"
_LOCAL = re.compile(r"local:([1-9]\d*)")
_SERVER = re.compile(r"ray://[^/\s:]+:\d+")
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

    ``auto`` is this machine with all its cores, ``local:N`` this machine with N processes. Whoever
    has a connection of Ray's already keeps it. Raises UsageError where Ray is not installed, and
    where there is no cluster.
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
    quiet: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}
    try:
        if address.startswith("ray://"):
            ray.init(address, **quiet)
        else:
            here = _LOCAL.fullmatch(address)
            cores = int(here[1]) if here else len(os.sched_getaffinity(0))
            ray.init(num_cpus=cores, include_dashboard=False, **quiet)
    except (ConnectionError, OSError, RuntimeError, ValueError) as error:
        said = str(error).strip().splitlines() or [type(error).__name__]
        raise UsageError(f"cluster {address}: there is no cluster to be had ({said[0]})") from None
    _started = address
    atexit.register(disconnect)
    return ray


def disconnect() -> None:
    """Leave the cluster that ``connected`` made a connection to."""
    global _started
    if _started is not None:
        _started = None
        importlib.import_module("ray").shutdown()
