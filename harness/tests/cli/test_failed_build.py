"""The output of a failed build is shown where it happened, not with every case after it."""

import subprocess
import sys
from pathlib import Path

from dramaturg.implementation.manifest import FILE_NAME, find
from dramaturg.outcomes import Outcome
from dramaturg.plan.case_plan import make


def test_it_is_said_once_and_no_rule_of_a_case_is_quoted(
    reference_copy: Path, tmp_path: Path
) -> None:
    manifest = reference_copy / FILE_NAME
    text = manifest.read_text()
    failing = 'commands = [["sh", "-c", "echo a missing semicolon >&2; exit 3"]]'
    manifest.write_text(text.replace("commands = []", failing))
    command = [sys.executable, "-m", "dramaturg.cli.main", "certify", str(reference_copy)]
    done = subprocess.run(
        [*command, "--level", "0"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == Outcome.FAIL.exit_code
    assert done.stderr.count("| a missing semicolon") == 2, "as it ends, and as the verdict"
    assert done.stderr.count("fail reference level 0 ") == 1, "by the first of all cases"
    cases = len(make([find("reference")], [0]).items)
    assert f"reference: {cases} fail," in done.stdout
    assert "LCG-1" not in done.stderr + done.stdout
