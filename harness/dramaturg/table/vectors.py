"""Questions of arithmetic with their answers, for the unit tests of whoever writes an
implementation (spec/lcg.md): ``spec/vectors.json``."""

from typing import Any

from dramaturg.model.chatapp import digest
from dramaturg.model.fibonacci import calls, fibonacci
from dramaturg.model.fold import checksum, fold_all
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
    }


def _lcg(seed: int, moduli: list[int]) -> dict[str, Any]:
    lcg = Lcg(seed)
    return {"seed": seed, "moduli": moduli, "values": [lcg.next_int(m) for m in moduli]}


def _shuffle(seed: int, length: int) -> dict[str, Any]:
    lcg, items = Lcg(seed), list(range(length))
    lcg.shuffle(items)
    return {"seed": seed, "length": length, "values": items, "state": lcg.state}
