"""Wrong implementations that break the standard-input protocol, each in one way.

They answer Describe as they should, so that they get as far as a case, and then
do what their docstring says. Run as ``mutants.py --change NAME``.
"""

import json
import os
import signal
import sys
import time
from typing import Any

from google.protobuf import json_format

from dramaturg.model.probes import answer_of
from dramaturg.v2 import control_pb2


def _answer(number: int, reply: dict[str, Any]) -> None:
    print(json.dumps({"id": number, "reply": reply}), flush=True)


def _right(probe: dict[str, Any]) -> dict[str, list[int]]:
    values = answer_of(json_format.ParseDict(probe, control_pb2.Probe()))
    return {"values": values}


def prints_garbage(number: int) -> None:
    """A debugging print on standard output."""
    print("DEBUG: prepare called", flush=True)
    _answer(number, {})


def prints_a_list(number: int) -> None:
    """JSON, but no object."""
    print("[1, 2, 3]", flush=True)


def answers_twice_too_high(number: int) -> None:
    """An answer to a request that was never made."""
    _answer(number + 1000, {})


def answers_with_unknown_field(number: int) -> None:
    """A field that the message does not have."""
    _answer(number, {"setup_nano": 12})


def answers_with_wrong_type(number: int) -> None:
    """A number that is none."""
    _answer(number, {"setup_nanos": "soon"})


def answers_half_a_line(number: int) -> None:
    """It dies while it writes."""
    sys.stdout.write('{"id": ' + str(number) + ', "rep')
    sys.stdout.flush()
    sys.exit(0)


def answers_a_huge_line(number: int) -> None:
    """A line of twenty megabytes."""
    _answer(number, {"x": "x" * 20_000_000})


def answers_an_object_as_error(number: int) -> None:
    """An error with a code and a message, as in version 1."""
    error = {"code": "INTERNAL", "message": "client/3 failed: out of coffee"}
    print(json.dumps({"id": number, "error": error}), flush=True)


def closes_its_output(number: int) -> None:
    """It closes standard output and lives on."""
    os.close(1)
    time.sleep(3600)


def exits_silently(number: int) -> None:
    """It is gone, with status 0, without an answer."""
    sys.exit(0)


def dies_of_a_signal(number: int) -> None:
    """A segmentation fault, as far as anybody can tell."""
    print("about to crash", file=sys.stderr, flush=True)
    os.kill(os.getpid(), signal.SIGSEGV)


def never_answers(number: int) -> None:
    """It reads on and says nothing."""


def main() -> None:
    wrong = globals()[sys.argv[-1]]
    for line in sys.stdin:
        request = json.loads(line)
        if request["call"] == "describe":
            said = {"runtime": "Python", "runtime_version": "3", "schedulers": 1}
            said["answers"] = [_right(probe) for probe in request["request"]["probes"]]
            _answer(request["id"], said)
        else:
            wrong(request["id"])


if __name__ == "__main__":
    main()
