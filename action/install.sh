#!/bin/sh
# Installs the package into an environment of its own, which only this action uses.
#
# Reads   INPUT_WHEEL          a file; or
#         INPUT_VERSION        a release on PyPI; or, where both are empty,
#         ACTION_REF           the release that the action was called by (v1.2.3), else
#         ACTION_PATH          the package as it stands beside this very action
#         RUNNER_TEMP
# Outputs dramaturg            the command
set -eu
# shellcheck source=action/common.sh
. "$(dirname "$0")/common.sh"

# The system's Python first: Debian's Mininet is installed for that one only. Always with -I: the
# current folder is a checkout of anybody's.
python=
for candidate in /usr/bin/python3 python3 python3.13 python3.12 python3.11; do
    found=$(command -v "$candidate" 2>/dev/null) || continue
    if "$found" -I -c 'import sys, venv, ensurepip
sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null; then
        python=$found
        break
    fi
done
[ -n "$python" ] || fail "no Python 3.11, 3.12 or 3.13 with venv is here; let actions/setup-python come before"

if [ -n "${INPUT_WHEEL:-}" ]; then
    [ -z "${INPUT_VERSION:-}" ] || fail "the inputs wheel and version exclude each other; give one"
    [ -f "$INPUT_WHEEL" ] || fail "the input wheel is '$INPUT_WHEEL', and there is no such file"
    case $INPUT_WHEEL in
        *.whl) package=$(cd "$(dirname "$INPUT_WHEEL")" && pwd)/$(basename "$INPUT_WHEEL") ;;
        *) fail "the input wheel is '$INPUT_WHEEL', which is no wheel (.whl)" ;;
    esac
else
    version=${INPUT_VERSION:-}
    if [ -z "$version" ] && printf '%s\n' "${ACTION_REF:-}" | grep -Eqx 'v[0-9]+\.[0-9]+\.[0-9]+((a|b|rc)[0-9]+)?'; then
        version=${ACTION_REF#v}
    fi
    if [ -z "$version" ]; then
        # Called by a branch or by a commit: that is what is to be used, and no release.
        package=$ACTION_PATH/harness
        [ -f "$package/pyproject.toml" ] || fail "$package is not there; give the input version or wheel"
    elif [ "$(printf '%s\n' "$version" | wc -l)" -eq 1 ] &&
        printf '%s\n' "$version" | grep -Eqx '[0-9]+(\.[0-9]+)*((a|b|rc)[0-9]+)?'; then
        package=dramaturg==$version
    else
        fail "the input version is '$version'; it is a release such as 0.1.0"
    fi
fi

environment=$RUNNER_TEMP/dramaturg
shared=
if [ "$python" = /usr/bin/python3 ] && "$python" -I -c 'import mininet' 2>/dev/null; then
    shared=--system-site-packages
fi
# shellcheck disable=SC2086
"$python" -I -m venv --clear $shared "$environment"
status=0
quiet
"$environment/bin/python" -I -m pip --quiet --disable-pip-version-check install "$package" 2>&1 ||
    status=$?
[ "$status" -ne 0 ] || "$environment/bin/dramaturg" --version 2>&1 || status=$?
heard
[ "$status" -eq 0 ] || fail "$package cannot be installed; pip has said why"
output dramaturg "$environment/bin/dramaturg"
