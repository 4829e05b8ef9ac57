"""Observers of a plan that is carried out."""

from dramaturg.implementation.manifest import Implementation
from dramaturg.records import UnitRecord
from dramaturg.timing.planning.timing_plan import Unit
from dramaturg.v2 import control_pb2


class Observer:
    """Does nothing. Override what is to be shown."""

    def started(self, unit: Unit, invocation: int, done: int, total: int) -> None:
        """An invocation begins, the one after ``done`` of ``total``."""

    def progress(self, unit: Unit, iteration: int, done: int, total: int) -> None:
        """So far in an iteration, by its marks: turns or windows."""

    def audits(self, unit: Unit, invocation: int) -> None:
        """Its processes have ended, and its logs are held against the model."""

    def ended(self, record: UnitRecord) -> None:
        """An invocation has ended, or cannot begin."""

    def described(
        self,
        name: str,
        implementation: Implementation,
        build: str,
        answer: control_pb2.DescribeResponse,
    ) -> None:
        """Takes an implementation's own description when it first runs; the plan calls it
        ``name``."""
