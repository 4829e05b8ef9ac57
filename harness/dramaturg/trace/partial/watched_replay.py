"""One way to replay what was watched, whether that is everybody or a part."""

from collections.abc import Mapping

from dramaturg.model.workload import ChatAppWorkload, MicroWorkload
from dramaturg.trace.columns.array_logs import ArrayLogs, in_lists
from dramaturg.trace.events import Logs
from dramaturg.trace.explanation.departure import Explanation, explain
from dramaturg.trace.partial import message_counts, quick_part
from dramaturg.trace.partial.part_departure import explain_part
from dramaturg.trace.partial.part_replay import PartVerdict, replay_part
from dramaturg.trace.replay import quick_game
from dramaturg.trace.replay.token_game import Verdict, replay
from dramaturg.trace.watches import Watches, is_everybody


def replay_watched(
    workload: ChatAppWorkload | MicroWorkload,
    watches: Watches,
    logs: Logs | ArrayLogs,
    taken: Mapping[int, int] | None = None,
) -> PartVerdict:
    """Decide what these watches have logged of a run. ``taken`` is what was counted; None if
    that is not known. Raises ValueError for a part of a run that was driven by acts or turns."""
    if not is_everybody(watches):
        of_whole = None
        if isinstance(logs, ArrayLogs):
            of_whole = quick_part.conforming(workload, watches, logs, taken)
        return replay_part(workload, watches, logs, taken, of_whole)
    quick = quick_game.conforming(workload, logs) if isinstance(logs, ArrayLogs) else None
    whole, pairs = quick or _plainly(workload, in_lists(logs))
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
        found.pairs = pairs
        found.miscounted = "" if taken is None else message_counts.uncounted(whole.born, set(taken))
    return found


def _plainly(workload: ChatAppWorkload | MicroWorkload, logs: Logs) -> tuple[Verdict, int]:
    whole = replay(workload, logs)
    if not whole.conforms:
        return whole, 0
    return whole, len({(sender, actor) for actor, log in logs.items() for sender, _ in log})


def explain_watched(
    workload: ChatAppWorkload | MicroWorkload,
    watches: Watches,
    logs: Logs | ArrayLogs,
    taken: Mapping[int, int] | None,
    verdict: PartVerdict,
    alive: int | None = None,
) -> Explanation | None:
    """The verdict's first divergence, explained; None if what was watched conforms. ``alive`` is
    how many actors lived on by the receipts; None without any."""
    if verdict.conforms:
        return None
    logs = in_lists(logs)
    if is_everybody(watches):
        return explain(workload, logs, verdict, alive=alive)
    return explain_part(workload, watches, logs, taken, verdict, alive)
