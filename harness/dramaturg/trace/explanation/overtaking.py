"""Messages that overtook causally earlier ones, by other ways (spec/distributed.md, "Order").

An actor sends to a receiver, and to somebody else who thereupon sends to the same receiver. If the
receiver takes the second message first, that one has overtaken. Longer ways are not followed, so
there are at least as many as are counted.
"""

from dramaturg.model.workload import Workload
from dramaturg.trace.events import AnyLogs, lengths
from dramaturg.trace.explanation.causes import Causes, Place


def count(workload: Workload, logs: AnyLogs) -> int:
    """Count the messages of a conforming run that overtook one which was sent no later than their
    cause."""
    causes = Causes(workload, {actor: [*log] for actor, log in logs.items()}, lengths(logs))
    return sum(
        _overtook(causes, Place(receiver, position), sender)
        for receiver, log in logs.items()
        for position, (sender, _) in enumerate(log)
    )


def _overtook(causes: Causes, place: Place, sender: int) -> bool:
    upon = causes.of(place)
    first = None if upon is None else causes.of(upon)
    if first is None or first.actor in (sender, place.actor):
        return False
    sent = causes.sent_by(first, place.actor)
    taken = causes.place_of(first.actor, place.actor, sent - 1) if sent else None
    return taken is not None and taken.position > place.position
