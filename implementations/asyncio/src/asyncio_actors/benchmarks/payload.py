"""Payloads: made from a number, and read whole (spec/broker.md)."""

from asyncio_actors.benchmarks.fold import add, checksum, fold, stream


def payload(salt: int, number: int, size: int) -> bytes:
    """The payload of a task, byte by byte (BROKER-3)."""
    return bytes(drawn >> 24 for drawn in stream(fold(salt, number), size))


def result_of(number: int, content: bytes) -> int:
    """The result of a task: every byte of its payload is read (BROKER-3)."""
    return fold(checksum(0, content), number)


def sum_of_results(salt: int, tasks: int, size: int) -> int:
    """The results of so many tasks, added up: each payload is made and read (`Probe.payloads`)."""
    total = 0
    for number in range(tasks):
        total = add(total, result_of(number, payload(salt, number, size)))
    return total
