"""The cluster that a command is given, open while it performs."""

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from dramaturg.cluster import cluster_address, reached
from dramaturg.cluster.cluster_address import Scheduler
from dramaturg.cluster.reached import Reached
from dramaturg.implementation.manifest import Implementation
from dramaturg.terminal import show
from dramaturg.visible import quoted


def refuse_odd(cluster: str | None, keys_in: Path | None) -> None:
    """Refuses a wrong cluster before anything is done. Raises UsageError and ClusterError."""
    if cluster is None:
        if keys_in is not None:
            raise click.UsageError("--cluster-tls goes with --cluster tls://HOST:PORT")
        return
    address = cluster_address.parse(cluster)
    if keys_in is not None and not (isinstance(address, Scheduler) and address.encrypted):
        raise click.UsageError("--cluster-tls goes with --cluster tls://HOST:PORT")


def tell(said: str) -> None:
    """Reports on standard error what happens meanwhile."""
    show.notices().print(quoted(said), style="dim")


@contextlib.contextmanager
def opened(
    cluster: str, keys_in: Path | None, implementations: Sequence[Implementation] = ()
) -> Iterator[Reached]:
    """Its hosts. Raises ClusterError."""
    named = {name for each in implementations for name in each.manifest.build.environment}
    with reached.reached(cluster, keys_in, sorted(named), tell) as found:
        yield found
