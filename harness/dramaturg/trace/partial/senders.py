"""Finds out if a message can come from a sender: the protocol says the classes of a kind's senders,
and the parameters how many actors of a class there are in a run.
"""

from functools import lru_cache
from typing import Any

from dramaturg.model import names
from dramaturg.model.messages import KINDS
from dramaturg.model.workload import MODELS

_CHATAPP = {
    names.DIRECTORY: "directories", names.CLIENT: "clients", names.ACCUMULATOR: "turns",
}  # fmt: skip
"""The parameter that says how many there are of a class in ChatApp; of its others there is one."""

_UNNUMBERED = (names.CHAT, names.SORTER)
"""Classes of which no parameter says how many there are."""


def can_say(parameters: Any, sender: int, receiver: int, number: int) -> bool:
    """True if a message of this kind can come to the receiver from that sender: by its class, if
    there is such an actor."""
    actor_class, index, kind = names.class_of(sender), names.index_of(sender), KINDS[number]
    if actor_class not in kind.senders or (sender == receiver) != kind.to_itself:
        return False
    if actor_class in _UNNUMBERED:
        return True
    return index < _many(parameters).get(actor_class, 1) and sender == names.name(
        actor_class, index
    )


@lru_cache(maxsize=16)
def _many(parameters: Any) -> dict[int, int]:
    """Return the number of actors of each class that may have more than one."""
    if (model := MODELS.get(type(parameters))) is None:
        return {each: getattr(parameters, named) for each, named in _CHATAPP.items()}
    return {crowd.actor_class: crowd.many for crowd in model.population(parameters)}
