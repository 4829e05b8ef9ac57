"""``dramaturg bench --hosts``, from here: start an agent on each host, find out what they are, give
them the builds, measure the links, have the first one drive, and write what it says."""

import functools
import queue
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError
from rich.progress import Progress

from dramaturg import files
from dramaturg.conformance.certification import is_certified
from dramaturg.errors import ClusterLost
from dramaturg.hosts import asked_hosts, started_agents
from dramaturg.hosts.asked_hosts import Asked
from dramaturg.hosts.real_network import HostOf
from dramaturg.hosts.started_agents import Agents, Started
from dramaturg.machine import environment as machine_environment
from dramaturg.machine.floors import Cost
from dramaturg.orchestration.inside_host import Driven
from dramaturg.orchestration.job import Job
from dramaturg.orchestration.ready_hosts import Ready, in_background, machines
from dramaturg.outcomes import Outcome, worst
from dramaturg.records import AuditRecord, LinksRecord, SampleRecord, UnitRecord
from dramaturg.results import ResultsError, Writer
from dramaturg.terminal import show, timing_table
from dramaturg.timing.planning import resume
from dramaturg.timing.planning.suites import SuiteError
from dramaturg.timing.planning.timing_plan import Plan, Unit
from dramaturg.timing.planning.unit_records import describe, unit_record
from dramaturg.timing.running import readiness
from dramaturg.timing.running.readiness import Readiness
from dramaturg.visible import quoted

HEADER = "hosts"
"""The key of the header of records that has the hosts on which they were made."""

PROGRAM = ("-m", "dramaturg.orchestration.inside_host")

_TICK = 0.5

_FOLDERS = ("stderr", "audits", "traces")
"""Below which what comes back is laid, whatever it is called."""

_Record: TypeAdapter[SampleRecord | AuditRecord | UnitRecord] = TypeAdapter(
    SampleRecord | AuditRecord | UnitRecord
)


def asked(
    text: str | None,
    header: Mapping[str, Any] | None = None,
    refused: Mapping[str, Any] | None = None,
) -> Asked | None:
    """The hosts that the command line names, or the header of the run that it goes on with.
    ``refused`` are options that do not go with them, by their names. Raises SuiteError and
    ClusterError, and starts nothing."""
    said = text if text is not None else str((header or {}).get(HEADER, "")) or None
    if said is None:
        return None
    named = [name for name, value in (refused or {}).items() if value]
    if named:
        raise SuiteError(
            f"--hosts {said} does not go with {' and '.join(named)}: leave out the one or the other"
        )
    return asked_hosts.parse(said)


def refuse_impossible(asked: Asked | None, made: Plan) -> None:
    """Refuse a plan that hosts cannot perform. Raises SuiteError and ClusterError."""
    if asked is None:
        return
    several = [unit.network.nodes for unit in made.units if unit.network.nodes > 1]
    if not several:
        raise SuiteError(
            f"--hosts {asked.text}: nothing of this plan has nodes; add --nodes N, or take a suite"
            " with nodes, as chatapp-nodes"
        )
    if any(unit.network.link.delayed for unit in made.units):
        raise SuiteError(
            f"--hosts {asked.text}: links between hosts have their own delay and loss, and the"
            " plan asks for some; leave those out (--only), or emulate the network"
        )
    # Of a sweep over nodes the points that find place are measured.
    asked_hosts.refuse_few(asked, min(several))


def perform(job: Job, asked: Asked, bar: Progress, quiet: bool) -> Outcome:
    """As ``Job.perform``, on these hosts. Raises ClusterError before anything is timed, and
    ClusterLost when one is lost."""
    ready = _prepared(job, quiet)
    run = _Run(job, asked, ready, bar, quiet)
    with started_agents.started(asked, PROGRAM, run.heard, run.notice) as agents:
        return run.perform(agents)


def _prepared(job: Job, quiet: bool) -> dict[str, Readiness]:
    """Builds are made here, where their certificates are."""
    return {
        name: readiness.find(
            each,
            is_certified,
            uncertified=job.uncertified,
            on_output=functools.partial(_tell, name, quiet),
        )
        for name, each in job.implementations.items()
    }


@dataclass
class _Run:
    """A job under way."""

    job: Job
    asked: Asked
    ready: dict[str, Readiness]
    bar: Progress
    quiet: bool
    agents: Agents | None = None
    told: "queue.SimpleQueue[tuple[dict[str, Any], bytes]]" = field(
        default_factory=queue.SimpleQueue
    )

    def notice(self, said: str) -> None:
        if not self.quiet:
            show.notices().print(quoted(said), style="dim")

    def heard(self, by: Started, words: dict[str, Any], content: bytes) -> None:
        """Take a message of an agent that is no answer to us: the first one asks others by way of
        us, and tells what it measures."""
        assert self.agents is not None
        first = self.agents.all[0]
        if by is not first:
            if "re" in words:
                first.talk.tell(words, content)
            return
        to = words.pop("to", None)
        if isinstance(to, int) and 0 < to < len(self.agents.all):
            self.agents.all[to].talk.tell(words, content)
        elif "told" in words:
            self.told.put((words, content))

    def perform(self, agents: Agents) -> Outcome:
        self.agents, job = agents, self.job
        hosts = Ready(self.asked, job.implementations, agents, self.notice)
        hosts.ask_facts()
        agents.watch()
        hosts.send_builds(self._runnable())
        links = hosts.links()
        due = [unit for unit in job.made.units if self._refusal(unit)[0] is Outcome.PASS]
        limited = hosts.try_limits([unit.network.bandwidth for unit in due])
        agents.require()
        cost = hosts.cost()
        header = resume.header(job.made, job.implementations, cost, job.uncertified)
        header |= job.header
        header |= {
            "kernel": hosts.facts[0]["kernel"],
            "machine": hosts.facts[0]["identity"],
            HEADER: self._text(),
        }
        if job.before is not None:
            resume.check(job.before, header)
            header["source"] = job.before.header.get("source")
        with resume.begin(job.folder, header, job.before) as writer:
            return self._drive(writer, hosts, links, limited, cost)

    def _text(self) -> str:
        """As ``--resume`` takes it again, from wherever that is typed."""
        return f"ssh:{self.asked.file.absolute()}" if self.asked.file else self.asked.text

    def _runnable(self) -> dict[str, Readiness]:
        names = {unit.implementation for unit in self.job.made.units}
        return {
            name: found
            for name, found in self.ready.items()
            if name in names and found.outcome is Outcome.PASS
        }

    def _refusal(self, unit: Unit) -> tuple[Outcome, str]:
        """Return the outcome and the reason of a unit that is not invoked; PASS for any other."""
        found, nodes = self.ready[unit.implementation], unit.network.nodes
        if found.outcome is not Outcome.PASS:
            return found.outcome, found.message
        if nodes > self.asked.nodes:
            return Outcome.NOT_RUN, f"{nodes} nodes: {asked_hosts.place(self.asked, nodes)}"
        if unit.network.bandwidth is not None and nodes > self.asked.number:
            return Outcome.NOT_RUN, (
                f"bandwidth {unit.network.bandwidth:g}: more nodes ({nodes}) than hosts"
                f" ({self.asked.number}), and nothing limits what nodes of one host send each"
                " other; add hosts"
            )
        return Outcome.PASS, ""

    def _control(self, hosts: Sequence[HostOf]) -> str:
        """Say by which way control comes."""
        if self.asked.scheme == "local":
            return "pipes"
        return "same interface" if any(each.shared for each in hosts) else "own interface"

    def _drive(
        self,
        writer: Writer,
        ready: Ready,
        links: LinksRecord,
        limited: dict[float, LinksRecord],
        cost: Cost,
    ) -> Outcome:
        job, hosts, names = self.job, ready.hosts(), self._runnable()
        outcomes = [record.outcome for record in job.before.done] if job.before else []
        units = []
        for unit in job.made.units:
            outcome, message = self._refusal(unit)
            if outcome is Outcome.PASS:
                units.append(unit)
                continue
            network = describe(unit.network, kind="hosts")
            self._written(writer, unit_record(unit, None, outcome, message, network=network))
            outcomes.append(outcome)
        if not units:
            return worst(outcomes)
        driven = Driven(
            made=job.made.model_copy(update={"units": units}),
            done=list(job.before.done) if job.before else [],
            versions={name: list(found.versions) for name, found in names.items()},
            hosts=hosts,
            cores=[facts["cores"] for facts in ready.facts],
            links=links,
            limited=limited,
            about={
                "machines": machines(hosts),
                "started": self.asked.scheme,
                "control": self._control(hosts),
            },
            cost=cost,
            uncertified=job.uncertified,
            described=dict(job.before.described) if job.before else {},
        )
        task = self.bar.add_task("bench", total=None)
        first = ready.agents.all[0]
        answers = first.talk.ask(
            {"op": "drive", "job": driven.model_dump(mode="json")}, seconds=float("1e9")
        )
        ended: queue.SimpleQueue[Any] = queue.SimpleQueue()
        in_background(lambda: list(answers), ended)
        while True:
            self._take(writer, ready, task)
            ready.agents.require()
            if not ended.empty():
                break
        self._take(writer, ready, task)
        said = ended.get()
        if isinstance(said, BaseException):
            raise ClusterLost(f"host {first.name}: {said}")
        return worst([*outcomes, Outcome(said[0][0]["drove"]["outcome"])])

    def _take(self, writer: Writer, ready: Ready, task: Any) -> None:
        """Take the messages that have come by now; wait a moment for more."""
        timeout = _TICK
        while True:
            try:
                words, content = self.told.get(timeout=timeout)
            except queue.Empty:
                return
            timeout = 0.01
            match words:
                case {"told": "record", "record": said}:
                    try:
                        record = _Record.validate_python(said)
                    except ValidationError as error:
                        raise ResultsError(f"the first host: {files.brief(error)}") from None
                    self._written(writer, record)
                case {"told": "environment", "environment": dict(environment)}:
                    _write_environment(self.job.folder, environment, ready.described())
                case {"told": "doing", "doing": str(text), **more}:
                    self.bar.update(
                        task,
                        description=text,
                        **{key: more[key] for key in ("completed", "total") if key in more},
                    )
                case {"told": "file", "name": str(name)}:
                    _keep(self.job.folder, name, content)
                case {"told": "left", "name": name}:
                    self.notice(f"{name} is too large to come back")

    def _written(self, writer: Writer, record: SampleRecord | AuditRecord | UnitRecord) -> None:
        writer.write(record)
        if isinstance(record, UnitRecord) and record.message and not self.quiet:
            self.bar.console.print(timing_table.line(record), soft_wrap=True)


def _write_environment(
    folder: Path, environment: dict[str, Any], hosts: list[dict[str, Any]]
) -> None:
    machine_environment.write(folder, environment | {"hosts": hosts})


def _keep(folder: Path, name: str, content: bytes) -> None:
    place = files.below(folder, name, _FOLDERS)
    if place is None:
        return
    with files.naming(place):
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("ab" if name.startswith("stderr/") else "wb") as file:
            file.write(content)


def _tell(name: str, quiet: bool, line: str) -> None:
    if not quiet:
        show.notices().print(f"{name}: {line}", style="dim")
