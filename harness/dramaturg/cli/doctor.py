"""``dramaturg doctor``: what is here, what is missing, and how to get it."""

import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from dramaturg.cli import completion
from dramaturg.cluster import host_tools
from dramaturg.implementation import build, sources, toolchain
from dramaturg.implementation.manifest import Implementation, available, everybody, find_all
from dramaturg.implementation.toolchain import Finding
from dramaturg.machine import usermode
from dramaturg.machine.capabilities import USER_MODE, Capabilities, probe
from dramaturg.orchestration import cluster_use
from dramaturg.outcomes import Outcome
from dramaturg.terminal import cluster_hosts, show
from dramaturg.visible import line, quoted


@click.command()
@click.argument("implementations", nargs=-1, shell_complete=completion.implementations)
@click.option("--install", is_flag=True, help="Show what installs what is missing, and ask.")
@click.option(
    "--kernel",
    type=click.Choice([usermode.ASKED]),
    help="User-Mode Linux as well, for `bench --kernel uml` and `certify --kernel uml`.",
)
@click.option("--yes", is_flag=True, help="With --install: do not ask.")
@show.cluster_options
@show.json_option
def doctor(
    implementations: tuple[str, ...],
    install: bool,
    kernel: str | None,
    yes: bool,
    cluster: str | None,
    cluster_tls: Path | None,
    as_json: bool,
) -> None:
    """Say which toolchains and which network emulation this machine has.

    The exit code is 6 if a named toolchain or kernel is missing; without names it is 0.
    --install installs only packages of the distribution, only for the names given, and shows
    them first. The manifest of an implementation lists its packages.

    \b
    Examples:
      dramaturg doctor
      dramaturg doctor --install erlang
      dramaturg doctor --install --yes erlang akka
      dramaturg doctor --install --kernel uml
      dramaturg doctor --cluster ssh:hosts.yaml erlang
    """
    cluster_use.refuse_odd(cluster, cluster_tls)
    if cluster is not None and (install or kernel):
        raise click.UsageError("--cluster goes without --install and --kernel")
    if install and not implementations and not kernel:
        raise click.UsageError(f"--install takes names; there are: {', '.join(available())}")
    if yes and not install:
        raise click.UsageError("--yes goes with --install")
    chosen = find_all(implementations) if implementations else everybody()
    if cluster is not None:
        sys.exit(_of_hosts(cluster, cluster_tls, chosen, bool(implementations), as_json))
    findings = {implementation.name: toolchain.probe(implementation) for implementation in chosen}
    if install:
        for implementation in chosen if implementations else ():
            if not _usable(findings[implementation.name]):
                wanted = toolchain.packages(implementation)
                _install(implementation.name, wanted, toolchain.install_hint(implementation), yes)
                findings[implementation.name] = toolchain.probe(implementation)
        if kernel and usermode.find()[0] is None:
            _install(kernel, toolchain.of_debian(usermode.PACKAGES), usermode.OTHERWISE, yes)
            usermode.find.cache_clear()
    network = probe()
    document = {
        "implementations": {
            implementation.name: _describe(implementation, findings[implementation.name])
            for implementation in chosen
        },
        "network": {
            capability.name: {"available": capability.available, "detail": capability.explanation}
            for capability in network.all
        },
    }
    if as_json:
        show.print_json(document)
    else:
        _print(document, network)
    lacking = implementations and not all(_usable(found) for found in findings.values())
    if lacking or (kernel and not network.has(USER_MODE)):
        sys.exit(Outcome.TOOLCHAIN_MISSING.exit_code)


def _of_hosts(
    cluster: str, keys_in: Path | None, chosen: list[Implementation], named: bool, as_json: bool
) -> int:
    """Say it of each host of a cluster; the exit code."""
    with cluster_use.opened(cluster, keys_in, chosen) as reached:
        tools = host_tools.ask(reached, chosen, cluster_use.tell)
        hosts = reached.hosts
    if as_json:
        show.print_json(
            {"hosts": {host.name: cluster_hosts.described(host, tools) for host in hosts}}
        )
    else:
        cluster_hosts.print_hosts(hosts, tools)
    lacking = [name for name, found in tools.items() if not any(t.usable for t in found.values())]
    return Outcome.TOOLCHAIN_MISSING.exit_code if named and lacking else 0


def _usable(findings: list[Finding]) -> bool:
    return all(finding.present for finding in findings)


def _describe(implementation: Implementation, findings: list[Finding]) -> dict[str, Any]:
    usable = _usable(findings)
    return {
        "language": implementation.manifest.language,
        "toolchain": {finding.tool: finding.version for finding in findings},
        "usable": usable,
        "problems": [finding.problem for finding in findings if finding.problem],
        "install": "" if usable else toolchain.install_hint(implementation),
        "built": usable and build.is_current(implementation),
        "inputs": {
            "files": len(sources.inputs(implementation)),
            "by": str(sources.origin(implementation)),
        },
        "benchmarks": implementation.manifest.benchmarks,
        "distributed": implementation.manifest.distributed,
    }


def _install(name: str, wanted: Sequence[str], hint: str, yes: bool) -> None:
    """``hint`` is for where these packages are not to be had."""
    notices = show.notices()
    if not wanted:
        notices.print(f"{name}: {quoted(hint)}")
        return
    command = [*_as_root(), *toolchain.install_command(wanted)]
    notices.print(f"{name}: {line(shlex.join(command))}")
    if not yes and not (sys.stdin.isatty() and click.confirm("run it?", err=True)):
        notices.print(f"{name}: nothing was installed; --yes does not ask")
        return
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    try:
        status = subprocess.run(command, env=environment, stdout=sys.stderr, check=False).returncode
    except FileNotFoundError:
        notices.print(
            f"{name}: nothing was installed: {command[0]} is not on the PATH; run it as root"
        )
        return
    except OSError as error:
        notices.print(f"{name}: {quoted(str(error))}")
        return
    if status != 0:
        notices.print(f"{name}: apt-get ended with {status}")


def _as_root() -> list[str]:
    """Sudo keeps no environment: the command line has what it needs."""
    if os.geteuid() == 0:
        return []
    ask = [] if sys.stdin.isatty() else ["--non-interactive"]
    return ["sudo", *ask, "DEBIAN_FRONTEND=noninteractive"]


def _print(document: dict[str, Any], network: Capabilities) -> None:
    console = show.console()
    columns = ("implementation", "toolchain", "state", "sources")
    table = Table(*columns, box=None, padding=(0, 3, 0, 0))
    for name, said in document["implementations"].items():
        versions = ", ".join(
            line(f"{tool} {version or 'missing'}") for tool, version in said["toolchain"].items()
        )
        state = ("built" if said["built"] else "usable, not built", "green")
        if not said["usable"]:
            state = ("toolchain missing", "yellow")
        inputs = "{files} files, by {by}".format_map(said["inputs"])
        table.add_row(name, versions, show.styled(state), inputs)
    console.print(table)
    for name, said in document["implementations"].items():
        for problem in said["problems"]:
            console.print(f"\n{name}: {quoted(problem)}")
        if said["install"]:
            console.print(f"  install: {quoted(said['install'])}")
    console.print()
    table = Table("network", "", "", box=None, padding=(0, 3, 0, 0))
    for capability in network.all:
        mark = ("yes", "green") if capability.available else ("no", "yellow")
        table.add_row(capability.name, show.styled(mark), capability.explanation)
    console.print(table)
