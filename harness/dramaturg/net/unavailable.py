"""What a network that cannot be had is told by."""

from dramaturg.errors import HarnessFault


class NetworkUnavailable(HarnessFault):
    """The network that was asked for cannot be built here; says what is missing."""
