"""Claims for a bigger machine: for each that this one cannot decide, the one command that does, and
its duration."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from dramaturg import paths
from dramaturg.claims.catalogue import Catalogue, Claim
from dramaturg.claims.claim_verdicts import Judgement
from dramaturg.claims.decide import Verdict
from dramaturg.claims.reproduction_page import Wanted
from dramaturg.implementation.manifest import find
from dramaturg.machine import environment
from dramaturg.timing.planning import suites, timing_plan
from dramaturg.timing.planning.duration import Known
from dramaturg.timing.planning.timing_plan import Plan

SUITES = paths.ROOT / "claims" / "suites"

FILES = (
    "many-nodes.yaml",
    "many-cores.yaml",
    "many-workers.yaml",
    "published-machine.yaml",
)
"""The suites whose entries have the names of claims, or begin so: ``C1-with``."""

_CORES = range(1024)
"""As plans count them that are made for a machine which is not here."""


@dataclass(frozen=True, slots=True)
class Estimated:
    """A claim that is wanted, and what results of this machine say of its time."""

    wanted: Wanted
    seconds: float
    """Seconds of the invocations of which something is known."""
    unknown: int
    """The number of invocations that were never recorded here."""
    lacks: str
    """The means that this machine lacks for it; empty if none."""

    def to_dict(self) -> dict[str, object]:
        known = self.unknown < self.wanted.invocations
        return {
            "claim": self.wanted.claim,
            "needs": self.wanted.needs,
            "lacks": self.lacks,
            "command": self.wanted.command,
            "invocations": self.wanted.invocations,
            "most_seconds": self.wanted.seconds,
            "memory_mib": self.wanted.memory,
            "seconds": self.seconds if known else None,
            "unknown": self.unknown,
        }


def wanted(judgement: Judgement) -> list[Wanted]:
    """Return the claims that are not decidable on the machines of the recorded runs, and for which
    there is a command: in the order of the claims. No machine decides what no run counts for."""
    found = []
    for claim in judgement.claims:
        lacking = [each.reason for each in claim.predicates if each.verdict is Verdict.NOT_HERE]
        file = _file_of(claim.id)
        if lacking and file is not None:
            found.append(_wanted(claim.id, lacking[0].partition(", and here")[0], file))
    return found


def plan(claim: str) -> Plan:
    """Return the plan of its command, on a machine that has the cores."""
    file = _file_of(claim)
    assert file is not None
    return timing_plan.only(_whole(file), _entries_of(file, claim))


def estimated(those: Sequence[Wanted], known: Catalogue) -> list[Estimated]:
    """Return them with estimates from this machine's results, as ``bench --dry-run`` does, and say
    if it is a machine that decides them."""
    recorded, found = Known(paths.results()), []
    for each in those:
        estimate = recorded.of(plan(each.claim).order())
        lacks = _lacks(known.claims[each.claim])
        found.append(Estimated(each, estimate.seconds, estimate.unknown, lacks))
    return found


def _lacks(claim: Claim) -> str:
    needs = [claim.needs, *(predicate.needs for predicate in claim.predicates)]
    machine = next((need.machine for need in needs if need.machine), "")
    if machine and machine.lower() not in environment.cpu_model().lower():
        return f"this is {environment.cpu_model()}"
    cores, here = max(need.cores for need in needs), environment.usable_cores()
    return f"here are {here}" if cores > here else ""


@cache
def _whole(file: Path) -> Plan:
    return timing_plan.make([suites.load(str(file))], [], 0, _CORES)


@cache
def _file_of(claim: str) -> Path | None:
    for name in FILES:
        file = SUITES / name
        if file.is_file() and _entries_of(file, claim):
            return file
    return None


@cache
def _entries_of(file: Path, claim: str) -> tuple[str, ...]:
    named = (each.name for each in suites.load(str(file)).benchmarks)
    return tuple(name for name in named if name and name.partition("-")[0] == claim)


def _wanted(claim: str, needs: str, file: Path) -> Wanted:
    made = plan(claim)
    # One iteration more than are timed is audited, and each ends in time or is not summarised.
    seconds = sum(unit.timeout * (unit.iterations + 1) for unit, _ in made.order())
    heaps = {
        unit.implementation: find(unit.implementation).manifest.run.heap for unit in made.units
    }
    only = " ".join(f"--only {name}" for name in _entries_of(file, claim))
    most = max(heaps[unit.implementation] * unit.network.nodes for unit in made.units)
    return Wanted(
        claim=claim,
        needs=needs,
        command=f"./dramaturg bench {file.relative_to(paths.ROOT)} {only}",
        invocations=len(made.order()),
        seconds=seconds,
        memory=most,
    )
