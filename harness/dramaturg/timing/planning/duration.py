"""The duration of a plan, estimated from earlier runs of the same on this machine."""

import contextlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from dramaturg import files, results
from dramaturg.machine import environment
from dramaturg.outcomes import Outcome
from dramaturg.records import UnitRecord
from dramaturg.timing.planning.suites import NetworkRequest
from dramaturg.timing.planning.timing_plan import Unit

_UNIT = b'{"record":"unit"'
"""The beginning of a line that has the end of an invocation; the others are not read."""

_MOST_SAID = 4 * 1024 * 1024
"""Bytes of an environment; ours has some thousand."""

_MOST_SECONDS = 31_536_000.0
"""Seconds of an invocation, at most: no time limit of a manifest is longer."""

_ENDED = (Outcome.PASS, Outcome.FAIL)
"""The outcomes of invocations that came to their end, and so took their full time."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """The estimate of some invocations."""

    seconds: float
    """The seconds of those of which something is known."""
    invocations: int
    unknown: int
    """The number of invocations that were never recorded here."""


class Known:
    """The known times of invocations, from results of this machine."""

    def __init__(self, root: Path) -> None:
        self._each: dict[str, list[float]] = defaultdict(list)
        """Seconds for each iteration, start and audits spread over them."""
        self.folders = 0
        """How many had something to say."""
        for file in sorted(root.glob(f"*/{results.TIMINGS}")):
            if file.parent.is_symlink() or not _is_of_here(file):
                continue
            self.folders += 1
            for record in _units(file):
                iterations = record.audits or record.samples
                if not 0 <= record.seconds <= _MOST_SECONDS:
                    continue
                if record.outcome in _ENDED and record.invocation is not None and iterations:
                    # A number of any length may stand in a stranger's record.
                    with contextlib.suppress(OverflowError):
                        self._each[_key_of(record)].append(record.seconds / iterations)

    def seconds(self, unit: Unit) -> float | None:
        """The seconds of one invocation, in which one iteration more than the timed ones is
        audited; None where the same was never recorded."""
        each = self._each.get(_key(unit))
        return fmean(each) * (unit.iterations + 1) if each else None

    def of(self, invocations: Iterable[tuple[Unit, int]]) -> Estimate:
        """The estimate of all of these."""
        each = [self.seconds(unit) for unit, _ in invocations]
        known = [seconds for seconds in each if seconds is not None]
        return Estimate(sum(known), len(each), len(each) - len(known))


def _is_of_here(file: Path) -> bool:
    """True if these results are of this machine, as far as they say: a header does, and else the
    environment beside it."""
    here = environment.identity()
    try:
        with files.come_upon(file) as lines:
            said = json.loads(lines.readline(results.MOST_LINE)).get("machine")
        if said is not None:
            return bool(said == here)
        with files.come_upon(file.parent / results.ENVIRONMENT) as stream:
            cpu = json.loads(stream.read(_MOST_SAID))["cpu"]
        return bool(cpu["model"] == here["cpu"] and cpu["cores"] == here["cores"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return False


def _units(file: Path) -> Iterator[UnitRecord]:
    """Yield the records that can be read: an estimate is no worse for one that cannot."""
    try:
        with files.come_upon(file) as lines:
            while line := lines.readline(results.MOST_LINE):
                if line.startswith(_UNIT):
                    try:
                        yield UnitRecord.model_validate_json(line)
                    except ValueError:
                        continue
    except OSError:
        return


def _key(unit: Unit) -> str:
    return _spelt(unit.implementation, unit.scenario.called(), unit.network.asked(), unit.cores)


def _key_of(record: UnitRecord) -> str:
    called = {key: getattr(record, key) for key in ("benchmark", "scenario", "scale", "parameters")}
    asked = {
        key: record.network[key] for key in NetworkRequest.model_fields if key in record.network
    }
    return _spelt(record.implementation, called, asked, record.cores)


def _spelt(
    implementation: str,
    called: Mapping[str, Any],
    asked: Mapping[str, Any],
    cores: Sequence[int],
) -> str:
    # 5 and 5.0 milliseconds are the same.
    network = {key: float(value) for key, value in asked.items() if isinstance(value, int | float)}
    return json.dumps([implementation, called, network, list(cores)], sort_keys=True)
