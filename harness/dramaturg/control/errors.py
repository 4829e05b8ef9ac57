"""What can go wrong between the harness and an implementation.

Each class is one outcome for the person who reads the verdict; the mapping is in
``conformance/outcomes.py``. Messages say what happened, where, and what to do.
"""


class ControlError(Exception):
    """Base of all of them."""


class ManifestError(ControlError):
    """A manifest that cannot be used, or an implementation that does not exist."""


class ToolchainMissing(ControlError):
    """A tool that the implementation needs is absent or too old."""


class BuildFailed(ControlError):
    """The implementation's own build commands failed."""


class Crashed(ControlError):
    """The process ended, or its protocol stream is beyond repair."""


class Late(ControlError):
    """An answer, or the start, took longer than the manifest allows."""


class CallFailed(ControlError):
    """The implementation answered a call with an error status."""

    def __init__(self, call: str, code: str, details: str) -> None:
        super().__init__(f"{call} answered {code}: {details}")
        self.call = call
        self.code = code
        self.details = details


class HarnessFault(ControlError):
    """Something that the harness itself, or the machine below it, got wrong."""
