"""Describe: the name of this runtime, and the answers to probes."""

import platform

import grpc

from dramaturg.model.fibonacci import naive_fibonacci
from dramaturg.model.fold import fold_all
from dramaturg.model.probes import answer_of
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
    """The values that a probe asks for. Fibonacci is computed as clients do it."""
    match probe.WhichOneof("probe"):
        case "fibonacci":
            return [naive_fibonacci(probe.fibonacci.n)]
        case "fold":
            return [fold_all(probe.fold.salt, probe.fold.numbers)]
        case _:
            return answer_of(probe)
