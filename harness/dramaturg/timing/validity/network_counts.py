"""The traffic of the network in the iterations of one invocation (MEAS-52 to MEAS-61).

Each iteration is held against what must cross in any such run, and the timed ones against those
in which everybody was watched: an actor knows from its birth whether anybody looks.
"""

from statistics import median

from dramaturg.conformance.link_traffic import Crossed, Held, counts_of, held
from dramaturg.model.receipt_names import benchmark_of
from dramaturg.records import Depth, WireRecord
from dramaturg.timing.planning.scenarios import Scenario
from dramaturg.timing.validity.iteration import Measured

FEWER = 4
"""The bytes of a message if everybody is watched, as a multiple of an unwatched run's, at most.
Larger batches compress better, and a run that nobody watches has larger ones."""

ENOUGH = 65_536
"""Bytes that must have crossed where everybody was watched before they are compared: below that
heartbeats are not small beside messages."""

UNCOUNTED = "nodes that share an interface, as the loopback device, are not told apart by it"


class OnWire:
    """The traffic of one invocation."""

    def __init__(self, scenario: Scenario) -> None:
        self._scenario = scenario
        self._timed: list[float] = []
        self._watched: list[float] = []
        self.share: float | None = None
        """The least that timed messages had to take, by those of an iteration in which everybody
        is watched, as a share of what they took; None where it is not known."""

    def held(self, measured: Measured) -> Held | None:
        """Compare the traffic of one more iteration with what it must have been; None if nothing
        counts it, or the receipt is of something else, which is reported for the receipt."""
        scenario, receipt, crossed = self._scenario, measured.receipts[0], measured.crossed
        if crossed is None:
            return None
        if benchmark_of(receipt) != scenario.benchmark:
            return None
        self._note(measured.logs.depth, crossed, scenario.messages(receipt))
        return held(scenario.benchmark, scenario.values, counts_of(receipt), crossed)

    def _note(self, depth: Depth, crossed: Crossed, messages: int) -> None:
        said = payload(crossed)
        if depth is Depth.CROSSING:
            self._timed.append(said / max(1, messages))
        elif said >= ENOUGH:
            self._watched.append(said / max(1, messages))

    def problems(self) -> list[str]:
        """Check that messages are not smaller if nobody looks, over all iterations so far."""
        if not self._timed or not self._watched:
            return []
        timed, watched = median(self._timed), median(self._watched)
        self.share = watched / FEWER / max(timed, 1e-9)
        if self.share <= 1:
            return []
        return [
            f"{timed:.1f} bytes a message crossed the network in timed iterations, without the"
            f" headers of packets, and {watched:.1f} where everybody was watched, expected at least"
            f" {watched / FEWER:.1f}: those that nobody watches do not send what they log"
            " (MEAS-55)"
        ]


def payload(crossed: Crossed) -> int:
    """Bytes that all nodes have sent, without the headers of their packets. The speed of messages
    decides how many share one, but not what they take in it."""
    return sum(way.payload for way in crossed.sent)


def record(measured: Measured, found: Held | None) -> WireRecord:
    """As a sample keeps it, of a run over several nodes."""
    if measured.crossed is None:
        return WireRecord(not_run=UNCOUNTED)
    run, ways = measured.crossed.run, measured.crossed.ways or ()
    return WireRecord(
        sent_bytes=[end.sent_bytes for end in run],
        sent_packets=[end.sent_packets for end in run],
        received_bytes=[end.received_bytes for end in run],
        received_packets=[end.received_packets for end in run],
        pair_bytes=[[way.bytes for way in row] for row in ways],
        pair_packets=[[way.packets for way in row] for row in ways],
        pair_payload=[[way.payload for way in row] for row in ways],
        pairs_not_run="" if ways else measured.crossed.uncounted or UNCOUNTED,
        least_share=found.run if found is not None else None,
        rest_bytes=(
            None
            if measured.crossed.others_speak
            else sum(end.sent_bytes for end in measured.crossed.rest)
        ),
        control_bytes=(
            [end.control_bytes for end in run] if any(end.control_bytes for end in run) else []
        ),
    )
