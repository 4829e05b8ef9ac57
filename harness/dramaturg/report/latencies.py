"""Latencies of web under an open load: from the histograms of receipts to the points of a curve
over the offered load (spec/openweb.md, "Measured").
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from hdrh.histogram import HdrHistogram
from pydantic import BaseModel, Field, ValidationError

from dramaturg.model import openweb
from dramaturg.model.buckets import bucket_of, least_of
from dramaturg.records import SampleRecord
from dramaturg.report.summary import CurvePoint, Latencies

BENCHMARK = "openweb"

LONGEST = 1 << 52
"""Nanoseconds that a histogram has room for: 52 days."""

DIGITS = 2
"""Significant digits of a histogram, which make its buckets those of the specification (OPEN-5)."""

LATE = 0.1
"""The share of the median latency that the 99th percentile of lateness may have at most
(OPEN-7)."""

COMPLETED = 0.95
"""The least share of the offered requests that is done in the same time (OPEN-8)."""


Counts = Annotated[
    list[Annotated[int, Field(ge=0, le=1 << 20)]], Field(max_length=bucket_of(LONGEST))
]
"""The counts of a histogram: no more requests than there can be, and no more buckets."""


class _Parameters(BaseModel):
    """The parameters on which arrivals depend, as a record has them."""

    requests: int = Field(ge=1, le=1 << 20)
    gap: int = Field(ge=1, le=1_000_000)
    seed: int = Field(ge=0, le=65535)


class _Receipt(BaseModel):
    """Both histograms, as a record has them."""

    latency: Counts
    lateness: Counts


def latencies(samples: Sequence[SampleRecord]) -> Latencies | None:
    """The latencies of all iterations of one point together; None where they are of another
    benchmark, or a record cannot be read as one of this."""
    if not samples or samples[0].benchmark != BENCHMARK:
        return None
    try:
        p = _Parameters.model_validate(samples[0].parameters)
        receipts = [_Receipt.model_validate(sample.receipt) for sample in samples]
    except ValidationError:
        return None
    ran = sum(sample.run_nanos for sample in samples)
    latency = _added([receipt.latency for receipt in receipts])
    lateness = _added([receipt.lateness for receipt in receipts])
    if ran <= 0 or not latency.get_total_count() or not lateness.get_total_count():
        return None
    offered = openweb.arrivals(p.requests, p.gap, p.seed)[-1]
    found = Latencies(
        offered=p.requests * 1e9 / offered,
        completed=len(samples) * offered / ran,
        p50=_percentile(latency, 50),
        p90=_percentile(latency, 90),
        p99=_percentile(latency, 99),
        p999=_percentile(latency, 99.9),
        longest=float(latency.get_max_value()),
        lateness_p99=_percentile(lateness, 99),
    )
    if found.lateness_p99 > LATE * found.p50:
        said = f"lateness is {found.lateness_p99 / 1e6:.3g} ms at the 99th percentile, more than"
        said += f" a tenth of the median latency, {found.p50 / 1e6:.3g} ms (OPEN-7)"
        return found.model_copy(update={"hidden": said})
    return found


def ended(points: Iterable[CurvePoint]) -> list[CurvePoint]:
    """The points of one line, with what lies at or behind its end hidden (OPEN-8). Their order
    stays."""
    points = list(points)
    loads = sorted(
        (point.latency.offered, point.latency.completed) for point in points if point.latency
    )
    end = next((offered for offered, completed in loads if completed < COMPLETED), None)
    return [point if end is None else _behind(point, end) for point in points]


def _behind(point: CurvePoint, end: float) -> CurvePoint:
    found = point.latency
    if found is None or found.offered < end:
        return point
    said = f"{found.completed:.1%} of {found.offered:.4g} requests/s were completed; the curve ends"
    said += f" below {end:.4g} requests/s, where it is less than {COMPLETED:.0%} (OPEN-8)"
    return point.model_copy(update={"latency": found.model_copy(update={"hidden": said})})


def _added(histograms: Sequence[Sequence[int]]) -> Any:
    """One histogram of all iterations. A bucket's shortest time stands for it: the library has
    the same buckets."""
    whole = HdrHistogram(1, LONGEST, DIGITS)
    for histogram in histograms:
        for bucket, count in enumerate(histogram):
            if count:
                whole.record_value(least_of(bucket), count)
    return whole


def _percentile(histogram: Any, percent: float) -> float:
    return float(histogram.get_value_at_percentile(percent))
