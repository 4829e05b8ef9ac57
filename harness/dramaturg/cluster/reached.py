"""The hosts of a cluster, as the one who hands out work has them."""

import asyncio
import concurrent.futures
import contextlib
import json
import logging
import queue
import secrets
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dramaturg import files
from dramaturg.cluster import cluster_address, worker_hosts
from dramaturg.cluster.cluster_address import Scheduler, Ssh
from dramaturg.cluster.worker_hosts import Host
from dramaturg.errors import ClusterError, ClusterLost
from dramaturg.results import ResultsError

if TYPE_CHECKING:
    from distributed import Client, Future

    from dramaturg.cluster.started_members import Members

NEEDED = (
    "--cluster needs Dask distributed, which is not installed here: pip install"
    " 'dramaturg[cluster]'"
)

SILENT = 20.0
"""Seconds after which a worker that says nothing is lost, whoever's scheduler it is."""

_LOOK = 2.0
"""Seconds between two looks at who is there."""

_CONNECT = 10.0
"""Seconds in which a scheduler answers."""

_FETCHES = (10.0, 60.0, 600.0)
"""Seconds in which the answer of a job comes, which may have a hundred megabytes: each time it does
not, somebody looks whether the scheduler is there."""


@dataclass(frozen=True)
class Job:
    """A function of the harness, by module and name, what it is given, and who may perform it."""

    function: str
    given: dict[str, Any]
    hosts: Sequence[Host]


@dataclass(frozen=True)
class Told:
    """A message of a job that is under way: values of JSON."""

    job: int
    host: str
    values: list[Any]


@dataclass(frozen=True)
class Ended:
    """The end of a job: what it returned, or the reason why it did not return."""

    job: int
    host: str
    returned: Any = None
    why: str = ""
    lost: bool = False
    """True if it is lost for want of a host: those that may perform it are gone."""


class Reached:
    """The hosts, ready for work. Made by :func:`reached`."""

    def __init__(self, client: "Client", members: "Members | None", said: str) -> None:
        self._client = client
        self._members = members
        self._said = said
        self._seen_at = time.monotonic()
        self._heard: dict[str, tuple[float, float]] = {}
        """When the scheduler last heard of a worker, and since when it says that."""
        self.hosts: list[Host] = []

    def perform(
        self, jobs: Sequence[Job], notice: Callable[[str], None] = lambda said: None
    ) -> Iterator[Told | Ended]:
        """Yields the messages of these jobs, and how each ends, as they come. If a host is lost,
        another one performs its jobs again from their beginning, so a message may come twice.

        Raises ClusterLost if the scheduler is gone. Leaving the loop gives up what is not ended.
        """
        from dramaturg.cluster import task

        came: queue.Queue[Any] = queue.Queue()
        topic = f"dramaturg-{secrets.token_hex(8)}"
        self._client.subscribe_topic(topic, lambda event: came.put(event[1]))
        futures: dict[int, Future[str]] = {}
        names = {host.worker: host.name for host in self.hosts}
        gone: set[str] = set()
        try:
            for number, job in enumerate(jobs):
                asked = {
                    "number": number,
                    "function": job.function,
                    "given": job.given,
                    "sharing": [host.worker for host in job.hosts if host.shares],
                }
                futures[number] = future = self._client.submit(
                    task.perform,
                    json.dumps(asked),
                    topic,
                    key=f"{topic}-{number}",
                    workers=[host.worker for host in job.hosts],
                    allow_other_workers=False,
                    pure=False,
                )
                future.add_done_callback(lambda done, number=number: came.put(number))
            looked = time.monotonic()
            while futures:
                with contextlib.suppress(queue.Empty):
                    event = came.get(timeout=0.5)
                    if isinstance(event, int):
                        if event in futures:
                            # A host may have been lost, and its part have ended elsewhere, since.
                            self._tell_of_lost(gone, notice)
                            yield self._ended(event, futures.pop(event), names)
                        continue
                    values = [json.loads(line)["told"] for line in event["told"]]
                    yield Told(event["number"], names.get(event["worker"], "?"), values)
                if time.monotonic() - looked < _LOOK:
                    continue
                looked = time.monotonic()
                self._tell_of_lost(gone, notice)
                for number in [
                    number
                    for number in futures
                    if all(host.worker in gone for host in jobs[number].hosts)
                ]:
                    self._give_up(futures.pop(number))
                    yield Ended(number, "", why=_lost(jobs[number].hosts), lost=True)
        finally:
            for future in futures.values():
                self._give_up(future)
            with contextlib.suppress(Exception):
                self._client.unsubscribe_topic(topic)

    def _tell_of_lost(self, gone: set[str], notice: Callable[[str], None]) -> None:
        """Tell of each host that is lost by now, once: ``gone`` has those that were told of."""
        there = self._there()
        for host in self.hosts:
            if host.worker not in there and host.worker not in gone:
                gone.add(host.worker)
                notice(f"host {host.name} was lost; its part goes to other hosts")

    def _ended(self, number: int, future: "Future[str]", names: dict[str, str]) -> Ended:
        from distributed.scheduler import KilledWorker

        try:
            said = json.loads(self._fetched(future))
        except KilledWorker as error:
            name = names.get(str(getattr(error.last_worker, "address", "")), "a host")
            return Ended(
                number,
                name,
                why=f"it was lost {error.allowed_failures + 1} times, last with {name}",
            )
        except ClusterLost:
            raise
        except (asyncio.CancelledError, concurrent.futures.CancelledError):
            # Not by us: whoever knew of it is gone.
            raise self._lost() from None
        except Exception as error:  # An error of the engine, or of what it could not send.
            return Ended(number, "", why=f"{type(error).__name__}: {files.brief(error)}")
        host = names.get(said["worker"], "?")
        match json.loads(said["answer"]):
            case {"returned": returned}:
                return Ended(number, host, returned)
            case {"refused": why}:
                raise ResultsError(str(why))
            case {"failed": why}:
                return Ended(number, host, why=f"{host}: {why}")
            case _:
                return Ended(number, host, why=f"{host}: given up", lost=True)

    def _fetched(self, future: "Future[str]") -> str:
        """Raises ClusterLost, and whatever the job did."""
        for seconds in _FETCHES:
            try:
                return str(future.result(timeout=seconds))
            except TimeoutError:
                self._there()
        raise TimeoutError(f"its answer did not come in {sum(_FETCHES):.0f} s")

    def _give_up(self, future: "Future[str]") -> None:
        with contextlib.suppress(Exception):
            future.cancel()

    def _lost(self) -> ClusterLost:
        return ClusterLost(f"{self._said}: the scheduler was lost, and with it who performs what")

    def _there(self) -> set[str]:
        """Addresses of the workers that were heard of. Raises ClusterLost."""
        scheduler = self._members.scheduler if self._members else None
        if scheduler is not None and scheduler.process.poll() is not None:
            raise self._lost()
        found = None
        if self._client.status == "running":
            with contextlib.suppress(Exception, asyncio.CancelledError):
                found = worker_hosts.workers_of(self._client, _CONNECT)
        now = time.monotonic()
        if found is None or self._client.status != "running":
            if now - self._seen_at > SILENT:
                raise self._lost()
            return {host.worker for host in self.hosts}
        self._seen_at = now
        for address, each in found.items():
            # By our clock: the scheduler's may be another one, and all may be silent at once.
            if self._heard.get(address, (None, 0.0))[0] != each["last_seen"]:
                self._heard[address] = each["last_seen"], now
        return {address for address in found if now - self._heard[address][1] < SILENT}


def _lost(hosts: Sequence[Host]) -> str:
    said = ", ".join(host.name for host in hosts)
    if len(hosts) == 1:
        return f"its host {said} was lost, and no other has its toolchain"
    return f"all hosts that have its toolchain were lost: {said}"


@contextlib.contextmanager
def reached(
    said: str,
    keys_in: Path | None = None,
    variables: Collection[str] = (),
    notice: Callable[[str], None] = lambda said: None,
) -> Iterator[Reached]:
    """The hosts that ``--cluster`` names, started if need be, all of this version of the harness.
    All that was started ends with it.

    ``keys_in`` is a folder with ca.pem, cert.pem and key.pem, for ``tls://``; without it Dask's own
    configuration says where they are. Raises ClusterError.
    """
    address = cluster_address.parse(said)
    try:
        import distributed
        from distributed import Client
    except ImportError:
        raise ClusterError(NEEDED) from None
    _quieten()
    from dramaturg.cluster import started_members, tls_keys

    with contextlib.ExitStack() as stack:
        members = None
        if isinstance(address, Scheduler):
            place = address.address
            security = tls_keys.given(keys_in) if address.encrypted else distributed.Security()
        else:
            keys = tls_keys.made()
            members = stack.enter_context(started_members.started(address, keys, variables, notice))
            place, security = members.address, tls_keys.security_of(keys)
        try:
            client = Client(
                place,
                security=security,
                timeout=_CONNECT,
                set_as_default=False,
                direct_to_workers=False,
            )
        except (OSError, ValueError, TypeError) as error:
            raise ClusterError(f"--cluster {said} cannot be reached: {_reason(error)}") from None
        stack.callback(_close, client)
        found = Reached(client, members, said)
        found.hosts = worker_hosts.ask(client, said)
        if isinstance(address, Ssh) and members and members.hosts:
            worker_hosts.refuse_unmarked(address.file, members.hosts, found.hosts)
        yield found


def _reason(error: BaseException) -> str:
    return files.brief(error.__cause__ or error)


def _close(client: "Client") -> None:
    with contextlib.suppress(Exception):
        client.close(timeout=2)


def _quieten() -> None:
    """Dask's own words on standard error say what is said here in ours."""
    for name in ("distributed", "distributed.client", "distributed.comm", "tornado"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
