"""All benchmarks, by the names of the protocol. One more is a line here and a file beside."""

from asyncio_actors.benchmarks.benchmark import Benchmark
from asyncio_actors.benchmarks.pingpong import PingPong

BENCHMARKS: dict[str, type[Benchmark]] = {
    "pingpong": PingPong,
}
