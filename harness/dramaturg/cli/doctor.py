"""``dramaturg doctor``: what is here, what is missing, and how to get it."""

import subprocess
import sys
from typing import Any

import click
from rich.table import Table

from dramaturg.cli import show
from dramaturg.control import build, toolchain
from dramaturg.control.manifest import Implementation, available, find
from dramaturg.control.toolchain import Finding
from dramaturg.net.capabilities import Capabilities, probe
from dramaturg.outcomes import Outcome
from dramaturg.visible import quoted


@click.command()
@click.argument("implementations", nargs=-1)
@click.option("--install", is_flag=True, help="Install missing toolchains where it is known how.")
@show.json_option
def doctor(implementations: tuple[str, ...], install: bool, as_json: bool) -> None:
    """Say which toolchains and which network emulation this machine has.

    Exit code 6 if a toolchain that was named is missing; without names, 0.

    \b
    Examples:
      dramaturg doctor
      dramaturg doctor erlang --install
    """
    chosen = [find(name) for name in implementations or available()]
    findings = {implementation.name: toolchain.probe(implementation) for implementation in chosen}
    if install:
        for implementation in chosen:
            if not _usable(findings[implementation.name]):
                _install(implementation)
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
        "benchmarks": implementation.manifest.benchmarks,
        "distributed": implementation.manifest.distributed,
    }


def _install(implementation: Implementation) -> None:
    notices = show.notices()
    commands = toolchain.install_commands(implementation)
    if not commands:
        notices.print(f"{implementation.name}: {toolchain.install_hint(implementation)}")
    for command in commands:
        notices.print(f"{implementation.name}: {command}", style="dim")
        done = subprocess.run(
            command, shell=True, cwd=implementation.folder, stdout=sys.stderr, check=False
        )
        if done.returncode != 0:
            notices.print(f"{implementation.name}: ended with {done.returncode}")
            return


def _print(document: dict[str, Any], network: Capabilities) -> None:
    console = show.console()
    table = Table("implementation", "toolchain", "state", box=None, padding=(0, 3, 0, 0))
    for name, said in document["implementations"].items():
        versions = ", ".join(
            f"{tool} {version or 'missing'}" for tool, version in said["toolchain"].items()
        )
        state = ("built" if said["built"] else "usable, not built", "green")
        if not said["usable"]:
            state = ("toolchain missing", "yellow")
        table.add_row(name, versions, show.styled(state))
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
