"""What certify and verify share: building first, asking who is there, and telling how cases end."""

import contextlib
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import click
from rich.progress import Progress
from rich.text import Text

from dramaturg.cli import show
from dramaturg.control import session
from dramaturg.errors import ControlError, ToolchainMissing
from dramaturg.implementation import build, sources, toolchain
from dramaturg.implementation.manifest import Implementation
from dramaturg.outcomes import Outcome
from dramaturg.processes import interrupts
from dramaturg.records import CaseRecord
from dramaturg.trace.render import last_words, reasons
from dramaturg.v2 import control_pb2
from dramaturg.visible import quoted

_GIVING_UP = 5.0
"""Seconds in which a build that is given up ends. One that only waits for another run may stay."""

STYLES = {Outcome.PASS: "green", Outcome.FAIL: "bold red", Outcome.NOT_RUN: "dim"}


@contextlib.contextmanager
def builds(implementations: Sequence[Implementation], as_json: bool) -> Iterator[None]:
    """Build the first before anything is performed, and the others meanwhile: who performs one
    that is not there yet waits for it. Whatever is left is given up at the end."""
    build_all(implementations[:1], as_json)
    over = threading.Event()
    others = threading.Thread(
        target=build_all, args=(implementations[1:], as_json, over.is_set), daemon=True
    )
    others.start()
    try:
        yield
    finally:
        with interrupts.held():
            over.set()
            others.join(_GIVING_UP)


def build_all(
    implementations: Iterable[Implementation],
    as_json: bool,
    given_up: Callable[[], bool] = lambda: False,
) -> None:
    """Build what can be built; what cannot says so again in its outcome."""
    notices = show.notices()
    for implementation in implementations:
        if given_up():
            return

        def tell(line: str, name: str = implementation.name) -> None:
            notices.print(f"{name}: {line}", style="dim")

        try:
            toolchain.require(implementation)
            build.build(implementation, on_output=tell, given_up=given_up)
        except ToolchainMissing:
            continue
        except ControlError as error:
            if not as_json and not given_up():
                notices.print(quoted(str(error)))


def refuse_among_sources(output: Path | None, implementations: Iterable[Implementation]) -> None:
    """Results among the sources would change what is judged. Raises UsageError."""
    if output is None:
        return
    for each in implementations:
        if sources.would_count(each, output):
            raise click.UsageError(
                f"--output {output} lies among the sources of {each.name}, and what is written"
                " there would count as one; give a folder below results/, or another one"
            )


def described(implementation: Implementation) -> control_pb2.DescribeResponse:
    """What it says of itself, started for that alone. Raises ControlError."""
    with session.start(implementation) as started:
        return started.describe()


def watcher(bar: Progress, title: str, total: int, as_json: bool) -> Callable[..., None]:
    """Called with a record and its explanation as each case ends; what passes only moves the
    bar, and what keeps many cases from being run is said once."""
    task = bar.add_task(title, total=total)
    said: set[tuple[str, Outcome, str]] = set()

    def watch(record: CaseRecord, explanation: str) -> None:
        bar.update(task, advance=1, description=f"{record.implementation} {record.case}")
        same = (record.implementation, record.outcome, record.message)
        concerns_all = record.divergence is None and not record.why
        if record.outcome is Outcome.PASS or as_json or (concerns_all and same in said):
            return
        said.add(same)
        if record.outcome is Outcome.TOOLCHAIN_MISSING:
            reason = f" {record.implementation}: {quoted(record.message)}"
            line = show.styled(("toolchain missing", "yellow"), reason)
        else:
            line = _line(record)
        bar.console.print(line, soft_wrap=True)
        if record.divergence is not None:
            bar.console.print(explanation.split("\n", 1)[-1], soft_wrap=True)
            bar.console.print()
        elif record.why or record.stderr:
            why = ["", "  why:", *reasons(record.why)] if record.why else []
            lines = "\n".join([*why, *last_words(record.stderr), ""])
            bar.console.print(lines, soft_wrap=True)

    return watch


def _line(record: CaseRecord) -> Text:
    known = f" (known failure: {quoted(record.known)})" if record.known else ""
    known += " (recommended)" if record.excused else ""
    said = f": {quoted(record.message)}" if record.divergence is None else ""
    return show.styled(
        (str(record.outcome), STYLES.get(record.outcome, "yellow")),
        f" {record.implementation} level {record.level} {record.case}{known}{said}",
    )
