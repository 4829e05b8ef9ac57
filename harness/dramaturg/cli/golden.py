"""``dramaturg golden``: write the golden traces from the model, or check them."""

import sys

import click

from dramaturg import paths
from dramaturg.cases.cases import load_all, serial_workload
from dramaturg.model.simulation import Simulation
from dramaturg.terminal import show
from dramaturg.trace import golden_traces as traces


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; say which differ, exit 1 if any does.")
@show.json_option
def golden(check: bool, as_json: bool) -> None:
    """Regenerate the golden traces of all serial cases from the executable model.

    \b
    Examples:
      dramaturg golden
      dramaturg golden --check
    """
    expected = {
        traces.file_of(case.name): traces.text(
            Simulation(serial_workload(case.message.serial)).perform().logs
        )
        for case in load_all()
        if case.drive == "serial" and not case.message.serial.watches
    }
    stale = {file for file in paths.GOLDEN.glob("*.trace") if file not in expected}
    changed = {
        file
        for file, text in expected.items()
        if not file.exists() or file.read_text(encoding="utf-8") != text
    }
    if not check:
        paths.GOLDEN.mkdir(parents=True, exist_ok=True)
        for file in changed:
            file.write_text(expected[file], encoding="utf-8")
        for file in stale:
            file.unlink()
    document = {
        "traces": len(expected),
        "changed": sorted(file.name for file in changed),
        "removed": sorted(file.name for file in stale),
        "written": not check,
    }
    if as_json:
        show.print_json(document)
    else:
        console = show.console()
        verb = "differs from the model" if check else "written"
        for file in sorted(changed):
            console.print(f"{file.name} {verb}")
        for file in sorted(stale):
            console.print(f"{file.name} {'belongs to no case' if check else 'removed'}")
        console.print(f"{len(expected)} golden traces, {len(changed) + len(stale)} changed")
    sys.exit(1 if check and (changed or stale) else 0)
