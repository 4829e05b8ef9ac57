"""Build what is to be run, before it is run or meanwhile, and ask who is there."""

import contextlib
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import click

from dramaturg.control import starting
from dramaturg.errors import ControlError, ToolchainMissing
from dramaturg.implementation import build, repository, sources, toolchain
from dramaturg.implementation.manifest import Implementation
from dramaturg.processes import interrupts
from dramaturg.terminal import show
from dramaturg.v2 import control_pb2
from dramaturg.visible import quoted

_GIVING_UP = 5.0
"""Seconds in which a build that is given up ends. One that only waits for another run may stay."""


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


def refuse_unreadable(implementations: Iterable[Implementation]) -> None:
    """Checks that a build's inputs and its commit are known before anything is built. If git
    refuses a checkout, or inputs match nothing, every case would otherwise say so, or it would be
    said only when all are over. Raises ManifestError."""
    for each in implementations:
        build.digest(each)
        repository.of(each)


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
    """The implementation's answer to ``Describe``, from a process that is started for that alone.
    Raises ControlError."""
    with starting.start(implementation) as started:
        return started.describe()
