"""Shorten a script as far as it still does not conform.

Hypothesis could do it, on what it made up: moments that look at the world. But to leave
one of those out changes what all later ones see. Here the steps themselves are left out,
and each stays what it was.
"""

from collections.abc import Callable, Iterator

from dramaturg.cases.cases import least, unfit
from dramaturg.v2 import case_pb2

SHORTENING = 60.0
"""Seconds in which a failure is shortened; then the shortest so far has to do."""


def shorten(script: case_pb2.Script, still: Callable[[case_pb2.Script], bool]) -> case_pb2.Script:
    """Fewer steps, then lesser parameters, over again until neither can be had: no single
    step can be left out then, and no single parameter lessened by one.

    ``still(candidate)`` performs it and says whether it does not conform.
    """
    while True:
        before = script
        script = _lessen(_leave_out(script, still), still)
        if script == before:
            return script


def _leave_out(
    script: case_pb2.Script, still: Callable[[case_pb2.Script], bool]
) -> case_pb2.Script:
    """Halves first, then quarters, in the end one by one."""
    size = len(script.steps)
    while size:
        start = 0
        while start < len(script.steps):
            fewer = [*script.steps[:start], *script.steps[start + size :]]
            candidate = case_pb2.Script(benchmark=script.benchmark, steps=fewer)
            if not unfit(candidate) and still(candidate):
                script = candidate
            else:
                start += size
        size //= 2
    return script


def _lessen(script: case_pb2.Script, still: Callable[[case_pb2.Script], bool]) -> case_pb2.Script:
    name = str(script.benchmark.WhichOneof("parameters"))
    for field in getattr(script.benchmark, name).DESCRIPTOR.fields:
        low = least(name).get(field.name, 0)
        while True:
            value = int(getattr(getattr(script.benchmark, name), field.name))
            for candidate in _lesser(script, name, field.name, value, low):
                if not unfit(candidate) and still(candidate):
                    script = candidate
                    break
            else:
                break
    return script


def _lesser(
    script: case_pb2.Script, name: str, field: str, value: int, low: int
) -> Iterator[case_pb2.Script]:
    for lesser in dict.fromkeys((low, (low + value) // 2, value - 1)):
        if low <= lesser < value:
            candidate = case_pb2.Script()
            candidate.CopyFrom(script)
            parameters = getattr(candidate.benchmark, name)
            setattr(parameters, field, type(getattr(parameters, field))(lesser))
            yield candidate
