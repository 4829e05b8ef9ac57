#!/bin/sh
# All tests: the harness's own, then every implementation held to the specification.
# An implementation whose toolchain is missing is named; it counts as skipped, never as passed.
set -eu
cd "$(dirname "$0")/../.."

# Images of containers set it, and then each of hundreds of processes compiles the tests anew.
unset PYTHONDONTWRITEBYTECODE

# Of the tests that take longest a commit performs a part.
[ -n "${WHOLE:-}" ] || export SAMPLED=1
.venv/bin/python -m pytest harness/tests -c harness/pyproject.toml -q -n "$(($(nproc) * 2))" --dist worksteal -p no:cacheprovider --durations 20 --durations-min 10
.venv/bin/python harness/tests/documents/registry_kit.py

harness/scripts/languages.sh test

# All levels take most of the time, so each commit has three implementations that the commit chooses
# for them, and the others stop at level 2. Outside of a repository, and with WHOLE, all have all levels.
SHARE=3
commit=$(git rev-parse --verify --quiet HEAD 2>/dev/null || true)
whole="" part="" count=0

# The implementations' names, in an order that depends on the commit.
shuffled() {
    for manifest in implementations/*/dramaturg.toml; do
        name=$(basename "$(dirname "$manifest")")
        printf '%s %s\n' "$(printf '%s %s' "$name" "$commit" | sha256sum)" "$name"
    done | sort | sed 's/.* //'
}

for name in $(shuffled); do
    count=$((count + 1))
    if [ -n "${WHOLE:-}" ] || [ -z "$commit" ] || [ "$count" -le "$SHARE" ]; then
        whole="$whole $name"
        # Its nodes are a build of their own.
        [ "$name" != ractor ] || whole="$whole ractor+cluster"
    else
        part="$part $name"
    fi
done

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
if [ -n "$part" ]; then
    printf '\nnot run at levels 3 and 4 (WHOLE=1 runs all):%s\n' "$part"
    certify --level 0 --level 1 --level 2 $part
fi
echo
# shellcheck disable=SC2086
[ -z "$whole" ] || certify $whole
