"""``dramaturg doctor``: what is here, what is missing, and how to get it."""

import os
import shlex
import subprocess
import sys
from typing import Any

import click
from rich.table import Table

from dramaturg.cli import completion, show
from dramaturg.implementation import build, sources, toolchain
from dramaturg.implementation.manifest import Implementation, available, everybody, find_all
from dramaturg.implementation.toolchain import Finding
from dramaturg.machine.capabilities import Capabilities, probe
from dramaturg.outcomes import Outcome
from dramaturg.visible import quoted


@click.command()
@click.argument("implementations", nargs=-1, shell_complete=completion.implementations)
@click.option("--install", is_flag=True, help="Show what installs what is missing, and ask.")
@click.option("--yes", is_flag=True, help="With --install: do not ask.")
@show.json_option
def doctor(implementations: tuple[str, ...], install: bool, yes: bool, as_json: bool) -> None:
    """Say which toolchains and which network emulation this machine has.

    Exit code 6 if a toolchain that was named is missing; without names, 0. Nothing is
    installed but packages of the distribution that a manifest lists, for implementations
    that are named, after they were shown.

    \b
    Examples:
      dramaturg doctor
      dramaturg doctor --install erlang
      dramaturg doctor --install --yes erlang akka
    """
    if install and not implementations:
        raise click.UsageError(f"--install takes names; there are: {', '.join(available())}")
    if yes and not install:
        raise click.UsageError("--yes goes with --install")
    chosen = find_all(implementations) if implementations else everybody()
    findings = {implementation.name: toolchain.probe(implementation) for implementation in chosen}
    if install:
        for implementation in chosen:
            if not _usable(findings[implementation.name]):
                _install(implementation, yes)
                findings[implementation.name] = toolchain.probe(implementation)
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
    if implementations and not all(_usable(found) for found in findings.values()):
        sys.exit(Outcome.TOOLCHAIN_MISSING.exit_code)


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


def _install(implementation: Implementation, yes: bool) -> None:
    notices = show.notices()
    wanted = toolchain.packages(implementation)
    if not wanted:
        notices.print(f"{implementation.name}: {toolchain.install_hint(implementation)}")
        return
    command = [*_as_root(), *toolchain.install_command(wanted)]
    notices.print(f"{implementation.name}: {shlex.join(command)}")
    if not yes and not (sys.stdin.isatty() and click.confirm("run it?", err=True)):
        notices.print(f"{implementation.name}: nothing was installed; --yes does not ask")
        return
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    try:
        status = subprocess.run(command, env=environment, stdout=sys.stderr, check=False).returncode
    except OSError as error:
        notices.print(f"{implementation.name}: {quoted(str(error))}")
        return
    if status != 0:
        notices.print(f"{implementation.name}: apt-get ended with {status}")


def _as_root() -> list[str]:
    """Sudo keeps no environment: what it needs is on the command line."""
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
            f"{tool} {version or 'missing'}" for tool, version in said["toolchain"].items()
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
