"""A results folder, condensed: the run that it is, one row for each implementation on each setup.

Only complete results enter, timed under certificates. Iterations are those that the report counts.
"""

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

from dramaturg import files, results
from dramaturg.claims import crash_counts
from dramaturg.claims.catalogue import ClaimsError
from dramaturg.claims.runs import Invocation, Machine, Ran, Row, Run
from dramaturg.outcomes import Outcome
from dramaturg.records import SampleRecord, TimedRecord
from dramaturg.report import report_files
from dramaturg.report.summary import (
    State,
    Summary,
    TimedImplementation,
    TimingGroup,
    UnitFinding,
)
from dramaturg.timing.planning import pairing
from dramaturg.visible import typed

ClaimsAt = Callable[[str], tuple[str, list[str]] | None]
"""The digest of ``claims.yaml`` at a revision, and those of its predicates. None: not known."""


def condensed(folder: Path, claims_at: ClaimsAt) -> Run:
    """Condenses a results folder to the data that verdicts need. Raises ClaimsError if it can
    decide nothing, and ResultsError if it cannot be read."""
    summary = report_files.summarise(folder)
    if summary.timings.state is not State.COMPLETE:
        raise ClaimsError(
            f"{folder}: its timings are {summary.timings.state}; verdicts take a complete run:"
            f" `dramaturg bench --resume {typed(folder)}` goes on with an interrupted one"
        )
    header = summary.timings.header
    if header.get("uncertified"):
        raise ClaimsError(
            f"{folder}: timed with --uncertified; verdicts take only what is certified:"
            " certify, and time it again without"
        )
    if summary.environment is None:
        raise ClaimsError(
            f"{folder} has no {results.ENVIRONMENT} that can be read, so its machine and versions"
            " are not known"
        )
    if pairing.HEADER in header:
        raise ClaimsError(
            f"{folder} is a comparison, which runs more of what looks bad; verdicts take what"
            " `dramaturg bench` measured"
        )
    file = folder / results.TIMINGS
    timed = results.read(file)
    passed = Counter(
        _key_of(unit.implementation, unit) for unit in timed.units if unit.outcome is Outcome.PASS
    )
    try:
        here = summary.environment
        machine = _machine(here)
        # A run that was resumed has the sources of its first session.
        source = (header["source"] if "source" in header else here.get("source")) or {}
        revision = source.get("revision")
        known = claims_at(revision) if revision else None
        return Run(
            name=summary.results,
            started=datetime.fromtimestamp(header["started"], UTC).isoformat(timespec="seconds"),
            digest=hashlib.sha256(file.read_bytes()).hexdigest(),
            machine=machine,
            harness=str(here["packages"]["dramaturg"]),
            rooms=(header.get("harness") or {}).get("digest"),
            revision=revision,
            dirty=source.get("dirty"),
            suites=list(header["plan"]["suites"]),
            written=sorted(known[1]) if known else None,
            claims=known[0] if known else "",
            implementations={name: _ran(said) for name, said in here["implementations"].items()},
            rows=_rows(summary, timed.samples, _planned(header), passed, _cores(here)),
        )
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, OSError) as error:
        raise ClaimsError(
            f"{folder}: {results.ENVIRONMENT} or the header of {results.TIMINGS} does not say what"
            f" a verdict needs: {files.brief(repr(error))}"
        ) from None


def _machine(here: dict[str, Any]) -> Machine:
    netem = next((each for each in here["network"] if each["name"] == "netem"), None)
    return Machine(
        processor=here["cpu"]["model"],
        cores=here["cpu"]["cores"],
        memory_gib=round(here["memory"]["total"] / 2**30),
        virtualised=here["virtualised"],
        kernel=here["kernel"]["release"],
        netem=bool(netem and netem["available"]),
    )


def _cores(here: dict[str, Any]) -> int:
    pinned = here["cpu"]["pinned_to"]
    return len(pinned) if pinned else int(here["cpu"]["cores"])


def _ran(said: dict[str, Any]) -> Ran:
    return Ran(
        runtime=said["runtime"],
        version=said["runtime_version"],
        build=said["build"],
        schedulers=said.get("schedulers"),
    )


def _planned(header: dict[str, Any]) -> dict[str, int]:
    """Invocations by what is timed, as :func:`_key` has it."""
    return {
        _key(
            unit["implementation"],
            unit["scenario"] | {"scenario": unit["scenario"]["name"]},
            unit["network"],
            unit.get("cores", []),
        ): unit["invocations"]
        for unit in header["plan"]["units"]
    }


def _key(
    implementation: str, called: dict[str, Any], network: dict[str, Any], cores: Sequence[int]
) -> str:
    """The requested setting: the network that was built for it is found out later."""
    link = [network.get(name) for name in ("bandwidth", "delay", "loss")]
    said = [called[name] for name in ("benchmark", "scenario", "scale", "parameters")]
    return json.dumps(
        [implementation, said, network.get("nodes", 1), link, list(cores)], sort_keys=True
    )


def _key_of(implementation: str, of: TimedRecord | TimingGroup | UnitFinding) -> str:
    return _key(implementation, _called(of), of.network, _confined(of))


def _called(of: TimedRecord | TimingGroup | UnitFinding) -> dict[str, Any]:
    return of.model_dump(include={"benchmark", "scenario", "scale", "parameters"})


def _confined(of: TimedRecord | TimingGroup | UnitFinding) -> list[int]:
    """The numbers of the cores to which it was confined; none, if it had all of them."""
    return list(getattr(of, "cores", ()))


def _rows(
    summary: Summary,
    samples: Sequence[SampleRecord],
    planned: dict[str, int],
    passed: Mapping[str, int],
    cores: int,
) -> list[Row]:
    by_row: dict[str, list[SampleRecord]] = defaultdict(list)
    for sample in samples:
        by_row[_key_of(sample.implementation, sample)].append(sample)
    failed: dict[str, list[UnitFinding]] = defaultdict(list)
    for unit in summary.units:
        failed[_key_of(unit.implementation, unit)].append(unit)
    found = []
    for group in summary.groups:
        for row in group.implementations:
            key = _key_of(row.implementation, group)
            units = failed.pop(key, [])
            found.append(
                Row(
                    implementation=row.implementation,
                    called=_called(group),
                    network=group.network,
                    cores=len(_confined(group)) or cores,
                    certified=row.certified and not row.invalid and not units,
                    why_not=files.brief(_why_not(row, units)),
                    planned=planned.get(key, 0),
                    crashed=crash_counts.crashed(units),
                    not_run=crash_counts.not_run(units, planned.get(key, 0), passed.get(key, 0)),
                    too_short=row.too_short,
                    doubts=row.doubts,
                    invocations=_invocations(row, by_row[key]),
                )
            )
    without = [
        _without_samples(units, planned[key], passed.get(key, 0), cores)
        for key, units in failed.items()
    ]
    return found + without


def _why_not(row: TimedImplementation, failed: Sequence[UnitFinding]) -> str:
    if failed:
        return failed[0].message or str(failed[0].outcome)
    if row.invalid:
        return row.invalid[0].problems[0]
    return "" if row.certified else "not certified"


def _without_samples(units: Sequence[UnitFinding], planned: int, passed: int, cores: int) -> Row:
    """A row of which nothing could be timed: that somebody crashed is a result as well."""
    one = units[0]
    return Row(
        implementation=one.implementation,
        called=_called(one),
        network=one.network,
        cores=len(_confined(one)) or cores,
        certified=False,
        why_not=files.brief(one.message or str(one.outcome)),
        planned=planned,
        crashed=crash_counts.crashed(units),
        not_run=crash_counts.not_run(units, planned, passed),
        invocations=[],
    )


def _invocations(row: TimedImplementation, samples: Sequence[SampleRecord]) -> list[Invocation]:
    """The invocations, with the iterations that the report counts."""
    counted = {(sample.invocation, sample.iteration) for sample in row.samples}
    found: dict[int, list[SampleRecord]] = defaultdict(list)
    for sample in samples:
        if sample.build == row.build and (sample.invocation, sample.iteration) in counted:
            found[sample.invocation].append(sample)
    return [_invocation(number, of) for number, of in sorted(found.items())]


def _invocation(number: int, samples: list[SampleRecord]) -> Invocation:
    rates = [each.messages / (each.run_nanos / 1e9) for each in samples]
    return Invocation(
        number=number,
        run_nanos=median(each.run_nanos for each in samples),
        rate=median(rates) if all(rates) else None,
        iterations=len(samples),
    )
