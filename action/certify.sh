#!/bin/sh
# Certifies, and ends with the exit code of the verdict (docs/exit-codes.md).
#
# Reads   DRAMATURG              the command
#         INPUT_IMPLEMENTATION   paths or names, one a line
#         INPUT_LEVEL            levels, with spaces between; empty: all that can be run here
#         INPUT_CASES            a case file of one's own
#         INPUT_SELECT           an expression as pytest's -k takes it
#         INPUT_TOOLCHAIN        true: install the packages that the manifests list
#         INPUT_RESULTS          the folder for the results
#         SUDO                   true: run as root, for level 4
# Outputs exit-code, results, certificate (empty if there is none)
set -eu
# shellcheck source=action/common.sh
. "$(dirname "$0")/common.sh"

newline='
'
set -f

IFS=$newline
# shellcheck disable=SC2086
set -- $INPUT_IMPLEMENTATION
unset IFS
[ $# -gt 0 ] || fail "the input implementation is empty; it takes paths or names, one a line"
for name; do
    case $name in
        -*) fail "the input implementation has '$name', which is an option" ;;
    esac
done

if is_on toolchain "${INPUT_TOOLCHAIN:-}"; then
    quiet
    # What is missing afterwards is said by certify, as an outcome.
    "$DRAMATURG" doctor --install --yes "$@" 2>&1 || true
    heard
fi

for level in ${INPUT_LEVEL:-}; do
    case $level in
        [0-4]) set -- "$@" --level "$level" ;;
        *) fail "the input level has '$level'; levels are 0 to 4, with spaces between" ;;
    esac
done
[ -z "${INPUT_CASES:-}" ] || set -- "$@" --cases "$INPUT_CASES"
set -- "$@" --output "$INPUT_RESULTS"
[ -z "${INPUT_SELECT:-}" ] || set -- "$@" -- -k "$INPUT_SELECT"

as_root=false
is_on sudo "${SUDO:-}" && as_root=true
status=0
quiet
if $as_root; then
    sudo -n --preserve-env env "PATH=$PATH" "$DRAMATURG" certify "$@" 2>&1 || status=$?
    sudo -n chown -R "$(id -u):$(id -g)" "$INPUT_RESULTS" || true
else
    "$DRAMATURG" certify "$@" 2>&1 || status=$?
fi
heard

certificate=$INPUT_RESULTS/certificate.json
[ -f "$certificate" ] || certificate=
output exit-code "$status"
output results "$INPUT_RESULTS"
output certificate "$certificate"
exit "$status"
