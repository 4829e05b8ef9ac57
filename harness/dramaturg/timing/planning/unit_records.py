"""A unit of a plan and the records that are of it."""

import os
from typing import Any

from dramaturg.net.topology import Network
from dramaturg.outcomes import Outcome
from dramaturg.records import UnitRecord
from dramaturg.timing.planning.suites import NetworkRequest
from dramaturg.timing.planning.timing_plan import Unit


def describe(
    request: NetworkRequest, network: Network | None = None, *, kind: str = "mininet"
) -> dict[str, Any]:
    """A network as results keep it: what was built, or else what was asked for, of this kind."""
    if request.local:
        return {"kind": "local"}
    if network is not None:
        return network.describe() | {"kernel": os.uname().release}
    return {"kind": kind} | request.asked()


def unit_record(
    unit: Unit, number: int | None, outcome: Outcome, message: str, **rest: Any
) -> UnitRecord:
    """A record of this unit. Without ``number`` it was not invoked."""
    return UnitRecord(
        implementation=unit.implementation,
        **unit.called(),
        network=rest.pop("network", None) or describe(unit.network),
        invocation=number,
        outcome=outcome,
        message=message,
        **rest,
    )


def speaks_of(record: UnitRecord, unit: Unit) -> bool:
    """True if a record is of this unit. Networks are compared as they were asked for: the built one
    may be the loopback."""
    asked = unit.network.asked()
    built = {
        key: record.network[key] for key in NetworkRequest.model_fields if key in record.network
    }
    called = unit.scenario.called()
    return (
        unit.implementation == record.implementation
        and called == {key: getattr(record, key) for key in called}
        and built == asked
        and tuple(record.cores) == unit.cores
    )
