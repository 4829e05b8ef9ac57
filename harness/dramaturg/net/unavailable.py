"""The error that says that a network is not available."""

from dramaturg.errors import HarnessFault


class NetworkUnavailable(HarnessFault):
    """The network that was asked for cannot be built here; says what is missing."""
