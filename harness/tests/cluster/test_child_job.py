"""What a job that nobody waits for any more leaves behind is no answer."""

import json
import subprocess

from dramaturg import paths

INTERRUPTED = """
import sys, time, types
from dramaturg.cluster import child_job

def waits(given, tell):
    tell("under way")
    try:
        time.sleep(60)
    except KeyboardInterrupt:
        return {"so far": "nothing"}

made = types.ModuleType("dramaturg.made_for_this_test")
made.waits = waits
sys.modules[made.__name__] = made
child_job.main()
"""


def test_a_job_whose_input_ended_was_given_up_whatever_it_returns() -> None:
    words = paths.python("-c", INTERRUPTED)
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin and process.stdout
        asked = {"function": "dramaturg.made_for_this_test:waits", "given": {}}
        process.stdin.write(json.dumps(asked).encode() + b"\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline()) == {"told": "under way"}
        process.stdin.close()
        assert json.loads(process.stdout.readline()) == {"given_up": True}
