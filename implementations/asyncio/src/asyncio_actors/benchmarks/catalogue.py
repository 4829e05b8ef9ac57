"""All benchmarks, by the names of the protocol."""

from asyncio_actors.benchmarks.bang import Bang
from asyncio_actors.benchmarks.benchmark import Benchmark
from asyncio_actors.benchmarks.big import Big
from asyncio_actors.benchmarks.broker import Broker
from asyncio_actors.benchmarks.chain import Chain
from asyncio_actors.benchmarks.chatapp import ChatApp
from asyncio_actors.benchmarks.count import Count
from asyncio_actors.benchmarks.fanout import Fanout
from asyncio_actors.benchmarks.mergesort import Mergesort
from asyncio_actors.benchmarks.openweb import OpenWeb
from asyncio_actors.benchmarks.pingpong import PingPong
from asyncio_actors.benchmarks.sleepers import Sleepers
from asyncio_actors.benchmarks.web import Web

BENCHMARKS: dict[str, type[Benchmark]] = {
    "chatapp": ChatApp,
    "pingpong": PingPong,
    "big": Big,
    "bang": Bang,
    "web": Web,
    "count": Count,
    "chain": Chain,
    "fanout": Fanout,
    "sleepers": Sleepers,
    "mergesort": Mergesort,
    "broker": Broker,
    "openweb": OpenWeb,
}
