#!/bin/sh
# Appends what was found to the job's summary. Never changes the verdict.
#
# Reads   DRAMATURG      the command; empty if it was not installed
#         INPUT_RESULTS  the folder with the results, which may not be there
set -eu
# shellcheck source=action/common.sh
. "$(dirname "$0")/common.sh"

if [ -n "${DRAMATURG:-}" ] && [ -f "$INPUT_RESULTS/conformance.jsonl" ]; then
    status=0
    quiet
    # What is wrong with what others wrote is said on standard error.
    { "$DRAMATURG" report "$INPUT_RESULTS" --markdown >>"$GITHUB_STEP_SUMMARY"; } 2>&1 || status=$?
    heard
    [ "$status" -eq 0 ] || fail "the results in $INPUT_RESULTS cannot be read; the log says why"
else
    printf '## Dramaturg\n\nNot run: no case was begun. The log of the job says why.\n' >>"$GITHUB_STEP_SUMMARY"
fi
