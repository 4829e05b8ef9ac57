"""Who stands in for the outsiders of each benchmark."""

from dramaturg.trace.parts.big import Big
from dramaturg.trace.parts.broker import Broker
from dramaturg.trace.parts.chatapp.outside import ChatApp
from dramaturg.trace.parts.count import Count
from dramaturg.trace.parts.openweb import OpenWeb
from dramaturg.trace.parts.outside import Outside
from dramaturg.trace.parts.small import Bang, Chain, Fanout, Mergesort, PingPong, Sleepers
from dramaturg.trace.parts.web import Web

OUTSIDE: dict[str, type[Outside]] = {
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
"""By the benchmark's name."""
