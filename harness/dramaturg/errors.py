"""The errors that can occur between the harness and an implementation.

Each class is one outcome for the person who reads the verdict; the mapping is in
``conformance/result.py``. Messages say what happened, where, and what to do.
"""

from typing import Self


class ControlError(Exception):
    """Base of all of them."""

    breaks: str = ""
    """The requirement that the implementation broke, if one is known."""
    said: str = ""
    """The end of what it wrote to standard error, if that belongs to the verdict."""

    def because(self, breaks: str, said: str = "") -> Self:
        """This error, with what it broke and what it said last."""
        self.breaks, self.said = breaks, said
        return self

    @property
    def in_full(self) -> str:
        """The error's message, and below it the last output of the implementation."""
        return f"{self}. It last said on standard error:\n{self.said}" if self.said else str(self)


class ManifestError(ControlError):
    """A manifest that cannot be used, or an implementation that does not exist."""


class ToolchainMissing(ControlError):
    """A tool that the implementation needs is absent or too old."""


class BuildFailed(ControlError):
    """The implementation's own build commands failed."""


class Changed(ControlError):
    """The files are no longer those that were built and judged, so nothing is started."""


class Unwritable(ControlError):
    """Its folder may not be written to, so nothing can be built in it."""


class Crashed(ControlError):
    """The process ended, or its protocol stream is beyond repair."""


class Late(ControlError):
    """An answer, or the start, took longer than the manifest allows."""


class Starved(Late):
    """It did, and the machine gave it no core, or the harness none (LEVEL-35)."""


class Unstartable(ControlError):
    """It did not start several times in the same way, so it is not tried again."""


class CallFailed(ControlError):
    """The implementation answered a call with an error status."""

    def __init__(self, call: str, code: str, details: str) -> None:
        super().__init__(f"{call} answered {code}: {details}")
        self.call = call
        self.code = code
        self.details = details


class Strayed(ControlError):
    """A process that descends from what was started is where the harness does not count it, or goes
    ahead of the harness."""


class Unreachable(ControlError):
    """Nobody is where one was told to connect to."""


class Gone(ControlError):
    """The connected process can perform no other case, and the harness must not start it again."""


class HarnessFault(ControlError):
    """Something that the harness itself, or the machine below it, got wrong."""


class ClusterError(ControlError):
    """A cluster that cannot be used as it was asked for; nothing was performed on it."""


class ClusterLost(HarnessFault):
    """The scheduler that hands out work to hosts is gone."""
