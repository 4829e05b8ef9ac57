"""Who lives where (DIST-1)."""

from asyncio_actors.benchmarks import table
from asyncio_actors.benchmarks.names import class_of, index_of


def home(actor: int, nodes: int) -> int:
    """The node of an actor, by its name, of several nodes."""
    match class_of(actor):
        case table.PONG:
            return 1
        case table.PEER:
            return index_of(actor) % nodes
        case table.SENDER | table.BROWSER:
            return 1 + index_of(actor) % (nodes - 1)
        case _:
            return 0


def is_mesh(benchmark: str) -> bool:
    """Whether every node talks to every other, or all to node 0 alone."""
    return benchmark == "big"
