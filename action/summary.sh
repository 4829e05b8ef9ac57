#!/bin/sh
# Appends what was found to the job's summary. Never changes the verdict.
#
# Reads   DRAMATURG      the command; empty if it was not installed
#         INPUT_RESULTS  the folder with the results, which may not be there
set -eu
# shellcheck source=action/common.sh
. "$(dirname "$0")/common.sh"

if [ -n "${DRAMATURG:-}" ] && [ -f "$INPUT_RESULTS/conformance.jsonl" ]; then
    "$DRAMATURG" report "$INPUT_RESULTS" --markdown >>"$GITHUB_STEP_SUMMARY"
else
    printf '## Dramaturg\n\nNot run: no case was begun. The log of the job says why.\n' >>"$GITHUB_STEP_SUMMARY"
fi
