"""One way to replay what was watched, whether that is everybody or a part."""

from collections.abc import Mapping

from dramaturg.model.workload import ChatAppWorkload, MicroWorkload
from dramaturg.trace.events import Logs
from dramaturg.trace.parts import counts
from dramaturg.trace.parts.replay import PartVerdict, replay_part
from dramaturg.trace.parts.why import explain_part
from dramaturg.trace.replay import replay
from dramaturg.trace.watches import Watches, is_everybody
from dramaturg.trace.why import Explanation, explain


def replay_watched(
    workload: ChatAppWorkload | MicroWorkload,
    watches: Watches,
    logs: Logs,
    taken: Mapping[int, int] | None = None,
) -> PartVerdict:
    """Decide what these watches have logged of a run. ``taken`` is what was counted; None if
    that is not known. Raises ValueError for a part of a run that was driven by acts or turns."""
    if not is_everybody(watches):
        return replay_part(workload, watches, logs, taken)
    whole = replay(workload, logs)
    found = PartVerdict(
        events=whole.events,
        divergences=whole.divergences,
        control=whole.control,
        born=whole.born,
        alive=whole.alive,
        taken=whole.taken,
    )
    if whole.conforms:
        found.decided = whole.events
        found.pairs = len({(sender, actor) for actor, log in logs.items() for sender, _ in log})
        found.miscounted = "" if taken is None else counts.uncounted(whole.born, set(taken))
    return found


def explain_watched(
    workload: ChatAppWorkload | MicroWorkload,
    watches: Watches,
    logs: Logs,
    taken: Mapping[int, int] | None,
    verdict: PartVerdict,
) -> Explanation | None:
    """The verdict's first divergence, explained; None if what was watched conforms."""
    if is_everybody(watches):
        return explain(workload, logs, verdict)
    return explain_part(workload, watches, logs, taken, verdict)
