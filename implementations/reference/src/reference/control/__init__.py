"""From the socket to the first actor."""
