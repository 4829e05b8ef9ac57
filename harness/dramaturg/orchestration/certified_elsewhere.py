"""Have a plan's cases performed on the hosts of a cluster, each implementation where its toolchain
is."""

import base64
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from dramaturg import files
from dramaturg.cluster import host_tools, sent_sources
from dramaturg.cluster.host_tools import Everywhere
from dramaturg.cluster.reached import Ended, Job, Reached, Told
from dramaturg.cluster.worker_hosts import Host
from dramaturg.conformance import part
from dramaturg.conformance.certification import MANY, Elsewhere, Perform, Take
from dramaturg.conformance.part import Part, Performed
from dramaturg.errors import ClusterLost
from dramaturg.implementation.manifest import Implementation
from dramaturg.outcomes import Outcome
from dramaturg.plan.case_plan import Item, Plan
from dramaturg.records import CaseRecord

Notice = Callable[[str], None]

_Key = tuple[str, int, str, str]
"""Which case of which implementation."""


def performer(reached: Reached, notice: Notice) -> Perform:
    """Performs a plan on these hosts, for ``certification.certify``."""

    def perform(plan: Plan, folder: Path, take: Take) -> Elsewhere:
        return _Run(reached, plan, folder, take, notice).perform()

    return perform


@dataclass
class _Run:
    """A plan under way."""

    reached: Reached
    plan: Plan
    folder: Path
    take: Take
    notice: Notice
    done: Elsewhere = field(default_factory=Elsewhere)
    taken: set[_Key] = field(default_factory=set)
    """Which have a record."""
    parts: list[tuple[Implementation, list[Item]]] = field(default_factory=list)
    digests: dict[str, str] = field(default_factory=dict)
    """The digests of the sources that hosts were asked to judge, by the implementation's name."""
    hosts: dict[str, Host] = field(default_factory=dict)

    def perform(self) -> Elsewhere:
        try:
            self._perform()
        except KeyboardInterrupt:
            self.done.interrupted = True
        except ClusterLost as error:
            self.done.errors.append(str(error))
        return self.done

    def _perform(self) -> None:
        self.hosts = {host.name: host for host in self.reached.hosts}
        tools = host_tools.ask(self.reached, self.plan.implementations, self.notice)
        jobs = list(self._jobs(tools))
        for event in self.reached.perform(jobs, self.notice):
            implementation, items = self.parts[event.job]
            if isinstance(event, Told):
                for value in event.values:
                    self._told(items, event.host, value)
            else:
                self._ended(implementation, items, event)

    def _jobs(self, tools: Everywhere) -> Iterable[Job]:
        """Implementation by implementation; several parts of each, where there are hosts for it."""
        able = {
            each.name: [host for host in self.reached.hosts if tools[each.name][host.name].usable]
            for each in self.plan.implementations
        }
        for each in self.plan.implementations:
            items = [item for item in self.plan.items if item.implementation is each]
            if not able[each.name]:
                self._refuse(items, _nowhere(tools, each))
                continue
            many = len(able[each.name]) // max(1, len(self.plan.implementations))
            for some in _parted(items, max(1, min(many, len(items) // MANY))):
                self.parts.append((each, some))
                yield self._job(each, some, able[each.name])

    def _job(self, implementation: Implementation, items: list[Item], hosts: list[Host]) -> Job:
        sent = sent_sources.of(implementation)
        self.digests[implementation.name] = sent.build
        given = Part(
            sent=sent,
            levels=list(self.plan.levels),
            paths=[item.path for item in items],
            file=None if self.plan.file is None else files.read_text(self.plan.file),
            cores=min(host.cores for host in hosts),
            results=_from_here(self.folder),
        )
        return Job(part.FUNCTION, given.model_dump(), hosts)

    def _refuse(self, items: list[Item], why: str) -> None:
        for item in items:
            self._record(_unrecorded(item, Outcome.TOOLCHAIN_MISSING, why, ""), why)

    def _told(self, items: list[Item], host: str, value: Any) -> None:
        if "building" in value:
            self.notice(f"{items[0].implementation.name} on {host}: {value['building']}")
            return
        record = CaseRecord.model_validate(value["record"])
        self._own(items, record, value["explanation"], host)

    def _ended(self, implementation: Implementation, items: list[Item], event: Ended) -> None:
        if event.returned is None:
            outcome = Outcome.NOT_RUN if event.lost else Outcome.HARNESS_FAULT
            for item in items:
                self._record(_unrecorded(item, outcome, event.why, event.host), event.why)
            return
        try:
            came = Performed.model_validate(event.returned)
        except ValidationError as error:
            self.done.errors.append(f"{event.host}: its answer is none: {files.brief(error)}")
            return
        if came.build and came.build != (asked := self.digests[implementation.name]):
            self.done.errors.append(
                f"{event.host}: {implementation.name} is another build there: digest"
                f" {came.build[:12]}, here {asked[:12]}"
            )
        for record, explanation in came.records:
            self._own(items, record, explanation, event.host)
        self.done.errors += [f"{event.host}: {error}" for error in came.errors]
        self.done.interrupted |= came.interrupted
        self._keep(came, event.host)
        host = self.hosts[event.host]
        if not host.shares:
            self.done.away[implementation.name] = (
                f"judged on {host.name}, where what was built of it is: certify it there"
            )
        elif came.built is not None:
            before = self.done.built.setdefault(implementation.name, came.built)
            if before != came.built:
                self.done.errors.append(f"{implementation.name}: hosts built differently")

    def _own(self, items: list[Item], record: CaseRecord, explanation: str, host: str) -> None:
        """Only of a case that this host was asked for."""
        if _key(record) in map(_key_of, items):
            self._record(record.model_copy(update={"host": host}), explanation)

    def _record(self, record: CaseRecord, explanation: str) -> None:
        """Once, also where it was performed twice."""
        key = _key(record)
        if key not in self.taken:
            self.taken.add(key)
            self.take(record, explanation)

    def _keep(self, came: Performed, host: str) -> None:
        for name, content in came.kept.items():
            place = files.below(self.folder, name, ("stderr", "traces"))
            if place is None:
                continue
            with files.naming(place):
                place.parent.mkdir(parents=True, exist_ok=True)
                with place.open("ab" if name.startswith("stderr/") else "wb") as file:
                    file.write(base64.b64decode(content))
        for name in came.left:
            self.notice(f"{host}: {name} is too large to come back")


def _key(record: CaseRecord) -> _Key:
    return record.implementation, record.level, record.benchmark, record.case


def _key_of(item: Item) -> _Key:
    case = item.case
    return item.implementation.name, case.level, case.benchmark, case.name


def _from_here(folder: Path) -> str:
    """As a person would type it."""
    here = Path.cwd()
    return str(folder.relative_to(here) if folder.is_relative_to(here) else folder)


def _parted(items: list[Item], number: int) -> list[list[Item]]:
    """Into so many parts, every so-manieth item in each: large cases stand side by side."""
    return [items[first::number] for first in range(number)]


def _nowhere(tools: Everywhere, implementation: Implementation) -> str:
    said = "; ".join(
        f"{host}: {', '.join(found.problems)}" for host, found in tools[implementation.name].items()
    )
    return f"no host of the cluster has its toolchain: {said}"


def _unrecorded(item: Item, outcome: Outcome, why: str, host: str) -> CaseRecord:
    """The record of a case that nobody performed."""
    case = item.case
    return CaseRecord(
        implementation=item.implementation.name,
        level=case.level,
        benchmark=case.benchmark,
        case=case.name,
        outcome=outcome,
        message=why,
        recommended=case.recommended,
        requirements=list(case.message.requirements),
        host=host,
    )
