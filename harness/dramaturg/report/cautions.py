"""The cautions that a reader must know before trusting a figure: said once, at the top of the
report."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from dramaturg.report import formatting, machine
from dramaturg.report.row_accounts import DEAR
from dramaturg.report.summary import TimedImplementation, TimingGroup
from dramaturg.timing.validity.actor_memory import BYTES
from dramaturg.timing.validity.audit_contrast import ALIKE, SLOWEST
from dramaturg.timing.validity.plausibility import DOUBTED, HURRIED

WIDE = 0.1
"""An interval wider than a tenth of its median: differences below that show nothing."""

BUSY = 0.25
"""Load at the start, for each core. An idle machine stays below a tenth; a quarter means
that something else was running on what was measured."""

_EMULATED = "User-Mode Linux"
"""The beginning of the environment's text on it (``machine.usermode``)."""

_NAMED = 4
"""Rows that a caution names; it counts the others."""


def cautions(groups: list[TimingGroup], environment: dict[str, Any] | None) -> list[str]:
    """All of them, in the order in which they weigh; one for each kind, naming its rows."""
    if not groups:
        return []
    said: dict[str, list[str]] = defaultdict(list)
    for group in groups:
        for row in group.implementations:
            for text, detail in of_row(row):
                about = row.implementation
                if text != _UNCERTIFIED:
                    about = f"{formatting.called(row)} on {_called(group, groups)}"
                about += f" ({detail})" if detail else ""
                if about not in said[text]:
                    said[text].append(about)
    order = sorted(said, key=lambda text: (_WEIGHT.get(text, len(_WEIGHT)), text))
    return [
        *(f"{text}: {_listed(said[text])}." for text in order),
        *_of_machine(environment),
    ]


_INVALID = "Invalid iterations, listed and not summarised"
_UNCERTIFIED = "Timed without a certificate"
_UNSOUND = "Certified builds whose figures are not, by what their invocations and audits showed"
_UNAUDITED = "Timed without an audit, so nothing shows that these iterations did the work"
_UNDECIDED = "Left out, because the invocation was cut short before its warm-up was known"
_WIDE = f"Wide intervals, more than {WIDE:.0%} of the median; smaller differences show nothing"
_DOUBTED = f"Less than {DOUBTED} of the CPU time that the same computes take as a probe (MEAS-28)"
_HURRIED = f"Less than {DOUBTED} of the time that its computes take as probes (MEAS-28, MEAS-46)"
_SHORT = "Too short to be precise, by what may lie beside a claim on this machine (MEAS-23)"
_FAST = "Many times as fast as the iterations that were audited, so it may do less (MEAS-25)"
_OTHER = "Other numbers of messages than in the iterations that were audited (MEAS-33)"
_WORK = ("(MEAS-42)", "(MEAS-45)")
_UNJUDGED = "Computing that was held against less than it might be (MEAS-42, MEAS-45)"
_ACTORS = "Bytes per actor that were not measured, or may be more"
_DEAR = f"The harness itself took more than {DEAR:.0%} of the run time on all cores (MEAS-36)"
_UNCOUNTED = (
    "Traffic on the network was not counted, so nothing shows that messages crossed it (MEAS-54)"
)
_ORDER = (
    _INVALID, _UNCERTIFIED, _UNSOUND, _UNAUDITED, _FAST, _OTHER,
    _DOUBTED, _HURRIED, _UNJUDGED, _SHORT, _ACTORS, _UNCOUNTED, _DEAR, _UNDECIDED, _WIDE,
)  # fmt: skip
_WEIGHT = {text: n for n, text in enumerate(_ORDER)}


def of_row(row: TimedImplementation) -> Iterator[tuple[str, str]]:
    """The cautions about one row: the words, and a figure with them."""
    if row.invalid:
        total = len(row.invalid) + len(row.samples) + row.warmup + row.undecided
        yield _INVALID, f"{len(row.invalid)} of {total}"
    if marked := formatting.mark(row):
        yield (_UNCERTIFIED, "") if marked == formatting.UNCERTIFIED else (_UNSOUND, "")
    if row.audit is None or row.audit.share is None:
        yield _UNAUDITED, ""
    if row.audit and row.audit.slowdown and row.audit.slowdown > SLOWEST:
        yield _FAST, f"{row.audit.slowdown:.0f} times"
    if row.audit and row.audit.volume and not 1 / ALIKE <= row.audit.volume <= ALIKE:
        yield _OTHER, f"{row.audit.volume:.2f} times as many"
    if row.probe_share is not None and row.probe_share < DOUBTED:
        yield _DOUBTED, f"{row.probe_share:.2f}"
    for text in row.doubts:
        # Statements on medians over all invocations stand above.
        if text.endswith(_WORK):
            yield _UNJUDGED, text
        if HURRIED in text:
            yield _HURRIED, text
        if text.startswith(BYTES):
            yield _ACTORS, text
    if row.too_short:
        of_all = f"{row.too_short} of {len(row.samples)}"
        yield _SHORT, f"{of_all}: {row.enough}" if row.enough else of_all
    if row.beside and row.beside.harness is not None and row.beside.harness > DEAR:
        yield _DEAR, f"{row.beside.harness:.1%}"
    if row.wire is not None and row.wire.not_run:
        yield _UNCOUNTED, row.wire.not_run
    if row.undecided:
        yield _UNDECIDED, str(row.undecided)
    if row.compared and row.compared.width is not None and row.compared.width > WIDE:
        yield _WIDE, f"{row.compared.width:.0%}"
    if row.compared and row.compared.note:
        yield row.compared.note[0].upper() + row.compared.note[1:], ""


def _of_machine(environment: dict[str, Any] | None) -> Iterator[str]:
    if environment is None:
        yield "The environment of the timings was not recorded, so they compare with nothing."
        return
    if str(environment.get("virtualised")).startswith(_EMULATED):
        yield f"{environment['virtualised']}."
    cpu = machine.part(environment, "cpu")
    if isinstance(share := cpu.get("quota"), int | float):
        yield (
            f"A CPU quota left {share:g} cores over time (containers, Kubernetes): processes"
            " that used more were stopped meanwhile, so run times are those of the quota."
        )
    cores, at_start = cpu.get("cores"), machine.part(environment, "load").get("1min")
    if isinstance(cores, int) and isinstance(at_start, int | float) and at_start > BUSY * cores:
        yield (
            f"The machine was busy at the start: load {at_start:.2f} on"
            f" {formatting.count(cores, 'core')}."
        )
    governor = cpu.get("governor")
    if governor not in (None, "performance"):
        yield f"The frequency governor was {governor}, so the clock may have changed meanwhile."
    if machine.part(environment, "source").get("dirty"):
        yield "The source differed from the revision that is recorded."


def _called(group: TimingGroup, groups: list[TimingGroup]) -> str:
    """Its name, and what sets it apart if another has the same."""
    name, names = _name(group), [_name(other) for other in groups]
    return name if names.count(name) == 1 else f"{name}, {formatting.circumstances(group)}"


def _name(group: TimingGroup) -> str:
    return f"{group.benchmark} {group.scenario}".strip()


def _listed(rows: list[str]) -> str:
    named = "; ".join(rows[:_NAMED])
    return named if len(rows) <= _NAMED else f"{named}; and {len(rows) - _NAMED} more"
