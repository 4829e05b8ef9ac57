"""Finds which actors may be alive after Teardown: a receipt has their number, and no names.

All actors of a class, or all that ended upon the same kind of message, are named if they are
as many as live.
"""

import re
from collections import defaultdict
from collections.abc import Iterable

from dramaturg import requirements
from dramaturg.model import names
from dramaturg.model.chatapp import LOGOUT
from dramaturg.model.messages import KINDS, label
from dramaturg.trace.events import AnyLogs
from dramaturg.trace.replay.divergence import turn_of

NAMED = 3
"""The number of actors that are named of each group."""

_ENDS = re.compile(r"\bends?\b")


def survivors(born: Iterable[int], logs: AnyLogs, alive: int) -> str:
    """The actors that may live on, with the requirement by which each should have ended; if no
    group is of that size, how many there were of each class."""
    classes: dict[str, list[int]] = defaultdict(list)
    by_end: dict[str, list[int]] = defaultdict(list)
    for actor in sorted(born):
        group = names.LABELS[names.class_of(actor)]
        classes[group].append(actor)
        last = logs[actor][-1][1] if logs.get(actor) else None
        if last is not None:
            upon = f"{label(last[0])} at the end" if turn_of(last) == LOGOUT else label(last[0])
            by_end[f"{group} whose last message was {upon}"].append(actor)
    groups = [item for item in classes.items() if len(item[1]) == alive]
    whole = {tuple(actors) for _, actors in classes.items()}
    groups += [
        item for item in by_end.items() if len(item[1]) == alive and tuple(item[1]) not in whole
    ]
    if groups:
        return "there were as many of class " + "; or of class ".join(
            _group(*item, logs) for item in groups
        )
    counts = ", ".join(f"{len(actors)} {group}" for group, actors in classes.items())
    return f"no class has as many actors: {counts}"


def _group(what: str, actors: list[int], logs: AnyLogs) -> str:
    listed = ", ".join(map(names.spell, actors[:NAMED]))
    more = f" and {len(actors) - NAMED} more" if len(actors) > NAMED else ""
    asked = _asked({logs[actor][-1][1][0] for actor in actors if logs.get(actor)})
    by = f" ({', '.join(asked)})" if asked else ""
    return f"{what}: {listed}{more}{by}"


def _asked(last: set[int]) -> list[str]:
    """The requirements that end an actor upon messages of these kinds."""
    known = requirements.load()
    asked = [name for kind in sorted(last) for name in KINDS[kind].requirements]
    return [name for name in dict.fromkeys(asked) if _ENDS.search(known[name].text)]
