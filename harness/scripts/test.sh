#!/bin/sh
# All tests: style and types, the harness's own tests, then implementations held to the specification.
# A commit has a part of all that takes long (chosen.sh, harness/tests/sampling.py), and all of it with WHOLE.
# An implementation whose toolchain is missing is named; it counts as skipped, never as passed.
set -eu
cd "$(dirname "$0")/../.."

# Images of containers set it, and then each of hundreds of processes compiles the tests anew.
unset PYTHONDONTWRITEBYTECODE

begun=$(date +%s)
# took STEP: how long it has been since the last.
took() {
    printf 'test: %s: %s s\n' "$1" "$(($(date +%s) - begun))" >&2
    begun=$(date +%s)
}

# chosen GROUP: names, in one line.
chosen() {
    harness/scripts/chosen.sh "$1" | tr '\n' ' '
}
whole=$(chosen whole) part=$(chosen part) rest=$(chosen rest)

# certify ARGUMENTS...
certify() {
    status=0
    ./dramaturg certify "$@" || status=$?
    case "$status" in
        0) ;;
        6) echo "some toolchains are missing (see above): those implementations were not run" ;;
        *) exit "$status" ;;
    esac
}

# shellcheck disable=SC2086
harness/scripts/lint.sh $whole $part
took "lint"

[ -n "${WHOLE:-}" ] || export SAMPLED=1
.venv/bin/python -m pytest harness/tests -c harness/pyproject.toml -q -n "$(($(nproc) * 2))" --dist worksteal -p no:cacheprovider --durations 20 --durations-min 10
.venv/bin/python harness/tests/documents/registry_kit.py
took "the harness"

# shellcheck disable=SC2086
harness/scripts/languages.sh test $whole $part
took "languages"

[ -z "$rest" ] || printf '\nnot run (WHOLE=1 runs all): %s\n' "$rest"
if [ -n "$part" ]; then
    printf '\nnot run at levels 3 and 4 (WHOLE=1 runs all): %s\n' "$part"
    # shellcheck disable=SC2086
    certify --level 0 --level 1 --level 2 $part
    took "levels 0 to 2"
fi
echo
# Its nodes are a build of their own.
case " $whole" in *" ractor "*) whole="$whole ractor+cluster" ;; esac
# shellcheck disable=SC2086
certify $whole
took "all levels"
