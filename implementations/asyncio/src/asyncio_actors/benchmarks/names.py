"""Names of actors: class, first and second index in 64 bits (ACT-3)."""

from asyncio_actors.benchmarks import table


def name(actor_class: int, first: int = 0, second: int = 0) -> int:
    """The integer that an actor is known by."""
    return actor_class << 56 | first << 24 | second


def class_of(actor: int) -> int:
    """The class in a name."""
    return actor >> 56


def index_of(actor: int) -> int:
    """The first index in a name."""
    return actor >> 24 & 0xFFFF_FFFF


def spell(actor: int) -> str:
    """A name as people read it: ``client/17``, ``chat/17.2``."""
    second = actor & 0xFF_FFFF
    label = table.CLASS_LABELS.get(class_of(actor), str(class_of(actor)))
    return f"{label}/{index_of(actor)}" + (f".{second}" if second or label == "chat" else "")
