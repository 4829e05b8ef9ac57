"""Questions of arithmetic with their answers, for the unit tests of whoever writes an
implementation (spec/lcg.md): ``spec/vectors.json``."""

from typing import Any

from dramaturg.model import broker, buckets
from dramaturg.model.chatapp import digest
from dramaturg.model.fibonacci import calls, fibonacci
from dramaturg.model.fold import checksum, fold_all, stream
from dramaturg.model.lcg import Lcg

_LCG: tuple[tuple[int, list[int]], ...] = (
    (42, [0] * 8),
    (0, [0] * 8),
    (65535, [0] * 8),
    (32767, [0] * 8),
    (32768, [0] * 8),
    (42, [100] * 8),
    (32767, [100] * 8),
    (42, [1, 2, 3, 7, 100, 65535, 65536, 0]),
    (0, [4294967295, 2147483648, 65537, 0]),
    (440, [100, 0]),
    (20216, [49, 0]),
)
_SHUFFLES = ((42, 0), (42, 1), (42, 2), (7, 2), (6, 3), (42, 10), (0, 8), (65535, 8))
_FIBONACCI = (0, 1, 2, 10, 20, 25, 30, 46, 47)
_FOLDS: tuple[tuple[int, list[int]], ...] = (
    (0, []),
    (0, [0]),
    (4294967295, [4294967295]),
    (42, [1, 2, 3]),
    (42, [3, 2, 1]),
    (2147483648, [4294967295, 2147483647, 0, 65536]),
)
_CHECKSUMS: tuple[tuple[int, list[int]], ...] = (
    (0, []),
    (0, [0]),
    (0, [1, 2, 3]),
    (42, [3, 2, 1]),
    (4294967295, [255] * 8),
    (2147483648, [65535, 0, 65535, 1]),
)
_STREAMS = ((0, 3), (42, 5), (4294967295, 3), (2147483648, 4))
_TASKS = ((0, 0, 4), (42, 1, 8), (4294967295, 300, 5), (42, 70000, 300))
_LATENCIES = (
    (0, [0, 1, 255, 256, 1000]),
    (52008, [52008, 152008, 1_000_052_008]),
)
_PAYLOADS = (0, 1, 1 << 32, (7 << 32) | 3, (4294967295 << 32) | 4294967295)


def vectors() -> dict[str, list[dict[str, Any]]]:
    """All of them, by what they are about."""
    return {
        "lcg": [_lcg(seed, moduli) for seed, moduli in _LCG],
        "shuffle": [_shuffle(seed, length) for seed, length in _SHUFFLES],
        "fibonacci": [{"n": n, "value": fibonacci(n), "calls": calls(n)} for n in _FIBONACCI],
        "fold": [
            {"salt": salt, "numbers": numbers, "digest": fold_all(salt, numbers)}
            for salt, numbers in _FOLDS
        ],
        "checksum": [
            {"start": start, "numbers": numbers, "checksum": checksum(start, numbers)}
            for start, numbers in _CHECKSUMS
        ],
        "payload": [{"payload": payload, "digest": digest(payload)} for payload in _PAYLOADS],
        "stream": [{"key": key, "numbers": stream(key, length)} for key, length in _STREAMS],
        "task": [_task(*task) for task in _TASKS],
        "latency": [_latency(due, answered) for due, answered in _LATENCIES],
    }


def _task(salt: int, number: int, size: int) -> dict[str, Any]:
    found = broker.checksum_of(salt, number, size)
    return {
        "salt": salt, "number": number, "size": size, "checksum": found,
        "first": list(broker.payload(salt, number, size)[:4]),
        "result": broker.result_of(found, number),
    }  # fmt: skip


def _latency(due: int, answered: list[int]) -> dict[str, Any]:
    """The buckets of these latencies, in their order."""
    found = [buckets.bucket_of(each - due) for each in answered]
    return {"due": due, "answered": answered, "buckets": found}


def _lcg(seed: int, moduli: list[int]) -> dict[str, Any]:
    lcg = Lcg(seed)
    return {"seed": seed, "moduli": moduli, "values": [lcg.next_int(m) for m in moduli]}


def _shuffle(seed: int, length: int) -> dict[str, Any]:
    lcg, items = Lcg(seed), list(range(length))
    lcg.shuffle(items)
    return {"seed": seed, "length": length, "values": items, "state": lcg.state}
