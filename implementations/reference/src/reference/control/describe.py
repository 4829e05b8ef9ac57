"""Describe: what runtime this is, and the answers to probes."""

import platform

import grpc

from dramaturg.model.fibonacci import naive_fibonacci
from dramaturg.model.fold import fold_all
from dramaturg.model.lcg import Lcg
from dramaturg.v2 import control_pb2


def describe(request: control_pb2.DescribeRequest) -> control_pb2.DescribeResponse:
    """The whole answer."""
    return control_pb2.DescribeResponse(
        runtime="CPython asyncio",
        runtime_version=platform.python_version(),
        schedulers=1,
        details={"grpcio": grpc.__version__},
        answers=[control_pb2.ProbeAnswer(values=answer(probe)) for probe in request.probes],
    )


def answer(probe: control_pb2.Probe) -> list[int]:
    """The values that a probe asks for."""
    match probe.WhichOneof("probe"):
        case "lcg":
            lcg = Lcg(probe.lcg.seed)
            return [lcg.next_int(modulus) for modulus in probe.lcg.moduli]
        case "shuffle":
            lcg, items = Lcg(probe.shuffle.seed), list(range(probe.shuffle.length))
            lcg.shuffle(items)
            return [*items, lcg.state]
        case "fibonacci":
            return [naive_fibonacci(probe.fibonacci.n)]
        case _:
            return [fold_all(probe.fold.salt, probe.fold.numbers)]
