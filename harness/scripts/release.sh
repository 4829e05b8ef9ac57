#!/bin/sh
# Builds the wheel of a release into dist/, and tries it where nothing else of it is. Refuses a
# tag that is not the package's version, a version without an entry in CHANGELOG.md, and a clone
# that differs from its commit.
#
# Reads TAG, such as v0.1.0. PYTHON is the interpreter, default python3.
set -eu
cd "$(dirname "$0")/../.."

fail() { printf 'release: %s\n' "$*" >&2; exit 2; }

python=${PYTHON:-python3}
version=$("$python" -c '
import tomllib
with open("harness/pyproject.toml", "rb") as file:
    print(tomllib.load(file)["project"]["version"])')
[ "${TAG:-}" = "v$version" ] || fail "the tag is '${TAG:-}', and harness/pyproject.toml says $version: it would be v$version"
grep -Eq "^## $(printf '%s' "$version" | sed 's/\./\\./g')( |\$)" CHANGELOG.md || fail "CHANGELOG.md has no '## $version'"
[ -z "$(git status --porcelain)" ] || fail "the clone differs from its commit: git status says where"
[ ! -e dist ] || fail "dist/ is there already: what lies in it would be published"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" -m venv "$work/build"
"$work/build/bin/python" -m pip -q --disable-pip-version-check install -r harness/requirements.lock
"$work/build/bin/python" -m pip -q --disable-pip-version-check wheel --no-deps --no-build-isolation --wheel-dir dist ./harness

"$python" -m venv "$work/tried"
"$work/tried/bin/python" -m pip -q --disable-pip-version-check install dist/*.whl
(cd "$work" && tried/bin/dramaturg --version && tried/bin/dramaturg doctor >/dev/null)
