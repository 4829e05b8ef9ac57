"""Shows what the hosts of a cluster have, for a person and for a program."""

from collections.abc import Sequence
from typing import Any

from rich.table import Table

from dramaturg.cluster.host_tools import Everywhere
from dramaturg.cluster.worker_hosts import Host
from dramaturg.terminal import show
from dramaturg.visible import line, quoted

_GIB = 1 << 30


def described(host: Host, tools: Everywhere) -> dict[str, Any]:
    """Values of JSON."""
    facts = host.facts
    return {
        "worker": host.worker,
        "hostname": facts["hostname"],
        "this_machine": host.shares,
        "cores": facts["cores"],
        "cores_of_worker": host.cores,
        "quota": facts["quota"],
        "cpu": facts["cpu"],
        "memory": facts["memory"],
        "kernel": facts["kernel"],
        "architecture": facts["architecture"],
        "python": facts["python_whole"],
        "harness": facts["harness"],
        "implementations": {
            name: {
                "usable": found[host.name].usable,
                "toolchain": found[host.name].versions,
                "problems": found[host.name].problems,
            }
            for name, found in tools.items()
        },
    }


def print_hosts(hosts: Sequence[Host], tools: Everywhere) -> None:
    """A line for each host, and what is missing on which."""
    console = show.console()
    columns = ("host", "cores", "memory", "kernel", "toolchains")
    table = Table(*columns, box=None, padding=(0, 3, 0, 0))
    for host in hosts:
        usable = [name for name, found in tools.items() if found[host.name].usable]
        table.add_row(line(host.name), *_cells(host), ", ".join(usable) or "none")
    console.print(table)
    for name, found in tools.items():
        for host in hosts:
            for problem in found[host.name].problems:
                console.print(f"{name} on {line(host.name)}: {quoted(problem)}")


def _cells(host: Host) -> tuple[str, str, str]:
    facts = host.facts
    cores = f"{facts['cores']}" + (f", quota {facts['quota']}" if facts["quota"] else "")
    cores += f", {host.cores} for this worker" if host.cores != facts["cores"] else ""
    return cores, f"{facts['memory'] / _GIB:.0f} GiB", line(f"{facts['kernel']}")
