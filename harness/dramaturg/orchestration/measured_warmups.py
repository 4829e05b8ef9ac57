"""``dramaturg bench`` by the warm-up that ``dramaturg warmup`` has measured here."""

from collections.abc import Mapping

from dramaturg import paths
from dramaturg.control import starting
from dramaturg.errors import ControlError
from dramaturg.implementation import build, toolchain
from dramaturg.implementation.manifest import Implementation
from dramaturg.machine import environment
from dramaturg.terminal import show
from dramaturg.timing.planning import baseline, warmups
from dramaturg.timing.planning.timing_plan import Plan
from dramaturg.timing.planning.warmups import Here
from dramaturg.visible import quoted


def foreseen(made: Plan) -> Plan:
    """The plan as it will be, if the runtimes are those of then: nothing is started."""
    measured = warmups.read(paths.results() / warmups.FILE)
    return warmups.applied(made, measured, Here(environment.identity(), {}, {}))


def applied(made: Plan, implementations: Mapping[str, Implementation]) -> Plan:
    """The plan with what was measured. Each implementation concerned is started, to know which
    version of its runtime this is. Raises ResultsError for a file that is none."""
    measured = warmups.read(paths.results() / warmups.FILE)
    versions: dict[str, str] = {}
    builds: dict[str, str] = {}
    for label in warmups.concerned(made, measured):
        name = baseline.plain(label)
        if name in versions:
            continue
        try:
            versions[name] = _version(implementations[label])
            builds[name] = build.digest(implementations[label])
        except ControlError:
            continue  # Whoever runs it says why it cannot be.
    changed = warmups.applied(made, measured, Here(environment.identity(), versions, builds))
    for unit in changed.units:
        if warmups.OLD in unit.warmup_note:
            show.notices().print(f"dramaturg: {unit}: warm-up: {quoted(unit.warmup_note)}")
    return changed


def _version(each: Implementation) -> str:
    """The version of its runtime, as the implementation reports it. Raises ControlError."""
    toolchain.require(each)
    build.build(each)
    with starting.start(each) as started:
        return started.describe().runtime_version
