"""Mutants and equivalents, judged on the hosts of a cluster by the same code as here.

The reference's are parted among all hosts; those of a language go to one host that has its
toolchain, since they are built in one folder, one after the other.
"""

import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from dramaturg import files
from dramaturg.cluster import host_tools, sent_sources
from dramaturg.cluster.reached import Ended, Job, Reached
from dramaturg.cluster.sent_sources import Sent
from dramaturg.cluster.worker_hosts import Host
from dramaturg.conformance.part import MOST_KEPT, renamed
from dramaturg.implementation.manifest import Implementation, load
from dramaturg.mutation import native_mutants, reference_mutants
from dramaturg.mutation.native_mutants import Judged, Member, Wrong
from dramaturg.mutation.reference_mutants import (
    Accepted,
    Caught,
    Equivalent,
    Item,
    Mutant,
    Verdict,
)
from dramaturg.outcomes import Outcome
from dramaturg.processes import confined, fence

FUNCTION = f"{__name__}:judged_there"

PARTS = 4
"""Number of parts of the reference's cast for each host: a quick host takes another one."""

Notice = Callable[[str], None]


class Entry(BaseModel):
    """One to be judged."""

    model_config = ConfigDict(extra="forbid")

    kind: Literal["mutant", "wrong", "equivalent"]
    entry: dict[str, Any]
    patch: str = ""
    """The patch of a member of a language's cast."""

    def read(self) -> Mutant | Equivalent:
        match self.kind:
            case "mutant":
                return Mutant.model_validate(self.entry)
            case "wrong":
                return Wrong.model_validate(self.entry)
            case "equivalent":
                return Equivalent.model_validate(self.entry)


class Part(BaseModel):
    """Several of one folder."""

    model_config = ConfigDict(extra="forbid")

    sent: Sent
    entries: list[Entry]
    native: bool
    cores: int
    results: str
    """The name of the folder of results that are put together."""
    shares: bool = False
    """True if this host sees the files of whoever asked. The worker says so."""


def judged_there(given: dict[str, Any], tell: Callable[[Any], None]) -> dict[str, str]:
    """On the host: tells each verdict as it comes; and what is kept of them, in base64."""
    part = Part.model_validate(given)
    implementation = part.sent.found(part.shares)
    names = {str(implementation.folder): part.sent.folder}

    def say(name: str, verdict: Verdict, build_seconds: float = 0.0) -> None:
        tell({"name": name, "verdict": renamed(asdict(verdict), names), "build": build_seconds})

    with tempfile.TemporaryDirectory(prefix="dramaturg-mutants-") as temporary:
        output = Path(temporary)
        fence.guard(output)
        names[str(output)] = part.results
        if part.native:
            for entry in part.entries:
                _native(implementation, entry, output, say)
        else:
            items: list[Item] = [(implementation.folder, each.read()) for each in part.entries]
            reference_mutants.perform(
                items, output, part.cores, lambda done: say(done.member.name, done.verdict)
            )
        return _kept(output)


def _kept(output: Path) -> dict[str, str]:
    """Recorded runs and standard error, up to so many bytes."""
    left, found = MOST_KEPT, {}
    for file in sorted(output.rglob("*")):
        if file.is_file() and not file.is_symlink() and file.suffix != ".patch":
            size = file.stat().st_size
            if size <= left:
                left -= size
                found[str(file.relative_to(output))] = confined.packed(file.read_bytes())
    return found


def _keep(folder: Path, came: Mapping[str, str], names: Collection[str]) -> None:
    """What came of those that are called so, each below a folder of its name."""
    for name, content in came.items():
        place = files.below(folder, name, names)
        if place is None:
            continue
        with files.naming(place):
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(confined.unpacked(content))


def _native(
    implementation: Implementation,
    sent: Entry,
    output: Path,
    say: Callable[[str, Verdict, float], None],
) -> None:
    entry = sent.read()
    assert isinstance(entry, Wrong | Equivalent)
    patch = output / f"{entry.name}.patch"
    patch.write_text(sent.patch, encoding="utf-8")
    judged, seconds = native_mutants.judge_in(
        implementation.folder, implementation.variant, patch, entry, output / entry.name
    )
    say(entry.name, judged.verdict, seconds)


def reference(
    reached: Reached,
    chosen: Sequence[Item],
    output: Path,
    watch: Callable[[Caught | Accepted], None],
    notice: Notice,
) -> list[Caught | Accepted]:
    """As ``reference_mutants.perform``, there, in the order in which they were chosen."""
    groups = [
        (load(folder), [member for _, member in items])
        for folder, items in groupby(chosen, key=lambda item: item[0])
    ]
    able = _able(reached, [each for each, _ in groups], notice)
    jobs: list[Job] = []
    of: list[list[Mutant | Equivalent]] = []
    found: dict[str, Caught | Accepted] = {}

    def enter(member: Mutant | Equivalent, verdict: Verdict) -> None:
        if member.name not in found:
            found[member.name] = _as_judged(member, verdict)
            watch(found[member.name])

    for implementation, members in groups:
        hosts, why = able[implementation.name]
        if not hosts:
            for member in members:
                enter(member, _unjudged(Outcome.TOOLCHAIN_MISSING, why))
            continue
        many = min(len(members), PARTS * len(hosts))
        for first in range(many):
            some = members[first::many]
            jobs.append(_job(implementation, [_entry(each) for each in some], hosts, output))
            of.append(some)
    for number, name, verdict, _ in _verdicts(reached, jobs, of, output, notice):
        enter(next(each for each in of[number] if each.name == name), verdict)
    return [found[member.name] for _, member in chosen]


def native(
    reached: Reached,
    chosen: Sequence[Member],
    output: Path,
    watch: Callable[[Judged], None],
    notice: Notice,
) -> list[Judged]:
    """As ``native_mutants.perform``, there, as they come."""
    groups: list[tuple[Implementation, list[Member]]] = []
    for member in chosen:
        if not groups or groups[-1][1][0].language != member.language:
            groups.append((load(member.source, member.variant), []))
        groups[-1][1].append(member)
    able = _able(reached, [each for each, _ in groups], notice)
    jobs: list[Job] = []
    of: list[list[Member]] = []
    done: dict[str, Judged] = {}

    def enter(member: Member, verdict: Verdict, seconds: float) -> None:
        if member.name not in done:
            done[member.name] = Judged(member, _as_judged(member.entry, verdict), seconds)
            watch(done[member.name])

    for implementation, members in groups:
        hosts, why = able[implementation.name]
        if not hosts:
            for member in members:
                enter(member, _unjudged(Outcome.TOOLCHAIN_MISSING, why), 0.0)
            continue
        entries = [_entry(each.entry, files.read_text(each.patch)) for each in members]
        jobs.append(_job(implementation, entries, hosts, output, native=True))
        of.append(members)
    for number, name, verdict, seconds in _verdicts(
        reached, jobs, [[each.entry for each in members] for members in of], output, notice
    ):
        enter(next(each for each in of[number] if each.entry.name == name), verdict, seconds)
    return list(done.values())


def _able(
    reached: Reached, implementations: Sequence[Implementation], notice: Notice
) -> dict[str, tuple[list[Host], str]]:
    """Return, for each, the hosts that have its toolchain, and why the others have not."""
    tools = host_tools.ask(reached, implementations, notice)
    found = {}
    for each in implementations:
        hosts = [host for host in reached.hosts if tools[each.name][host.name].usable]
        said = (f"{name}: {', '.join(has.problems)}" for name, has in tools[each.name].items())
        found[each.name] = hosts, f"no host of the cluster has its toolchain: {'; '.join(said)}"
    return found


def _entry(member: Mutant | Equivalent, patch: str = "") -> Entry:
    kind: Literal["mutant", "wrong", "equivalent"] = "equivalent"
    if isinstance(member, Mutant):
        kind = "wrong" if isinstance(member, Wrong) else "mutant"
    return Entry(kind=kind, entry=member.model_dump(mode="json"), patch=patch)


def _job(
    implementation: Implementation,
    entries: list[Entry],
    hosts: list[Host],
    output: Path,
    *,
    native: bool = False,
) -> Job:
    part = Part(
        sent=sent_sources.of(implementation),
        entries=entries,
        native=native,
        cores=min(host.cores for host in hosts),
        results=str(output),
    )
    return Job(FUNCTION, part.model_dump(), hosts)


def _verdicts(
    reached: Reached,
    jobs: Sequence[Job],
    of: Sequence[Sequence[Mutant | Equivalent]],
    output: Path,
    notice: Notice,
) -> Iterator[tuple[int, str, Verdict, float]]:
    """Of each job's members a verdict, and seconds that its build took. Whoever was not judged, for
    want of hosts or by a fault, has that as its verdict."""
    names = [{member.name for member in members} for members in of]
    left = [set(some) for some in names]
    for event in reached.perform(jobs, notice):
        mine = left[event.job]
        if isinstance(event, Ended):
            outcome, why = Outcome.HARNESS_FAULT, f"{event.host}: it was not said what came of it"
            if event.returned is not None:
                _keep(output, event.returned, names[event.job])
            else:
                outcome, why = Outcome.NOT_RUN if event.lost else outcome, event.why
            for name in sorted(mine):
                yield event.job, name, _unjudged(outcome, why), 0.0
            continue
        for said in event.values:
            if said["name"] in names[event.job]:
                mine.discard(said["name"])
                yield event.job, said["name"], _read(said["verdict"]), float(said["build"])


def _read(said: Mapping[str, Any]) -> Verdict:
    return Verdict(**{**said, "outcome": Outcome(said["outcome"])})


def _unjudged(outcome: Outcome, why: str) -> Verdict:
    return Verdict(None, outcome, "", why, "", 0.0)


def _as_judged(member: Mutant | Equivalent, verdict: Verdict) -> Caught | Accepted:
    return Caught(member, verdict) if isinstance(member, Mutant) else Accepted(member, verdict)
