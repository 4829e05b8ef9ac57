"""What certify and verify share: building first, and telling how cases end."""

from collections.abc import Callable, Iterable

from rich.progress import Progress

from dramaturg.cli import show
from dramaturg.control import build, toolchain
from dramaturg.control.errors import ControlError, ToolchainMissing
from dramaturg.control.manifest import Implementation
from dramaturg.outcomes import Outcome
from dramaturg.results import CaseRecord
from dramaturg.trace.render import reasons

STYLES = {Outcome.PASS: "green", Outcome.FAIL: "bold red", Outcome.NOT_RUN: "dim"}


def build_all(implementations: Iterable[Implementation], as_json: bool) -> None:
    """Build what can be built; what cannot says so again in its outcome."""
    notices = show.notices()
    for implementation in implementations:

        def tell(line: str, name: str = implementation.name) -> None:
            notices.print(f"{name}: {line}", markup=False, style="dim")

        try:
            toolchain.require(implementation)
            build.build(implementation, on_output=tell)
        except ToolchainMissing:
            continue
        except ControlError as error:
            if not as_json:
                notices.print(f"{implementation.name}: {error}", markup=False)


def watcher(bar: Progress, title: str, total: int, as_json: bool) -> Callable[..., None]:
    """Called with a record and its explanation as each case ends; what passes only moves the
    bar, and a missing toolchain is said once."""
    task = bar.add_task(title, total=total)
    absent: set[str] = set()

    def watch(record: CaseRecord, explanation: str) -> None:
        bar.update(task, advance=1, description=f"{record.implementation} {record.case}")
        if record.outcome is Outcome.PASS or as_json or record.implementation in absent:
            return
        if record.outcome is Outcome.TOOLCHAIN_MISSING:
            absent.add(record.implementation)
            line = f"[yellow]toolchain missing[/] {record.implementation}: {record.message}"
        else:
            line = _line(record)
        bar.console.print(line, highlight=False, soft_wrap=True)
        if record.divergence is not None:
            bar.console.print(
                explanation.split("\n", 1)[-1], markup=False, highlight=False, soft_wrap=True
            )
            bar.console.print()
        elif record.why:
            lines = "\n".join(["", "  why:", *reasons(record.why), ""])
            bar.console.print(lines, markup=False, highlight=False, soft_wrap=True)

    return watch


def _line(record: CaseRecord) -> str:
    style = STYLES.get(record.outcome, "yellow")
    known = f" (known failure: {record.known})" if record.known else ""
    text = (
        f"[{style}]{record.outcome}[/] {record.implementation} level {record.level} {record.case}"
    )
    return f"{text}{known}" + (f": {record.message}" if record.divergence is None else "")
