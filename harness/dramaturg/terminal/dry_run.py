"""The output of ``dramaturg bench --dry-run``: a plan, and how long it will take."""

from collections.abc import Sequence
from typing import Any

from rich.table import Table

from dramaturg import paths
from dramaturg.terminal import show
from dramaturg.timing.planning import sweeps
from dramaturg.timing.planning.duration import Estimate, Known
from dramaturg.timing.planning.timing_plan import Unit

Invocations = Sequence[tuple[Unit, int]]


def show_plan(invocations: Invocations, left_out: Sequence[str], as_json: bool) -> None:
    """Shows the planned invocations, with an estimate from the results that are here."""
    known = Known(paths.results())
    if as_json:
        show.print_json(_document(invocations, known) | {"left_out": list(left_out)})
        return
    console = show.console()
    console.print(_table(invocations, known))
    console.print()
    console.print("The last invocation of each is its audit, and in no figure.")
    for unit in _units(invocations):
        for said in filter(None, (unit.planned, unit.warmup_note)):
            console.print(f"{unit}: {said}")
    show.left_out(console, left_out)
    console.print(_in_words(known.of(invocations), known))


def _units(invocations: Invocations) -> dict[Unit, list[tuple[Unit, int]]]:
    """Each with its invocations, in the order of the plan."""
    found: dict[Unit, list[tuple[Unit, int]]] = {}
    for unit, number in invocations:
        found.setdefault(unit, []).append((unit, number))
    return found


def _document(invocations: Invocations, known: Known) -> dict[str, Any]:
    total = known.of(invocations)
    return {
        "dry_run": True,
        "units": [
            {
                **unit.model_dump(mode="json"),
                "left": len(those),
                "seconds": _seconds(known.of(those)),
            }
            for unit, those in _units(invocations).items()
        ],
        "invocations": total.invocations,
        "unknown": total.unknown,
        "seconds": _seconds(total),
    }


def _seconds(estimate: Estimate) -> float | None:
    """None where nothing is known: 0 would be an estimate."""
    return estimate.seconds if estimate.unknown < estimate.invocations else None


def _table(invocations: Invocations, known: Known) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name in ("entry", "at", "benchmark", "implementation"):
        table.add_column(name)
    table.add_column("invocations", justify="right")
    table.add_column("iterations", justify="right")
    table.add_column("estimate", justify="right")
    for unit, those in _units(invocations).items():
        seconds = _seconds(known.of(those))
        table.add_row(
            ", ".join(point.entry for point in unit.points),
            next((sweeps.spelt(point.axes) for point in unit.points if point.axes), ""),
            f"{unit.scenario}" + ("" if unit.network.local else f", {unit.network.nodes} nodes"),
            unit.implementation,
            str(len(those)),
            str(unit.iterations),
            "-" if seconds is None else spelt(seconds),
        )
    return table


def _in_words(total: Estimate, known: Known) -> str:
    many = f"{total.invocations:,} invocations"
    where = f"{paths.results()} has"
    if total.unknown == total.invocations:
        have = "no recorded runs"
        if known.folders:
            have = f"{known.folders} recorded runs of this machine, without any of these"
        return f"{many}; no estimate: {where} {have}"
    if total.unknown:
        return (
            f"{many}, at least {spelt(total.seconds)}: {total.unknown:,} of them were never"
            " recorded on this machine"
        )
    return f"{many}, about {spelt(total.seconds)}, as they took before on this machine"


def spelt(seconds: float) -> str:
    """``40 s``, ``12 min``, ``3 h 20 min``."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
