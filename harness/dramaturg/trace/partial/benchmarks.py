"""The parts of each benchmark that a partial replay uses: its stand-in, and the facts with which
its slices are compared."""

from typing import NamedTuple

from dramaturg.trace.partial.bang import Bang, BangSlices
from dramaturg.trace.partial.basis.outsiders import Outside
from dramaturg.trace.partial.basis.reader import Reader
from dramaturg.trace.partial.big import Big, BigSlices
from dramaturg.trace.partial.broker import Broker, BrokerSlices
from dramaturg.trace.partial.chain import Chain, ChainSlices
from dramaturg.trace.partial.chatapp.slice_reader import ChatAppSlices
from dramaturg.trace.partial.chatapp.stand_in import ChatApp
from dramaturg.trace.partial.count import Count, CountSlices
from dramaturg.trace.partial.fanout import Fanout, FanoutSlices
from dramaturg.trace.partial.mergesort import Mergesort, MergesortSlices
from dramaturg.trace.partial.openweb import OpenWeb, OpenWebSlices
from dramaturg.trace.partial.pingpong import PingPong, PingPongSlices
from dramaturg.trace.partial.sleepers import Sleepers, SleepersSlices
from dramaturg.trace.partial.web import Web, WebSlices


class Known(NamedTuple):
    """The parts of one benchmark."""

    outside: type[Outside]
    """The stand-in for all of its outsiders."""
    slices: type[Reader]
    """The facts of a log that begins late."""


BENCHMARKS = {
    "chatapp": Known(ChatApp, ChatAppSlices),
    "pingpong": Known(PingPong, PingPongSlices),
    "big": Known(Big, BigSlices),
    "bang": Known(Bang, BangSlices),
    "web": Known(Web, WebSlices),
    "count": Known(Count, CountSlices),
    "chain": Known(Chain, ChainSlices),
    "fanout": Known(Fanout, FanoutSlices),
    "sleepers": Known(Sleepers, SleepersSlices),
    "mergesort": Known(Mergesort, MergesortSlices),
    "broker": Known(Broker, BrokerSlices),
    "openweb": Known(OpenWeb, OpenWebSlices),
}
"""Stand-ins and readers by the benchmark's name."""
