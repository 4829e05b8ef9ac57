"""Checks of a case over several nodes (``case.proto``, Distributed)."""

from typing import Any

from dramaturg.model import placement
from dramaturg.model.workload import workload_of
from dramaturg.v2 import case_pb2

MOST_GAP = 10_000
"""Milliseconds of a ``gap``: TCP sends a packet that was lost in it again after as long once
more."""

MOST_LOSS = 20
"""Percent of a ``link``'s packets: TCP needs minutes for what is lost more often."""

MOST_DELAY = 2_000
"""Milliseconds of a ``link``, as an emulated network takes them."""


def unfit(distributed: case_pb2.Distributed) -> str:
    """Return the reason why the case cannot be performed; empty if it can."""
    name = str(distributed.benchmark.WhichOneof("parameters"))
    if name not in placement.MOST:
        return f"{name} cannot be distributed; these can: {', '.join(placement.MOST)}"
    workload = workload_of(distributed.benchmark)
    excess = placement.excess(name, workload.parameters, distributed.nodes)
    if excess:
        return excess
    if distributed.lost_node >= distributed.nodes:
        return f"lost_node is {distributed.lost_node}; there are {distributed.nodes} nodes"
    if distributed.strange_node >= distributed.nodes:
        return f"strange_node is {distributed.strange_node}; there are {distributed.nodes} nodes"
    if distributed.HasField("link"):
        return _no_link(distributed)
    if distributed.strangers and distributed.playback:
        return "strangers and playback are in one case; it may have one of them"
    if problem := _no_strangers(distributed):
        return problem
    if distributed.HasField("cut"):
        return _no_cut(name, workload.parameters, distributed)
    return _no_gap(distributed) if distributed.HasField("gap") else ""


def _no_strangers(distributed: case_pb2.Distributed) -> str:
    """The reason why strangers cannot come to the run; empty if they can, or need not."""
    if not (distributed.strangers or distributed.playback):
        return ""
    asked = "strangers" if distributed.strangers else "playback"
    if distributed.lost_node or distributed.strange_node:
        return f"{asked} is for a run that ends; not with lost_node or strange_node"
    if distributed.HasField("cut") or distributed.HasField("gap"):
        return f"{asked} is for a whole network; not with cut or gap"
    return ""


def _no_cut(benchmark: str, parameters: Any, distributed: case_pb2.Distributed) -> str:
    """The fault of the cut that it asks for; empty if there is none."""
    cut, nodes = distributed.cut, distributed.nodes
    if cut.one == cut.other or max(cut.one, cut.other) >= nodes:
        return f"cut is between {cut.one} and {cut.other}; it must be between two of {nodes} nodes"
    if not placement.between(benchmark, parameters, nodes, cut.one, cut.other).under_way:
        return (
            f"cut is between {cut.one} and {cut.other} in {benchmark}; it must be between nodes"
            " that send each other messages, without windows, of which is known how many are under"
            " way: in big, broker, pingpong and web"
        )
    return (
        "cut and gap are in one case; it may have one of them"
        if distributed.HasField("gap")
        else ""
    )


def _no_gap(distributed: case_pb2.Distributed) -> str:
    """The fault of the gap that it asks for; empty if there is none."""
    gap, nodes = distributed.gap, distributed.nodes
    if nodes < 3:
        return f"gap needs 3 nodes, so that there is another way; there are {nodes}"
    if gap.one == gap.other or max(gap.one, gap.other) >= nodes:
        return f"gap is between {gap.one} and {gap.other}; it must be between two of {nodes} nodes"
    if not 1 <= gap.millis <= MOST_GAP:
        return f"gap.millis is {gap.millis}; it must be in 1..{MOST_GAP}"
    return ""


def _no_link(distributed: case_pb2.Distributed) -> str:
    """The fault of the links that it asks for; empty if there is none."""
    link = distributed.link
    strange = distributed.strange_node or distributed.strangers or distributed.playback
    if (
        distributed.lost_node
        or strange
        or distributed.HasField("cut")
        or distributed.HasField("gap")
    ):
        return "link is for a run that ends, and that nothing else disturbs"
    if not link.delay and not link.loss:
        return "link has neither delay nor loss"
    if link.delay > MOST_DELAY:
        return f"link.delay is {link.delay}; it must be in 0..{MOST_DELAY} ms"
    if link.loss > MOST_LOSS:
        return f"link.loss is {link.loss}; it must be in 0..{MOST_LOSS} %"
    return ""
