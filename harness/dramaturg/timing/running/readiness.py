"""Finds out if an implementation can be timed at all: its tools, its build, its certificate."""

from collections.abc import Callable
from dataclasses import dataclass, field

from dramaturg.conformance.result import outcome_of
from dramaturg.errors import ControlError
from dramaturg.implementation import build, toolchain
from dramaturg.implementation.build import Built
from dramaturg.implementation.manifest import Implementation
from dramaturg.outcomes import Outcome
from dramaturg.visible import typed

IsCertified = Callable[[Implementation], bool]
"""True if this very build holds a certificate."""


@dataclass(frozen=True, slots=True)
class Readiness:
    """The findings, made once."""

    built: Built = field(default_factory=Built)
    certified: bool = False
    outcome: Outcome = Outcome.PASS
    message: str = ""
    versions: tuple[str, ...] = ()
    """Versions of its toolchain."""


def find(
    implementation: Implementation,
    is_certified: IsCertified,
    *,
    uncertified: bool,
    on_output: Callable[[str], None] = lambda line: None,
) -> Readiness:
    """Build it if that is due. Raises nothing but what interrupts."""
    try:
        tools = toolchain.require(implementation)
        build.build(implementation, on_output)
        built = build.built(implementation)
        certified = is_certified(implementation)
    except ControlError as error:
        return Readiness(outcome=outcome_of(error), message=str(error))
    if not certified and not uncertified:
        message = (
            f"this build of {implementation.name} is not certified, and what is not known to"
            " be right is not timed (LEVEL-16): run"
            f" `dramaturg certify {typed(implementation.designation)}` first, or add --uncertified"
        )
        return Readiness(built, False, Outcome.NOT_RUN, message)
    versions = tuple(f"{found.tool} {found.version}" for found in tools)
    return Readiness(built, certified, versions=versions)
