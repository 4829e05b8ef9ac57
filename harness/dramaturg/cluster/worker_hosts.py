"""The workers of a cluster, by what each says of its host: asked once, before all else."""

import dataclasses
import json
import secrets
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dramaturg import files
from dramaturg.cluster import host_facts
from dramaturg.cluster.hosts_file import HostsFile
from dramaturg.errors import ClusterError

if TYPE_CHECKING:
    from distributed import Client, Future

_ANSWER = 40.0
"""Seconds in which a worker says what it is: its Python imports the harness first."""


@dataclass(frozen=True)
class Host:
    """A worker, and the machine that it is on."""

    name: str
    worker: str
    """Its address, as Dask knows it."""
    facts: dict[str, Any] = dataclasses.field(hash=False, compare=False)
    shares: bool = dataclasses.field(default=False, hash=False, compare=False)
    """True if it is this machine, and sees the files that we see."""
    cores: int = dataclasses.field(default=1, hash=False, compare=False)
    """Number of its machine's cores, parted among the workers that are on it."""


def ask(client: "Client", said: str) -> list[Host]:
    """All workers, by what each says of itself. Raises ClusterError."""
    from dramaturg.cluster import task

    try:
        workers = workers_of(client, _ANSWER)
    except OSError as error:
        why = files.brief(error) or f"it did not answer in {_ANSWER:.0f} s"
        raise ClusterError(
            f"--cluster {said}: its scheduler does not say who is there: {why}"
        ) from None
    if not workers:
        raise ClusterError(f"--cluster {said}: its scheduler has no workers; start some first")
    with tempfile.NamedTemporaryFile(prefix="dramaturg-seen-") as seen:
        token = secrets.token_hex(16)
        seen.write(token.encode())
        seen.flush()
        # A worker that cannot read a function of ours would end of it.
        for address, future in _each(client, workers, import_module, task.__name__).items():
            _refuse_without_harness(said, _called(workers[address]), future)
        asked = _each(client, workers, task.described, seen.name)
        facts = {
            address: _facts(said, workers[address], future) for address, future in asked.items()
        }
    refuse_other_versions(said, facts)
    return _named(workers, facts, token)


def workers_of(client: "Client", seconds: float) -> dict[str, Any]:
    """Return what the scheduler says now, by worker's address. Raises OSError, also if it says
    nothing in time: it may be stopped. Dask's ``scheduler_info`` would wait for ever then, and may
    return what it was told at another time."""
    scheduler: Any = client.scheduler
    found = client.sync(scheduler.identity, n_workers=-1, callback_timeout=seconds)
    return dict(found["workers"])


def _each(
    client: "Client", workers: Iterable[str], function: Callable[[str], Any], given: str
) -> "dict[str, Future[Any]]":
    """The result of each worker; the results of late ones are still pending."""
    asked = {
        address: client.submit(
            function, given, workers=[address], allow_other_workers=False, pure=False
        )
        for address in workers
    }
    deadline = time.monotonic() + _ANSWER
    while not all(each.done() for each in asked.values()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return asked


def _refuse_without_harness(said: str, called: str, future: "Future[Any]") -> None:
    if future.status == "pending":
        raise ClusterError(f"--cluster {said}: worker {called} did not answer in {_ANSWER:.0f} s")
    if future.status != "finished":
        why = files.brief(future.exception(timeout=_ANSWER))
        raise ClusterError(
            f"--cluster {said}: worker {called} cannot import the harness ({why}); install there"
            " the dramaturg that is here"
        )


def _facts(said: str, worker: Any, future: "Future[str]") -> dict[str, Any]:
    called = _called(worker)
    if future.status == "pending":
        raise ClusterError(f"--cluster {said}: worker {called} did not answer in {_ANSWER:.0f} s")
    try:
        found: dict[str, Any] = json.loads(future.result(timeout=_ANSWER))
    except Exception as error:
        raise ClusterError(f"--cluster {said}: worker {called}: {files.brief(error)}") from None
    return found


def refuse_other_versions(said: str, facts: dict[str, dict[str, Any]]) -> None:
    own, here = host_facts.version(), host_facts.here()
    for address, each in facts.items():
        there, python = host_facts.version_of(each)
        shown = python, here["python_whole"]
        if found := there.differences(own, shown):
            raise ClusterError(
                f"--cluster {said}: a worker on {each.get('hostname', address)} has"
                f" {'; '.join(found)}: outcomes would not be those of one machine; install the same"
                " there"
            )


def refuse_unmarked(file: Path, asked: HostsFile, found: Sequence[Host]) -> None:
    """Two hosts that are one machine share its cores: that has to be meant. Raises ClusterError."""
    marked = {each.called for each in asked.hosts if each.shared}
    first: dict[str, str] = {}
    for host in found:
        other = first.setdefault(machine(host.facts), host.name)
        if other != host.name and not {other, host.name} <= marked:
            raise ClusterError(
                f"{file}: {other} and {host.name} are one machine; take one of them, or say"
                " `shared: true` of both"
            )


def _named(workers: dict[str, Any], facts: dict[str, dict[str, Any]], token: str) -> list[Host]:
    boot = host_facts.boot()
    machines = [machine(each) for each in facts.values()]
    names: dict[str, int] = {}
    found = []
    for address, each in sorted(facts.items(), key=lambda pair: _called(workers[pair[0]])):
        name = _called(workers[address], each)
        names[name] = names.get(name, 0) + 1
        name = name if names[name] == 1 else f"{name}#{names[name]}"
        shares = bool(boot) and each["boot"] == boot and each["seen"] == token
        cores = max(1, each["cores"] // machines.count(machine(each)))
        found.append(Host(name, address, {**each, "seen": shares}, shares, cores))
    return found


def machine(facts: dict[str, Any]) -> str:
    return facts["boot"] or facts["hostname"]


def _called(worker: Any, facts: dict[str, Any] | None = None) -> str:
    """Return the name that it was given; a worker without one is called by its host."""
    name = str(worker["name"])
    if "://" in name:
        name = facts["hostname"] if facts else name
    return files.brief(name)
