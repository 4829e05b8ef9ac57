"""The way from the socket to the first actor."""
