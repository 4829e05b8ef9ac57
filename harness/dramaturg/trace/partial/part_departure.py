"""Explains why a part departs, as for a whole run, by what is known of the part."""

from collections.abc import Mapping

from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.model.workload import ChatAppWorkload, Line, MicroWorkload
from dramaturg.trace.events import Logs
from dramaturg.trace.explanation.departure import Explanation, explain
from dramaturg.trace.partial.basis.outsiders import Inside
from dramaturg.trace.partial.part_replay import PartVerdict, outside_of
from dramaturg.trace.watches import Watches


class _Part:
    """A workload of which only those are there who are watched."""

    def __init__(
        self, workload: ChatAppWorkload | MicroWorkload, inside: Inside, logs: Logs
    ) -> None:
        self.parameters = workload.parameters
        self.script = workload.script
        self.lead = workload.lead
        self._workload = workload
        self._inside = inside
        self._logs = logs

    def initial(self) -> list[Actor]:
        outside = outside_of(self._workload, self._inside, self._logs)
        outside.send, outside.wake = (lambda *args: None), (lambda receiver: None)
        return list(outside.births())

    def reports(self, line: Line) -> int:
        return self._workload.reports(line)


def explain_part(
    workload: ChatAppWorkload | MicroWorkload,
    watches: Watches,
    logs: Logs,
    taken: Mapping[int, int] | None,
    verdict: PartVerdict,
    alive: int | None = None,
) -> Explanation | None:
    """The verdict's first divergence, explained as that of a whole run is; None if there is none.

    The events that led up to it are told as far back as it was watched.
    """
    inside = Inside(watches, dict(taken or {}))
    whole = {actor: log for actor, log in logs.items() if inside.whole(actor)}
    part = _Part(workload, inside, whole)

    def outside(actor: int) -> bool:
        return names.class_of(actor) != names.CONTROL and not inside.whole(actor)

    return explain(part, logs, verdict, outside, alive)
