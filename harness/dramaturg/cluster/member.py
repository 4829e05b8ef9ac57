"""A scheduler or a worker of Dask, which ends at the end of its input.

Started as ``python -m dramaturg.cluster.member`` on this machine, by srun or through ssh, always in
the same way. The first line of its input says as what; keys come this way as well, so no command
line and no file has them. It answers with its address in one line. Whoever started it holds the
other end of its input: when that is closed, in whatever way, it ends, and what it performs with it.
"""

import asyncio
import contextlib
import json
import os
import signal
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import dask
from distributed import Scheduler, Security, Worker

from dramaturg.cluster import cluster_address, task, tls_keys
from dramaturg.processes import fence

TTL = 15
"""Seconds for which a worker may be silent: it tells every second that it is there, from a process
that only waits. Beyond that it is stopped, or its host is lost."""

_PATIENCE = 20.0
"""Seconds in which all that is performed has to have ended when this is to end."""

_CONFIG = {
    # A page that shows what is performed would be for everybody on the machine.
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    "distributed.scheduler.worker-ttl": f"{TTL} seconds",
    # A worker whose process is killed may have been killed by what it performed: not twice.
    "distributed.scheduler.allowed-failures": 2,
    # Mapped pages would count for these limits.
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": False,
    "distributed.worker.profile.enabled": False,
    "distributed.comm.timeouts.connect": "10s",
    "distributed.comm.timeouts.tcp": "20s",
    "distributed.comm.retry.count": 0,
}

_NO_PAGE = "127.0.0.1:0"
"""Dask has a server of pages in any case: it has none to show, and only this machine reaches it."""


def main() -> None:
    """Be what the first line says, until the end of the input."""
    for number in (signal.SIGINT, signal.SIGHUP):
        # A terminal sends these to whoever started this, who ends this by its input.
        signal.signal(number, signal.SIG_IGN)
    asked = json.loads(sys.stdin.buffer.readline() or b"null")
    if asked is None:
        return
    kept = set(asked["environment"])
    for name in set(os.environ) - kept:
        del os.environ[name]
    os.environ.update(asked["variables"])
    dask.config.set(_CONFIG)
    answers = os.dup(1)
    os.dup2(2, 1)  # Output of a library is no answer.
    if asked["scratch"]:  # Whoever started this removes it, also where this is killed.
        asyncio.run(_be(asked, asked["scratch"], answers))
    else:
        with tempfile.TemporaryDirectory(prefix="dramaturg-member-") as folder:
            fence.guard(Path(folder))
            asyncio.run(_be(asked, folder, answers))
    # No thread of a library keeps this from ending.
    os._exit(0)


async def _be(asked: dict[str, Any], folder: str, answers: int) -> None:
    dask.config.set({"temporary-directory": folder})
    loop, over = asyncio.get_running_loop(), asyncio.Event()
    threading.Thread(target=_watch_input, args=(loop, over), daemon=True).start()
    keys = asked["keys"]
    security = tls_keys.security_of(keys) if keys else Security()
    protocol = "tls" if keys else "tcp"
    server: Any
    if asked["role"] == "scheduler":
        server = Scheduler(
            host=asked["host"] or None,
            port=0,
            protocol=protocol,
            security=security,
            dashboard_address=_NO_PAGE,
        )
    else:
        server = Worker(
            asked["scheduler"],
            name=_name(asked["name"]),
            nthreads=1,
            host=asked["host"] or _own_address(asked["scheduler"]),
            protocol=protocol,
            security=security,
            memory_limit=0,
            local_directory=folder,
            dashboard_address=_NO_PAGE,
            death_timeout=30,
        )
    async with server:
        os.write(answers, json.dumps({"address": server.address}).encode() + b"\n")
        ended = asyncio.ensure_future(server.finished())
        stopped = asyncio.ensure_future(over.wait())
        await asyncio.wait([ended, stopped], return_when=asyncio.FIRST_COMPLETED)
        threading.Thread(target=_insist, daemon=True).start()
        await asyncio.to_thread(task.end_all)
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(server.close(), 5)


def _name(asked: str) -> str:
    """One that several are started with is completed by what tells them apart."""
    node, number = os.environ.get("SLURMD_NODENAME"), os.environ.get("SLURM_PROCID", "0")
    return asked or f"{node}/{number}"


def _own_address(scheduler: str) -> str:
    """The address of this host from which it speaks to the scheduler: it listens there alone."""
    return cluster_address.own_address(urlsplit(scheduler).hostname or "")


def _watch_input(loop: asyncio.AbstractEventLoop, over: asyncio.Event) -> None:
    while os.read(sys.stdin.fileno(), 4096):
        pass
    threading.Thread(target=_insist, daemon=True).start()
    loop.call_soon_threadsafe(over.set)


def _insist() -> None:
    """Something holds it: past everything that cleans up."""
    threading.Event().wait(_PATIENCE + 4)
    os._exit(1)


if __name__ == "__main__":
    main()
