#!/bin/sh
# All tests: the harness's own, then every implementation held to the specification.
# An implementation whose toolchain is missing is named; it counts as skipped, never as passed.
set -eu
cd "$(dirname "$0")/../.."

# Images of containers set it, and then each of hundreds of processes compiles the tests anew.
unset PYTHONDONTWRITEBYTECODE

.venv/bin/python -m pytest harness/tests -c harness/pyproject.toml -q -n "$(($(nproc) * 2))" --dist worksteal -p no:cacheprovider --durations 20 --durations-min 10
.venv/bin/python harness/tests/documents/registry_kit.py

harness/scripts/languages.sh test

echo
status=0
./dramaturg certify --all || status=$?
case "$status" in
    0) ;;
    6) echo "some toolchains are missing (see above): those implementations were not run" ;;
    *) exit "$status" ;;
esac
