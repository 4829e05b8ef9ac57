"""A benchmark's own receipt by the names of what it counts (spec/control.md, "Receipts").

ChatApp's has fields of these names. Any other repeats its lead's `done`, whose arguments the
protocol names by an option, beside fields that some benchmarks have.
"""

from collections.abc import Sequence
from typing import Any

from dramaturg.v2 import benchmarks_pb2, options_pb2

CHATAPP = "chatapp"

UNKNOWN = "a benchmark that is not known"


def _option(field: Any, option: Any) -> tuple[str, ...]:
    return tuple(field.GetOptions().Extensions[option].split())


ARGUMENTS: dict[str, tuple[str, ...]] = {
    field.name: _option(field, options_pb2.done)
    for field in benchmarks_pb2.Benchmark.DESCRIPTOR.oneofs_by_name["parameters"].fields
    if field.name != CHATAPP
}
"""The names of the arguments of the lead's `done`, in order, by benchmark."""

_OF_SOME: dict[str, tuple[str, ...]] = {
    field.name: _option(field, options_pb2.benchmarks)
    for field in benchmarks_pb2.DoneReceipt.DESCRIPTOR.fields
    if _option(field, options_pb2.benchmarks)
}


def fields_of(benchmark: str) -> tuple[str, ...]:
    """The names of all that such a receipt tells, in order."""
    if benchmark == CHATAPP:
        return tuple(benchmarks_pb2.ChatAppReceipt.DESCRIPTOR.fields_by_name)
    beside = (field for field, whose in _OF_SOME.items() if benchmark in whose)
    return (*ARGUMENTS[benchmark], *beside)


def benchmark_of(receipt: benchmarks_pb2.Receipt) -> str | None:
    """The benchmark that it says it is of, or that this is not known; None for no benchmark's."""
    match receipt.WhichOneof("receipt"):
        case "done":
            name = receipt.done.benchmark
            return name if name in ARGUMENTS else UNKNOWN
        case other:
            return other


def made(benchmark: str, arguments: Sequence[int] = (), **of_all: Any) -> benchmarks_pb2.Receipt:
    """A receipt of any benchmark but ChatApp, by its lead's `done`. ``of_all``: fields beside."""
    done = benchmarks_pb2.DoneReceipt(benchmark=benchmark, arguments=arguments)
    return benchmarks_pb2.Receipt(done=done, **of_all)


class Named:
    """A benchmark's own part of a receipt: each count, window and duration is an attribute. Setting
    one sets it in the receipt."""

    __slots__ = ("_names", "_own")

    _names: tuple[str, ...]
    _own: Any

    def __init__(self, benchmark: str, receipt: benchmarks_pb2.Receipt) -> None:
        own: Any = receipt.chatapp if benchmark == CHATAPP else receipt.done
        object.__setattr__(self, "_names", ARGUMENTS.get(benchmark, ()))
        object.__setattr__(self, "_own", own)

    def __getattr__(self, name: str) -> Any:
        if name not in self._names:
            return getattr(self._own, name)
        place = self._names.index(name)
        return self._own.arguments[place] if place < len(self._own.arguments) else 0

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self._names:
            self._own.arguments[self._names.index(name)] = value
        else:
            setattr(self._own, name, value)


def own(receipt: benchmarks_pb2.Receipt) -> Named:
    """Return the part of the benchmark that it says it is of."""
    return Named(benchmark_of(receipt) or UNKNOWN, receipt)


def named(benchmark: str, receipt: benchmarks_pb2.Receipt) -> Named:
    """Return the receipt's part of this benchmark. A receipt of another one, or of none, has no
    counts."""
    if benchmark_of(receipt) != benchmark:
        receipt = benchmarks_pb2.Receipt()
    return Named(benchmark, receipt)


def counts(benchmark: str, receipt: benchmarks_pb2.Receipt) -> dict[str, Any]:
    """Return the receipt's values of this benchmark, by name: numbers, and lists of numbers."""
    told = named(benchmark, receipt)
    values = ((name, getattr(told, name)) for name in fields_of(benchmark))
    return {name: value if isinstance(value, int) else list(value) for name, value in values}


def counts_of(receipt: benchmarks_pb2.Receipt) -> dict[str, Any]:
    """Return the receipt's values of the benchmark that it names; nothing if it names none."""
    benchmark = benchmark_of(receipt)
    return counts(benchmark, receipt) if benchmark not in (None, UNKNOWN) else {}


def strange(benchmark: str, done: benchmarks_pb2.DoneReceipt) -> list[str]:
    """Return the surplus and lacking arguments of a receipt of this benchmark, other than ChatApp,
    and fields that are another's."""
    names, found = ARGUMENTS[benchmark], []
    if len(done.arguments) != len(names):
        found.append(
            f"the receipt repeats {len(done.arguments)} arguments of `done`, expected {len(names)}:"
            f" {', '.join(names)} (CTRL-8)"
        )
    found += [
        f"the receipt has {field}, which {benchmark} has not; only {', '.join(whose)} (CTRL-8)"
        for field, whose in _OF_SOME.items()
        if benchmark not in whose and getattr(done, field)
    ]
    return found
