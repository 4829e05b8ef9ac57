#!/bin/sh
# Rehearses a release: rehearse.sh REVISION, which is the commit of the release before.
#
# Builds the wheel, collects what it needs in a folder, and installs from that folder alone into an
# environment of each Python that the package names. Then upgrades from a wheel of REVISION. Prints a
# line for each step, and ends with 0 if none failed. What is not here is said, and is no failure.
#
# Needs .venv (make setup) and a package registry. WORK is where it works, default a new folder.
set -eu
cd "$(dirname "$0")/../.."

[ $# -eq 1 ] || { echo "rehearse: which revision was the release before? rehearse.sh REVISION" >&2; exit 2; }
before=$(git rev-parse --verify --quiet "$1^{commit}") || { echo "rehearse: git knows no revision $1" >&2; exit 2; }

work=${WORK:-$(mktemp -d)}
[ -n "${WORK:-}" ] || trap 'rm -rf "$work"' EXIT
here=$PWD/.venv/bin/python
quietly="-m pip -q --disable-pip-version-check"
failed=0

say() { printf 'rehearse: %s\n' "$*"; }
fail() { say "FAILED $*"; failed=1; }

# A wheel of the clone $1, in the folder $2.
# shellcheck disable=SC2086 # Several words.
wheel() { "$here" $quietly wheel --no-deps --no-build-isolation --wheel-dir "$2" "$1/harness"; }

# The interpreter of version $1 (such as 3.12), by its usual name or pyenv's.
interpreter() {
    for python in "python$1" "${PYENV_ROOT:-$HOME/.pyenv}/versions/$1".*/bin/python; do
        "$python" -c "import sys; sys.exit('%d.%d' % sys.version_info[:2] != '$1')" 2>/dev/null && { echo "$python"; return 0; }
    done
    return 1
}

# Installs the wheel of now into the environment $1, and starts it.
# shellcheck disable=SC2086
tries() {
    "$1/bin/python" $quietly download --only-binary :all: -d "$work/index" "$work"/now/*.whl || return 1
    "$1/bin/python" $quietly install --no-index --find-links "$work/index" dramaturg || return 1
    (cd "$work" && "$1/bin/dramaturg" --version && "$1/bin/dramaturg" doctor >/dev/null)
}

wheel "$PWD" "$work/now"
say "wheel of now: $(basename "$work"/now/*.whl)"
pythons=$(sed -n 's/.*Programming Language :: Python :: \(3\.[0-9]*\)".*/\1/p' harness/pyproject.toml)
newest=
for version in $pythons; do
    python=$(interpreter "$version") || { say "Python $version: not here"; continue; }
    "$python" -m venv "$work/venv-$version"
    tries "$work/venv-$version" || { fail "Python $version: it does not install, or does not start"; continue; }
    newest=$version
    say "Python $version: installed from the local index, and doctor ends well"
done
[ -n "$newest" ] || { fail "no Python that the package names is here"; exit 1; }

git clone -q "$PWD" "$work/clone" && git -C "$work/clone" checkout -q "$before"
wheel "$work/clone" "$work/before"
"$(interpreter "$newest")" -m venv "$work/venv-before"
# shellcheck disable=SC2086
"$work/venv-before/bin/python" $quietly install --no-index --find-links "$work/index" "$work"/before/*.whl
harness/scripts/upgrade.sh "$work/venv-before/bin/dramaturg" "$work/venv-$newest/bin/dramaturg" "$work/upgrade" || failed=1

if command -v docker >/dev/null 2>&1 && docker info >/dev/null 2>&1; then
    if docker build -q . >/dev/null; then say "image: built"; else fail "image: not built"; fi
else
    say "image: not built, since no builder answers here"
fi
exit "$failed"
