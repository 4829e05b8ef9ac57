"""Have the parts of one recorded run judged on the hosts of a cluster (docs/scaling.md)."""

import secrets
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dramaturg.cluster.reached import Ended, Job, Reached
from dramaturg.errors import ClusterLost
from dramaturg.judging import divided_log
from dramaturg.processes import confined, fence
from dramaturg.processes.confined import Limits
from dramaturg.results import ResultsError
from dramaturg.trace.codec import IN_MEMORY

ABOVE = IN_MEMORY
"""Events of a run that is divided: of fewer, starting takes longer than judging."""

_LEAST_BYTES = 17
"""Bytes of an event in a file, at least: two names, and a kind."""

_EACH = 2
"""Parts for each host: a host that is lost, or slow, has the smaller part of its share to do."""

_MOST = 64
"""Parts: each holds the names of all actors."""


@dataclass(frozen=True)
class Found:
    """The finding of all parts of a run."""

    conforms: bool | None
    """None if they cannot tell."""
    why: str
    implementation: str
    case: str
    events: int
    log: list[str] | None = None
    hosts: list[str] = field(default_factory=list)


def judged(
    reached: Reached, file: Path, actor: str | None, notice: Callable[[str], None]
) -> Found | None:
    """The finding of parts, each played on one of the hosts; None of a run that is not divided.
    ``actor``'s whole log is asked for with it. Raises ClusterLost if no host is left, or one cannot
    go on, and HarnessFault."""
    try:
        if file.stat().st_size < _LEAST_BYTES * ABOVE or len(reached.hosts) < 2:
            return None
        with tempfile.TemporaryDirectory(
            prefix="dramaturg-parts-", ignore_cleanup_errors=True
        ) as folder:
            fence.guard(Path(folder))
            return _judged(reached, file, Path(folder), actor, notice)
    except (ResultsError, OSError) as error:
        # One host says the same of the whole run, or has what is missing here.
        notice(f"the run is not divided: {error}")
        return None


def _judged(
    reached: Reached, file: Path, folder: Path, actor: str | None, notice: Callable[[str], None]
) -> Found | None:
    parts = min(_MOST, _EACH * len(reached.hosts))
    given = {"file": str(file), "folder": str(folder), "parts": parts, "above": ABOVE}
    laid: dict[str, Any] = confined.read(divided_log.LAY_OUT, file, given, Limits.of(file))
    if not laid["parts"]:
        return None
    said = laid["implementation"], laid["case"], laid["events"]
    # Nobody who wrote the log knew it.
    common: dict[str, Any] = {
        "key": [secrets.randbits(64), secrets.randbits(64)],
        **{name: laid[name] for name in ("benchmark", "script", "events", "actors")},
    }
    played, hosts = dict[int, tuple[Any, str]](), set[str]()
    notice(f"{len(laid['parts'])} parts of {max(laid['parts']):,} events and less")
    for event in reached.perform(_jobs(reached, folder, len(laid["parts"]), common), notice):
        if not isinstance(event, Ended):
            continue
        if event.returned is None:
            raise ClusterLost(f"{file} was not replayed: {event.why}")
        hosts.add(event.host)
        if event.returned["conforms"] is not True:
            return Found(event.returned["conforms"], event.returned["why"], *said)
        place = divided_log.kept(folder, event.job, event.returned)
        played[event.job] = event.returned["played"], str(place)
    asked = common | {
        "folder": str(folder),
        "played": [played[number] for number in sorted(played)],
        "actor": actor,
    }
    decision = confined.read(divided_log.JOIN, file, asked, Limits.of(file))
    return Found(
        decision["conforms"], decision["why"], *said, log=decision["log"], hosts=sorted(hosts)
    )


def _jobs(reached: Reached, folder: Path, parts: int, common: dict[str, Any]) -> list[Job]:
    all_share = all(host.shares for host in reached.hosts)
    return [
        Job(
            divided_log.FUNCTION,
            common
            | {
                "folder": str(folder),
                "part": number,
                "content": {} if all_share else divided_log.content_of(folder, number),
            },
            reached.hosts,
        )
        for number in range(parts)
    ]
