"""The answers of a right implementation to probes of its arithmetic (LEVEL-1)."""

from dramaturg.model import broker, buckets
from dramaturg.model.fibonacci import fibonacci
from dramaturg.model.fold import fold_all
from dramaturg.model.lcg import Lcg
from dramaturg.v2 import control_pb2


def answer_of(probe: control_pb2.Probe) -> list[int]:
    """The model's answer to a probe."""
    match probe.WhichOneof("probe"):
        case "lcg":
            lcg = Lcg(probe.lcg.seed)
            return [lcg.next_int(modulus) for modulus in probe.lcg.moduli]
        case "shuffle":
            lcg, items = Lcg(probe.shuffle.seed), list(range(probe.shuffle.length))
            lcg.shuffle(items)
            return [*items, lcg.state]
        case "fold":
            return [fold_all(probe.fold.salt, probe.fold.numbers)]
        case "payloads":
            asked = probe.payloads
            return [broker.sum_of_results(asked.salt, asked.tasks, asked.size)]
        case "latencies":
            counts: list[int] = []
            for answered in probe.latencies.answered:
                buckets.count_in(counts, answered - probe.latencies.due)
            return counts
        case _:
            return [fibonacci(probe.fibonacci.n)]
