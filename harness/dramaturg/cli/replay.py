"""``dramaturg replay``: hold a recorded run against the model once more."""

import hashlib
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from pydantic import BaseModel

from dramaturg.cluster.reached import Ended, Job
from dramaturg.errors import ClusterLost, HarnessFault
from dramaturg.model import names
from dramaturg.orchestration import cluster_use
from dramaturg.outcomes import Outcome
from dramaturg.processes import confined, fence
from dramaturg.processes.confined import Limits
from dramaturg.results import ResultsError
from dramaturg.terminal import show
from dramaturg.trace import recorded
from dramaturg.trace.columns.array_logs import ArrayLogs
from dramaturg.trace.events import Event, TraceError, spell_event
from dramaturg.trace.explanation.render import render
from dramaturg.trace.partial.rerun import replayed, taken_of, watches_of
from dramaturg.trace.partial.watched_replay import explain_watched

if TYPE_CHECKING:
    from dramaturg.orchestration.judged_in_parts import Found

_READER = f"{__name__}:judged"

_ON_HOST = f"{__name__}:judged_there"


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--actor", help="Also print this actor's whole log: client/17, chat/17.2, ...")
@click.option("--all", "everything", is_flag=True, help="Every divergence, not only the first.")
@show.cluster_options
@show.json_option
def replay(
    file: Path,
    actor: str | None,
    everything: bool,
    cluster: str | None,
    cluster_tls: Path | None,
    as_json: bool,
) -> None:
    """Replay a recorded run and report its first divergence.

    Failed cases leave their runs in results/.../traces/.

    \b
    Examples:
      dramaturg replay results/latest/traces/erlang-turns.run
      dramaturg replay results/latest/traces/erlang-turns.run --actor chat/3.0
      dramaturg replay results/latest/audits/erlang-1.run --cluster ssh:hosts.yaml
    """
    cluster_use.refuse_odd(cluster, cluster_tls)
    try:
        if actor:
            names.parse(actor)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    given = {"file": str(file), "actor": actor, "everything": everything}
    if cluster is None:
        told = _Told.model_validate(confined.read(_READER, file, given, Limits.of(file)))
    else:
        told = _there(cluster, cluster_tls, file, given)
    if as_json:
        show.print_json(told.document)
    else:
        console = show.console()
        for line in told.lines:
            console.print(line)
    sys.exit((Outcome.PASS if told.conforms else Outcome.FAIL).exit_code)


def _there(cluster: str, keys_in: Path | None, file: Path, given: dict[str, Any]) -> "_Told":
    """Replayed on the hosts of a cluster: a large run in parts, and by one host what is to be
    said of one that does not conform. Raises ClusterLost if none is left."""
    # With Numba and SciPy, for which the replay of one machine need not wait.
    from dramaturg.orchestration import judged_in_parts

    content = recorded.content(file)
    with cluster_use.opened(cluster, keys_in) as reached:
        found = judged_in_parts.judged(reached, file, given["actor"], cluster_use.tell)
        if found and found.conforms:
            told = _conforming(found)
            told.document["host"] = ", ".join(found.hosts)
            return told
        if found:
            cluster_use.tell(f"{found.why}: one host looks for the first divergence")
        asked = given | {
            "file": str(file.resolve()),
            "digest": hashlib.sha256(content).hexdigest(),
            "content": "" if all(h.shares for h in reached.hosts) else confined.packed(content),
        }
        for event in reached.perform([Job(_ON_HOST, asked, reached.hosts)], cluster_use.tell):
            if isinstance(event, Ended):
                if event.returned is None:
                    raise ClusterLost(f"{file} was not replayed: {event.why}")
                told = _Told.model_validate(event.returned)
                if found and found.conforms is False and told.conforms:
                    raise HarnessFault(
                        f"parts refuse a log that the token game accepts: {found.why}"
                    )
                told.document["host"] = event.host
                return told
    raise AssertionError("unreachable")


def judged_there(given: dict[str, Any], tell: Callable[[Any], None]) -> dict[str, Any]:
    """On a host: as :func:`judged`, of the file where the host sees it, or of a copy. Raises
    ResultsError."""
    shares, digest, content = given.pop("shares"), given.pop("digest"), given.pop("content")
    with tempfile.TemporaryDirectory(prefix="dramaturg-run-") as temporary:
        file = Path(given["file"])
        if not shares:
            fence.guard(Path(temporary))
            file = Path(temporary) / file.name
            file.write_bytes(confined.unpacked(content))
        elif hashlib.sha256(recorded.content(file)).hexdigest() != digest:
            raise ResultsError(f"{file}: it changed while it was to be replayed")
        told: dict[str, Any] = confined.read(
            _READER, file, given | {"file": str(file)}, Limits.of(file)
        )
    return told


class _Told(BaseModel):
    """The result of a replay."""

    conforms: bool
    document: dict[str, Any]
    lines: list[str]


def judged(given: dict[str, Any]) -> dict[str, Any]:
    """The recorded run in a file, replayed, in the process that reads it: as :class:`_Told`.
    Raises ResultsError for what is none."""
    try:
        again = replayed(Path(given["file"]))
    except TraceError as error:
        raise ResultsError(str(error)) from None
    run, logs, verdict = again.run, again.logs, again.verdict
    wanted = names.parse(given["actor"]) if given["actor"] else None
    log = None if wanted is None else [spell_event(wanted, each) for each in _log(logs, wanted)]
    divergence = explain_watched(again.workload, watches_of(run), logs, taken_of(run), verdict)
    document = {
        "implementation": run.implementation,
        "case": run.case,
        "events": verdict.events,
        "conforms": verdict.conforms,
        "divergence": divergence.to_dict() if divergence else None,
        "divergences": len(verdict.divergences),
        "log": log,
    }
    lines = _numbered(log)
    if divergence is None:
        lines.append(_no_divergence(verdict.events))
    else:
        lines += [verdict.shifted] if verdict.shifted else []
        lines.append(render(divergence))
        rest = [other for other in verdict.divergences if other is not divergence.divergence]
        if given["everything"]:
            lines += [f"also: {other.headline()}" for other in rest]
        elif rest:
            lines.append(f"\n  and {len(rest)} more, which --all lists")
    return {"conforms": verdict.conforms, "document": document, "lines": lines}


def _log(logs: ArrayLogs, actor: int) -> list[Event]:
    try:
        return logs[actor]
    except KeyError:
        return []


def _conforming(found: "Found") -> _Told:
    """The same of a run whose parts conform."""
    document = {
        "implementation": found.implementation,
        "case": found.case,
        "events": found.events,
        "conforms": True,
        "divergence": None,
        "divergences": 0,
        "log": found.log,
    }
    lines = [*_numbered(found.log), _no_divergence(found.events)]
    return _Told(conforms=True, document=document, lines=lines)


def _numbered(log: list[str] | None) -> list[str]:
    if log is None:
        return []
    return [*(f"{number:>6}  {said}" for number, said in enumerate(log)), ""]


def _no_divergence(events: int) -> str:
    return f"{events:,} events, no divergence"
