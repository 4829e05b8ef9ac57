"""Prints the end of cases, line by line while they run, and what failed ones have in common."""

from collections import Counter
from collections.abc import Callable, Sequence

from rich.progress import Progress
from rich.text import Text

from dramaturg import repeats
from dramaturg.outcomes import Outcome
from dramaturg.records import CaseRecord
from dramaturg.terminal import show
from dramaturg.trace.explanation.render import last_words, reasons
from dramaturg.visible import quoted

STYLES = {Outcome.PASS: "green", Outcome.FAIL: "bold red", Outcome.NOT_RUN: "dim"}


def watcher(bar: Progress, title: str, total: int, as_json: bool) -> Callable[..., None]:
    """Called with a record and its explanation as each case ends. A pass only moves the bar. A
    reason that keeps many cases from being run is said once, and so is a fault of many, and an
    implementation that does not start."""
    task = bar.add_task(title, total=total)
    said: set[tuple[str, Outcome, str]] = set()
    faults = Faults()
    answered: set[str] = set()
    """The implementations that have done anything: of the others it is said once that, and why,
    they do not start."""

    def watch(record: CaseRecord, explanation: str) -> None:
        bar.update(task, advance=1, description=f"{record.implementation} {record.case}")
        same = (record.implementation, record.outcome, record.message)
        concerns_all = record.divergence is None and not record.why
        if record.outcome is Outcome.PASS or record.divergence is not None:
            answered.add(record.implementation)
        if record.outcome is Outcome.PASS or as_json or (concerns_all and same in said):
            return
        said.add(same)
        if record.outcome is Outcome.TOOLCHAIN_MISSING:
            reason = f" {record.implementation}: {quoted(record.message)}"
            line = show.styled(("toolchain missing", "yellow"), reason)
        else:
            line = _line(record, again := faults.again(record))
            if again and record.implementation not in answered:
                return
            if again:
                bar.console.print(line, soft_wrap=True)
                return
        bar.console.print(line, soft_wrap=True)
        if record.divergence is not None:
            bar.console.print(explanation.split("\n", 1)[-1], soft_wrap=True)
            bar.console.print()
        elif record.why or record.stderr:
            why = ["", "  why:", *reasons(record.why)] if record.why else []
            lines = "\n".join([*why, *last_words(record.stderr), ""])
            bar.console.print(lines, soft_wrap=True)

    return watch


def summed_up(records: Sequence[CaseRecord]) -> list[str]:
    """The common points of several cases that did not pass: that all ended alike, as where it does
    not start, and which requirements most of them cite. Nothing where each has its own."""
    wrong = [each for each in records if each.outcome is not Outcome.PASS and each.why]
    if len(wrong) < _SEVERAL:
        return []
    alike = {(each.outcome, repeats.alike(each.message)) for each in wrong}
    rest = [each for each in records if each.outcome is Outcome.NOT_RUN and not each.why]
    if len(alike) == 1 and len(wrong) + len(rest) == len(records) and wrong[0].divergence is None:
        if not rest:
            return [f"all {len(wrong)} cases ended as {wrong[0].case} did"]
        return [f"{len(wrong)} cases ended as {wrong[0].case} did; {len(rest)} others were not run"]
    cited = Counter(name for each in wrong for name in {why["id"] for why in each.why})
    return [
        f"{len(wrong)} cases did not pass; {many} of these cite {name}"
        for name, many in sorted(cited.items(), key=lambda pair: (-pair[1], pair[0]))[:_CITED]
        if many >= _SEVERAL
    ]


_SEVERAL, _CITED = 2, 3
"""The number of cases from which on something is common to them; the number of requirements that
are named."""


class Faults:
    """The faults by case, except those that a replay explains, since those differ."""

    def __init__(self) -> None:
        self._first: dict[tuple[str, Outcome, str], tuple[CaseRecord, int]] = {}

    def again(self, record: CaseRecord) -> str:
        """Return where the same was said before, whatever the numbers in it, and how often; empty
        if it was not."""
        if record.divergence is not None or not record.message:
            return ""
        key = (record.implementation, record.outcome, repeats.alike(record.message))
        first, times = self._first.get(key, (record, 0))
        self._first[key] = first, times + 1
        if not times:
            return ""
        return f"as in {first.case}, level {first.level}: {times + 1} times so far"


def _line(record: CaseRecord, again: str = "") -> Text:
    known = f" (known failure: {quoted(record.known)})" if record.known else ""
    known += " (recommended)" if record.excused else ""
    known += f" (on {quoted(record.host)})" if record.host else ""
    said = f": {again or quoted(record.message)}" if record.divergence is None else ""
    return show.styled(
        (str(record.outcome), STYLES.get(record.outcome, "yellow")),
        f" {record.implementation} level {record.level} {record.case}{known}{said}",
    )
