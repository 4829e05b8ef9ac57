"""Case files: YAML that must decode into ``dramaturg.v2.CaseFile`` and make sense."""

import hashlib
import json
import re
import zlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from google.protobuf import json_format

from dramaturg import files, paths
from dramaturg.cases import over_nodes
from dramaturg.levels import LEVELS, OFFERED
from dramaturg.model import chatapp, names, ranges
from dramaturg.model.facts import ImpossibleConfiguration, check_friends
from dramaturg.model.messages import Choice
from dramaturg.model.simulation import Simulation
from dramaturg.model.workload import MOST_CLIENTS, ChatAppWorkload, MicroWorkload, workload_of
from dramaturg.trace import golden_traces, watches
from dramaturg.trace.watches import Watched
from dramaturg.v2 import benchmarks_pb2, case_pb2, control_pb2

MOST_PICKS = 2**28
"""The most picks of a case of ChatApp; the largest has a thousandth of them."""


MOST_TIMES = 2**17
"""Maximum number of calls of one step of a script."""

CONTROL = "control"
"""The benchmark of a file whose cases are of the control port."""

_BENCHMARKS = [
    each.name for each in benchmarks_pb2.Benchmark.DESCRIPTOR.oneofs_by_name["parameters"].fields
]

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
"""The name of a case: it becomes part of the names of files."""


COMPUTING = frozenset({"web", "openweb", "chatapp"})
"""Benchmarks in which as many actors as one likes compute at the same time."""

LONG = 5.0
"""Seconds of rest or sleep that nobody should wait for who has something to do."""

MOST_REST = 120_000
"""Milliseconds of a case's ``rest``: none may take the time of all others."""


class CaseError(Exception):
    """A case file that cannot be used: names the file, the case and the fault."""


@dataclass(frozen=True, slots=True)
class Case:
    """A case and the benchmark that its file speaks of."""

    benchmark: str
    message: case_pb2.Case

    @property
    def name(self) -> str:
        return self.message.name

    @property
    def level(self) -> int:
        return self.message.level

    @property
    def recommended(self) -> bool:
        """True if a failure takes no certificate away, yet."""
        return self.message.recommended

    @property
    def drive(self) -> str:
        """The kind of drive: the name of the member that is set."""
        return str(self.message.WhichOneof("drive"))

    @property
    def nodes(self) -> int:
        """Number of processes: 1 unless the case is distributed."""
        return self.message.distributed.nodes if self.drive == "distributed" else 1

    @property
    def shape(self) -> tuple[int, int]:
        """The delay of its links in milliseconds, and their loss in percent, both one way."""
        link = self.message.distributed.link
        return link.delay, link.loss

    @property
    def cores(self) -> int:
        """Number of cores that its process is confined to; 0: none."""
        return int(self.message.concurrent.cores)

    @property
    def log_limit(self) -> int:
        """Number of events that may be held while it runs; 0: any."""
        return int(self.message.concurrent.log_limit)

    @property
    def needs(self) -> frozenset[str]:
        """Benchmarks of which the manifest must name one, beside the case's own; none: no other."""
        computes = self.message.interim.computing or (
            self.message.ending.when == case_pb2.Ending.WHEN_COMPUTING
        )
        return COMPUTING if computes else frozenset()

    @property
    def waits(self) -> float:
        """Seconds in which nothing is done for it: it rests, or everybody sleeps."""
        if self.drive not in ("concurrent", "distributed"):
            return 0.0
        driven = getattr(self.message, self.drive)
        said = len(workload_of(driven.benchmark).disconnect().script)
        calls = max(1, self.message.concurrent.turns) + said
        sleep = sleep_of(driven.benchmark)
        return float(max(1, driven.repeats) * (calls * driven.rest / 1000 + sleep))

    @property
    def rests(self) -> bool:
        """True if it may be performed beside others, since next to nothing is done in it. Not over
        several nodes, of which one set can be up at a time."""
        return self.nodes == 1 and self.waits >= LONG

    @property
    def path(self) -> str:
        """``1-serial/chatapp/cumulative``: ``-k`` matches it and known failures name it."""
        return f"{self.level}-{LEVELS[self.level]}/{self.benchmark}/{self.name}"


def load_file(file: Path) -> list[Case]:
    """The cases of one file. Raises CaseError."""
    try:
        parsed = json_format.ParseDict(files.read_yaml(file), case_pb2.CaseFile())
    except (files.Unreadable, json_format.ParseError) as error:
        raise CaseError(f"{file}: {files.brief(error)}") from None
    except Exception as error:  # Parsers raise all kinds for what does not fit.
        raise CaseError(f"{file} is no case file ({files.brief(error)})") from None
    if parsed.benchmark not in (CONTROL, *_BENCHMARKS):
        raise CaseError(
            f"{file}: benchmark, beside cases, is {parsed.benchmark!r}; it must be that of the"
            f" cases: {', '.join((CONTROL, *_BENCHMARKS))}"
        )
    cases = [Case(parsed.benchmark, message) for message in parsed.cases]
    for case in cases:
        problem = _problem(case)
        if problem:
            raise CaseError(f"{file}: {files.brief(f'case {case.name!r}: {problem}')}")
    return cases


@cache
def load_all(folder: Path = paths.CASES) -> list[Case]:
    """All cases, in order of level, nodes, file and place. Raises CaseError."""
    cases = [case for file in sorted(folder.glob("*.yaml")) for case in load_file(file)]
    seen: set[str] = set()
    for case in cases:
        if case.name in seen:
            raise CaseError(f"{folder}: two cases are called {case.name!r}")
        seen.add(case.name)
    if not cases:
        raise CaseError(f"{folder}: there are no cases")
    # Many nodes first: who is up already can serve a smaller case as well, over links of that kind.
    return sorted(cases, key=lambda case: (case.level, case.shape, -case.nodes))


def digest() -> str:
    """SHA-256 over the required cases, each with its golden trace: a certificate rests on it."""
    lines = (f"{case.path} {digest_of(case)}\n" for case in load_all() if not case.recommended)
    return hashlib.sha256("".join(sorted(lines)).encode()).hexdigest()


def digest_of_files(folder: Path = paths.CONFORMANCE) -> str:
    """SHA-256 over all case files and golden traces, byte for byte."""
    total = hashlib.sha256()
    for file in sorted([*folder.glob("cases/*.yaml"), *folder.glob("golden/*.trace")]):
        total.update(f"{file.relative_to(folder)}\n".encode())
        total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()


def digest_of(case: Case, folder: Path = paths.CONFORMANCE) -> str:
    """SHA-256 over one case and, if it has one, its golden trace: the message, whatever the
    layout of the file that it was read from. That a case is recommended is no part of it: the
    same case is required later."""
    message = json_format.MessageToDict(case.message, preserving_proto_field_name=True)
    message.pop("recommended", None)
    total = hashlib.sha256(json.dumps([case.path, message], sort_keys=True).encode())
    trace = golden_traces.file_of(case.name, folder / "golden")
    if trace.exists():
        total.update(trace.read_bytes())
    return total.hexdigest()


def sleep_of(benchmark: benchmarks_pb2.Benchmark) -> float:
    """Seconds that a run takes at least, whatever else is true: those of its naps."""
    sleepers = benchmark.sleepers
    return sleepers.naps * sleepers.delay / 1000


def steps_of(serial: case_pb2.Serial) -> list[case_pb2.Step]:
    """The steps of a serial case."""
    if serial.benchmark.WhichOneof("parameters") != "chatapp":
        return [case_pb2.Step(run=control_pb2.RunRequest(salt=0))]
    everybody = range(serial.benchmark.chatapp.clients)
    acts = [
        control_pb2.ActRequest(client=client) for _ in range(serial.rounds) for client in everybody
    ]
    return [case_pb2.Step(act=act) for act in [*acts, *serial.acts]]


def speak(workload: ChatAppWorkload | MicroWorkload, step: case_pb2.Step) -> None:
    """Add the line to the workload's script that the step calls for."""
    if step.HasField("act"):
        act = step.act
        assert isinstance(workload, ChatAppWorkload)
        workload.act(act.client, Choice(act.choice), act.index, act.k)
    elif step.HasField("turn"):
        assert isinstance(workload, ChatAppWorkload)
        workload.turn()
    else:
        workload.run(step.run.salt)


def salt_of(case: Case, repeat: int) -> int:
    """Return the salt of a case's run for the ``repeat``th time: any but 0, and always the same."""
    return zlib.crc32(f"{case.path}#{repeat}".encode()) | 1


def serial_workload(serial: case_pb2.Serial) -> ChatAppWorkload | MicroWorkload:
    """The workload with the script of a serial case, up to where the golden trace ends."""
    workload = workload_of(serial.benchmark)
    if isinstance(workload, ChatAppWorkload):
        workload.prepare()
    for step in steps_of(serial):
        speak(workload, step)
    return workload


def golden_of(case: Case) -> str:
    """The logs that a serial case must have when Teardown is called: its golden trace, or the
    model's logs of the actors that it watches."""
    rows = case.message.serial.watches
    if not rows:
        return golden_traces.file_of(case.name).read_text(encoding="utf-8")
    logs = Simulation(serial_workload(case.message.serial)).perform().logs
    watched = Watched(rows)
    slices = {actor: watched.slice_of(actor) for actor in logs}
    parts = {actor: wanted.of(logs[actor]) for actor, wanted in slices.items() if wanted}
    return golden_traces.text({actor: log for actor, log in parts.items() if log})


def _other_benchmark(case: Case) -> str:
    """The benchmark that the case is driven with, if its file is of another one; else empty."""
    if case.benchmark == CONTROL or case.message.WhichOneof("drive") is None:
        return ""
    drive = getattr(case.message, case.drive)
    asked = drive.limits if case.drive == "search" else getattr(drive, "benchmark", None)
    name = str(asked.WhichOneof("parameters") or "") if asked is not None else ""
    return name if name != case.benchmark else ""


def _problem(case: Case) -> str:
    message = case.message
    if not message.name or not message.purpose:
        return "name and purpose must be set"
    if not _NAME.fullmatch(message.name):
        return "its name must be of letters, digits, dots, hyphens and underscores, at most 100"
    if other := _other_benchmark(case):
        return f"its benchmark is {other}, and that of its file {case.benchmark}"
    if message.WhichOneof("drive") is None:
        return "how it is driven must be set: introduction, vectors, ending, serial, ..."
    if message.level not in OFFERED:
        return f"level is {message.level}; cases exist for levels {OFFERED}"
    if (case.level == 4) != (case.drive == "distributed"):
        return "level 4 is that of distributed cases, and of no others"
    if (case.level == 2) != (case.drive in ("script", "search")):
        return "level 2 is that of scripts and searches, and of no others"
    if case.drive == "script":
        return unfit(message.script)
    if case.drive in ("serial", "concurrent", "distributed"):
        problem = _impossible(getattr(message, case.drive).benchmark)
        if problem:
            return problem
        if message.concurrent.unwatched and case.benchmark == "chatapp":
            return "unwatched is not for chatapp, whose deliveries only its logs show"
        problem = _unfit_to_wait(case)
        if problem:
            return problem
    if case.drive == "serial":
        problems = watches.problems(message.serial.watches)
        counting = {getattr(row, "class") for row in message.serial.watches} & names.COUNTING
        if counting:
            problems.append("the log of a counting class is not the same in every run")
        if problems:
            return "; ".join(problems)
    if case.drive == "search":
        return _aimless(message.search)
    if case.drive == "distributed":
        return over_nodes.unfit(message.distributed)
    return ""


def _unfit_to_wait(case: Case) -> str:
    """The fault in how long it rests, or at what it looks meanwhile."""
    rest = max(case.message.concurrent.rest, case.message.distributed.rest)
    if rest > MOST_REST:
        return f"rest is {rest} ms; it must be in 0..{MOST_REST}"
    if case.message.concurrent.looks and case.benchmark != "sleepers":
        return "looks is for sleepers alone, whose timers nothing else shows"
    if case.message.concurrent.looks and case.message.concurrent.unwatched:
        return "looks needs somebody who is watched"
    concurrent = case.message.concurrent
    if concurrent.log_limit and (concurrent.turns or concurrent.unwatched or concurrent.looks):
        return "log_limit is for run, where everybody is watched and looks is not set"
    return ""


def _impossible(benchmark: benchmarks_pb2.Benchmark) -> str:
    try:
        workload = workload_of(benchmark)
        if isinstance(workload, ChatAppWorkload):
            too_large = _too_large(workload.parameters)
            if too_large:
                return too_large
            check_friends(workload.parameters)
        else:
            workload.micro.check(workload.parameters)
    except (ImpossibleConfiguration, ValueError) as error:
        return str(error)
    return ""


def unfit(script: case_pb2.Script) -> str:
    """Return the reason why the script cannot be performed; empty if it can."""
    problem = _impossible(script.benchmark)
    if problem:
        return problem
    chatapp = script.benchmark.WhichOneof("parameters") == "chatapp"
    calls = [str(step.WhichOneof("call")) for step in script.steps]
    if not set(calls) <= {"act", "turn", "run"}:
        return "every step must be one of act, turn and run"
    if not chatapp and calls != ["run"]:
        return "the steps of this benchmark must be one run"
    if "run" in calls and len(calls) > 1:
        return "run must be the only step of its script"
    clients = script.benchmark.chatapp.clients
    for number, step in enumerate(script.steps):
        if step.times > MOST_TIMES or (step.times and step.HasField("run")):
            return f"step {number}: times is {step.times}; it must be in 0..{MOST_TIMES}, 0 of run"
        if step.HasField("act") and step.act.client >= clients:
            return f"step {number}: client is {step.act.client}; it must be in 0..{clients - 1}"
        if step.HasField("act") and int(step.act.choice) not in set(Choice):
            return f"step {number}: choice is {step.act.choice}; it must be in 0..6"
    return ""


def _aimless(search: case_pb2.Search) -> str:
    name = search.limits.WhichOneof("parameters")
    if name is None:
        return "limits must name a benchmark"
    if not search.examples:
        return "examples must be at least 1"
    if search.steps and name != "chatapp":
        return f"steps is {search.steps}; only chatapp has any"
    for parameter, low in least(name).items():
        limit = getattr(getattr(search.limits, name), parameter)
        if limit < low:
            return f"limits: {parameter} is {limit}; it must be at least {low}"
    return ""


def least(benchmark: str) -> dict[str, int]:
    """The least value of each of a benchmark's parameters, but for those that may be 0."""
    if benchmark == "chatapp":
        return {"clients": 1, "directories": 1, "turns": 1, "selection": 1}
    message = getattr(benchmarks_pb2.Benchmark(), benchmark)
    ends = {field: ranges.low(text) for field, text in ranges.of_fields(message).items()}
    return {field: low for field, low in ends.items() if low}


def _too_large(p: chatapp.Parameters) -> str:
    if p.clients <= MOST_CLIENTS and p.turns * (p.clients + 1000) <= MOST_PICKS:
        return ""
    return (
        f"{p.clients} clients in {p.turns} turns are too many for a case: the model runs it too"
        f" (at most {MOST_CLIENTS} clients, and turns times clients about {MOST_PICKS})"
    )
