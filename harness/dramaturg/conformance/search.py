"""Level 2: look for a script that an implementation gets wrong, and shorten it.

Hypothesis makes up configurations and scripts. Every script is judged as any other run
is: replay, then receipt. The scripts depend on the seed alone.
"""

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from google.protobuf import json_format
from hypothesis import HealthCheck, Phase, Verbosity, assume, configuration, given, seed, settings
from hypothesis import strategies as st

from dramaturg import files, paths
from dramaturg.cases.cases import Case, least, speak
from dramaturg.conformance.shorten import SHORTENING, shorten
from dramaturg.conformance.situations import SITUATIONS, step
from dramaturg.conformance.world import Performance
from dramaturg.model.facts import ImpossibleConfiguration, check_friends
from dramaturg.model.simulation import Simulation
from dramaturg.model.workload import ChatAppWorkload, chatapp_parameters, workload_of
from dramaturg.outcomes import Outcome
from dramaturg.v2 import benchmarks_pb2, case_pb2, control_pb2

HASTE, LEAST_HASTE = 10, 1.0
"""While shortening a call may take so many times as long as the longest script that conformed,
but at least so many seconds: a script that hangs, hangs many times then."""

_FOUND = "-found"

_GROUP = 8
"""Steps at most that are left out together: a script is made up of groups of them."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A script and how it went. ``error`` is None if it conforms."""

    script: Case
    performance: Performance | None
    error: Exception | None
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Found:
    """A script that does not conform."""

    attempt: Attempt
    recurs: bool | None
    """True if it did not conform when it was performed once more either; None: it was not."""

    @property
    def steps(self) -> int:
        return len(self.attempt.script.message.script.steps)


Perform = Callable[[Case, float | None], Attempt]
"""Performs a script; the seconds are those in which a call must be answered, in haste, or
None for those of the manifest."""


class _DoesNotConform(Exception):
    """Tells Hypothesis."""


@contextlib.contextmanager
def apart() -> Iterator[None]:
    """Hypothesis keeps its files in the user's cache meanwhile. Its own place is the current
    folder: it would draw from a stranger's files there, and a look alone would leave a folder
    behind."""
    before = getattr(configuration, "__hypothesis_home_directory", None)
    configuration.set_hypothesis_home_dir(paths.cache() / "hypothesis")
    try:
        yield
    finally:
        configuration.set_hypothesis_home_dir(before)


def search(case: Case, perform: Perform, shortening: float = SHORTENING) -> Found | None:
    """The first of the ``examples`` that does not conform, shortened; None if all do.

    Raises what ``perform`` raises, and the error of a script that could not be judged.
    """
    wanted = case.message.search
    first: Attempt | None = None
    longest = 0.0

    @seed(wanted.seed)
    @settings(
        max_examples=wanted.examples,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
        report_multiple_bugs=False,
        print_blob=False,
    )
    @given(scripts(wanted))
    def conforms(script: case_pb2.Script) -> None:
        nonlocal first, longest
        # Hypothesis shows a failure once more; its verdict stands.
        if first is None:
            start = time.monotonic()
            attempt = perform(_case_of(script, case), None)
            if attempt.error is None:
                longest = max(longest, time.monotonic() - start)
                return
            first = attempt
        raise _DoesNotConform

    try:
        with apart():
            conforms()
    except _DoesNotConform:
        assert first is not None
        if first.outcome is Outcome.NOT_RUN:
            assert first.error is not None
            raise first.error from None
        haste = max(LEAST_HASTE, HASTE * longest)
        return _shortened(first, perform, haste, time.monotonic() + shortening)
    return None


def _shortened(first: Attempt, perform: Perform, settle: float, deadline: float) -> Found:
    last = first

    def still(script: case_pb2.Script) -> bool:
        nonlocal last
        if time.monotonic() > deadline:
            return False
        attempt = perform(_case_of(script, first.script), settle)
        if attempt.outcome is not first.outcome:
            return False
        last = attempt
        return True

    shorten(first.script.message.script, still)
    if last is first:
        return Found(first, recurs=None)
    again = perform(last.script, None)
    if again.outcome is last.outcome:
        return Found(again, recurs=True)
    if again.outcome is Outcome.NOT_RUN:
        return Found(last, recurs=None)
    # The finding stands, but a call that was only late in haste may have been only slow.
    return Found(first if last.outcome is Outcome.TIMEOUT else last, recurs=False)


def _case_of(script: case_pb2.Script, case: Case) -> Case:
    message = case_pb2.Case(
        name=f"{case.name.removesuffix(_FOUND)}{_FOUND}",
        purpose="A search found that this script shows a departure.",
        level=2,
        requirements=case.message.requirements,
        script=script,
    )
    return Case(case.benchmark, message)


def write(file: Path, case: Case) -> None:
    """Write the case as a file that ``dramaturg certify --cases`` takes."""
    document = case_pb2.CaseFile(benchmark=case.benchmark, cases=[case.message])
    content = json_format.MessageToDict(document, preserving_proto_field_name=True)
    file.parent.mkdir(parents=True, exist_ok=True)
    files.write_text(file, yaml.safe_dump(content, sort_keys=False, width=100))


SALTY = 0x9E3779B9
"""The salt that replaces a drawn 0, by an exclusive or: of a wide range a search draws 0 every
other time, and with that salt whoever ignores salts is right."""


def scripts(wanted: case_pb2.Search) -> st.SearchStrategy[case_pb2.Script]:
    """Scripts within the limits of a search."""
    moments = st.tuples(st.sampled_from(list(SITUATIONS)), st.integers(0, 2**16 - 1))
    groups = st.lists(
        st.lists(moments, min_size=1, max_size=_GROUP), max_size=-(-wanted.steps // _GROUP)
    )

    @st.composite
    def made(draw: Callable[..., Any]) -> case_pb2.Script:
        benchmark = draw(benchmarks(wanted.limits))
        script = case_pb2.Script(benchmark=benchmark)
        workload = workload_of(benchmark)
        if not wanted.steps or not isinstance(workload, ChatAppWorkload):
            salt = draw(st.integers(0, 2**32 - 1)) ^ SALTY
            script.steps.add(run=control_pb2.RunRequest(salt=salt))
            return script
        simulation = Simulation(workload.prepare()).perform()
        for situation, pick in (moment for group in draw(groups) for moment in group):
            called = step(situation, pick, simulation)
            if called is not None and len(script.steps) < wanted.steps:
                script.steps.append(called)
                speak(workload, called)
                simulation.perform(workload.script[-1:])
        return script

    return made()


def benchmarks(limits: benchmarks_pb2.Benchmark) -> st.SearchStrategy[benchmarks_pb2.Benchmark]:
    """Benchmarks with parameters up to the limits, such as can be run."""
    name = str(limits.WhichOneof("parameters"))
    most, low = getattr(limits, name), least(name)
    fields: dict[str, st.SearchStrategy[Any]] = {}
    for parameter in most.DESCRIPTOR.fields:
        limit = getattr(most, parameter.name)
        if isinstance(limit, bool):
            fields[parameter.name] = st.booleans() if limit else st.just(False)
        else:
            fields[parameter.name] = st.integers(low.get(parameter.name, 0), limit)

    @st.composite
    def made(draw: Callable[..., Any]) -> benchmarks_pb2.Benchmark:
        values = draw(st.fixed_dictionaries(fields))
        if name == "chatapp":
            _reconcile(values)
        message = type(most)(**values)
        try:
            if name == "chatapp":
                check_friends(chatapp_parameters(message))
        except ImpossibleConfiguration:
            assume(False)
        return benchmarks_pb2.Benchmark(**{name: message})

    return made()


def _reconcile(values: dict[str, Any]) -> None:
    """Make what was drawn one by one into what can be run together (CHAT-40 to CHAT-44)."""
    if values["clients"] == 1:
        values["befriend"] = 0
    if values["befriend"] == 0:
        values["invite"] = 0
    most = values["clients"] // 2 if values["befriend"] else values["clients"]
    values["directories"] = min(values["directories"], most)
    chances = ("compute", "post", "leave", "invite")
    total = sum(values[chance] for chance in chances)
    if values["selection"] == benchmarks_pb2.SELECTION_CUMULATIVE and total > 100:
        for chance in chances:
            values[chance] = values[chance] * 100 // total
