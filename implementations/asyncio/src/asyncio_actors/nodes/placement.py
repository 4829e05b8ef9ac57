"""The home of each actor (DIST-1)."""

from asyncio_actors.benchmarks import table
from asyncio_actors.benchmarks.names import class_of, index_of


def home(actor: int, nodes: int, directories: int = 1) -> int:
    """The node of an actor, by its name, of several nodes; of ChatApp's also by how many
    directories there are."""
    match class_of(actor):
        case table.PONG:
            return 1
        case table.PEER | table.DIRECTORY:
            return index_of(actor) % nodes
        case table.SENDER | table.BROWSER | table.EMPLOYEE:
            return 1 + index_of(actor) % (nodes - 1)
        case table.CLIENT | table.CHAT:
            return index_of(actor) // directories % nodes
        case _:
            return 0


def is_mesh(benchmark: str) -> bool:
    """True if every node talks to every other; else all talk to node 0 alone."""
    return benchmark in ("big", "chatapp")
