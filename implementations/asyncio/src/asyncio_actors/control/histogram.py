"""A histogram of times, in the buckets of the specification (OPEN-5)."""


class Histogram:
    """Counts times by their buckets; as many as the longest one needs."""

    __slots__ = ("counts",)

    def __init__(self) -> None:
        self.counts: list[int] = []

    def add(self, due: int, reading: int) -> None:
        """Count the time from when a request was due to a reading of the clock."""
        bucket = bucket_of(reading - due)
        if bucket >= len(self.counts):
            self.counts += [0] * (bucket + 1 - len(self.counts))
        self.counts[bucket] += 1


def bucket_of(nanos: int) -> int:
    """The bucket that this time is in."""
    shift = max(0, nanos.bit_length() - 8)
    return 128 * shift + (nanos >> shift)
